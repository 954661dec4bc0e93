import { requireIdentity, requireOneOf, requireWholeNumber } from '../domain/checks.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import { requirePeers, requireRequest } from './request-checks.js';

/**
 * Whose view of the subject: `LOCAL` the observer's own, `GLOBAL` nobody's in particular, or the first of the two that
 * there is.
 */
export const SNAPSHOT_SCOPES = ['LOCAL', 'GLOBAL', 'LOCAL_THEN_GLOBAL'] as const;
/** One of {@link SNAPSHOT_SCOPES}; default `LOCAL_THEN_GLOBAL`. */
export type SnapshotScope = (typeof SNAPSHOT_SCOPES)[number];

/** `SUMMARY_ONLY`: the summary alone. `FULL`: single observations too. */
export const SNAPSHOT_MODES = ['SUMMARY_ONLY', 'FULL'] as const;
/** One of {@link SNAPSHOT_MODES}. */
export type SnapshotMode = (typeof SNAPSHOT_MODES)[number];

/** SNAPSHOT: what is known about a peer, ready to stand in a prompt. */
export interface MemorySnapshotReader {
  /**
   * What is known about the subject in the scope that was asked for; `undefined` when nothing is. Rejects with the reason of
   * `signal` when that aborts.
   *
   * @throws InvalidArgumentError for a field that is not what it takes
   * @throws StoreError when the backend fails, or was closed
   */
  read(query: MemorySnapshotQuery): Promise<MemorySnapshot | undefined>;
}

/** What to read. The workspace is the subject's. */
export interface MemorySnapshotQuery {
  /** Whose memory is read. */
  readonly subject: PeerView;
  /** Whose view of the subject `LOCAL` means; default: the subject's own. */
  readonly observer?: PeerView;
  /** The session whose LOCAL view is preferred; without one LOCAL is the view across sessions. */
  readonly sessionId?: string;
  /**
   * Whose view: the observer's own, nobody's in particular, or the first of the two that there is. Default
   * `LOCAL_THEN_GLOBAL`.
   */
  readonly scope?: SnapshotScope;
  /** Whether single observations are wanted beside the summary. */
  readonly mode: SnapshotMode;
  /** The most tokens that `renderedText` may have, a whole number; 0: no limit. */
  readonly maxTokens: number;
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** What is known about a peer, and what of it the text does not hold. */
export interface MemorySnapshot {
  /** The snapshot as text: what belongs in a prompt. */
  readonly renderedText: string;
  /** Whose view it is, after LOCAL_THEN_GLOBAL was decided. */
  readonly resolvedScope: 'LOCAL' | 'GLOBAL';
  /** When the view was made: now, where it was computed on read. */
  readonly generatedAt: Date;
  /** The size of `renderedText`, in tokens. */
  readonly tokenCount: number;
  /** Whether `tokenCount` is an estimate, not a tokeniser's count. */
  readonly tokenCountEstimated: boolean;
  /** Whether more is known than `renderedText` holds: for `maxTokens`, or because it is more than a summary takes. */
  readonly truncated: boolean;
  /** Whether the backend can list single observations; when false, `observations` is empty and that says nothing. */
  readonly observationsAvailable: boolean;
  /** Whether the observations' `confidence` was stored, or only stands in for a value the backend does not keep. */
  readonly confidenceAvailable: boolean;
  /** Single observations, best first; in the mode FULL those that the text does not name are among them. */
  readonly observations: readonly Observation[];
}

/** A query with every default filled in: what a backend receives. */
export type NormalisedSnapshotQuery = Readonly<Required<Omit<MemorySnapshotQuery, 'sessionId' | 'signal'>>> &
  Pick<MemorySnapshotQuery, 'sessionId' | 'signal'>;

/** Validates a query and fills in its defaults; never changes its input. @throws InvalidArgumentError */
export function normaliseSnapshotQuery(input: MemorySnapshotQuery): NormalisedSnapshotQuery {
  requireRequest('MemorySnapshotQuery', input);
  const { subject, observer = subject, sessionId, scope = 'LOCAL_THEN_GLOBAL', mode, maxTokens, signal } = input;
  requirePeers('MemorySnapshotQuery', { subject, observer });
  if (sessionId !== undefined) requireIdentity('MemorySnapshotQuery.sessionId', sessionId);
  requireOneOf('MemorySnapshotQuery.scope', scope, SNAPSHOT_SCOPES);
  requireOneOf('MemorySnapshotQuery.mode', mode, SNAPSHOT_MODES);
  requireWholeNumber('MemorySnapshotQuery.maxTokens', maxTokens, 0);
  return Object.freeze({ subject, observer, sessionId, scope, mode, maxTokens, signal });
}
