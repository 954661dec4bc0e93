import { StoreError } from '../domain/errors.js';
import type { ObservationId } from '../domain/observation-id.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Workspace } from '../domain/workspace.js';
import type { ObservationIndex } from '../ports/observation-index.js';
import type {
  EraseReport,
  ObservationHistoryEntry,
  ObservationStore,
  Page,
  PageRequest,
  SearchableObservationStore,
  SearchOptions,
  StoreHit,
} from '../ports/observation-store.js';
import { KeyedLock } from './keyed-lock.js';

/** How many observations are read from the store at a time while an index is filled. */
const FILL_PAGE = 1000;

/**
 * Gives a store that only keeps observations a search: it writes through to an index and reads hits back from the store,
 * so that what is found is always what is kept. An index that lives in memory is filled on a subject's first search.
 */
export class IndexedObservationStore implements SearchableObservationStore {
  // One subject at a time: a fill must not miss what is written while it reads.
  readonly #lock = new KeyedLock();
  readonly softDelete?: (id: ObservationId) => Promise<boolean>;
  readonly purgeSoftDeletedBefore?: (workspace: Workspace, cutoff: Date) => Promise<number>;
  readonly findWorkspaces?: (page: PageRequest) => Promise<Page<Workspace>>;
  readonly findKeptSubjects?: (workspace: Workspace, page: PageRequest) => Promise<Page<PeerView>>;
  readonly rewrite?: (observation: Observation) => Promise<boolean>;

  /**
   * @param store what keeps the observations, and is written to through here alone; optional methods that it lacks are
   *   lacking here
   * @param observationIndex what is searched, and follows each change. One that lives in memory need not be filled
   */
  constructor(
    private readonly store: ObservationStore,
    private readonly observationIndex: ObservationIndex,
  ) {
    const { softDelete, purgeSoftDeletedBefore, findWorkspaces, findKeptSubjects, rewrite } = store;
    if (findKeptSubjects !== undefined)
      this.findKeptSubjects = (workspace, page) => findKeptSubjects.call(store, workspace, page);
    if (rewrite !== undefined)
      this.rewrite = (observation) => this.#rewritten(observation, () => rewrite.call(store, observation));
    if (findWorkspaces !== undefined) this.findWorkspaces = (page) => findWorkspaces.call(store, page);
    if (softDelete === undefined || purgeSoftDeletedBefore === undefined) return;
    this.softDelete = (id) => this.#remove(id, () => softDelete.call(store, id));
    this.purgeSoftDeletedBefore = (workspace, cutoff) => purgeSoftDeletedBefore.call(store, workspace, cutoff);
  }

  get ranksByScore(): boolean {
    return this.observationIndex.scores;
  }

  get narrowsBySession(): boolean {
    return this.observationIndex.narrowsBySession;
  }

  async semanticSearch(subject: PeerView, query: string, options: SearchOptions): Promise<readonly StoreHit[]> {
    await this.#ensureFilled(subject);
    let wanted = options.topK;
    for (;;) {
      options.signal?.throwIfAborted();
      const found = await this.observationIndex.search(subject, query, { ...options, topK: wanted });
      const hits = await this.#read(subject, found, options);
      // An id that the store no longer knows took a place from a hit further down; ask again for that many more.
      const missing = found.length - hits.length;
      if (missing === 0 || found.length < wanted || hits.length >= options.topK) return hits.slice(0, options.topK);
      wanted += Math.max(missing, options.topK);
    }
  }

  save(observation: Observation): Promise<Observation> {
    return this.#lock.run(observation.subject.key(), async () => {
      const saved = await this.store.save(observation);
      await this.#indexed(saved);
      return saved;
    });
  }

  supersede(old: ObservationId, replacement: Observation): Promise<Observation> {
    return this.#lock.run(replacement.subject.key(), async () => {
      const saved = await this.store.supersede(old, replacement);
      await this.observationIndex.delete(old);
      await this.#indexed(saved);
      return saved;
    });
  }

  merge(winner: ObservationId, loser: ObservationId, merged: Observation): Promise<Observation> {
    return this.#lock.run(merged.subject.key(), async () => {
      const saved = await this.store.merge(winner, loser, merged);
      await this.observationIndex.delete(loser);
      await this.#indexed(saved);
      return saved;
    });
  }

  delete(id: ObservationId): Promise<boolean> {
    return this.#remove(id, () => this.store.delete(id));
  }

  async eraseSubject(subject: PeerView): Promise<EraseReport> {
    const report = await this.#lock.run(subject.key(), async () => {
      const erased = await this.store.eraseSubject(subject);
      await this.observationIndex.eraseSubject(subject);
      return erased;
    });
    for (const other of report.alsoAbout) await this.#reindex(other);
    return report;
  }

  async eraseWorkspace(workspace: Workspace): Promise<number> {
    const erased = await this.store.eraseWorkspace(workspace);
    await this.observationIndex.eraseWorkspace(workspace);
    return erased;
  }

  findById(id: ObservationId): Promise<Observation | undefined> {
    return this.store.findById(id);
  }

  findBySubject(subject: PeerView, page: PageRequest): Promise<Page<Observation>> {
    return this.store.findBySubject(subject, page);
  }

  findSubjects(workspace: Workspace, page: PageRequest): Promise<Page<PeerView>> {
    return this.store.findSubjects(workspace, page);
  }

  history(subject: PeerView, page?: Partial<PageRequest>): Promise<Page<ObservationHistoryEntry>> {
    return this.store.history(subject, page);
  }

  count(subject: PeerView): Promise<number> {
    return this.store.count(subject);
  }

  findByConfidenceBelow(subject: PeerView, threshold: number, limit: number): Promise<readonly Observation[]> {
    return this.store.findByConfidenceBelow(subject, threshold, limit);
  }

  exportSubject(subject: PeerView): AsyncIterable<ObservationHistoryEntry> {
    return this.store.exportSubject(subject);
  }

  async #read(
    subject: PeerView,
    found: Awaited<ReturnType<ObservationIndex['search']>>,
    { sessionId }: SearchOptions,
  ): Promise<StoreHit[]> {
    const hits: StoreHit[] = [];
    for (const { id, score, signals } of found) {
      const observation = await this.store.findById(id);
      // The store decides: an index that lags behind, or names a stranger's id, cannot put anything into an answer.
      if (observation === undefined || !observation.subject.equals(subject)) continue;
      if (sessionId !== undefined && observation.sessionId !== sessionId) continue;
      hits.push({ observation, score, signals });
    }
    return hits;
  }

  #rewritten(observation: Observation, rewrite: () => Promise<boolean>): Promise<boolean> {
    return this.#lock.run(observation.subject.key(), async () => {
      const rewritten = await rewrite();
      if (rewritten && (await this.store.findById(observation.id)) !== undefined) await this.#indexed(observation);
      return rewritten;
    });
  }

  /** Takes a saved observation into the index, where the index has its subject. Runs under the subject's lock. */
  async #indexed(observation: Observation): Promise<void> {
    const index = this.observationIndex;
    if (index.holds?.(observation.subject) === false) return;
    try {
      await index.index(observation);
    } catch (cause) {
      // An index in memory is filled anew on the next search, so nothing is lost; of another one nobody would know.
      if (index.holds !== undefined) return index.eraseSubject(observation.subject);
      throw new StoreError(
        `Observation ${observation.id.toString()} is stored but could not be indexed; saving it again indexes it.`,
        { cause },
      );
    }
  }

  async #remove(id: ObservationId, remove: () => Promise<boolean>): Promise<boolean> {
    const subject = (await this.store.findById(id))?.subject;
    const work = async (): Promise<boolean> => {
      const removed = await remove();
      await this.observationIndex.delete(id);
      return removed;
    };
    return subject === undefined ? work() : this.#lock.run(subject.key(), work);
  }

  async #ensureFilled(subject: PeerView): Promise<void> {
    const index = this.observationIndex;
    if (index.holds === undefined || index.fill === undefined || index.holds(subject)) return;
    await this.#lock.run(subject.key(), async () => {
      if (index.holds?.(subject) === true) return;
      await index.fill?.(subject, await this.#all(subject));
    });
  }

  async #reindex(subject: PeerView): Promise<void> {
    await this.#lock.run(subject.key(), async () => {
      await this.observationIndex.eraseSubject(subject);
      if (this.observationIndex.holds !== undefined) return;
      for (const observation of await this.#all(subject)) await this.observationIndex.index(observation);
    });
  }

  /** Oldest first, the order in which an index would have met them. */
  async #all(subject: PeerView): Promise<readonly Observation[]> {
    const all: Observation[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.store.findBySubject(subject, { limit: FILL_PAGE, cursor });
      all.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return all.reverse();
  }
}
