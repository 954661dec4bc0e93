import { requireFilledText, requireIdentity, requireUnitInterval, requireWholeNumber } from '../domain/checks.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import { requirePeers, requireRequest } from './request-checks.js';

/** The most hits that one search can ask for. */
export const MAX_TOP_K = 200;

/** SEARCH: the observations about a peer that matter to a query. */
export interface MemorySearcher {
  /**
   * Up to `topK` observations, always most relevant first; the order is the ranking. Ties: newer first, then by id. Empty
   * when nothing matters to the query. Rejects with the reason of `signal` when that aborts.
   *
   * @throws InvalidArgumentError for a field that is not what it takes, or that asks for what the signals below rule out
   * @throws RedactionError when the query could not be masked; nothing was asked
   * @throws StoreError when the backend fails, or was closed
   */
  search(query: MemorySearchQuery): Promise<readonly MemoryHit[]>;

  /** Whether {@link MemoryHit.score} is a real score. When false, scores are 0 and `minScore` is refused. */
  readonly ranksByScore: boolean;

  /** Whether a search can be narrowed to one session. When false, `sessionId` is refused. */
  readonly narrowsBySession: boolean;
}

/** What to look for. The workspace is the subject's. */
export interface MemorySearchQuery {
  /** Whose memory is searched; its workspace is the one that is searched. */
  readonly subject: PeerView;
  /** Who asks; default: the subject. Not a filter: hits hold what any observer recorded about the subject. */
  readonly observer?: PeerView;
  /** Free text, in any language; not blank. */
  readonly query: string;
  /** How many hits at most, 1 to 200. */
  readonly topK: number;
  /** Hits scored below this are left out; 0 (the default) leaves none out. In [0, 1]. */
  readonly minScore?: number;
  /** Only observations of this session; absent: all sessions. */
  readonly sessionId?: string;
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** An observation that a search found. */
export interface MemoryHit {
  /** What was found. */
  readonly observation: Observation;
  /** In [0, 1]; 0 from a backend that does not rank by score. */
  readonly score: number;
  /** Whether `observation.confidence` was stored, or only stands in for a value the backend does not keep. */
  readonly confidenceAvailable: boolean;
  /** What the score is made of, by name; empty where the backend does not explain itself. */
  readonly signals: Readonly<Record<string, number>>;
}

/** A query with every default filled in: what a backend receives. */
export type NormalisedSearchQuery = Readonly<Required<Omit<MemorySearchQuery, 'sessionId' | 'signal'>>> &
  Pick<MemorySearchQuery, 'sessionId' | 'signal'>;

/** Validates a query and fills in its defaults; never changes its input. @throws InvalidArgumentError */
export function normaliseSearchQuery(input: MemorySearchQuery): NormalisedSearchQuery {
  requireRequest('MemorySearchQuery', input);
  const { subject, observer = subject, query, topK, minScore = 0, sessionId, signal } = input;
  requirePeers('MemorySearchQuery', { subject, observer });
  requireFilledText('MemorySearchQuery.query', query, 'the text to look for');
  requireWholeNumber('MemorySearchQuery.topK', topK, 1, MAX_TOP_K);
  requireUnitInterval('MemorySearchQuery.minScore', minScore);
  if (sessionId !== undefined) requireIdentity('MemorySearchQuery.sessionId', sessionId);
  return Object.freeze({ subject, observer, query, topK, minScore, sessionId, signal });
}
