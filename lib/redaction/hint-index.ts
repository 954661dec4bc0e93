/** A text that has to be there for a rule to find anything. */
export interface Hint {
  /** What has to stand in the text, to the letter unless `anyCase` is true. */
  readonly text: string;
  /** Whether capital and small letters are the same; default false. */
  readonly anyCase?: boolean;
  /** Sticky; what has to match at the hint's start as well, where the text alone says little. Default: nothing has. */
  readonly confirm?: RegExp;
}

/** Hints that are found in capital and small letters. */
export function anyCase(...texts: readonly string[]): readonly Hint[] {
  return texts.map((text) => ({ text, anyCase: true }));
}

interface Entry {
  readonly owner: number;
  readonly text: string;
  readonly anyCase: boolean;
  readonly confirm: RegExp | undefined;
  /** Which of the text's units are its rarest three. */
  readonly offset: number;
}

const CLASS_BITS = 6;
const CELLS = 1 << (3 * CLASS_BITS);
const CLASSES = 1 << CLASS_BITS;

// Letters, pairs of digits and the signs that hints are made of are told apart; the rest is not.
const SIGNS = '_-.:@$=/{%> "\'(';
const FIRST_DIGIT = 27;
const FIRST_SIGN = FIRST_DIGIT + 5;
const FIRST_FOREIGN = FIRST_SIGN + SIGNS.length;
const CLASS_OF = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x60;
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x40;
  if (unit >= 0x30 && unit <= 0x39) return FIRST_DIGIT + ((unit - 0x30) >> 1);
  return SIGNS.includes(String.fromCharCode(unit)) ? FIRST_SIGN + SIGNS.indexOf(String.fromCharCode(unit)) : 0;
});

const classOf = (unit: number): number =>
  unit < 128 ? (CLASS_OF[unit] as number) : FIRST_FOREIGN + ((unit ^ (unit >> 4)) & 15);
const cellOf = (first: number, second: number, third: number): number =>
  (first << (2 * CLASS_BITS)) | (second << CLASS_BITS) | third;

// The letters of English, the most frequent first; words of it are what most texts are made of.
const FREQUENT = 'etaoinsrhldcumfpgwybvkxjqz';

/**
 * Finds all hints of all rules in one pass over a text: a table tells for each three units in a row which hints they are
 * a part of, and for most it is none. Nothing else of the text is looked at.
 */
export class HintIndex {
  private readonly cells = new Uint16Array(CELLS);
  private readonly buckets: Entry[][] = [[]];

  /** @param hints for each owner, a rule's number, what it waits for */
  constructor(hints: ReadonlyMap<number, readonly (string | Hint)[]>) {
    for (const [owner, texts] of hints) {
      for (const hint of texts) {
        const entry = entryOf(owner, typeof hint === 'string' ? { text: hint } : hint);
        for (const cell of cellsOf(entry)) {
          const bucket = this.cells[cell] as number;
          if (bucket === 0) this.cells[cell] = this.buckets.push([entry]) - 1;
          else (this.buckets[bucket] as Entry[]).push(entry);
        }
      }
    }
  }

  /** Where each owner's hints stand in `text`, in order; owners without any are left out. */
  scan(text: string): Map<number, number[]> | undefined {
    const { cells } = this;
    let found: Map<number, number[]> | undefined;
    let cell = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      cell = ((cell << CLASS_BITS) & (CELLS - 1)) | (unit < 128 ? (CLASS_OF[unit] as number) : classOf(unit));
      const bucket = cells[cell] as number;
      if (bucket !== 0) found = this.examine(text, at, bucket, found);
    }
    return this.scanEnd(text, cell, found);
  }

  // A hint of less than three units may stand at the end.
  private scanEnd(
    text: string,
    last: number,
    known: Map<number, number[]> | undefined,
  ): Map<number, number[]> | undefined {
    let found = known;
    let cell = last;
    for (let at = text.length; at < text.length + 2; at++) {
      cell = (cell << CLASS_BITS) & (CELLS - 1);
      const bucket = this.cells[cell] as number;
      if (bucket !== 0) found = this.examine(text, at, bucket, found);
    }
    return found;
  }

  private examine(
    text: string,
    at: number,
    bucket: number,
    known: Map<number, number[]> | undefined,
  ): Map<number, number[]> | undefined {
    let found = known;
    for (const entry of this.buckets[bucket] as Entry[]) {
      const start = at - 2 - entry.offset;
      if (start < 0 || !standsAt(text, start, entry)) continue;
      found ??= new Map();
      note(found, entry.owner, start);
    }
    return found;
  }
}

// Hints of one owner may be known by later units than their first, so that they come a little out of order.
function note(found: Map<number, number[]>, owner: number, start: number): void {
  const places = found.get(owner);
  if (places === undefined) {
    found.set(owner, [start]);
    return;
  }
  let index = places.length;
  while (index > 0 && (places[index - 1] as number) > start) index--;
  if (places[index - 1] === start) return;
  if (index === places.length) places.push(start);
  else places.splice(index, 0, start);
}

function standsAt(text: string, start: number, { text: hint, anyCase, confirm }: Entry): boolean {
  for (let index = 0; index < hint.length; index++) {
    const unit = text.charCodeAt(start + index);
    const wanted = hint.charCodeAt(index);
    if (unit !== wanted && !(anyCase && unit >= 0x41 && unit <= 0x5a && unit + 0x20 === wanted)) return false;
  }
  if (confirm === undefined) return true;
  confirm.lastIndex = start;
  return confirm.test(text);
}

function entryOf(owner: number, { text, anyCase = false, confirm }: Hint): Entry {
  let offset = 0;
  for (let at = 1; at + 3 <= text.length; at++) {
    if (frequency(text, at) < frequency(text, offset)) offset = at;
  }
  return { owner, text: anyCase ? text.toLowerCase() : text, anyCase, confirm, offset };
}

function frequency(text: string, at: number): number {
  let sum = 0;
  for (const character of text.slice(at, at + 3).toLowerCase()) {
    const rank = FREQUENT.indexOf(character);
    sum += rank >= 0 ? 30 - rank : frequencyOfSign(character);
  }
  return sum;
}

// As in logs and in messages: spaces and digits most of all, then what parts and quotes.
function frequencyOfSign(character: string): number {
  if (/[ \d]/.test(character) || classOf(character.charCodeAt(0)) === 0) return 30;
  return character === '"' || character === ':' ? 24 : /[-_./='>(]/.test(character) ? 16 : 8;
}

// A text of fewer than three units is a part of any three that begin with it.
function cellsOf({ text, offset }: Entry): number[] {
  const any = Array.from({ length: CLASSES }, (_, index) => index);
  const classes = [0, 1, 2].map((index) =>
    offset + index < text.length ? [classOf(text.charCodeAt(offset + index))] : any,
  );
  const [firsts = [], seconds = [], thirds = []] = classes;
  return firsts.flatMap((first) => seconds.flatMap((second) => thirds.map((third) => cellOf(first, second, third))));
}
