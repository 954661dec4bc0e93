import type { Clock, ScheduleOptions } from '../domain/clock.js';

/**
 * A clock that never tells the same time twice: what happens while the other clock stands still is stamped a millisecond
 * apart. Facts of one instant have no order, and a test that reads them would see another one in each run.
 */
export class StampingClock implements Clock {
  readonly #clock: Clock;
  #last = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Date {
    this.#last = Math.max(this.#clock.now().getTime(), this.#last + 1);
    return new Date(this.#last);
  }

  schedule(ms: number, task: () => void, options?: ScheduleOptions): () => void {
    return this.#clock.schedule(ms, task, options);
  }
}
