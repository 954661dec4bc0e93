import type { Clock } from '../../../lib/domain/clock.js';

/** A clock that stands still until it is moved, and then fires what is due in order. */
export class ManualClock implements Clock {
  #time = Date.parse('2026-03-02T02:00:00Z');
  #tasks: { readonly at: number; readonly task: () => void }[] = [];

  now(): Date {
    return new Date(this.#time);
  }

  schedule(ms: number, task: () => void): () => void {
    const entry = { at: this.#time + ms, task };
    this.#tasks.push(entry);
    return () => {
      this.#tasks = this.#tasks.filter((one) => one !== entry);
    };
  }

  advance(ms: number): void {
    this.#time += ms;
    const due = this.#tasks.filter(({ at }) => at <= this.#time).sort((a, b) => a.at - b.at);
    this.#tasks = this.#tasks.filter(({ at }) => at > this.#time);
    for (const { task } of due) task();
  }

  /** How many tasks wait. */
  get waiting(): number {
    return this.#tasks.length;
  }
}
