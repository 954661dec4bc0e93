import { secretKeyKind, type SecretKeyKind } from './secret-key.js';

interface Target {
  readonly word: string;
  readonly kind: SecretKeyKind;
  /** How many letters may be wrong, left out, doubled or exchanged with the next. */
  readonly slips: number;
}

const target = (kind: SecretKeyKind, slips: number, ...words: readonly string[]): readonly Target[] =>
  words.map((word) => ({ word, kind, slips }));

// A short word has too many neighbours for two slips.
const TARGETS: readonly Target[] = [
  ...target('password', 2, 'password', 'passphrase', 'passcode'),
  ...target('password', 1, 'passwd'),
  ...target('token', 2, 'credential', 'credentials', 'accesskey', 'secretkey', 'privatekey'),
  ...target('token', 1, 'secret', 'token', 'apikey'),
];

const CJK_TARGETS: readonly Target[] = [
  ...target('password', 1, '비밀번호', '패스워드', 'パスワード', '暗証番号'),
  ...target('token', 1, '시크릿키', 'トークン', 'シークレット'),
];

// Of two or three syllables: one of their letters may be wrong, not any syllable.
const SHORT_TARGETS: readonly Target[] = target('token', 1, '토큰', '시크릿').map((one) => ({
  ...one,
  word: one.word.normalize('NFD'),
}));

// Those that are written as two words, too: `access_kye`. Others would be near to what they are followed by.
const PAIRS = [...TARGETS, ...CJK_TARGETS].filter(({ word }) => /(?:key|키)$/.test(word));

// Words that are spelt right.
const WORDS = new Set(
  (
    'passport passports passed passer passes password passwords postcode pastcode opcode paraphrase paraphrases crossword ' +
    'crosswords socketkey keyword taken taker tokens toke token tokenize woken oaken broken spoken joke secrets secrete secreted ' +
    'secretes sacred secure secured sector credentialed credential apiary happily appkey essential essentials'
  ).split(' '),
);

const LATIN_WORD = /^[a-z]{4,14}$/;
const CJK_WORD = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,8}$/u;
const MAX_KNOWN = 2048;
const known = new Map<string, SecretKeyKind | undefined>();

/**
 * What `key` would say about its value if it were spelt right: one or two letters wrong, left out, doubled or exchanged.
 * `undefined` for a name that is spelt right, or is near none of a secret.
 */
export function misspeltKeyKind(key: string): SecretKeyKind | undefined {
  if (key.length > 64 || key.includes('[REDACTED:')) return undefined;
  let kind = known.get(key);
  if (kind === undefined && !known.has(key)) {
    kind = read(key);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, kind);
  }
  return kind;
}

function read(key: string): SecretKeyKind | undefined {
  // A `key` says little by itself; that of an `acess_key` says more.
  const spelt = secretKeyKind(key);
  if (spelt !== undefined && spelt !== 'key' && spelt !== 'named-key') return undefined;
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]{1,64}/u)
    .filter((word) => word !== '');
  const last = words.at(-1)?.replace(/\d{1,4}$/, '') ?? '';
  const lastTwo = words
    .slice(-2)
    .join('')
    .replace(/\d{1,4}$/, '');
  // A particle is glued on.
  const bare = last.replace(/(?<=[\uac00-\ud7a3]{4})[은는이가을를도만]$/, '');
  return kindOf(last) ?? kindOf(bare) ?? (words.length > 1 ? kindOf(lastTwo, PAIRS) : undefined);
}

function kindOf(word: string, targets?: readonly Target[]): SecretKeyKind | undefined {
  if (WORDS.has(word)) return undefined;
  if (LATIN_WORD.test(word)) return (targets ?? TARGETS).find((one) => isNear(word, one))?.kind;
  if (!CJK_WORD.test(word)) return undefined;
  if (word.length >= 4) return (targets ?? CJK_TARGETS).find((one) => isNear(word, one))?.kind;
  const letters = word.normalize('NFD');
  return SHORT_TARGETS.find((one) => isNear(letters, one))?.kind;
}

/** Whether `word` is the target with at least one slip and no more than it may have. */
function isNear(word: string, { word: wanted, slips }: Target): boolean {
  if (word === wanted || Math.abs(word.length - wanted.length) > slips) return false;
  // Who slips twice has at least begun right, or has exchanged the first two.
  if (slips === 2 && word[0] !== wanted[0] && word[1] !== wanted[0]) return false;
  if (slips === 1 && word[0] !== wanted[0] && word.at(-1) !== wanted.at(-1)) return false;
  return distance(word, wanted) <= slips;
}

/** Optimal string alignment: edits, and exchanges of neighbours (Damerau, 1964). Both words are short. */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const same = one[at - 1] === other[column - 1];
      let least = Math.min(
        (row[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (row[column - 1] as number) + (same ? 0 : 1),
      );
      const exchanged = at > 1 && column > 1 && one[at - 1] === other[column - 2] && one[at - 2] === other[column - 1];
      if (exchanged) least = Math.min(least, (before[column - 2] as number) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[other.length] as number;
}
