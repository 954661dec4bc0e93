import type { MaintenanceCycle } from './maintenance-cycle.js';

/** Runs a maintenance cycle at its interval, by the memory's clock: the first after one interval. It does not keep the process alive. */
export class MaintenanceCycleTimer {
  readonly #cycle: MaintenanceCycle;
  #cancel: (() => void) | undefined;

  /** @param cycle what it runs, by its own interval and clock; stopping the timer does not stop a cycle that runs */
  constructor(cycle: MaintenanceCycle) {
    this.#cycle = cycle;
  }

  /** Begins to wait for the first interval. Harmless when it has started, and when the cycle was stopped. */
  start(): void {
    if (this.#cancel !== undefined || this.#cycle.stopped) return;
    this.#cancel = this.#cycle.clock.schedule(this.#cycle.intervalMs, () => {
      this.#cancel = undefined;
      this.start();
      void this.#cycle.tick();
    });
  }

  /** Runs no further cycle. Harmless when it has not started. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
