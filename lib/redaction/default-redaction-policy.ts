import { InvalidArgumentError } from '../domain/errors.js';
import type { KeyedRedactionPolicy } from './keyed-redaction-policy.js';
import type { RedactionResult } from './redaction-policy.js';
import { SPECIFICITY, type RedactionRule } from './redaction-rule.js';
import { RuleEngine } from './rule-engine.js';
import { defaultRules } from './rules/default-rules.js';
import { secretKeyKind, type SecretKeyKind } from './secret-key.js';
import { isSecretValue } from './secret-value.js';

/** How a {@link DefaultRedactionPolicy} differs from what it masks by itself; every field is optional. */
export interface DefaultRedactionPolicyOptions {
  /** Rules of the application's own, besides the ones that come with the library. Default none. */
  readonly add?: readonly RedactionRule[];
  /** Categories, or names of single rules, that are not wanted. Default none. */
  readonly remove?: readonly string[];
  /** Categories that are masked only when asked for: `PHONE`, `MAC`, `PUBLIC_IP`. Default none. */
  readonly optIn?: readonly string[];
}

// The longest key that is put before its value, so that rules see both.
const MAX_KEY_UNITS = 128;

// What no key says anything about has to look like something by itself; nothing shorter does.
const SHORTEST_SECRET = 6;

/**
 * Masks what an operations engineer would not want copied: keys, tokens and passwords in the forms in which they occur,
 * e-mail and private addresses, numbers of cards, accounts and persons. What it masks reads `[REDACTED:CATEGORY]`; names,
 * users, hosts and frames stay. Nothing that a text says about itself turns it off.
 */
export class DefaultRedactionPolicy implements KeyedRedactionPolicy {
  readonly name: string = 'default';

  private readonly engine: RuleEngine;

  /**
   * @param options what it masks more and less than by itself; default: neither
   * @throws InvalidArgumentError when `remove` or `optIn` names what there is not
   */
  constructor(options: DefaultRedactionPolicyOptions = {}) {
    const { add = [], remove = [], optIn = [] } = options;
    const all = [...defaultRules, ...add];
    requireKnown('remove', remove, [...all.map((rule) => rule.category), ...all.map((rule) => rule.name)]);
    requireKnown(
      'optIn',
      optIn,
      all.filter((rule) => rule.optIn === true).map((rule) => rule.category),
    );
    const rules = all.filter(
      (rule) =>
        !remove.includes(rule.category) &&
        !remove.includes(rule.name) &&
        (rule.optIn !== true || optIn.includes(rule.category)),
    );
    this.engine = new RuleEngine(
      rules,
      all.map((rule) => rule.category),
    );
  }

  redact(content: string): RedactionResult {
    return content.length < SHORTEST_SECRET ? unchanged(content) : this.engine.redact(content);
  }

  /** What the key of a value says about it. @internal */
  protected kindOfKey(key: string): SecretKeyKind | undefined {
    return secretKeyKind(key);
  }

  redactValue(key: string, value: string): RedactionResult {
    const kind = this.kindOfKey(key);
    if (value === '' || (kind === undefined && value.length < SHORTEST_SECRET)) {
      return unchanged(value);
    }
    const secret =
      kind !== undefined && isSecretValue(value, kind, 'leaf')
        ? [{ start: 0, end: value.length, category: 'SECRET', specificity: SPECIFICITY.KEYWORD }]
        : [];
    const head = key === '' || key.length > MAX_KEY_UNITS ? '' : `${key}: `;
    return this.engine.redactAfter(head, value, secret);
  }
}

function unchanged(content: string): RedactionResult {
  return { redactedContent: content, matches: [], modified: false };
}

function requireKnown(option: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new InvalidArgumentError(
    `DefaultRedactionPolicyOptions.${option} names ${JSON.stringify(unknown)}; it takes ${[...new Set(known)].sort().join(', ')}.`,
  );
}
