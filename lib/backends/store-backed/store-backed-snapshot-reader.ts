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
import type { MemoryLifetime } from './memory-lifetime.js';
import { renderSnapshot } from './snapshot-rendering.js';
import { wrappedStoreErrors } from './wrapped-store-errors.js';

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
      readonly lifetime: MemoryLifetime;
      readonly clock?: () => Date;
    },
  ) {}

  async read(input: MemorySnapshotQuery): Promise<MemorySnapshot | undefined> {
    this.parts.lifetime.requireOpen();
    const query = normaliseSnapshotQuery(input);
    return wrappedStoreErrors('SNAPSHOT', query.signal, () => this.#read(query));
  }

  async #read(query: NormalisedSnapshotQuery): Promise<MemorySnapshot | undefined> {
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
      leftOut: { count: recent.total - chosen.length, orMore: recent.orMore },
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
  async #since({ subject }: NormalisedSnapshotQuery, stored: Representation | undefined): Promise<Recent> {
    const store = this.parts.observationStore;
    if (store === undefined) return { observations: [], total: 0, orMore: false };
    const { items, cursor } = await store.findBySubject(subject, { limit: MOST_LOOKED_AT });
    if (stored === undefined) {
      const observations = withoutDuplicates(items);
      const unread = cursor === undefined ? 0 : (await store.count(subject)) - items.length;
      return { observations, total: observations.length + unread, orMore: false };
    }
    const { observer, generatedAt } = stored;
    const newer = items.filter((one) => one.createdAt > generatedAt);
    const observations = withoutDuplicates(
      newer.filter((one) => observer === undefined || one.observer.equals(observer)),
    );
    // When all that was looked at is newer, so may be what was not.
    return { observations, total: observations.length, orMore: cursor !== undefined && newer.length === items.length };
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

/** Observations that no stored representation holds. */
interface Recent {
  readonly observations: readonly Observation[];
  /** With those that were not looked at, as far as they are known. */
  readonly total: number;
  /** Whether there may be more still. */
  readonly orMore: boolean;
}
