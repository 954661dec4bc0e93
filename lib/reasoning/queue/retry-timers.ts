import type { Clock } from '../../domain/clock.js';

/** What is to be tried again after a while, until all of it is called off. */
export class RetryTimers {
  readonly #cancels = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly delayMs: number,
  ) {}

  /** Calls `retry` once after the delay. The process is kept alive for it: somebody waits for these messages. */
  add(retry: () => void): void {
    const cancel = this.clock.schedule(
      this.delayMs,
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
