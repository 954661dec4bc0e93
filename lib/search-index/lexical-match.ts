import { inverseDocumentFrequency, saturation, sessionSaturation } from './bm25.js';
import type { MatchScratch } from './match-scratch.js';
import type { Postings } from './postings.js';
import type { QueryTerms } from './query-terms.js';

/** What the matching of a query reads: the postings of a subject's facts and what is known of each. */
export interface MatchedFacts {
  readonly postings: Postings;
  /** How many facts there are. */
  readonly facts: number;
  /** How many sessions; a fact without one counts as a session of its own. */
  readonly sessions: number;
  /** By fact, in tokens. */
  readonly lengths: ArrayLike<number>;
  readonly averageLength: number;
  /** By fact. */
  readonly sessionOf: ArrayLike<number>;
}

export interface LexicalMatch {
  /** The facts that hold a deciding term. */
  readonly candidates: readonly number[];
  /** By fact, in [0, 1): BM25 over the most that this query can reach. 0 for what is no candidate. */
  readonly lexical: Float64Array;
  /** The sessions of facts that hold a term. */
  readonly sessions: readonly number[];
  /** By session, in [0, 1): the same as `lexical` for the session's facts taken as one text. */
  readonly session: Float64Array;
}

// A function word that more than this share of the facts hold is passed over: it says next to nothing and costs the
// most, half of a search's time for 0.1 points of recall.
const COMMON = 0.25;

/**
 * Matches a query against the facts of a subject; with `onlySession`, against those of one session only, with the
 * statistics of all of them. The cost grows with the postings of the query's terms, not with the facts. The result
 * lives in `scratch`, which fits the facts and is the caller's to clear.
 */
export function matchTerms(
  query: QueryTerms,
  facts: MatchedFacts,
  scratch: MatchScratch,
  onlySession?: number,
): LexicalMatch {
  const { postings, sessionOf, lengths, averageLength } = facts;
  const { lexical, session, frequencyInSession } = scratch;
  const candidates: number[] = [];
  const sessions: number[] = [];
  let bound = 0;
  let sessionBound = 0;
  // Deciding terms first: the others only add to what those have found.
  const ordered = [...query.deciding, ...[...query.weights.keys()].filter((term) => !query.deciding.has(term))];
  for (const name of ordered) {
    const weight = query.weights.get(name) as number;
    const deciding = query.deciding.has(name);
    const term = postings.termOf(name);
    const holding = term === undefined ? 0 : postings.countOf(term);
    if (!deciding && holding > facts.facts * COMMON) continue;
    const share = weight * inverseDocumentFrequency(facts.facts, holding);
    const holdingSessions: number[] = [];
    bound += share;
    if (term !== undefined) {
      postings.each(term, (fact, frequency) => {
        const of = sessionOf[fact] as number;
        if (frequencyInSession[of] === 0) holdingSessions.push(of);
        (frequencyInSession[of] as number) += frequency;
        if (onlySession !== undefined && of !== onlySession) return;
        const before = lexical[fact] as number;
        if (before === 0) {
          if (!deciding) return;
          candidates.push(fact);
        }
        lexical[fact] = before + share * saturation(frequency, (lengths[fact] as number) / averageLength);
      });
    }
    const sessionShare = weight * inverseDocumentFrequency(facts.sessions, holdingSessions.length);
    sessionBound += sessionShare;
    for (const of of holdingSessions) {
      if (session[of] === 0) sessions.push(of);
      (session[of] as number) += sessionShare * sessionSaturation(frequencyInSession[of] as number);
      frequencyInSession[of] = 0;
    }
  }
  for (const fact of candidates) (lexical[fact] as number) /= bound;
  for (const of of sessions) (session[of] as number) /= sessionBound;
  return { candidates, lexical, sessions, session };
}
