import { StrictRedactionPolicy } from '@aimon/nestjs-memory';
import { defaultRules } from '../../lib/redaction/rules/default-rules.js';
import { misspeltKeywordValues } from '../../lib/redaction/rules/misspelt-keyword-values.js';
import { expectLinearGrowth } from '../support/growth.js';

const rules = [...defaultRules, ...misspeltKeywordValues];
const optIn = ['PHONE', 'MAC', 'PUBLIC_IP'];

/** The strict policy, which has them all, with this rule alone: what the others do would hide what this one does. */
const alone = (name: string): StrictRedactionPolicy =>
  new StrictRedactionPolicy({ optIn, remove: rules.map((rule) => rule.name).filter((other) => other !== name) });

/**
 * Texts that are nearly what a rule looks for: its example cut short at the end and at the front, and its counter-example.
 * Over and over they make a careless expression begin again at each of them.
 */
const nearMisses = ({
  matches,
  ignores,
}: {
  readonly matches: string;
  readonly ignores: string;
}): readonly string[] => [matches.slice(0, -1), matches.slice(1), ignores];

describe('near-misses of a rule, repeated to a megabyte, take the rule time in proportion', () => {
  it.each(rules.map((rule) => [rule.name, rule] as const))('%s', (name, rule) => {
    const policy = alone(name);
    for (const unit of nearMisses(rule)) {
      expectLinearGrowth(
        65_536,
        (size) => {
          const text = unit.repeat(Math.ceil(size / unit.length));
          return () => void policy.redact(text);
        },
        { rounds: 1 },
      );
    }
  });
});

it('and all rules at once are given near-misses of all rules', () => {
  const policy = new StrictRedactionPolicy({ optIn });
  const unit = rules.flatMap(nearMisses).join(' ');
  expectLinearGrowth(65_536, (size) => {
    const text = unit.repeat(Math.ceil(size / unit.length));
    return () => void policy.redact(text);
  });
});
