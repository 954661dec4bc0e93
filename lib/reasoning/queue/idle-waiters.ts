import { abortable } from '../../domain/abortable.js';

/** Those who wait until something has nothing left to do. */
export class IdleWaiters {
  #waiting: (() => void)[] = [];

  /** Settles at the next {@link release}, or rejects with the signal's reason. */
  wait(signal?: AbortSignal): Promise<void> {
    return abortable(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal);
  }

  release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
