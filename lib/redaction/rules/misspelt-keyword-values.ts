import { CELL_SEPARATOR, DESCRIBED_SEPARATOR, PARTICLE_SEPARATOR } from '../described-separator.js';
import { findKeywordValues, type KeywordFinder, type Separator } from '../keyword-scanner.js';
import { misspeltKeyKind } from '../misspelt-key.js';
import { SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { CJK_SEPARATORS } from './cjk-keyword-values.js';
import { KEYWORD_SEPARATORS } from './keyword-values.js';

const MAX_JOINT = 26;
const MAX_NAME = 64;
const SHORTEST_WORD = 4;
const SPOKEN_LINK = /[ \t](?:is|was|for|of|on|to)[ \t:]/y;
const PARTICLES = '은는이가을를도はがを是';
const FLAG = /--[A-Za-z][\w-]{2,40}(?=[ \t])/y;

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
      const end = endOfName(text, at);
      if (end === undefined || end <= from) continue;
      let start = end;
      while (start > from && end - start < MAX_NAME && isNamePart(text.charCodeAt(start - 1))) start--;
      if (!endsInWord(text, start, end) || misspeltKeyKind(text.slice(start, end)) === undefined) continue;
      this.lastIndex = end;
      return { index: start };
    }
    return null;
  }
}

// Where the name ends that has a value by what stands at `at`: a sign, a word that says so, a particle, a flag's space.
function endOfName(text: string, at: number): number | undefined {
  const unit = text.charCodeAt(at);
  switch (unit) {
    case 0x3a:
      if (isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1))) return undefined;
      return pastJoint(text, at);
    case 0x3d:
    case 0x3e:
    case 0x7c:
      return pastJoint(text, at);
    case 0x20:
    case 0x09:
      SPOKEN_LINK.lastIndex = at;
      return isLetter(text.charCodeAt(at - 1)) && 'iwfot'.includes(text.charAt(at + 1)) && SPOKEN_LINK.test(text)
        ? at
        : undefined;
    case 0x2d:
      if (text.charCodeAt(at + 1) !== 0x2d) return undefined;
      FLAG.lastIndex = at;
      return FLAG.test(text) ? FLAG.lastIndex : undefined;
    default:
      return unit > 0x7f && isLetter(text.charCodeAt(at - 1)) && PARTICLES.includes(text.charAt(at)) ? at : undefined;
  }
}

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

// Of a slip one end of the word is left as it was.
const CJK =
  /(?<![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?:[비패시パト暗シ][\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{3,7}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,6}[호드키ド号ント]|토[\uac00-\ud7a3]|[\uac00-\ud7a3]큰|[시씨스]크[\uac00-\ud7a3]{1,2}(?: ?키)?)/g;

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
      findKeywordValues(text, CJK, CJK_SEPARATORS, misspeltKeyKind).filter((span) => isTelling(text, span)),
    matches: '비밀번허: plum7-otter9',
    ignores: '비밀번허: 필수, 주민번호는 아직 없습니다',
  },
];
