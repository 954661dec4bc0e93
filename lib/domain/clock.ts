/** How a task is waited for. */
export interface ScheduleOptions {
  /** Whether the process stays alive for the task, since somebody waits for what it does. Default false. */
  readonly keepsProcessAlive?: boolean;
}

/** Time, as the memory reads and waits for it. Tests pass one that they move by hand. */
export interface Clock {
  /** The time that it is now, by this clock. */
  now(): Date;

  /**
   * Calls `task` once after `ms` milliseconds. The answer cancels. Housekeeping does not keep a process alive; a
   * deadline does, or a process with nothing else to do would end before it has passed.
   */
  schedule(ms: number, task: () => void, options?: ScheduleOptions): () => void;
}

/** What a timer of Node can hold, in milliseconds; a longer wait would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The system's time and timers. */
export const SYSTEM_CLOCK: Clock = Object.freeze({
  now: () => new Date(),
  schedule: (ms: number, task: () => void, { keepsProcessAlive = false }: ScheduleOptions = {}) => {
    const timer = setTimeout(task, Math.min(ms, LONGEST_TIMER_MS));
    if (!keepsProcessAlive) timer.unref();
    return () => clearTimeout(timer);
  },
});
