// A posting is six whole numbers side by side in one array: no object per posting, and a chain walks memory in steps.
const FIELDS = 6;
const DOCUMENT = 0;
const FREQUENCY = 1;
const TERM = 2;
const PREVIOUS_OF_TERM = 3;
const NEXT_OF_TERM = 4;
const NEXT_OF_DOCUMENT = 5;

/** No posting. */
export const NO_POSTING = -1;

/**
 * An inverted index over small whole numbers that stand for documents: for each term the documents that hold it and how
 * often. Postings are chained both by term and by document, so that adding and removing a document costs its distinct
 * terms, wherever they stand, and nothing stays behind: a term that no document holds any more is forgotten.
 *
 * 24 bytes a posting, at most doubled by the room to grow, plus a dictionary entry a term.
 */
export class Postings {
  readonly #terms = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #heads: number[] = [];
  readonly #counts: number[] = [];
  readonly #freeTerms: number[] = [];
  #entries = new Int32Array(FIELDS * 64);
  #entryCount = 0;
  #freeEntry = NO_POSTING;

  /** The number of a term, or `undefined` when no document holds it. Good until the next change. */
  termOf(name: string): number | undefined {
    return this.#terms.get(name);
  }

  /** How many documents hold the term. */
  countOf(term: number): number {
    return this.#counts[term] as number;
  }

  /** Calls `visit` with each document that holds the term, in no particular order, and how often it does. */
  each(term: number, visit: (document: number, frequency: number) => void): void {
    const entries = this.#entries;
    let at = this.#heads[term] as number;
    while (at !== NO_POSTING) {
      visit(entries[at + DOCUMENT] as number, entries[at + FREQUENCY] as number);
      at = entries[at + NEXT_OF_TERM] as number;
    }
  }

  /** Adds a document that is not there; answers the first of its postings, which {@link remove} takes. */
  add(document: number, frequencies: ReadonlyMap<string, number>): number {
    let first = NO_POSTING;
    for (const [name, frequency] of frequencies) {
      const term = this.#terms.get(name) ?? this.#newTerm(name);
      const at = this.#newEntry();
      const next = this.#heads[term] as number;
      const entries = this.#entries;
      entries[at + DOCUMENT] = document;
      entries[at + FREQUENCY] = frequency;
      entries[at + TERM] = term;
      entries[at + PREVIOUS_OF_TERM] = NO_POSTING;
      entries[at + NEXT_OF_TERM] = next;
      entries[at + NEXT_OF_DOCUMENT] = first;
      if (next !== NO_POSTING) entries[next + PREVIOUS_OF_TERM] = at;
      this.#heads[term] = at;
      (this.#counts[term] as number)++;
      first = at;
    }
    return first;
  }

  /** Removes all postings of a document, from the first on. */
  remove(first: number): void {
    const entries = this.#entries;
    for (let at = first; at !== NO_POSTING;) {
      const term = entries[at + TERM] as number;
      const previous = entries[at + PREVIOUS_OF_TERM] as number;
      const next = entries[at + NEXT_OF_TERM] as number;
      const following = entries[at + NEXT_OF_DOCUMENT] as number;
      if (previous === NO_POSTING) this.#heads[term] = next;
      else entries[previous + NEXT_OF_TERM] = next;
      if (next !== NO_POSTING) entries[next + PREVIOUS_OF_TERM] = previous;
      if (--(this.#counts[term] as number) === 0) this.#forgetTerm(term);
      entries[at + NEXT_OF_TERM] = this.#freeEntry;
      this.#freeEntry = at;
      at = following;
    }
  }

  #newTerm(name: string): number {
    const term = this.#freeTerms.pop() ?? this.#names.length;
    this.#terms.set(name, term);
    this.#names[term] = name;
    this.#heads[term] = NO_POSTING;
    this.#counts[term] = 0;
    return term;
  }

  #forgetTerm(term: number): void {
    this.#terms.delete(this.#names[term] as string);
    this.#names[term] = '';
    this.#freeTerms.push(term);
  }

  #newEntry(): number {
    const free = this.#freeEntry;
    if (free !== NO_POSTING) {
      this.#freeEntry = this.#entries[free + NEXT_OF_TERM] as number;
      return free;
    }
    const at = this.#entryCount++ * FIELDS;
    if (at === this.#entries.length) {
      const larger = new Int32Array(this.#entries.length * 2);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    return at;
  }
}
