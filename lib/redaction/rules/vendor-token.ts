import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

// `ghp_xxxxxxxxxxxx`: a form with nothing filled in.
const FILLED = /(.)\1{11}/;
// `sk-loading-indicator-2`: a name made of words and numbers.
const WORDY = /^[a-z]{1,16}\d{0,2}(?:[-_.]{1,2}(?:[a-z]{1,16}|v?\d{1,4}))+$/;

/**
 * A rule for tokens that a vendor marks with a prefix: after it a body of a known alphabet and length, and neither side
 * goes on in the same alphabet.
 */
export function vendorToken(init: {
  readonly name: string;
  /** As they are written; none is a regular expression. */
  readonly prefixes: readonly string[];
  /** What follows the prefix, as the source of an expression. */
  readonly body: string;
  /** What must not come before; default: letters, digits and what words are joined with. */
  readonly notAfter?: string;
  readonly category?: string;
  /** A body that matches, for the example; letters and digits that mean nothing. */
  readonly sample: string;
  readonly ignores: string;
}): RedactionRule {
  const { name, prefixes, body, notAfter = 'A-Za-z0-9', category = 'SECRET', sample, ignores } = init;
  const alternatives = prefixes.map((prefix) => prefix.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');
  return patternRule({
    name,
    category,
    specificity: SPECIFICITY.VENDOR,
    hints: prefixes,
    startsWithHint: true,
    accept: (token) => !FILLED.test(token) && !WORDY.test(token),
    pattern: new RegExp(`(?<![${notAfter}])(?:${alternatives})${body}(?![A-Za-z0-9])`, 'g'),
    matches: `found ${prefixes[0]}${sample} in a log`,
    ignores,
  });
}
