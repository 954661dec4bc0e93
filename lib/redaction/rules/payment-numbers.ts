import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { LONG_NUMBER } from './long-number.js';

const { IDENTITY } = SPECIFICITY;

// ISO/IEC 7812-1, annex B.
function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let index = number.length - 1, twice = false; index >= 0; index--, twice = !twice) {
    const digit = Number(number[index]) * (twice ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const CARD_RANGE =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|(?:50[12]\d|5[6-8]\d{2}|6304|67\d{2})\d{8,15}|220[0-4]\d{12}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d{2}|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17}|9\d{15})$/;

const RUN = /\d[\d -]{10,256}\d/g;
const MIN_DIGITS = 12;
const MAX_DIGITS = 19;

// A number may stand right behind another one, so each group of digits may be the first of a card.
function findCards(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (run.length - (run.match(/[ -]/g)?.length ?? 0) < MIN_DIGITS) continue;
    const groups = [...run.matchAll(/\d+/g)];
    const digits = groups.map(([group]) => group);
    for (let first = 0; first < groups.length; first++) {
      // Four in a row that are not at the beginning are the rest of something else.
      if (digits[first - 1]?.length === 4) continue;
      const last = lastGroupOfCard(digits, first);
      if (last === undefined) continue;
      const start = index + (groups[first] as RegExpExecArray).index;
      const end = index + (groups[last] as RegExpExecArray).index + (digits[last] as string).length;
      if (standsAlone(text, start, end)) spans.push({ start, end });
      first = last;
    }
  }
  return spans;
}

const standsAlone = (text: string, start: number, end: number): boolean =>
  !/[\w.+-]$/.test(text.slice(Math.max(0, start - 1), start)) && !/^(?:\w|[.-]\d)/.test(text.slice(end, end + 2));

function lastGroupOfCard(groups: readonly string[], first: number): number | undefined {
  let digits = '';
  for (let last = first; last < groups.length; last++) {
    digits += groups[last] as string;
    if (digits.length > MAX_DIGITS) return undefined;
    if (digits.length >= MIN_DIGITS && isCard(digits)) return last;
    // Only the last group may be short.
    if ((groups[last] as string).length < 4) return undefined;
  }
  return undefined;
}

const isCard = (digits: string): boolean => CARD_RANGE.test(digits) && !/^(\d)\1+$/.test(digits) && passesLuhn(digits);

// ISO 13616: the first four go to the end, letters count from 10, and what is left of a division by 97 is 1.
function passesMod97(iban: string): boolean {
  const moved = iban.slice(4) + iban.slice(0, 4);
  let rest = 0;
  for (const character of moved) rest = Number(`${rest}${parseInt(character, 36)}`) % 97;
  return rest === 1;
}

function isIban(text: string): boolean {
  const iban = text.replace(/[ -]/g, '').toUpperCase();
  return iban.length >= 15 && iban.length <= 34 && passesMod97(iban);
}

/** Numbers that money moves by. */
export const paymentNumbers: readonly RedactionRule[] = [
  {
    name: 'payment-card',
    category: 'CREDIT_CARD',
    specificity: IDENTITY,
    hints: LONG_NUMBER,
    withinLines: true,
    find: findCards,
    matches: `card ${['4111', '1111', '1111', '1111'].join(' ')} declined`,
    ignores: 'order 4111111111111112 shipped',
  },
  patternRule({
    name: 'iban',
    category: 'IBAN',
    specificity: IDENTITY,
    hints: /[A-Z]{2}\d{2}(?= ?[A-Z0-9]{4} ?[A-Z0-9]{4})/g,
    withinLines: true,
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/g,
    accept: isIban,
    matches: `to ${['GB82', 'WEST', '1234', '5698', '7654', '32'].join(' ')}`,
    ignores: 'part GB82 WEST 1234 5698 7654 33',
  }),
  patternRule({
    name: 'named-iban',
    category: 'IBAN',
    specificity: IDENTITY,
    hints: anyCase('iban'),
    startsWithHint: true,
    pattern:
      /iban[^\n\w]{0,16}(?<secret>[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?)(?![A-Za-z0-9])/gi,
    accept: isIban,
    matches: `iban=${['gb82', 'west', '1234', '5698', '7654', '32'].join('')}`,
    ignores: 'iban: gb82west12345698765433',
  }),
];
