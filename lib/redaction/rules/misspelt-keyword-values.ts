import { CELL_SEPARATOR, DESCRIBED_SEPARATOR, PARTICLE_SEPARATOR } from '../described-separator.js';
import { findKeywordValues, type KeywordFinder, type Separator } from '../keyword-scanner.js';
import { misspeltKeyKind } from '../misspelt-key.js';
import { SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { CJK_SEPARATORS } from './cjk-keyword-values.js';
import { KEYWORD_SEPARATORS } from './keyword-values.js';

// What a name that has a value is followed by: a sign (but for `12:34`), a word that says so, a particle; or it is a flag.
const SIGNS = Uint8Array.from({ length: 128 }, (_, unit) => (':=>| \t-'.includes(String.fromCharCode(unit)) ? 1 : 0));
const LINK = /[ \t](?:is|was|for|of|on|to)[ \t:]/y;
const PARTICLES = '은는이가을를도はがを是';
const FLAG = /--[A-Za-z][\w-]{2,40}(?=[ \t])/y;
const MAX_JOINT = 26;
const MAX_NAME = 64;
const SHORTEST_WORD = 4;

const isLetter = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isNamePart = (unit: number): boolean => isLetter(unit) || isDigit(unit) || unit === 0x5f || unit === 0x2d;
// What may stand between a name and what follows it: spaces, quotes with their backslashes, a bracket.
const isJoint = (unit: number): boolean =>
  unit === 0x20 || unit === 0x09 || unit === 0x22 || unit === 0x27 || unit === 0x60 || unit === 0x5c || unit === 0x5d;

/** Finds names that are misspelt by what follows them, since that is rarer than words are. */
class MisspeltNames implements KeywordFinder {
  lastIndex = 0;

  exec(text: string): { readonly index: number } | null {
    // A name is looked at once, whatever follows it.
    const from = this.lastIndex;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 128 ? SIGNS[unit] === 0 : unit < 0x3040) continue;
      const end = endOfName(text, at, unit);
      let start = end;
      while (start > from && end - start < MAX_NAME && isNamePart(text.charCodeAt(start - 1))) start--;
      if (!endsInWord(text, start, end) || misspeltKeyKind(text.slice(start, end)) === undefined) continue;
      this.lastIndex = end;
      return { index: start };
    }
    return null;
  }
}

// Where the name ends that what stands at `at` follows; 0 when that follows none.
function endOfName(text: string, at: number, unit: number): number {
  const before = text.charCodeAt(at - 1);
  switch (unit) {
    case 0x3a:
      return isDigit(before) && isDigit(text.charCodeAt(at + 1)) ? 0 : pastJoint(text, at);
    case 0x3d:
    case 0x3e:
    case 0x7c:
      return pastJoint(text, at);
    case 0x20:
    case 0x09:
      LINK.lastIndex = at;
      return isLetter(before) && mayLink(text.charCodeAt(at + 1)) && LINK.test(text) ? at : 0;
    case 0x2d:
      FLAG.lastIndex = at;
      return text.charCodeAt(at + 1) === unit && FLAG.test(text) ? FLAG.lastIndex : 0;
    default:
      return isLetter(before) && PARTICLES.includes(text.charAt(at)) ? at : 0;
  }
}

// Whether `is`, `was`, `for`, `of`, `on` or `to` begins so.
const mayLink = (unit: number): boolean =>
  unit === 0x69 || unit === 0x77 || unit === 0x66 || unit === 0x6f || unit === 0x74;

function pastJoint(text: string, sign: number): number {
  let end = sign;
  while (end > 0 && sign - end < MAX_JOINT && isJoint(text.charCodeAt(end - 1))) end--;
  return end;
}

// What ends in digits, as numbers and digests do, needs no closer look, but for a number behind a word.
function endsInWord(text: string, start: number, end: number): boolean {
  let at = end;
  while (at > start && end - at < 4 && isDigit(text.charCodeAt(at - 1))) at--;
  let letters = 0;
  while (at - letters > start && letters < SHORTEST_WORD && isLetter(text.charCodeAt(at - 1 - letters))) letters++;
  return letters >= SHORTEST_WORD || (letters >= 3 && at - letters > start);
}

// Of a slip one end of a word is left as it was.
const CJK_END = /[비패시パト暗シ토씨스호드키ド号ン큰]/g;
const CJK_RUN = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,8}(?: ?키(?![\uac00-\ud7a3]))?/y;
const MAX_CJK_NAME = 8;
const isCjk = (unit: number): boolean =>
  (unit >= 0xac00 && unit <= 0xd7a3) || (unit >= 0x3040 && unit <= 0x30ff) || (unit >= 0x3400 && unit <= 0x9fff);

/** As {@link MisspeltNames}, in Korean, Japanese and Chinese: by the letters that are right. */
class MisspeltCjkNames implements KeywordFinder {
  lastIndex = 0;

  exec(text: string): { readonly index: number } | null {
    CJK_END.lastIndex = this.lastIndex;
    for (let hit = CJK_END.exec(text); hit !== null; hit = CJK_END.exec(text)) {
      let start = hit.index;
      while (start > this.lastIndex && hit.index - start < MAX_CJK_NAME && isCjk(text.charCodeAt(start - 1))) start--;
      CJK_RUN.lastIndex = start;
      const run = CJK_RUN.exec(text)?.[0];
      if (run === undefined) continue;
      CJK_END.lastIndex = Math.max(CJK_END.lastIndex, start + run.length);
      // A particle may be glued on.
      const name = [run, run.slice(0, -1)].find((one) => misspeltKeyKind(one) !== undefined);
      if (name === undefined) continue;
      this.lastIndex = start + name.length;
      return { index: start };
    }
    return null;
  }
}

const SPOKEN: readonly Separator[] = [CELL_SEPARATOR, DESCRIBED_SEPARATOR, PARTICLE_SEPARATOR];

// What merely stands next to a misspelt word is too little.
const SEPARATORS = KEYWORD_SEPARATORS.filter(
  (separator) => (separator.form !== 'adjacent' && separator.tentative !== true) || SPOKEN.includes(separator),
);

// A word that is spelt wrong has to have a value that is no word.
const isTelling = (text: string, { start, end }: Span): boolean => {
  const value = text.slice(start, Math.min(end, start + 256));
  return value.length >= 6 && /[^\p{L}\s]/u.test(value) && /\p{L}/u.test(value);
};

/** As the keyword values, after a keyword that is misspelt. Only of the strict policy. */
export const misspeltKeywordValues: readonly RedactionRule[] = [
  {
    name: 'misspelt-keyword-value',
    category: 'SECRET',
    specificity: SPECIFICITY.KEYWORD,
    find: (text) =>
      findKeywordValues(text, new MisspeltNames(), SEPARATORS, misspeltKeyKind).filter((span) => isTelling(text, span)),
    matches: 'DB_PASWORD=plum7-otter9',
    ignores: 'passport: M12345678, passed: 12/14, taken: 2026-01-02, max_tokens=4096',
  },
  {
    name: 'misspelt-cjk-keyword-value',
    category: 'SECRET',
    specificity: SPECIFICITY.KEYWORD,
    hints: /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2}/,
    find: (text) =>
      findKeywordValues(text, new MisspeltCjkNames(), CJK_SEPARATORS, misspeltKeyKind).filter((span) =>
        isTelling(text, span),
      ),
    matches: '비밀번허: plum7-otter9',
    ignores: '비밀번허: 필수, 주민번호는 아직 없습니다',
  },
];
