import type { Observation } from '../../domain/observation.js';
import type { Representation } from '../../domain/representation.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { RepresentationStore } from '../../ports/representation-store.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import { selectForSummary, withoutDuplicates } from '../../reasoning/observation-summary.js';
import {
  normaliseSnapshotQuery,
  type MemorySnapshot,
  type MemorySnapshotQuery,
  type MemorySnapshotReader,
  type NormalisedSnapshotQuery,
} from '../../spi/snapshot.js';
import { renderSnapshot } from './snapshot-rendering.js';

/** The most observations that one read looks at. */
const MOST_LOOKED_AT = 500;

/**
 * SNAPSHOT over stores: the stored representation that the query asks for, and the observations made since. Where none is
 * stored it is computed from the observations, and then it is GLOBAL: nobody's view in particular.
 */
export class StoreBackedSnapshotReader implements MemorySnapshotReader {
  constructor(
    private readonly parts: {
      readonly representationStore: RepresentationStore;
      readonly observationStore?: ObservationStore;
      readonly tokenCounter: TokenCounter;
      readonly clock?: () => Date;
    },
  ) {}

  async read(input: MemorySnapshotQuery): Promise<MemorySnapshot | undefined> {
    const query = normaliseSnapshotQuery(input);
    const stored = await this.#stored(query);
    // A LOCAL view is one observer's: what nobody stored cannot be computed out of everybody's.
    if (stored === undefined && query.scope === 'LOCAL') return undefined;
    query.signal?.throwIfAborted();
    const recent = await this.#since(query, stored);
    if (stored === undefined && recent.observations.length === 0) return undefined;
    const kept = stored === undefined ? [] : await this.#stillKept(stored);
    const chosen = selectForSummary(recent.observations);
    const { text, tokenCount, truncated, observations } = renderSnapshot({
      summary: stored?.summary ?? '',
      statements: chosen,
      leftOut: recent.total - chosen.length,
      others: query.mode === 'FULL' ? withoutDuplicates([...recent.observations, ...kept]) : [],
      maxTokens: query.maxTokens,
      tokenCounter: this.parts.tokenCounter,
    });
    return Object.freeze({
      renderedText: text,
      resolvedScope: stored?.isGlobal === false ? 'LOCAL' : 'GLOBAL',
      generatedAt: recent.observations.length > 0 || stored === undefined ? this.#now() : stored.generatedAt,
      tokenCount,
      tokenCountEstimated: this.parts.tokenCounter.estimated,
      truncated,
      observationsAvailable: true,
      confidenceAvailable: true,
      observations,
    });
  }

  async #stored({ subject, observer, sessionId, scope }: NormalisedSnapshotQuery): Promise<Representation | undefined> {
    const { representationStore } = this.parts;
    if (scope !== 'GLOBAL') {
      const ofSession =
        sessionId === undefined ? undefined : await representationStore.findLatestLocal(subject, observer, sessionId);
      const local = ofSession ?? (await representationStore.findLatestLocal(subject, observer));
      if (local !== undefined) return local;
    }
    return scope === 'LOCAL' ? undefined : representationStore.findLatestGlobal(subject);
  }

  /** What was observed after the representation was made, newest first; in a LOCAL view what its observer recorded. */
  async #since(
    { subject }: NormalisedSnapshotQuery,
    stored: Representation | undefined,
  ): Promise<{ readonly observations: readonly Observation[]; readonly total: number }> {
    const store = this.parts.observationStore;
    if (store === undefined) return { observations: [], total: 0 };
    const { items } = await store.findBySubject(subject, { limit: MOST_LOOKED_AT });
    if (stored === undefined) {
      const distinct = withoutDuplicates(items);
      return {
        observations: distinct,
        total: distinct.length + (items.length < MOST_LOOKED_AT ? 0 : (await store.count(subject)) - items.length),
      };
    }
    const { observer, generatedAt } = stored;
    const observations = withoutDuplicates(
      items.filter((one) => one.createdAt > generatedAt && (observer === undefined || one.observer.equals(observer))),
    );
    return { observations, total: observations.length };
  }

  /** The representation's observations that are live still, as they are now: it is a picture of an earlier day. */
  async #stillKept({ observations }: Representation): Promise<readonly Observation[]> {
    const store = this.parts.observationStore;
    if (store === undefined) return observations.slice(0, MOST_LOOKED_AT);
    const now = await Promise.all(observations.slice(0, MOST_LOOKED_AT).map(({ id }) => store.findById(id)));
    return now.filter((one) => one !== undefined);
  }

  #now(): Date {
    return this.parts.clock?.() ?? new Date();
  }
}
