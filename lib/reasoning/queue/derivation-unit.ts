import type { IngestOutcome } from '../../domain/ingest-outcome.js';
import { joinKey } from '../../domain/joined-key.js';
import type { NormalisedMessage } from '../../domain/memory-message.js';
import type { ObservationId } from '../../domain/observation-id.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { DerivationWorkUnit } from '../../ports/derivation-queue.js';

/** A message on its way through the queue. A long one travels in several pieces and is done when all of them are. */
export class QueuedMessage {
  readonly #observationIds = new Map<string, ObservationId>();
  #piecesLeft: number;
  #failure: string | undefined;
  #settled = false;

  constructor(
    readonly messageId: string,
    readonly sessionId: string,
    pieces: number,
    private readonly report: (outcome: IngestOutcome) => void,
  ) {
    this.#piecesLeft = pieces;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** One piece is done, with what was derived from it. Whether it was the last. */
  pieceDone(observationIds: readonly ObservationId[]): boolean {
    for (const id of observationIds) this.#observationIds.set(id.toString(), id);
    this.#piecesLeft--;
    if (this.#piecesLeft === 0) this.#settle();
    return this.#piecesLeft === 0;
  }

  /** Whatever pieces are left will not be done: for a fault, or on purpose. */
  giveUp(outcome: 'failed' | 'skipped', reason: string): void {
    this.#failure ??= reason;
    this.#settle(outcome);
  }

  #settle(unsuccessful: 'failed' | 'skipped' = 'failed'): void {
    if (this.#settled) return;
    this.#settled = true;
    const observationIds = Object.freeze([...this.#observationIds.values()]);
    const { messageId, sessionId } = this;
    if (this.#failure !== undefined) {
      this.report({ messageId, sessionId, outcome: unsuccessful, reason: this.#failure, observationIds });
    } else {
      this.report({
        messageId,
        sessionId,
        outcome: observationIds.length > 0 ? 'stored' : 'nothing-found',
        observationIds,
      });
    }
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
  readonly #idle: (() => void)[] = [];

  constructor(
    readonly observer: PeerView,
    readonly sessionId: string,
  ) {}

  get isIdle(): boolean {
    return this.waiting.length === 0 && this.inFlight.length === 0;
  }

  /** How many messages are being worked on whose outcome is not known yet. */
  get messagesInFlight(): number {
    return new Set(this.inFlight.flatMap(({ origin }) => (origin.settled ? [] : [origin]))).size;
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

  /** Calls `listener` once, when there is nothing left to do. */
  onIdle(listener: () => void): void {
    this.#idle.push(listener);
  }

  announceIdle(): void {
    for (const listener of this.#idle.splice(0)) listener();
  }
}

export function unitKey({ observer, sessionId }: DerivationWorkUnit): string {
  return joinKey([observer.key(), sessionId]);
}
