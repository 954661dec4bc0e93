import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

const MARKS = ['live', 'test', 'prod', 'production', 'sandbox', 'secret', 'sk', 'pat', 'token', 'key', 'apikey', 'uat'];
const BODY = '[A-Za-z0-9]{2,8}_';

// An identifier is made of words; what is drawn at random mixes letters and digits from end to end.
function isDrawn(body: string): boolean {
  const digits = body.match(/\d/g)?.length ?? 0;
  if (/(.)\1{5}/.test(body) || digits < 2) return false;
  if (/[a-z]/.test(body) && /[A-Z]/.test(body)) return true;
  return body.length >= 24 && digits >= 4 && /[a-zA-Z]/.test(body);
}

/**
 * Tokens of vendors that no other rule knows, since many are made alike: the vendor's mark, what it is for, and a random
 * rest, such as `acme_live_…`. What is published, such as `pk_live_…`, is none.
 */
export const markedTokens: readonly RedactionRule[] = [
  patternRule({
    name: 'marked-token',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: MARKS.flatMap((mark) =>
      ['_', '-'].map((joint) => ({
        text: `${mark}${joint}`,
        confirm: new RegExp(`${mark}${joint}(?:${BODY}){0,2}[A-Za-z0-9]{16}`, 'y'),
      })),
    ),
    withinLines: true,
    pattern: new RegExp(
      `(?<![A-Za-z0-9_.-])(?!(?:[a-z0-9]{1,16}[_-]){0,2}(?:pk|pub|public|publishable|client|anon)[_-])(?:[a-z][a-z0-9]{1,15}[_-]){0,3}?(?:${MARKS.join('|')})[_-](?:${BODY}){0,2}(?<body>[A-Za-z0-9]{20,255})(?![A-Za-z0-9_-]{0,3}[A-Za-z0-9])`,
      'g',
    ),
    accept: (_token, match) => isDrawn(match.groups?.['body'] ?? ''),
    matches: `found acme_live_${'a1B2c3D4e5F6'.repeat(2)} in a log`,
    ignores: 'tests/acme_live_reconfiguration2_test, pk_live_ is public, config_key_abcdefghijklmnopqrstuvwxyz',
  }),
];
