import type { IngestOutcome } from '../../domain/ingest-outcome.js';

/** Who is to be told what became of each message. What one of them throws harms neither the queue nor the others. */
export class OutcomeListeners {
  readonly #listeners = new Set<(outcome: IngestOutcome) => void>();

  /** The answer unsubscribes. */
  add(listener: (outcome: IngestOutcome) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(outcome: IngestOutcome): void {
    for (const listener of this.#listeners) {
      try {
        listener(Object.freeze(outcome));
      } catch {
        // A listener's fault is not the message's.
      }
    }
  }
}
