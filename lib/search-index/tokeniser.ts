import { REDACTION_MARKER } from '../domain/redaction-marker.js';
import { codeParts } from './code-parts.js';
import { englishStem } from './english-stem.js';
import { scriptRuns } from './script-runs.js';
import { STOP_WORDS } from './stop-words.js';

/**
 * The version of {@link tokenise}. It stands beside any tokens that are kept: tokens of another version do not match
 * those of this one and must be made again.
 */
export const TOKENISER_VERSION = 1;

/** What a text is found by. */
export interface Token {
  readonly term: string;
  /** How much the term says in a query, in (0, 1]: 1 for a word, less for what is only a part of one. */
  readonly weight: number;
}

/**
 * The weight of a function word. Recall@10 on LoCoMo is a point better than without them, and the same from 0.02 to 0.1.
 */
export const STOP_WORD_WEIGHT = 0.05;

const WORD = 1;
const CODE_PART = 0.5;
const BIGRAM = 1;
const SINGLE_CHARACTER = 0.3;

/**
 * Cuts a text into tokens, in order, repeated ones included. One tokeniser serves every backend and both sides of a
 * search. NFKC and case folding come first; then
 * - words of scripts with spaces, English ones stemmed; function words count little;
 * - bigrams and single characters of Hangul, Han, kana and the scripts of South-East Asia, for each run of one script;
 * - code-like words (`db-prod-01`, `OrderService.retry`, `10.2.3.4`, `E11000`) whole and in parts;
 * - pictographs one by one.
 *
 * A `[REDACTED:…]` marker yields nothing. Any text is accepted; the time is linear in its length.
 */
export function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const run of scriptRuns(plain(text))) {
    if (run.kind === 'unspaced') addGrams(tokens, run.text);
    else if (run.kind === 'symbol') tokens.push({ term: run.text, weight: SINGLE_CHARACTER });
    else addWord(tokens, run.text);
  }
  return tokens;
}

// Digits are grouped by commas to be read, not to mean something: `10,800` is `10800`.
const GROUPED_DIGITS = /(?<=\d),(?=\d{3}(?!\d))/g;
const APOSTROPHES = /[‘’ʼ]/g;
const HYPHENS = /[‐‑−]/g;

function plain(text: string): string {
  const unmasked = text.includes('[REDACTED:') ? text.replace(REDACTION_MARKER, ' ') : text;
  return unmasked.normalize('NFKC').replace(APOSTROPHES, "'").replace(HYPHENS, '-').replace(GROUPED_DIGITS, '');
}

// A few thousand plain words are most of what is said; knowing them makes tokenising English twice as fast. Nothing that
// looks like an identifier is kept.
const PLAIN_WORD = /^[A-Za-z]?[a-z]{0,31}$/;
const KNOWN_WORDS_AT_MOST = 8192;
const knownWords = new Map<string, Token>();

/** Forgets the words that were kept to save time: after an erasure nothing of a text is to be left. */
export function forgetKnownWords(): void {
  knownWords.clear();
}

function addWord(tokens: Token[], written: string): void {
  if (!PLAIN_WORD.test(written)) {
    tokens.push(wordToken(written));
    for (const part of codeParts(written)) tokens.push(partToken(part));
    return;
  }
  let token = knownWords.get(written);
  if (token === undefined) {
    token = wordToken(written);
    if (knownWords.size >= KNOWN_WORDS_AT_MOST) knownWords.clear();
    knownWords.set(written, token);
  }
  tokens.push(token);
}

function wordToken(written: string): Token {
  const word = fold(written);
  return STOP_WORDS.has(word) ? { term: word, weight: STOP_WORD_WEIGHT } : { term: englishStem(word), weight: WORD };
}

function partToken(written: string): Token {
  const part = fold(written);
  if (STOP_WORDS.has(part)) return { term: part, weight: STOP_WORD_WEIGHT };
  return { term: englishStem(part), weight: part.length === 1 ? SINGLE_CHARACTER : CODE_PART };
}

// Accents are dropped where people leave them out in writing; in other scripts the marks are vowels.
const ACCENTED = /[^\p{ASCII}]/u;
const WITH_ACCENTS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]/u;
const MARKS = /\p{M}+/gu;

function fold(word: string): string {
  if (!ACCENTED.test(word)) return word.toLowerCase();
  // A mark that stands alone is all there is of its word.
  const bare = (WITH_ACCENTS.test(word) && word.normalize('NFD').replace(MARKS, '').normalize('NFC')) || word;
  // Upper case first: it takes ß to SS and both sigmas to one.
  return bare.toUpperCase().toLowerCase();
}

// Bigrams find a word inside whatever is glued to it (서버를, 再起動した). Single characters weigh less: they match much.
function addGrams(tokens: Token[], run: string): void {
  let before = '';
  for (const character of run) {
    tokens.push({ term: character, weight: SINGLE_CHARACTER });
    if (before !== '') tokens.push({ term: before + character, weight: BIGRAM });
    before = character;
  }
}
