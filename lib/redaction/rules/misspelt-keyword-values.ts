import { DESCRIBED_SEPARATOR, PARTICLE_SEPARATOR } from '../described-separator.js';
import { findKeywordValues, type Separator } from '../keyword-scanner.js';
import { misspeltKeyKind } from '../misspelt-key.js';
import { SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { CJK_SEPARATORS } from './cjk-keyword-values.js';
import { KEYWORD_SEPARATORS } from './keyword-values.js';

// A word after which a value may stand: with a colon, an equals sign, or a word that says so.
const LATIN =
  /(?<![A-Za-z])[A-Za-z]{3,14}(?![A-Za-z])(?=[\w-]{0,24}\\{0,16}["'`]?\]?(?:[ \t]{0,8}[:=>]|[ \t]{1,4}(?:is|was)[ \t:]|[은는이가을를도はがを是]|[ \t](?:for|of|on|to)(?: [\w.-]{1,32}){1,4}?(?: is|:)[ \t]))/g;
const CJK =
  /(?<![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?:[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{4,8}|토[\uac00-\ud7a3]|[\uac00-\ud7a3]큰|[시씨스]크[\uac00-\ud7a3]{1,2}(?: ?키)?)/g;

const SPOKEN: readonly Separator[] = [DESCRIBED_SEPARATOR, PARTICLE_SEPARATOR];

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
    hints: /[:=>]|[ \t](?:is|was)[ \t:]|[a-z][은는이가을를도はがを是]/,
    find: (text) => findKeywordValues(text, LATIN, SEPARATORS, misspeltKeyKind).filter((span) => isTelling(text, span)),
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
