import type { Clock } from '../../domain/clock.js';

/** Ends a call when its time is up, when nothing has come for too long, or when its caller gives up. */
export class CallDeadline {
  /** Aborts when the call is at its end, with the reason that is to be thrown. */
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  readonly #cancelTotal: () => void;
  #cancelIdle: () => void = () => undefined;

  /** @param tooLate the error of a call that has not ended within `ms` milliseconds */
  constructor(
    private readonly clock: Clock,
    ms: number,
    tooLate: () => Error,
    caller: AbortSignal | undefined,
  ) {
    this.signal = caller === undefined ? this.#end.signal : AbortSignal.any([caller, this.#end.signal]);
    this.#cancelTotal = clock.schedule(ms, () => this.#end.abort(tooLate()), { keepsProcessAlive: true });
  }

  /** Something is waited for, for `ms` milliseconds at the most. */
  wait(ms: number, tooLate: () => Error): void {
    this.#cancelIdle();
    this.#cancelIdle = this.clock.schedule(ms, () => this.#end.abort(tooLate()), { keepsProcessAlive: true });
  }

  /** It has come. */
  arrived(): void {
    this.#cancelIdle();
  }

  /** Nothing is waited for any more; what is still open is dropped. */
  over(): void {
    this.#cancelTotal();
    this.#cancelIdle();
    this.#end.abort();
  }
}
