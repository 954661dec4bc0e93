import type { IngestOutcome, IngestOutcomeKind } from '../../domain/ingest-outcome.js';
import { joinKey } from '../../domain/joined-key.js';
import type { NormalisedMessage } from '../../domain/memory-message.js';
import type { ObservationId } from '../../domain/observation-id.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { DerivationWorkUnit } from '../../ports/derivation-queue.js';
import { IdleWaiters } from './idle-waiters.js';

/** A message on its way through the queue. A long one travels in several pieces and is done when all of them are. */
export class QueuedMessage {
  readonly #observationIds = new Map<string, ObservationId>();
  #piecesLeft: number;
  #outcome: IngestOutcomeKind | undefined;
  #reason: string | undefined;
  #inFlight = false;

  constructor(
    readonly messageId: string,
    readonly sessionId: string,
    pieces: number,
    private readonly report: (outcome: IngestOutcome) => void,
  ) {
    this.#piecesLeft = pieces;
  }

  get settled(): boolean {
    return this.#outcome !== undefined;
  }

  /** One of its pieces was cut into so many. */
  cut(pieces: number): void {
    this.#piecesLeft += pieces - 1;
  }

  /** It is being worked on from here. Whether that is news. */
  begin(): boolean {
    if (this.#inFlight || this.settled) return false;
    return (this.#inFlight = true);
  }

  /** It is not being worked on any more. Whether that is news. */
  end(): boolean {
    const was = this.#inFlight;
    this.#inFlight = false;
    return was;
  }

  /** One piece is done, with what was derived from it. Whether it was the last. */
  pieceDone(observationIds: readonly ObservationId[]): boolean {
    for (const id of observationIds) this.#observationIds.set(id.toString(), id);
    this.#piecesLeft--;
    if (this.#piecesLeft > 0 || this.settled) return false;
    this.#outcome = this.#observationIds.size > 0 ? 'stored' : 'nothing-found';
    return true;
  }

  /** Whatever pieces are left will not be done: for a fault, or on purpose. Whether that is news. */
  giveUp(outcome: 'failed' | 'skipped', reason: string): boolean {
    if (this.settled) return false;
    this.#outcome = outcome;
    this.#reason = reason;
    return true;
  }

  /** Reports the outcome, once it is known. */
  tell(): void {
    if (this.#outcome === undefined) return;
    const observationIds = Object.freeze([...this.#observationIds.values()]);
    const { messageId, sessionId } = this;
    const reason = this.#reason;
    this.report({
      messageId,
      sessionId,
      outcome: this.#outcome,
      ...(reason !== undefined && { reason }),
      observationIds,
    });
  }
}

/** What one call of a deriver takes at the least. */
export interface QueuedPiece {
  readonly subject: PeerView;
  readonly message: NormalisedMessage;
  readonly tokens: number;
  readonly origin: QueuedMessage;
  attempts: number;
}

/** The queue of one work unit. */
export class DerivationUnit {
  waiting: QueuedPiece[] = [];
  inFlight: readonly QueuedPiece[] = [];
  /** Whether a worker has it. */
  busy = false;
  /** Whether it waits before it is tried again. */
  resting = false;
  /** Who waits until there is nothing left to do. */
  readonly idle = new IdleWaiters();

  constructor(
    readonly observer: PeerView,
    readonly sessionId: string,
  ) {}

  get isIdle(): boolean {
    return this.waiting.length === 0 && this.inFlight.length === 0;
  }

  /** The pieces at the head that are about one subject and fit the budget together; at least one. */
  takeBatch(maxTokens: number): readonly QueuedPiece[] {
    const first = this.waiting[0];
    if (first === undefined) return [];
    let tokens = 0;
    let count = 0;
    for (const piece of this.waiting) {
      tokens += piece.tokens;
      if (count > 0 && (tokens > maxTokens || !piece.subject.equals(first.subject))) break;
      count++;
    }
    this.inFlight = this.waiting.splice(0, count);
    return this.inFlight;
  }
}

export function unitKey({ observer, sessionId }: DerivationWorkUnit): string {
  return joinKey([observer.key(), sessionId]);
}
