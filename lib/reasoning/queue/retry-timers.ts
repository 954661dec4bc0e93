import type { Clock } from '../../domain/clock.js';

/** The longest wait before the next attempt, in milliseconds. */
const LONGEST_DELAY_MS = 60_000;

/** What is to be tried again after a while, until all of it is called off. */
export class RetryTimers {
  readonly #cancels = new Set<() => void>();

  /** @param delayMs the wait before the second attempt; each one after waits twice as long, up to a minute where
   * the first does not wait longer */
  constructor(
    private readonly clock: Clock,
    private readonly delayMs: number,
  ) {}

  /**
   * Calls `retry` once after the delay. The process is kept alive for it: somebody waits for these messages.
   *
   * @param attempts how many there were already, at least 1
   */
  add(attempts: number, retry: () => void): void {
    const delayMs = Math.max(this.delayMs, Math.min(LONGEST_DELAY_MS, this.delayMs * 2 ** Math.min(attempts - 1, 20)));
    const cancel = this.clock.schedule(
      delayMs,
      () => {
        this.#cancels.delete(cancel);
        retry();
      },
      { keepsProcessAlive: true },
    );
    this.#cancels.add(cancel);
  }

  cancel(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
