/** No fact before or after. */
export const NO_NEIGHBOUR = -1;

/** The facts of one session in the order in which they were said, with the neighbours of each at hand. */
export class SessionOrder {
  readonly #ordered: number[] = [];
  readonly #compare: (a: number, b: number) => number;
  readonly #neighbours: Neighbours;

  /** `compare` is total and does not change for a fact while it is in here; `neighbours` is shared by all sessions. */
  constructor(compare: (a: number, b: number) => number, neighbours: Neighbours) {
    this.#compare = compare;
    this.#neighbours = neighbours;
  }

  get size(): number {
    return this.#ordered.length;
  }

  add(fact: number): void {
    const at = this.#placeOf(fact);
    this.#neighbours.insert(fact, this.#ordered[at - 1] ?? NO_NEIGHBOUR, this.#ordered[at] ?? NO_NEIGHBOUR);
    this.#ordered.splice(at, 0, fact);
  }

  remove(fact: number): void {
    this.#ordered.splice(this.#placeOf(fact), 1);
    this.#neighbours.remove(fact);
  }

  // Facts mostly arrive in order, at the end.
  #placeOf(fact: number): number {
    const ordered = this.#ordered;
    let low = 0;
    let high = ordered.length;
    if (high > 0 && this.#compare(ordered[high - 1] as number, fact) < 0) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(ordered[middle] as number, fact) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Which fact stands before and after each fact in its session. */
export class Neighbours {
  readonly #before: number[] = [];
  readonly #after: number[] = [];

  before(fact: number): number {
    return this.#before[fact] ?? NO_NEIGHBOUR;
  }

  after(fact: number): number {
    return this.#after[fact] ?? NO_NEIGHBOUR;
  }

  insert(fact: number, before: number, after: number): void {
    this.#before[fact] = before;
    this.#after[fact] = after;
    if (before !== NO_NEIGHBOUR) this.#after[before] = fact;
    if (after !== NO_NEIGHBOUR) this.#before[after] = fact;
  }

  remove(fact: number): void {
    const before = this.before(fact);
    const after = this.after(fact);
    if (before !== NO_NEIGHBOUR) this.#after[before] = after;
    if (after !== NO_NEIGHBOUR) this.#before[after] = before;
    this.#before[fact] = NO_NEIGHBOUR;
    this.#after[fact] = NO_NEIGHBOUR;
  }
}
