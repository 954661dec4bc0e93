import type { Span } from './redaction-rule.js';

/** A text as rules see it, and the way back to the one that was given. */
export interface FoldedText {
  readonly text: string;
  /** Where a span of {@link text} stands in the text that was given. */
  unfolded<S extends Span>(span: S): S;
}

// What is written wide, as East Asian keyboards do, means the same; so do other spaces and dashes. Punctuation that ends
// a sentence stays wide, since there it ends a value too.
const WIDE = ['\\uff02', '\\uff05', '\\uff07-\\uff0b', '\\uff0d-\\uff1a', '\\uff1c-\\uff1e', '\\uff20-\\uff5e'];
const SPACES_AND_DASHES = ['\\u00a0', '\\u2002-\\u200a', '\\u202f', '\\u3000', '\\u2010-\\u2013', '\\u2212'];
const NARROWABLE = new RegExp(anyOf(WIDE, SPACES_AND_DASHES), 'g');

// Takes no room on a page, and so may stand anywhere in a word without anybody seeing it.
const NO_ROOM = ['\\u00ad', '\\u034f', '\\u180e', '\\u200b-\\u200f', '\\u202a-\\u202e', '\\u2060-\\u2064', '\\ufeff'];
const INVISIBLE = new RegExp(anyOf(NO_ROOM));
const INVISIBLES = new RegExp(INVISIBLE.source, 'g');

const FOLDABLE = new RegExp(anyOf(WIDE, SPACES_AND_DASHES, NO_ROOM));

/** `text` with wide characters made narrow and invisible ones left out. Wide and narrow ones are equally long. */
export function foldText(text: string): FoldedText {
  if (!FOLDABLE.test(text)) return { text, unfolded: (span) => span };
  const narrow = text.replace(NARROWABLE, narrowed);
  if (!INVISIBLE.test(narrow)) return { text: narrow, unfolded: (span) => span };
  // For each that is left out, how many units stood before it in the folded text.
  const places: number[] = [];
  const folded = narrow.replace(INVISIBLES, (_character, at: number) => {
    places.push(at - places.length);
    return '';
  });
  const unfolded = (at: number): number => at + countUpTo(places, at);
  return {
    text: folded,
    unfolded: (span) => ({
      ...span,
      start: unfolded(span.start),
      end: span.end === span.start ? unfolded(span.end) : unfolded(span.end - 1) + 1,
    }),
  };
}

// A class of these ranges.
function anyOf(...ranges: readonly (readonly string[])[]): string {
  return `[${ranges.flat().join('')}]`;
}

function narrowed(character: string): string {
  const unit = character.charCodeAt(0);
  if (unit >= 0xff00) return String.fromCharCode(unit - 0xfee0);
  return unit === 0x2212 || (unit >= 0x2010 && unit <= 0x2013) ? '-' : ' ';
}

// How many of the sorted `places` are not behind `at`.
function countUpTo(places: readonly number[], at: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
