import type { ObservationId } from '../domain/observation-id.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Workspace } from '../domain/workspace.js';

/** A part of a listing, and where the next part starts. */
export interface Page<T> {
  /** In the order of the listing, at most `limit`. */
  readonly items: readonly T[];
  /** Opaque; absent on the last page. A date would lose what shares it. */
  readonly cursor?: string;
}

/** Which part of a listing is asked for. */
export interface PageRequest {
  /** How many items at most; a whole number of at least 1. */
  readonly limit: number;
  /** The `cursor` of the page before this one; absent: from the beginning. */
  readonly cursor?: string;
}

/** An observation that was retired, or is live, with what is known of its end. */
export interface ObservationHistoryEntry {
  /** As it was when it was retired, or is now. */
  readonly observation: Observation;
  /** When it was retired; absent for one that is live. Why: `observation.supersededBy`, where another took its place. */
  readonly retiredAt?: Date;
}

/** What an erasure removed. */
export interface EraseReport {
  /** How many observations, live and retired. */
  readonly observations: number;
  /** The other peers about whom something was removed because the erased one had observed it. */
  readonly alsoAbout: readonly PeerView[];
}

/**
 * Keeps observations, apart for each subject. Safe under concurrent calls; results do not change under the reader;
 * everything but `history` and `exportSubject` shows live observations only. Limits are at least 1. A driver's error
 * arrives as a `StoreError`.
 *
 * `softDelete` and `purgeSoftDeletedBefore` come both or not at all. Without them retiring is deleting, and there is
 * no audit window.
 */
export interface ObservationStore {
  /** Inserts it, or replaces the one of the same id, also one that was retired. */
  save(observation: Observation): Promise<Observation>;

  /** The live observation of that id, or `undefined`. */
  findById(id: ObservationId): Promise<Observation | undefined>;

  /** The live observations about the subject, newest first; of the same instant, by id. */
  findBySubject(subject: PeerView, page: PageRequest): Promise<Page<Observation>>;

  /** The peers that observations are about, in an order of the store's own. */
  findSubjects(workspace: Workspace, page: PageRequest): Promise<Page<PeerView>>;

  /**
   * As {@link findSubjects}, with those of whom only retired observations are kept. A store without it is swept by its live
   * subjects.
   */
  findKeptSubjects?(workspace: Workspace, page: PageRequest): Promise<Page<PeerView>>;

  /**
   * Puts an observation in the place of the one of its id, live or retired, which stays what it is: nothing is brought back
   * and nothing retired anew. Whether there was one. For a sweep that masks what was stored unmasked.
   */
  rewrite?(observation: Observation): Promise<boolean>;

  /** Saves `replacement` and retires `old`, pointing at it, in one step. @throws StoreError when `old` is not live. */
  supersede(old: ObservationId, replacement: Observation): Promise<Observation>;

  /** Live and retired observations, newest first. */
  history(subject: PeerView, page?: Partial<PageRequest>): Promise<Page<ObservationHistoryEntry>>;

  /** How many live observations there are about the subject. */
  count(subject: PeerView): Promise<number>;

  /** Those with less confidence than `threshold`, the least certain first. */
  findByConfidenceBelow(subject: PeerView, threshold: number, limit: number): Promise<readonly Observation[]>;

  /** Removes it at once, without an audit window. Whether there was anything to remove. */
  delete(id: ObservationId): Promise<boolean>;

  /** Retires it into the audit window. Whether it was live. */
  softDelete?(id: ObservationId): Promise<boolean>;

  /** Removes what was retired before `cutoff`; how many. */
  purgeSoftDeletedBefore?(workspace: Workspace, cutoff: Date): Promise<number>;

  /** Saves `merged` in the winner's place and retires the loser, in one step. @throws InvalidArgumentError unless `merged.id` is `winner`. */
  merge(winner: ObservationId, loser: ObservationId, merged: Observation): Promise<Observation>;

  /** Removes every trace of a peer, as subject and as observer, audit window included, at once. */
  eraseSubject(subject: PeerView): Promise<EraseReport>;

  /** Removes everything in the workspace, audit window included, at once; how many observations. */
  eraseWorkspace(workspace: Workspace): Promise<number>;

  /**
   * The workspaces of which anything is kept, retired observations included, by id: what a maintenance cycle goes through.
   * A store without it is maintained by who owns it.
   */
  findWorkspaces?(page: PageRequest): Promise<Page<Workspace>>;

  /** Everything kept about the subject, retired observations included, oldest first. */
  exportSubject(subject: PeerView): AsyncIterable<ObservationHistoryEntry>;
}

/** How a search of a store or an index is bounded. */
export interface SearchOptions {
  /** How many hits at most; a whole number of at least 1. */
  readonly topK: number;
  /** Only observations of this session; absent: all. */
  readonly sessionId?: string;
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** An observation that a store found. */
export interface StoreHit {
  /** What was found. */
  readonly observation: Observation;
  /** In [0, 1]; absent where the store does not rank by score. */
  readonly score?: number;
  /** What the score is made of, by name. */
  readonly signals?: Readonly<Record<string, number>>;
}

/** An observation store that can also search. */
export interface SearchableObservationStore extends ObservationStore {
  /** Most relevant first; only live observations of that subject. */
  semanticSearch(subject: PeerView, query: string, options: SearchOptions): Promise<readonly StoreHit[]>;
  /** Whether hits have a score. */
  readonly ranksByScore: boolean;
  /** Whether `sessionId` narrows a search. */
  readonly narrowsBySession: boolean;
}

/** Whether `store` can search, read off the method. */
export function isSearchable(store: ObservationStore): store is SearchableObservationStore {
  return typeof (store as Partial<SearchableObservationStore>).semanticSearch === 'function';
}
