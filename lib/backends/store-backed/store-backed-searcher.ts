import type { SearchableObservationStore } from '../../ports/observation-store.js';
import { normaliseSearchQuery, type MemoryHit, type MemorySearcher, type MemorySearchQuery } from '../../spi/search.js';

import { wrappedStoreErrors } from './wrapped-store-errors.js';

/** SEARCH over a store that can search; what it says of its ranking is passed on as it is. */
export class StoreBackedSearcher implements MemorySearcher {
  constructor(private readonly store: SearchableObservationStore) {}

  get ranksByScore(): boolean {
    return this.store.ranksByScore;
  }

  get narrowsBySession(): boolean {
    return this.store.narrowsBySession;
  }

  async search(input: MemorySearchQuery): Promise<readonly MemoryHit[]> {
    const { subject, query, topK, minScore, sessionId, signal } = normaliseSearchQuery(input);
    const found = await wrappedStoreErrors('SEARCH', signal, () =>
      this.store.semanticSearch(subject, query, { topK, sessionId, signal }),
    );
    const hits = found.map(({ observation, score = 0, signals = {} }) =>
      Object.freeze({
        observation,
        score: this.ranksByScore ? score : 0,
        confidenceAvailable: true,
        signals: Object.freeze({ ...signals }),
      }),
    );
    return Object.freeze(this.ranksByScore ? hits.filter((hit) => hit.score >= minScore) : hits);
  }
}
