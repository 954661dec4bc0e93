// Not the globals: a test runner that fakes those must not stop this clock.
import { setImmediate } from 'node:timers';

import { requireDate, shown } from '../domain/checks.js';
import type { Clock } from '../domain/clock.js';
import { InvalidArgumentError } from '../domain/errors.js';
import { requireDuration, type Duration } from './duration.js';

interface Task {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Where a clock stands that was told no time: a Thursday. */
const START = '2026-01-01T00:00:00.000Z';

/** The last time that a Date can hold. */
const LATEST = 8.64e15;

/** How often others have their turn after a task, and how often at most while what it has started is still under way. */
const TURNS = 2;
const MOST_TURNS = 500;

/**
 * A clock that stands still until a test moves it. Tasks that come due on the way run in the order of their times, also
 * those that tasks schedule. What is under way, or is started by a task, goes on before the clock does.
 */
export class TestClock implements Clock {
  // By time, and of one time in the order in which they were scheduled.
  readonly #tasks: Task[] = [];
  // With how many turns each is waited for, at most.
  readonly #busy = new Map<() => boolean, number>();
  #time: number;
  #order = 0;
  #moving: Promise<void> = Promise.resolve();

  /** @param start where it stands; default 2026-01-01T00:00:00Z */
  constructor(start: Date = new Date(START)) {
    this.#time = requireDate('TestClock start', start).getTime();
  }

  /** The time that the test has set. */
  now(): Date {
    return new Date(this.#time);
  }

  /** How many tasks wait for their time. */
  get waiting(): number {
    return this.#tasks.length;
  }

  /** How long it is until the next task is due, in milliseconds; `undefined` where none waits. */
  get untilNextTask(): number | undefined {
    const [next] = this.#tasks;
    return next === undefined ? undefined : Math.max(0, next.at - this.#time);
  }

  schedule(ms: number, task: () => void): () => void {
    if (ms === Infinity) return () => undefined;
    // As a timer of Node: at least one, or a task that schedules itself would keep time from passing.
    const entry = { at: this.#time + (ms >= 1 ? ms : 1), order: this.#order++, run: task };
    this.#tasks.splice(this.#place(entry), 0, entry);
    return () => {
      const at = this.#place(entry);
      if (this.#tasks[at] === entry) this.#tasks.splice(at, 1);
    };
  }

  /**
   * Moves on, and settles when every task that was due has run. To be awaited: calls one after another are done one after
   * another. What a task throws is thrown when the clock has got to where it was to go.
   *
   * @param by milliseconds, or `300ms`, `10s`, `30m`, `6h`, `2d`
   * @throws InvalidArgumentError when it is no duration; the clock stands where it stood
   */
  async advance(by: Duration): Promise<void> {
    const ms = requireDuration('What TestClock.advance was given', by);
    await this.#after(() => {
      if (this.#time + ms <= LATEST) return this.#move(this.#time + ms);
      throw new InvalidArgumentError(
        `What TestClock.advance was given is ${shown(by)}, which leads past the end of time, ${new Date(LATEST).toISOString()}.`,
      );
    });
  }

  /** As {@link advance}, to a time. @throws InvalidArgumentError when it has passed */
  async set(time: Date): Promise<void> {
    const target = requireDate('What TestClock.set was given', time).getTime();
    await this.#after(async () => {
      if (target < this.#time) {
        throw new InvalidArgumentError(
          `TestClock.set was given ${new Date(target).toISOString()}, but the clock stands at ${this.now().toISOString()}, and time does not go back. Start one earlier: new TestClock(new Date('${new Date(target).toISOString()}')).`,
        );
      }
      await this.#move(target);
    });
  }

  /**
   * Has the clock wait after a task as long as `isBusy`, for `mostTurns` turns of the event loop at most. The answer ends
   * that. @internal
   */
  waitWhile(isBusy: () => boolean, mostTurns = MOST_TURNS): () => void {
    this.#busy.set(isBusy, mostTurns);
    return () => void this.#busy.delete(isBusy);
  }

  #after(move: () => Promise<void>): Promise<void> {
    const moved = this.#moving.then(move);
    this.#moving = moved.catch(() => undefined);
    return moved;
  }

  async #move(target: number): Promise<void> {
    const thrown: unknown[] = [];
    // What is under way has not seen time pass yet.
    await this.#turns();
    for (let next = this.#tasks[0]; next !== undefined && next.at <= target; next = this.#tasks[0]) {
      this.#tasks.shift();
      this.#time = next.at;
      try {
        next.run();
      } catch (error) {
        thrown.push(error);
      }
      await this.#turns();
    }
    this.#time = target;
    await this.#turns();
    if (thrown.length === 1) throw thrown[0];
    if (thrown.length > 1) throw new AggregateError(thrown, `${thrown.length} tasks of the TestClock failed.`);
  }

  async #turns(): Promise<void> {
    for (let turn = 0; turn < TURNS || this.#isBusy(turn); turn++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #isBusy(turn: number): boolean {
    return [...this.#busy].some(([isBusy, mostTurns]) => turn < mostTurns && isBusy());
  }

  /** Where it stands among the tasks, or would. */
  #place({ at, order }: Task): number {
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#tasks[middle] as Task;
      if (other.at < at || (other.at === at && other.order < order)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
