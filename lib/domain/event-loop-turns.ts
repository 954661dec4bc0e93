import { setImmediate } from 'node:timers/promises';

/** How long work may hold the event loop before others have their turn, in milliseconds. */
const LONGEST_TURN_MS = 8;

/** Lets others have the event loop now and then, in work that would never give it away by itself. */
export class EventLoopTurns {
  #since = performance.now();

  /** To be awaited between two steps; costs nothing while the turn is short. */
  async pause(): Promise<void> {
    if (performance.now() - this.#since < LONGEST_TURN_MS) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
