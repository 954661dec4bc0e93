import { tokenise, type Token } from './tokeniser.js';

/** Nobody is named as the speaker. */
export const NO_SPEAKER = -1;

// Half a name is a first or a last name; a single character of one is chance.
const LEAST_SHARE = 0.5;

interface Speaker {
  readonly name: string;
  readonly tokens: readonly Token[];
  facts: number;
}

/** Who said the facts of a subject: each name once, by a small number, as long as a fact has it. */
export class Speakers {
  readonly #byName = new Map<string, number>();
  readonly #speakers: (Speaker | undefined)[] = [];
  readonly #free: number[] = [];

  /** The number of `name`, for one more fact. */
  add(name: string): number {
    const known = this.#byName.get(name);
    const number = known ?? this.#free.pop() ?? this.#speakers.length;
    if (known === undefined) {
      this.#byName.set(name, number);
      this.#speakers[number] = { name, tokens: tokenise(name), facts: 0 };
    }
    (this.#speakers[number] as Speaker).facts++;
    return number;
  }

  /** One fact less has that speaker. */
  remove(number: number): void {
    const speaker = this.#speakers[number];
    if (speaker === undefined || --speaker.facts > 0) return;
    this.#byName.delete(speaker.name);
    this.#speakers[number] = undefined;
    this.#free.push(number);
  }

  /** For each speaker, how much of the name stands among `terms`, from a half to 1, or 0; `undefined` when nobody is named. */
  namedIn(terms: ReadonlyMap<string, number>): readonly number[] | undefined {
    let any = false;
    const named = this.#speakers.map((speaker) => {
      let all = 0;
      let found = 0;
      for (const { term, weight } of speaker?.tokens ?? []) {
        all += weight;
        if (terms.has(term)) found += weight;
      }
      const share = all === 0 ? 0 : found / all;
      if (share < LEAST_SHARE) return 0;
      any = true;
      return share;
    });
    return any ? named : undefined;
  }
}
