import { STOP_WORD_WEIGHT, tokenise } from './tokeniser.js';

/** The terms of a query, each once with its greatest weight. */
export interface QueryTerms {
  readonly weights: ReadonlyMap<string, number>;
  /**
   * What a fact must hold one of to match: the terms that are not function words, or all of them in a query of nothing
   * else, such as "who is it?".
   */
  readonly deciding: ReadonlySet<string>;
}

export function queryTerms(query: string): QueryTerms {
  const weights = new Map<string, number>();
  for (const { term, weight } of tokenise(query)) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  const terms = [...weights.keys()];
  const content = terms.filter((term) => (weights.get(term) as number) > STOP_WORD_WEIGHT);
  return { weights, deciding: new Set(content.length > 0 ? content : terms) };
}
