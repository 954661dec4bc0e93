/**
 * The working memory of a search, used again by the next one: making arrays the size of a subject anew costs more than
 * a query of rare words. One search uses it at a time, and it is all zeros between searches.
 */
export class MatchScratch {
  lexical = new Float64Array(0);
  session = new Float64Array(0);
  frequencyInSession = new Int32Array(0);

  /** Makes room for facts and sessions of numbers below these. */
  fit(facts: number, sessions: number): void {
    if (this.lexical.length < facts) this.lexical = new Float64Array(2 * facts);
    if (this.session.length >= sessions) return;
    this.session = new Float64Array(2 * sessions);
    this.frequencyInSession = new Int32Array(2 * sessions);
  }

  /** Takes back what was written. */
  clear(facts: readonly number[], sessions: readonly number[]): void {
    for (const fact of facts) this.lexical[fact] = 0;
    for (const session of sessions) this.session[session] = 0;
  }
}
