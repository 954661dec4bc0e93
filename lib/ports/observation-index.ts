import type { ObservationId } from '../domain/observation-id.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Workspace } from '../domain/workspace.js';
import type { SearchOptions } from './observation-store.js';

/** An observation that an index found, by its id. */
export interface IndexHit {
  /** What was found. */
  readonly id: ObservationId;
  /** In [0, 1]; there where the index has `scores`. */
  readonly score?: number;
  /** What the score is made of, by name. */
  readonly signals?: Readonly<Record<string, number>>;
}

/**
 * Finds the observations of a subject that match a query. It holds what it needs to search, not the observations.
 * Never answers with another subject's or workspace's id.
 */
export interface ObservationIndex {
  /** Adds it, in the place of an earlier one of the same id. */
  index(observation: Observation): Promise<void>;

  /** Removes it; an id that is not there is none's fault. */
  delete(id: ObservationId): Promise<void>;

  /**
   * What the index has about the subject that matches the query, at most `topK`, most relevant first. Heeds
   * `options.signal`.
   */
  search(subject: PeerView, query: string, options: SearchOptions): Promise<readonly IndexHit[]>;

  /** Forgets all that is about the subject. */
  eraseSubject(subject: PeerView): Promise<void>;

  /** Forgets every subject of the workspace. */
  eraseWorkspace(workspace: Workspace): Promise<void>;

  /** Whether hits have a score in [0, 1]. */
  readonly scores: boolean;

  /** Whether `sessionId` narrows a search. */
  readonly narrowsBySession: boolean;

  /**
   * Whether the subject's observations are in the index now. An index that has this method lives in memory: it is
   * filled by {@link fill} on a subject's first search, and may drop a cold subject at any time.
   */
  holds?(subject: PeerView): boolean;

  /** Takes all of a subject's live observations, in place of whatever was there. */
  fill?(subject: PeerView, observations: Iterable<Observation>): Promise<void>;
}
