/** Time, as the agent side reads and waits for it. Tests pass one that they move by hand. */
export interface Clock {
  now(): Date;

  /** Calls `task` once after `ms` milliseconds, and never keeps the process alive for it. The answer cancels. */
  schedule(ms: number, task: () => void): () => void;
}

// What a timer of Node can hold; a longer wait would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The system's time and timers. */
export const SYSTEM_CLOCK: Clock = Object.freeze({
  now: () => new Date(),
  schedule: (ms: number, task: () => void) => {
    const timer = setTimeout(task, Math.min(ms, LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
});
