import { joinKey } from '../../domain/joined-key.js';
import type { DerivationQueue } from '../../ports/derivation-queue.js';
import {
  normaliseIngestRequest,
  type MemoryIngestor,
  type MemoryIngestReceipt,
  type MemoryIngestRequest,
  type NormalisedIngestRequest,
} from '../../spi/ingest.js';

/** How many idempotency keys are remembered. */
const MOST_KEYS = 10_000;

/** INGEST over a derivation queue. */
export class StoreBackedIngestor implements MemoryIngestor {
  readonly #byKey = new Map<string, Promise<MemoryIngestReceipt>>();

  constructor(private readonly queue: DerivationQueue) {}

  async ingest(input: MemoryIngestRequest): Promise<MemoryIngestReceipt> {
    const request = normaliseIngestRequest(input);
    request.signal?.throwIfAborted();
    if (request.idempotencyKey === undefined) return this.#take(request);
    const { subject, observer, sessionId, idempotencyKey } = request;
    const key = joinKey([subject.key(), observer.key(), sessionId, idempotencyKey]);
    const earlier = this.#byKey.get(key);
    if (earlier !== undefined) return earlier;
    const taken = this.#take(request);
    this.#byKey.set(key, taken);
    if (this.#byKey.size > MOST_KEYS) this.#byKey.delete(this.#byKey.keys().next().value as string);
    // Only what was taken is remembered: after a failure the same key may be sent again.
    taken.catch(() => this.#byKey.delete(key));
    return taken;
  }

  async #take({
    subject,
    observer,
    sessionId,
    messages,
    waitForDerivation,
    signal,
  }: NormalisedIngestRequest): Promise<MemoryIngestReceipt> {
    const unfinished = new Set(messages.map(({ id }) => id));
    let failed = false;
    const unsubscribe = !waitForDerivation
      ? undefined
      : this.queue.onOutcome((outcome) => {
          if (outcome.sessionId !== sessionId || !unfinished.delete(outcome.messageId)) return;
          if (outcome.outcome === 'failed') failed = true;
        });
    try {
      const accepted = await this.queue.enqueue({ subject, observer, sessionId, messages });
      if (!waitForDerivation) return Object.freeze({ accepted, derived: false });
      await this.queue.whenIdle({ observer, sessionId }, signal);
      return Object.freeze({ accepted, derived: !failed && unfinished.size === 0 });
    } finally {
      unsubscribe?.();
    }
  }
}
