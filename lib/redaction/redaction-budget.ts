import { setImmediate } from 'node:timers/promises';

import { RedactionError } from '../domain/errors.js';
import { POLICY_UNITS } from './text-slices.js';

/** How long masking one request may take, in milliseconds, unless said otherwise. */
export const DEFAULT_REDACTION_DEADLINE_MS = 10_000;

/**
 * The time that masking one request may take, and its turns: after every 64 KiB the event loop gets one, and the
 * deadline and the caller's signal are looked at.
 */
export class RedactionBudget {
  private readonly startedAt = performance.now();
  private spent = 0;

  /** @throws the signal's reason when it was aborted already */
  constructor(
    private readonly deadlineMs: number,
    private readonly signal?: AbortSignal,
  ) {
    signal?.throwIfAborted();
  }

  /** Notes that `units` UTF-16 units were handed to a policy. */
  spend(units: number): void {
    this.spent += units;
  }

  /** Whether it is time to {@link pause}. */
  get due(): boolean {
    return this.spent >= POLICY_UNITS;
  }

  /** Lets others run. @throws RedactionError past the deadline; the signal's reason when it was aborted */
  async pause(): Promise<void> {
    this.spent = 0;
    await setImmediate();
    this.check();
  }

  /** @throws RedactionError past the deadline; the signal's reason when it was aborted */
  check(): void {
    this.signal?.throwIfAborted();
    if (performance.now() - this.startedAt > this.deadlineMs) {
      throw new RedactionError(
        `Masking took longer than its deadline of ${this.deadlineMs} ms. Nothing was written or sent. ` +
          'Send less text at once, use a faster policy, or raise the deadline.',
      );
    }
  }
}
