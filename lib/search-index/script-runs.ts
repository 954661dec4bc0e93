/**
 * - `word`: a run in a script that puts spaces between words, with what joins code-like words (`db-prod-01`);
 * - `unspaced`: a run in one script that does not, or that glues endings to words (Hangul);
 * - `symbol`: one pictograph.
 */
export type ScriptRunKind = 'word' | 'unspaced' | 'symbol';

export interface ScriptRun {
  readonly kind: ScriptRunKind;
  readonly text: string;
}

// One class for each script: a bigram across the border of two scripts would be neither's word. The prolonged sound
// mark belongs to both kana.
const UNSPACED = [
  '\\p{Script=Hangul}',
  '\\p{Script=Han}',
  '[\\p{Script=Katakana}ー]',
  '[\\p{Script=Hiragana}ー]',
  '\\p{Script=Thai}',
  '\\p{Script=Lao}',
  '\\p{Script=Khmer}',
  '\\p{Script=Myanmar}',
];
const WORD_CHARACTER = `[[\\p{L}\\p{M}\\p{N}]--[${UNSPACED.join('')}]]`;
// One of these between two word characters joins them: host names, paths, addresses, identifiers, versions, times.
const JOINER = '(?:://|::|[._\\-\\/:@\\\\])';
// `C++`, `C#`.
const SIGN_AT_END = `(?:\\+\\+|#)(?!${WORD_CHARACTER})`;
// Possessives and contractions are dropped: `Caroline's` is `Caroline`.
const CONTRACTION = `'(?:[stdmSTDM]|ll|LL|re|RE|ve|VE)(?!${WORD_CHARACTER})`;

// Made when the first text is split, since that takes a while and not everybody who imports the library does it.
let run: RegExp | undefined;

// Every part starts with a character that the part before it cannot hold, so matching is linear in the text.
const expression = (): RegExp =>
  new RegExp(
    `(${UNSPACED.map((script) => `${script}+`).join('|')})` +
      `|(${WORD_CHARACTER}+(?:${JOINER}${WORD_CHARACTER}+)*(?:${SIGN_AT_END})?)(?:${CONTRACTION})?` +
      '|(\\p{Extended_Pictographic})',
    'gv',
  );

/** Cuts a text that is in NFKC into runs, in order; what is in none of them (spaces, punctuation) is left out. */
export function* scriptRuns(text: string): Generator<ScriptRun> {
  for (const [, unspaced, word, symbol] of text.matchAll((run ??= expression()))) {
    if (word !== undefined) yield { kind: 'word', text: word };
    else if (unspaced !== undefined) yield { kind: 'unspaced', text: unspaced };
    else if (symbol !== undefined) yield { kind: 'symbol', text: symbol };
  }
}
