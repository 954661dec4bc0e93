import type { SearchableObservationStore } from '../../ports/observation-store.js';
import { requireAnswerable } from '../../spi/refusals.js';
import { normaliseSearchQuery, type MemoryHit, type MemorySearcher, type MemorySearchQuery } from '../../spi/search.js';

import type { MemoryLifetime } from './memory-lifetime.js';
import { wrappedStoreErrors } from './wrapped-store-errors.js';

/** SEARCH over a store that can search; what it says of its ranking is passed on as it is. */
export class StoreBackedSearcher implements MemorySearcher {
  constructor(
    private readonly store: SearchableObservationStore,
    private readonly lifetime: MemoryLifetime,
  ) {}

  get ranksByScore(): boolean {
    return this.store.ranksByScore;
  }

  get narrowsBySession(): boolean {
    return this.store.narrowsBySession;
  }

  async search(input: MemorySearchQuery): Promise<readonly MemoryHit[]> {
    this.lifetime.requireOpen();
    const asked = normaliseSearchQuery(input);
    requireAnswerable(asked, this, this.lifetime.backendId);
    const { subject, query, topK, minScore, sessionId, signal } = asked;
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
