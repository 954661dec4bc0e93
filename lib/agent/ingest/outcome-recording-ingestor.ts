import { joinKey } from '../../domain/joined-key.js';
import {
  normaliseIngestRequest,
  type MemoryIngestor,
  type MemoryIngestReceipt,
  type MemoryIngestRequest,
  type NormalisedIngestRequest,
} from '../../spi/ingest.js';
import { failureReason } from '../failure.js';
import { FAILURE_REASONS } from './ingest-reasons.js';
import type { IngestOutcomes } from './ingest-outcomes.js';

export interface OutcomeRecordingIngestorOptions {
  readonly delegate: MemoryIngestor;
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

  /** What the delegate throws is thrown on, after each message without an outcome was recorded as failed. */
  async ingest(input: MemoryIngestRequest): Promise<MemoryIngestReceipt> {
    const { delegate, outcomes, reports } = this.#options;
    // Assigns the ids that outcomes go by; to do it again further down changes nothing.
    const request = normaliseIngestRequest(input);
    const key = keyOf(request);
    if (key !== undefined && this.#taken.has(key)) return delegate.ingest(request);
    if (key !== undefined) this.#remember(key);
    const { sessionId, messages } = request;
    // Before the hand-over: a backend may report while it is still taking in.
    const expected = outcomes.expect({ sessionId, messageIds: messages.map(({ id }) => id) });
    try {
      const receipt = await delegate.ingest(request);
      if (!reports) {
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
