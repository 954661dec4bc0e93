import {
  normaliseIngestRequest,
  type MemoryIngestor,
  type MemoryIngestReceipt,
  type MemoryIngestRequest,
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

/** Sees to it that every message handed to an ingestor ends with an outcome. */
export class OutcomeRecordingIngestor implements MemoryIngestor {
  readonly #options: OutcomeRecordingIngestorOptions;

  constructor(options: OutcomeRecordingIngestorOptions) {
    this.#options = options;
  }

  /** What the delegate throws is thrown on, after each message without an outcome was recorded as failed. */
  async ingest(input: MemoryIngestRequest): Promise<MemoryIngestReceipt> {
    const { delegate, outcomes, reports } = this.#options;
    // Assigns the ids that outcomes go by; to do it again further down changes nothing.
    const request = normaliseIngestRequest(input);
    const { sessionId, messages, idempotencyKey } = request;
    // Before the hand-over: a backend may report while it is still taking in.
    const expected = outcomes.expect({ sessionId, messageIds: messages.map(({ id }) => id) });
    try {
      const receipt = await delegate.ingest(request);
      if (!reports) {
        // A repeated request is answered without anything being taken anew.
        const short = idempotencyKey === undefined && receipt.accepted < messages.length;
        for (const { id } of short ? messages.slice(receipt.accepted) : []) {
          outcomes.record({
            ...{
              messageId: id,
              sessionId,
              outcome: 'failed',
              reason: FAILURE_REASONS.NOT_ACCEPTED,
              observationIds: [],
            },
          });
        }
        expected.settleRest('accepted');
      }
      return receipt;
    } catch (error) {
      expected.settleRest('failed', failureReason(error));
      throw error;
    }
  }
}
