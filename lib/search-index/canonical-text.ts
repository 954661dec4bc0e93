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
      .replace(/[“”„‟]/g, '"')
      .replace(/[‘’‚‛]/g, "'")
      .replace(/[‐‑−]/g, '-')
      // A dash is a hyphen in a range and between two words with spaces around it; elsewhere it may be a minus.
      .replace(/(?<=\d)–(?=\d)/g, '-')
      .replace(/(?<=\p{L}) [–—] (?=\p{L})/gu, ' - ')
      .replace(/…/g, '...')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

// One full stop after a word, a number or a bracket; not an ellipsis, and not a dot that stands alone.
function dropFullStop(text: string): string {
  return text.replace(/(?<=[\p{L}\p{N}\p{M})\]"'%])[.。]$/u, '');
}

/**
 * Case means nothing in the first letter of a text, and in a text that is all in capitals or capitalised throughout.
 * Elsewhere a capital is part of a name, a unit or an identifier (`MB/s`, `US`, `-P`, `orderId`).
 */
function foldCase(text: string): string {
  const words = text.split(' ');
  const plain = words.map((word) => PLAIN_WORD.exec(word)?.[1]).filter((word) => word !== undefined);
  const styled =
    plain.length >= 3 && plain.length === words.filter((word) => /\p{L}/u.test(word)).length
      ? plain.every((word) => !/\p{Ll}/u.test(word)) || plain.every((word) => /^\p{Lu}\p{Ll}*$/u.test(word))
      : false;
  const folded = words.map((word, at) => {
    if (at > 0 && !styled) return word;
    return foldWord(word, words[at - 1], words[at + 1]);
  });
  return folded.join(' ');
}

// A word and the punctuation behind it; nothing that holds a digit, a joiner or a sign.
const PLAIN_WORD = /^["'(]?(\p{L}[\p{L}\p{M}]*)(?:'(?:s|t|d|m|ll|re|ve|S|T|D|M|LL|RE|VE))?[,;:!?.)"']*$/u;
const CAPITALISED = /^\p{Lu}[\p{Ll}\p{M}]+$/u;
const ALL_CAPITALS = /^\p{Lu}{4,}$/u;
// These are also names of countries, organisations, states or half-days.
const ALSO_ACRONYMS = new Set([
  'it',
  'us',
  'who',
  'am',
  'or',
  'in',
  'me',
  'hi',
  'ok',
  'as',
  'all',
  'so',
  'no',
  'he',
  'be',
  'at',
]);
// After these "A" at the start of a text is a name ("A is larger"), not an article.
const AFTER_A_NAME = /^(?:is|was|has|had|does|did|will|can|and|or|to|vs\.?|in|of|on|for|at|by|with)$/i;

function foldWord(written: string, before: string | undefined, after: string | undefined): string {
  const word = PLAIN_WORD.exec(written)?.[1];
  // What stands behind a number is its unit.
  if (word === undefined || (before !== undefined && /\d/.test(before))) return written;
  const lower = word.toLowerCase();
  const fold = written.toLowerCase();
  if (word.length === 1) return isArticleOrPronoun(word, before, after) ? fold : written;
  if (CAPITONYMS.has(lower)) return written;
  const functionWord = STOP_WORDS.has(lower);
  if (CAPITALISED.test(word)) return word.length > 2 || functionWord ? fold : written;
  return ALL_CAPITALS.test(word) || (functionWord && !ALSO_ACRONYMS.has(lower)) ? fold : written;
}

function isArticleOrPronoun(word: string, before: string | undefined, after: string | undefined): boolean {
  if (after === undefined || !/^\p{L}/u.test(after)) return false;
  if (word === 'I') return before === undefined;
  if (word !== 'A' || AFTER_A_NAME.test(after)) return false;
  return before === undefined ? !/^\p{Lu}$/u.test(after) : STOP_WORDS.has(before.toLowerCase());
}
