import { inverseDocumentFrequency, saturation, sessionSaturation } from './bm25.js';
import type { Postings } from './postings.js';
import type { QueryTerms } from './query-terms.js';

/** What the matching of a query reads: the postings of a subject's facts and what is known of each. */
export interface MatchedFacts {
  readonly postings: Postings;
  /** How many facts there are. */
  readonly facts: number;
  /** How many sessions; a fact without one counts as a session of its own. */
  readonly sessions: number;
  /** Above the greatest number of a fact, and of a session. */
  readonly capacity: { readonly facts: number; readonly sessions: number };
  /** The length of a fact over the average one. */
  readonly relativeLengthOf: (fact: number) => number;
  readonly sessionOf: (fact: number) => number;
}

export interface LexicalMatch {
  /** The facts that hold a deciding term. */
  readonly candidates: readonly number[];
  /** By fact, in [0, 1): BM25 over the most that this query can reach. 0 for what is no candidate. */
  readonly lexical: Float64Array;
  /** By session, in [0, 1): the same for the session's facts taken as one text. */
  readonly session: Float64Array;
}

/**
 * Matches a query against the facts of a subject; with `onlySession`, against those of one session only, with the
 * statistics of all of them. The cost grows with the postings of the query's terms, not with the facts.
 */
export function matchTerms(query: QueryTerms, facts: MatchedFacts, onlySession?: number): LexicalMatch {
  const { postings, sessionOf, relativeLengthOf } = facts;
  const candidates: number[] = [];
  const lexical = new Float64Array(facts.capacity.facts);
  const session = new Float64Array(facts.capacity.sessions);
  const frequencyInSession = new Int32Array(facts.capacity.sessions);
  let bound = 0;
  let sessionBound = 0;
  // Deciding terms first: the others only add to what those have found.
  const ordered = [...query.deciding, ...[...query.weights.keys()].filter((term) => !query.deciding.has(term))];
  for (const name of ordered) {
    const weight = query.weights.get(name) as number;
    const deciding = query.deciding.has(name);
    const term = postings.termOf(name);
    const holding = term === undefined ? 0 : postings.countOf(term);
    const share = weight * inverseDocumentFrequency(facts.facts, holding);
    const holdingSessions: number[] = [];
    bound += share;
    if (term !== undefined) {
      postings.each(term, (fact, frequency) => {
        const of = sessionOf(fact);
        if (frequencyInSession[of] === 0) holdingSessions.push(of);
        (frequencyInSession[of] as number) += frequency;
        if (onlySession !== undefined && of !== onlySession) return;
        const before = lexical[fact] as number;
        if (before === 0) {
          if (!deciding) return;
          candidates.push(fact);
        }
        lexical[fact] = before + share * saturation(frequency, relativeLengthOf(fact));
      });
    }
    const sessionShare = weight * inverseDocumentFrequency(facts.sessions, holdingSessions.length);
    sessionBound += sessionShare;
    for (const of of holdingSessions) {
      (session[of] as number) += sessionShare * sessionSaturation(frequencyInSession[of] as number);
      frequencyInSession[of] = 0;
    }
  }
  for (const fact of candidates) (lexical[fact] as number) /= bound;
  // A session that holds no candidate is never asked for, so it may be scaled or not.
  for (let of = 0; of < session.length; of++) (session[of] as number) /= sessionBound;
  return { candidates, lexical, session };
}
