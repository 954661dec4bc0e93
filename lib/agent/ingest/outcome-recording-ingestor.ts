import { joinKey } from '../../domain/joined-key.js';
import {
  normaliseIngestRequest,
  type MemoryIngestor,
  type MemoryIngestReceipt,
  type MemoryIngestRequest,
  type NormalisedIngestRequest,
} from '../../spi/ingest.js';
import { abortable } from '../../domain/abortable.js';
import { failureReason } from '../../domain/failure.js';
import { FAILURE_REASONS } from './ingest-reasons.js';
import type { ExpectedOutcomes, IngestOutcomes } from './ingest-outcomes.js';

/** What an {@link OutcomeRecordingIngestor} is made of; the assembly makes it. */
export interface OutcomeRecordingIngestorOptions {
  /** What takes the messages in; it is given complete requests, with an id on each message. */
  readonly delegate: MemoryIngestor;
  /** Where the outcome of each message is recorded. */
  readonly outcomes: IngestOutcomes;
  /**
   * Whether the backend itself reports each message's outcome to `outcomes`, as the default backend's queue does. When
   * false a message that was taken has the outcome `accepted`: it is derived elsewhere.
   */
  readonly reports: boolean;
}

/** How many idempotency keys are remembered. */
const MOST_KEYS = 10_000;

/** Sees to it that every message handed to an ingestor ends with an outcome. */
export class OutcomeRecordingIngestor implements MemoryIngestor {
  readonly #options: OutcomeRecordingIngestorOptions;
  // A request that is repeated under its key is taken once, so its messages have one outcome: the first request's.
  readonly #taken = new Set<string>();

  constructor(options: OutcomeRecordingIngestorOptions) {
    this.#options = options;
  }

  /**
   * What the delegate throws is thrown on, after each message without an outcome was recorded as failed. A caller who
   * gives up waiting for the derivation, in a backend that reports, gets the signal's reason; the messages keep the outcome
   * that the backend gives them, and the request counts as sent under its idempotency key.
   */
  async ingest(input: MemoryIngestRequest): Promise<MemoryIngestReceipt> {
    const { delegate, outcomes, reports } = this.#options;
    // Assigns the ids that outcomes go by; to do it again further down changes nothing.
    const request = normaliseIngestRequest(input);
    const key = keyOf(request);
    if (key !== undefined && this.#taken.has(key)) return delegate.ingest(request);
    if (key !== undefined) this.#remember(key);
    const { sessionId, messages } = request;
    // Before the hand-over: a backend may report while it is still taking in.
    const expected = outcomes.expect({ sessionId, messageIds: messages.map(({ id }) => id), reported: reports });
    if (!this.#outlives(request)) return this.#take(request, key, expected);
    return abortable(this.#take({ ...request, signal: undefined }, key, expected), request.signal);
  }

  /**
   * Whether the hand-over goes on when its caller gives up. Who waits for the derivation most likely gives up on that,
   * when the messages were taken long since: they must not be called failed and be stored later. Whether they were taken
   * yet cannot be seen from here, so the signal ends the waiting and nothing else.
   */
  #outlives({ waitForDerivation, signal }: NormalisedIngestRequest): boolean {
    return this.#options.reports && waitForDerivation && signal !== undefined && !signal.aborted;
  }

  async #take(
    request: NormalisedIngestRequest,
    key: string | undefined,
    expected: ExpectedOutcomes,
  ): Promise<MemoryIngestReceipt> {
    const { delegate, outcomes, reports } = this.#options;
    const { sessionId, messages } = request;
    try {
      const receipt = await delegate.ingest(request);
      if (reports) {
        // What the queue had no room for has its outcome, and the same request may be sent again as a new one.
        if (key !== undefined && receipt.accepted < messages.length) this.#taken.delete(key);
      } else {
        // Under a key fewer may mean that an earlier process sent it already.
        for (const { id } of key === undefined ? messages.slice(receipt.accepted) : []) {
          const reason = FAILURE_REASONS.NOT_ACCEPTED;
          outcomes.record({ messageId: id, sessionId, outcome: 'failed', reason, observationIds: [] });
        }
        expected.settleRest('accepted');
      }
      return receipt;
    } catch (error) {
      if (key !== undefined) this.#taken.delete(key);
      expected.settleRest('failed', failureReason(error));
      throw error;
    }
  }

  #remember(key: string): void {
    this.#taken.add(key);
    if (this.#taken.size > MOST_KEYS) this.#taken.delete(this.#taken.values().next().value as string);
  }
}

function keyOf({ subject, observer, sessionId, idempotencyKey }: NormalisedIngestRequest): string | undefined {
  return idempotencyKey === undefined ? undefined : joinKey([subject.key(), observer.key(), sessionId, idempotencyKey]);
}
