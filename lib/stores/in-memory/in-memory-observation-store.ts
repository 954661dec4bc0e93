import { requireWholeNumber } from '../../domain/checks.js';
import { InvalidArgumentError, StoreError } from '../../domain/errors.js';
import type { ObservationId } from '../../domain/observation-id.js';
import type { Observation } from '../../domain/observation.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { Workspace } from '../../domain/workspace.js';
import type {
  EraseReport,
  ObservationHistoryEntry,
  ObservationStore,
  Page,
  PageRequest,
} from '../../ports/observation-store.js';
import { readCursor, writeCursor } from '../cursor.js';
import { positionOf, SubjectPartition, type Position, type StoredObservation } from './subject-partition.js';
import { workspacePage } from './workspace-page.js';

/** The most that one page of a history holds where no limit is given. */
const HISTORY_PAGE = 100;

/**
 * Keeps observations for as long as the process lives, apart for each subject. It finds by id, subject and confidence;
 * search is the business of an index (`IndexedObservationStore`).
 */
export class InMemoryObservationStore implements ObservationStore {
  readonly #partitions = new Map<string, SubjectPartition>();
  readonly #byId = new Map<string, StoredObservation>();
  // By the id of the workspace and the key of the subject, so that what is done to one workspace costs nothing in others.
  readonly #shelves = new Map<string, { readonly workspace: Workspace; readonly subjects: Set<string> }>();
  // What a peer recorded about others, so that erasing the observer need not read the whole store.
  readonly #byForeignObserver = new Map<string, Set<string>>();
  readonly #clock: () => Date;

  /** @param options.clock the time at which something is retired; default the system's */
  constructor(options: { readonly clock?: () => Date } = {}) {
    this.#clock = options.clock ?? (() => new Date());
  }

  async save(observation: Observation): Promise<Observation> {
    this.#put(observation);
    return observation;
  }

  async findById(id: ObservationId): Promise<Observation | undefined> {
    return this.#live(id)?.observation;
  }

  async findBySubject(subject: PeerView, page: PageRequest): Promise<Page<Observation>> {
    const { items, cursor } = this.#page(subject, page, (entry) => entry.retiredAt === undefined);
    return { items: items.map(({ observation }) => observation), cursor };
  }

  async findSubjects(workspace: Workspace, page: PageRequest): Promise<Page<PeerView>> {
    return this.#subjectPage(workspace, page, ({ live }) => live > 0);
  }

  async findKeptSubjects(workspace: Workspace, page: PageRequest): Promise<Page<PeerView>> {
    return this.#subjectPage(workspace, page, () => true);
  }

  async rewrite(observation: Observation): Promise<boolean> {
    const kept = this.#byId.get(observation.id.toString());
    if (kept === undefined) return false;
    requireSameSubject('rewrite', kept.observation, observation);
    this.#put(observation, kept.retiredAt);
    return true;
  }

  #subjectPage(
    workspace: Workspace,
    { limit, cursor }: PageRequest,
    wanted: (partition: SubjectPartition) => boolean,
  ): Page<PeerView> {
    requireWholeNumber('PageRequest.limit', limit, 1);
    const after = cursor === undefined ? undefined : String(readCursor(cursor)[0]);
    const keys = [...(this.#shelves.get(workspace.id)?.subjects ?? [])]
      .filter((key) => (after === undefined || key > after) && wanted(this.#partitions.get(key) as SubjectPartition))
      .sort();
    const items = keys.slice(0, limit).map((key) => (this.#partitions.get(key) as SubjectPartition).subject);
    return { items, cursor: keys.length > limit ? writeCursor([keys[limit - 1] as string]) : undefined };
  }

  async supersede(old: ObservationId, replacement: Observation): Promise<Observation> {
    const retired = this.#requireLive(old, 'supersede', 'old');
    if (old.equals(replacement.id)) {
      throw new InvalidArgumentError(
        `ObservationStore.supersede was given ${old.toString()} as its own replacement; it takes one with another id.`,
      );
    }
    requireSameSubject('supersede', retired.observation, replacement);
    this.#put(replacement);
    this.#put(retired.observation.with({ supersededBy: replacement.id }), this.#clock().getTime());
    return replacement;
  }

  async history(subject: PeerView, page: Partial<PageRequest> = {}): Promise<Page<ObservationHistoryEntry>> {
    const { items, cursor } = this.#page(subject, { limit: HISTORY_PAGE, ...page }, () => true);
    return { items: items.map(historyEntry), cursor };
  }

  async count(subject: PeerView): Promise<number> {
    return this.#partitions.get(subject.key())?.live ?? 0;
  }

  async findByConfidenceBelow(subject: PeerView, threshold: number, limit: number): Promise<readonly Observation[]> {
    requireWholeNumber('limit', limit, 1);
    const weak: Observation[] = [];
    for (const { observation, retiredAt } of this.#partitions.get(subject.key())?.newestFirst() ?? []) {
      if (retiredAt === undefined && observation.confidence < threshold) weak.push(observation);
    }
    return weak.sort((a, b) => a.confidence - b.confidence).slice(0, limit);
  }

  async delete(id: ObservationId): Promise<boolean> {
    return this.#drop(id.toString());
  }

  async softDelete(id: ObservationId): Promise<boolean> {
    const entry = this.#live(id);
    if (entry === undefined) return false;
    this.#put(entry.observation, this.#clock().getTime());
    return true;
  }

  async purgeSoftDeletedBefore(workspace: Workspace, cutoff: Date): Promise<number> {
    let purged = 0;
    for (const subject of [...(this.#shelves.get(workspace.id)?.subjects ?? [])]) {
      const partition = this.#partitions.get(subject);
      if (partition === undefined || partition.size === partition.live) continue;
      for (const { observation, retiredAt } of partition.all()) {
        if (retiredAt === undefined || retiredAt >= cutoff.getTime()) continue;
        if (this.#drop(observation.id.toString())) purged++;
      }
    }
    return purged;
  }

  async findWorkspaces(page: PageRequest): Promise<Page<Workspace>> {
    return workspacePage(
      [...this.#shelves.values()].map(({ workspace }) => workspace),
      page,
    );
  }

  async merge(winner: ObservationId, loser: ObservationId, merged: Observation): Promise<Observation> {
    if (!merged.id.equals(winner)) {
      throw new InvalidArgumentError(
        `ObservationStore.merge was given merged.id ${merged.id.toString()}; it takes the winner's, ${winner.toString()}.`,
      );
    }
    if (winner.equals(loser)) {
      throw new InvalidArgumentError(
        `ObservationStore.merge was given ${winner.toString()} as winner and as loser; it takes two.`,
      );
    }
    const kept = this.#requireLive(winner, 'merge', 'winner');
    const retired = this.#requireLive(loser, 'merge', 'loser');
    requireSameSubject('merge', kept.observation, retired.observation);
    requireSameSubject('merge', kept.observation, merged);
    this.#put(merged);
    this.#put(retired.observation.with({ supersededBy: winner }), this.#clock().getTime());
    return merged;
  }

  async eraseSubject(subject: PeerView): Promise<EraseReport> {
    const about = (this.#partitions.get(subject.key())?.all() ?? []).map(({ observation }) =>
      observation.id.toString(),
    );
    const observed = [...(this.#byForeignObserver.get(subject.key()) ?? [])];
    const others = new Map<string, PeerView>();
    for (const id of observed) {
      const other = this.#byId.get(id)?.observation.subject;
      if (other !== undefined) others.set(other.key(), other);
    }
    const observations = [...about, ...observed].filter((id) => this.#drop(id)).length;
    return { observations, alsoAbout: [...others.values()] };
  }

  async eraseWorkspace(workspace: Workspace): Promise<number> {
    const doomed = [...this.#byId].filter(([, { observation }]) => observation.id.workspaceId === workspace.id);
    return doomed.filter(([id]) => this.#drop(id)).length;
  }

  async *exportSubject(subject: PeerView): AsyncGenerator<ObservationHistoryEntry> {
    for (const entry of this.#partitions.get(subject.key())?.all() ?? []) yield historyEntry(entry);
  }

  #page(
    subject: PeerView,
    { limit, cursor }: PageRequest,
    wanted: (entry: StoredObservation) => boolean,
  ): Page<StoredObservation> {
    requireWholeNumber('PageRequest.limit', limit, 1);
    const items: StoredObservation[] = [];
    for (const entry of this.#partitions
      .get(subject.key())
      ?.newestFirst(cursor === undefined ? undefined : readPosition(cursor)) ?? []) {
      if (!wanted(entry)) continue;
      if (items.length === limit) {
        const { createdAt, localId } = positionOf(items[limit - 1] as StoredObservation);
        return { items, cursor: writeCursor([createdAt, localId]) };
      }
      items.push(entry);
    }
    return { items };
  }

  #live(id: ObservationId): StoredObservation | undefined {
    const entry = this.#byId.get(id.toString());
    return entry?.retiredAt === undefined ? entry : undefined;
  }

  #requireLive(id: ObservationId, method: string, argument: string): StoredObservation {
    const entry = this.#live(id);
    if (entry === undefined) {
      throw new StoreError(
        `ObservationStore.${method}: ${argument} ${id.toString()} is not a live observation; nothing was changed.`,
      );
    }
    return entry;
  }

  #put(observation: Observation, retiredAt?: number): void {
    const id = observation.id.toString();
    const entry: StoredObservation = Object.freeze({
      observation,
      createdAt: observation.createdAt.getTime(),
      retiredAt,
    });
    const kept = this.#byId.get(id);
    // In its place, where that is the same: to take one out and put one in moves all that came after it.
    if (kept !== undefined && isAboutTheSame(kept.observation, observation)) {
      if (this.#partitions.get(observation.subject.key())?.replace(kept, entry) === true) {
        this.#byId.set(id, entry);
        return;
      }
    }
    this.#drop(id);
    this.#byId.set(id, entry);
    const key = observation.subject.key();
    let partition = this.#partitions.get(key);
    if (partition === undefined) {
      this.#partitions.set(key, (partition = new SubjectPartition(observation.subject)));
      const { workspace } = observation.subject;
      const shelf = this.#shelves.get(workspace.id);
      if (shelf === undefined) this.#shelves.set(workspace.id, { workspace, subjects: new Set([key]) });
      else shelf.subjects.add(key);
    }
    partition.add(entry);
    const observer = observation.observer.key();
    if (observer === key) return;
    const observed = this.#byForeignObserver.get(observer);
    if (observed === undefined) this.#byForeignObserver.set(observer, new Set([id]));
    else observed.add(id);
  }

  #drop(id: string): boolean {
    const entry = this.#byId.get(id);
    if (entry === undefined) return false;
    this.#byId.delete(id);
    const { subject, observer } = entry.observation;
    const partition = this.#partitions.get(subject.key());
    partition?.remove(entry);
    if (partition?.size === 0) {
      this.#partitions.delete(subject.key());
      const shelf = this.#shelves.get(subject.workspace.id);
      shelf?.subjects.delete(subject.key());
      if (shelf?.subjects.size === 0) this.#shelves.delete(subject.workspace.id);
    }
    const observed = this.#byForeignObserver.get(observer.key());
    observed?.delete(id);
    if (observed?.size === 0) this.#byForeignObserver.delete(observer.key());
    return true;
  }
}

const isAboutTheSame = (one: Observation, other: Observation): boolean =>
  one.subject.equals(other.subject) && one.observer.equals(other.observer);

function historyEntry({ observation, retiredAt }: StoredObservation): ObservationHistoryEntry {
  return Object.freeze({ observation, retiredAt: retiredAt === undefined ? undefined : new Date(retiredAt) });
}

function readPosition(cursor: string): Position {
  const [createdAt, localId] = readCursor(cursor);
  return { createdAt: Number(createdAt), localId: String(localId) };
}

function requireSameSubject(method: string, one: Observation, other: Observation): void {
  if (!one.subject.equals(other.subject)) {
    throw new InvalidArgumentError(
      `ObservationStore.${method} was given observations about two peers, ${one.subject.key()} and ${other.subject.key()}; it stays with one.`,
    );
  }
}
