import { abortable } from '../../domain/abortable.js';
import type { IngestOutcome } from '../../domain/ingest-outcome.js';
import { joinKey } from '../../domain/joined-key.js';
import type { DerivationQueue } from '../../ports/derivation-queue.js';
import {
  normaliseIngestRequest,
  type MemoryIngestor,
  type MemoryIngestReceipt,
  type MemoryIngestRequest,
  type NormalisedIngestRequest,
} from '../../spi/ingest.js';
import type { MemoryLifetime } from './memory-lifetime.js';

/** How many idempotency keys are remembered. */
const MOST_KEYS = 10_000;

/** INGEST over a derivation queue. */
export class StoreBackedIngestor implements MemoryIngestor {
  // What was taken under each key, and not who waited for what became of it.
  readonly #byKey = new Map<string, Promise<Taken>>();

  constructor(
    private readonly queue: DerivationQueue,
    private readonly lifetime: MemoryLifetime,
  ) {}

  /** When `signal` aborts while it waits for derivation it rejects; the messages were taken all the same. */
  async ingest(input: MemoryIngestRequest): Promise<MemoryIngestReceipt> {
    this.lifetime.requireOpen();
    const request = normaliseIngestRequest(input);
    request.signal?.throwIfAborted();
    const { accepted, settled } = await this.#takeOnce(request);
    if (!request.waitForDerivation) return Object.freeze({ accepted, derived: false });
    // A request that did not wait may have been the one that was taken: then nobody kept account of its messages.
    await (settled === undefined
      ? this.queue.whenIdle(request, request.signal)
      : abortable(settled.promise, request.signal));
    return Object.freeze({ accepted, derived: settled?.failed === false });
  }

  async #takeOnce(request: NormalisedIngestRequest): Promise<Taken> {
    if (request.idempotencyKey === undefined) return this.#take(request);
    const { subject, observer, sessionId, idempotencyKey, messages } = request;
    const key = joinKey([subject.key(), observer.key(), sessionId, idempotencyKey]);
    const earlier = this.#byKey.get(key);
    if (earlier !== undefined) return earlier;
    const taking = this.#take(request);
    this.#byKey.set(key, taking);
    if (this.#byKey.size > MOST_KEYS) this.#byKey.delete(this.#byKey.keys().next().value as string);
    // Only what was taken whole is remembered: after a failure, or when the queue was full, the key may be sent again.
    taking.then(
      ({ accepted }) => accepted < messages.length && this.#byKey.delete(key),
      () => this.#byKey.delete(key),
    );
    return taking;
  }

  async #take({ subject, observer, sessionId, messages, waitForDerivation }: NormalisedIngestRequest): Promise<Taken> {
    const task = { subject, observer, sessionId, messages };
    if (!waitForDerivation) return { accepted: await this.queue.enqueue(task) };
    const settled = new SettledMessages(messages.map(({ id }) => id));
    // Before they are handed over: one that the queue has no room for is reported at once.
    const unsubscribe = this.queue.onOutcome((outcome) => {
      if (outcome.sessionId === sessionId) settled.settle(outcome);
    });
    void settled.promise.then(unsubscribe);
    try {
      return { accepted: await this.queue.enqueue(task), settled };
    } catch (error) {
      unsubscribe();
      throw error;
    }
  }
}

interface Taken {
  readonly accepted: number;
  /** There where the request that was taken waits. */
  readonly settled?: SettledMessages;
}

/** Waits until each of some messages has an outcome. */
class SettledMessages {
  readonly promise: Promise<void>;
  readonly #waiting: Set<string>;
  #failed = false;
  #resolve: () => void = () => undefined;

  constructor(messageIds: readonly string[]) {
    this.#waiting = new Set(messageIds);
    this.promise = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Whether one of them was lost. */
  get failed(): boolean {
    return this.#failed;
  }

  settle({ messageId, outcome }: IngestOutcome): void {
    if (!this.#waiting.delete(messageId)) return;
    if (outcome === 'failed' || outcome === 'skipped') this.#failed = true;
    if (this.#waiting.size === 0) this.#resolve();
  }
}
