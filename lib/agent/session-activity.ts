import type { Clock } from '../domain/clock.js';

/** Counts what runs in a session, and notices when nothing was asked of it for a while. */
export class SessionActivity {
  readonly #init: { readonly idleTimeoutMs: number; readonly clock: Clock; readonly onIdle: () => void };
  #running = 0;
  #stopped = false;
  #inactive: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  #cancelIdle: (() => void) | undefined;

  /** @param init.idleTimeoutMs `Infinity`: never idle */
  constructor(init: { readonly idleTimeoutMs: number; readonly clock: Clock; readonly onIdle: () => void }) {
    this.#init = init;
    this.touch();
  }

  /** How many calls run. */
  get running(): number {
    return this.#running;
  }

  /** Runs `work` as something that keeps the session from being idle. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    this.touch();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.release();
      this.touch();
    }
  }

  /** Starts the idle time anew. */
  touch(): void {
    this.#cancelIdle?.();
    this.#cancelIdle = undefined;
    const { idleTimeoutMs, clock, onIdle } = this.#init;
    if (this.#stopped || this.#running > 0 || idleTimeoutMs === Infinity) return;
    this.#cancelIdle = clock.schedule(idleTimeoutMs, onIdle);
  }

  /** Settles when nothing runs, or when {@link release} is called. */
  async whenInactive(): Promise<void> {
    if (this.#running === 0) return;
    if (this.#inactive === undefined) {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((done) => (resolve = done));
      this.#inactive = { promise, resolve };
    }
    await this.#inactive.promise;
  }

  /** Ends the waiting for inactivity, whatever still runs. */
  release(): void {
    this.#inactive?.resolve();
    this.#inactive = undefined;
  }

  /** No idle time any more. */
  stop(): void {
    this.#stopped = true;
    this.touch();
  }
}
