import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { LONG_NUMBER } from './long-number.js';

const { IDENTITY } = SPECIFICITY;
const DATE = '\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';

// The check digit of numbers that were given out before October 2020; later ones have none.
function passesCheckDigit(number: string): boolean {
  const weights = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(number[index]), 0);
  return (11 - (sum % 11)) % 10 === Number(number[12]);
}

const NAMED = /(?:주민|등록\s?번호|rrn|jumin|resident|ssn|외국인)[^\n]{0,24}$/i;

/** Numbers that states give to people. */
export const nationalIds: readonly RedactionRule[] = [
  patternRule({
    name: 'korean-resident-number',
    category: 'KR_RRN',
    specificity: IDENTITY,
    hints: LONG_NUMBER,
    withinLines: true,
    pattern: new RegExp(
      `(?<![A-Za-z0-9.-])${DATE}(?:(?<dash> ?- ?)|(?<space> ))?[0-9]\\d{6}(?![A-Za-z0-9]|[.-]\\d)`,
      'g',
    ),
    accept: (secret, match) =>
      match.groups?.['dash'] !== undefined ||
      NAMED.test(match.input.slice(Math.max(0, match.index - 40), match.index)) ||
      (/^.{6} ?[1-4]/.test(secret) && passesCheckDigit(secret.replace(' ', ''))),
    matches: `주민등록번호 ${['900101', '1234567'].join('-')} 확인`,
    ignores: 'epoch 1748209566123, order 901301-1234567',
  }),
  patternRule({
    name: 'us-social-security-number',
    category: 'US_SSN',
    specificity: IDENTITY,
    hints: LONG_NUMBER,
    withinLines: true,
    pattern: /(?<![A-Za-z0-9.-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![A-Za-z0-9]|[.-]\d)/g,
    matches: `ssn ${['457', '55', '5462'].join('-')} on file`,
    ignores: 'part 000-12-3456, 1457-55-5462',
  }),
  patternRule({
    name: 'named-social-security-number',
    category: 'US_SSN',
    specificity: IDENTITY,
    hints: anyCase('ssn', 'social security'),
    startsWithHint: true,
    pattern:
      /(?:ssn|social security)[^\n\d]{0,24}(?<secret>(?!000|666|9\d\d)\d{3} ?(?!00)\d{2} ?(?!0000)\d{4})(?![A-Za-z0-9]|[.-]\d)/gi,
    matches: `ssn ${['457', '55', '5462'].join(' ')} on file`,
    ignores: 'ssn 000 12 3456',
  }),
];
