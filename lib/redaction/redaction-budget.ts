import { abortable } from '../domain/abortable.js';
import { RedactionError } from '../domain/errors.js';
import { nextTurn } from './event-loop-turn.js';
import { POLICY_UNITS } from './text-slices.js';

/** How long masking one request may take, in milliseconds, unless said otherwise. */
export const DEFAULT_REDACTION_DEADLINE_MS = 10_000;

// What was handed to policies since the event loop was given away last. There is one loop, and so one such number.
let spentThisTurn = 0;

/**
 * The time that masking one request may take, and its turns: after every 64 KiB, of this request or of others, the event
 * loop is given away, and the deadline and the caller's signal are looked at. Waiting for one's turn does not count against
 * the deadline: a text is not refused because others are masked at the same time.
 */
export class RedactionBudget {
  private readonly startedAt = performance.now();
  private waitedMs = 0;

  /** @throws the signal's reason when it was aborted already */
  constructor(
    private readonly deadlineMs: number,
    private readonly signal?: AbortSignal,
  ) {
    signal?.throwIfAborted();
  }

  /** Notes that `units` UTF-16 units were handed to a policy. */
  spend(units: number): void {
    spentThisTurn += units;
  }

  /** Whether it is time to {@link pause}. */
  get due(): boolean {
    return spentThisTurn >= POLICY_UNITS;
  }

  /** Lets others run. @throws RedactionError past the deadline; the signal's reason when it was aborted */
  async pause(): Promise<void> {
    const asked = performance.now();
    // Who is no longer wanted need not wait for a turn, of which there may be many before.
    await abortable(nextTurn(), this.signal);
    this.waitedMs += performance.now() - asked;
    spentThisTurn = 0;
    this.check();
  }

  /** @throws RedactionError past the deadline; the signal's reason when it was aborted */
  check(): void {
    this.signal?.throwIfAborted();
    if (performance.now() - this.startedAt - this.waitedMs > this.deadlineMs) {
      throw new RedactionError(
        `Masking took longer than its deadline of ${this.deadlineMs} ms. Nothing was written or sent. ` +
          'Send less text at once, use a faster policy, or raise the deadline.',
      );
    }
  }
}
