import { CAPITONYMS } from './capitonyms.js';
import { STOP_WORDS } from './stop-words.js';

/**
 * A text with what means nothing taken out: width, the kind of white space, typographic quotes and hyphens, a full stop
 * at the end, and capitals that only their place accounts for. Idempotent; word order, digits and every other sign
 * stay. In doubt it leaves a difference standing.
 */
export function canonicalText(text: string): string {
  return foldCase(dropFullStop(plainSigns(narrow(text.normalize('NFC')))));
}

// Full-width letters, digits and signs, half-width kana and Hangul, the ideographic space and the Latin ligatures. Not
// the rest of NFKC, which makes 10² into 102, ½ into 1⁄2 and ㎡ into m2.
const WIDTH_VARIANTS = /[\u3000\uff01-\uffee\ufb00-\ufb06]+/g;

function narrow(text: string): string {
  return text.replace(WIDTH_VARIANTS, (run) => run.normalize('NFKC')).normalize('NFC');
}

function plainSigns(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[“”„‟]/g, '"')
      .replace(/[‘’‚‛]/g, "'")
      .replace(/[‐‑−]/g, '-')
      // A dash is a hyphen in a range and between two words with spaces around it; elsewhere it may be a minus.
      .replace(/(?<=\d)–(?=\d)/g, '-')
      .replace(/(?<=\p{L}) [–—] (?=\p{L})/gu, ' - ')
      .replace(/…/g, '...')
  );
}

// One full stop after a word, a number or a bracket; not an ellipsis, and not a dot that stands alone.
function dropFullStop(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N}\p{M})\]"'%])[.。]$/u, '');
}

/**
 * Case means nothing in the first letter of a text, and in a text that is all in capitals or capitalised throughout.
 * Elsewhere a capital is part of a name, a unit or an identifier (`MB/s`, `US`, `-P`, `orderId`); so is one in front of
 * a word of a script without capitals.
 */
function foldCase(text: string): string {
  const words = text.split(' ');
  if (isStyled(words)) return words.map((word, at) => foldStyled(word, words[at - 1], words[at + 1])).join(' ');
  const [first = '', second] = words;
  return [foldFirst(first, second), ...words.slice(1)].join(' ');
}

function isStyled(words: readonly string[]): boolean {
  const plain = words.map(plainWord).filter((word) => word !== undefined);
  if (plain.length < words.filter((word) => /\p{L}/u.test(word)).length) return false;
  if (plain.filter((word) => word.length > 1).length < 3) return false;
  return plain.every((word) => /^\p{Lu}+$/u.test(word)) || plain.every((word) => /^\p{Lu}[\p{Ll}\p{M}]*$/u.test(word));
}

function foldFirst(written: string, after: string | undefined): string {
  const word = plainWord(written);
  if (word === undefined || (after !== undefined && /^\p{Lo}/u.test(after))) return written;
  const fold = word.length === 1 ? isArticleOrPronoun(word, undefined, after) : foldsCapitalised(word);
  return fold ? written.toLowerCase() : written;
}

function foldStyled(written: string, before: string | undefined, after: string | undefined): string {
  const word = plainWord(written);
  // What stands behind a number is its unit.
  if (word === undefined || (before !== undefined && /\d/.test(before))) return written;
  const fold =
    word.length === 1 ? isArticleOrPronoun(word, before, after) : foldsCapitalised(word) || foldsCapitals(word);
  return fold ? written.toLowerCase() : written;
}

// A word and the punctuation behind it; nothing that holds a digit, a joiner or a sign.
const PLAIN_WORD = /^["'(]?(\p{L}[\p{L}\p{M}]*)(?:'(?:s|t|d|m|ll|re|ve|S|T|D|M|LL|RE|VE))?[,;:!?.)"']*$/u;

function plainWord(written: string): string | undefined {
  return PLAIN_WORD.exec(written)?.[1];
}

// Two letters may be an element or a unit.
function foldsCapitalised(word: string): boolean {
  const lower = word.toLowerCase();
  return /^\p{Lu}[\p{Ll}\p{M}]+$/u.test(word) && !CAPITONYMS.has(lower) && (word.length > 2 || STOP_WORDS.has(lower));
}

// Function words that are also names of countries, organisations, states or half-days.
const ALSO_ACRONYMS = new Set(['it', 'us', 'who', 'am', 'or', 'in', 'me', 'as', 'all', 'so', 'no', 'he', 'be', 'at']);

// Up to three letters may be an acronym.
function foldsCapitals(word: string): boolean {
  const lower = word.toLowerCase();
  if (!/^\p{Lu}+$/u.test(word) || CAPITONYMS.has(lower)) return false;
  return word.length > 3 || (STOP_WORDS.has(lower) && !ALSO_ACRONYMS.has(lower));
}

// After these "A" at the start of a text is a name ("A is larger"), not an article.
const AFTER_A_NAME = /^(?:is|was|has|had|does|did|will|can|and|or|to|vs\.?|in|of|on|for|at|by|with)$/i;

function isArticleOrPronoun(word: string, before: string | undefined, after: string | undefined): boolean {
  if (after === undefined || !/^\p{L}/u.test(after)) return false;
  if (word === 'I') return before === undefined;
  if (word !== 'A' || AFTER_A_NAME.test(after)) return false;
  return before === undefined ? !/^\p{Lu}$/u.test(after) : before.length > 1 && STOP_WORDS.has(before.toLowerCase());
}
