import { RedactionError } from '../domain/errors.js';
import { redactionMarker } from '../domain/redaction-marker.js';
import { isKeyedPolicy } from './keyed-redaction-policy.js';
import { applyMatches } from './match-application.js';
import type { RedactionMatch, RedactionPolicy, RedactionResult } from './redaction-policy.js';

// Looks like a secret to any policy that knows the key, and like nothing by itself.
const PROBE = ['Zx7k', 'Q9wT', '2mLp', '4vRb'].join('');

const CATEGORY = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * Calls a policy and trusts nothing that comes back: a policy that throws, or answers with something that is not a
 * result, ends the call with a {@link RedactionError}. The error names the policy and the fault, never the text, and
 * has no cause, since a policy's own error may quote what it was given.
 */
export class PolicyCaller {
  private readonly secretKeys = new Map<string, string | undefined>();

  constructor(readonly policy: RedactionPolicy) {}

  /** `content` masked. @throws RedactionError */
  redact(content: string): RedactionResult {
    return this.answer(content, () => this.policy.redact(content));
  }

  /** `value` masked, as it stands under `key`. @throws RedactionError */
  redactValue(key: string, value: string): RedactionResult {
    const { policy } = this;
    if (isKeyedPolicy(policy)) return this.answer(value, () => policy.redactValue(key, value));
    const alone = this.redact(value);
    const together = this.redactTogether(key, value);
    if (!together.modified) return alone;
    if (!alone.modified) return together;
    // Either view may see what the other does not, and masking what is masked already changes nothing.
    return this.spanned(value, this.redact(together.redactedContent).redactedContent, together.matches);
  }

  /** The category in which values under `key` are masked; `undefined` when the key says nothing about its value. */
  secretCategory(key: string): string | undefined {
    if (!this.secretKeys.has(key)) {
      // Bounded, because keys come from callers.
      if (this.secretKeys.size > 4096) this.secretKeys.clear();
      this.secretKeys.set(key, this.redactValue(key, PROBE).matches[0]?.category);
    }
    return this.secretKeys.get(key);
  }

  private redactTogether(key: string, value: string): RedactionResult {
    const escaped = JSON.stringify(value);
    const head = `${JSON.stringify(key)}: "`;
    const text = head + escaped.slice(1);
    const seen = this.redact(text);
    if (!seen.modified) return { redactedContent: value, matches: [], modified: false };
    const inside = seen.matches.filter((match) => match.end > head.length && match.start < text.length - 1);
    if (inside.length === 0 && !seen.matches.some((match) => match.start < head.length)) {
      return { redactedContent: value, matches: [], modified: false };
    }
    // Where the value had to be escaped, positions do not map back; where the key was masked, it is not known what the
    // policy made of the value. Both are masked as a whole.
    const mapped =
      escaped.length === value.length + 2 &&
      inside.length === seen.matches.length &&
      inside.every((match) => match.start >= head.length && match.end <= text.length - 1);
    if (!mapped) return this.whole(value, (inside[0] ?? seen.matches[0])?.category ?? 'SECRET');
    const matches = inside.map((match) => ({
      ...match,
      start: match.start - head.length,
      end: match.end - head.length,
    }));
    return { redactedContent: applyMatches(value, matches), matches, modified: true };
  }

  private whole(value: string, category: string): RedactionResult {
    if (value === '') return { redactedContent: value, matches: [], modified: false };
    const replacement = redactionMarker(category);
    if (value === replacement) return { redactedContent: value, matches: [], modified: false };
    return {
      redactedContent: replacement,
      matches: [{ category, start: 0, end: value.length, replacement }],
      modified: true,
    };
  }

  private answer(content: string, ask: () => RedactionResult): RedactionResult {
    let result: RedactionResult;
    try {
      result = ask();
    } catch (error) {
      throw this.failure(`threw ${error instanceof Error ? error.constructor.name : `a ${typeof error}`}`);
    }
    return this.checked(content, result);
  }

  private checked(content: string, result: RedactionResult): RedactionResult {
    if (result === null || typeof result !== 'object') throw this.failure(`answered ${kindOf(result)}`);
    const { redactedContent, matches } = result;
    if (typeof redactedContent !== 'string') {
      const promise = typeof (result as { then?: unknown }).then === 'function';
      // Nobody waits for it, and if it rejects that must not end the process.
      if (promise) Promise.resolve(result as unknown).catch(() => undefined);
      throw this.failure(promise ? 'answered a promise' : `answered ${kindOf(redactedContent)} as redactedContent`);
    }
    if (!Array.isArray(matches)) throw this.failure(`answered ${kindOf(matches)} as matches`);
    if (matches.length === 0 && redactedContent === content) return { redactedContent, matches: [], modified: false };
    const named = (matches as readonly RedactionMatch[]).map((match) => this.checkedMatch(match));
    named.sort((a, b) => a.start - b.start);
    return this.spanned(content, redactedContent, named);
  }

  private checkedMatch(match: RedactionMatch): RedactionMatch {
    if (match === null || typeof match !== 'object' || typeof match.category !== 'string') {
      throw this.failure('answered a match without a category');
    }
    const category = CATEGORY.test(match.category) ? match.category : 'SECRET';
    const replacement = typeof match.replacement === 'string' ? match.replacement : redactionMarker(category);
    return { category, start: match.start, end: match.end, replacement };
  }

  // The masked text is what counts. Where the matches do not lead to it, one that spans every difference does.
  private spanned(content: string, masked: string, matches: readonly RedactionMatch[]): RedactionResult {
    if (inOrder(content, matches) && applyMatches(content, matches) === masked) {
      return { redactedContent: masked, matches, modified: matches.length > 0 };
    }
    if (masked === content) return { redactedContent: content, matches: [], modified: false };
    let start = 0;
    while (start < content.length && start < masked.length && content[start] === masked[start]) start++;
    let tail = 0;
    const most = Math.min(content.length, masked.length) - start;
    while (tail < most && content.at(-1 - tail) === masked.at(-1 - tail)) tail++;
    const match = {
      category: matches[0]?.category ?? 'SECRET',
      start,
      end: content.length - tail,
      replacement: masked.slice(start, masked.length - tail),
    };
    return { redactedContent: masked, matches: [match], modified: true };
  }

  private failure(what: string): RedactionError {
    return new RedactionError(
      `The redaction policy "${String(this.policy.name)}" ${what}. Nothing was written or sent. ` +
        'Mend the policy, or choose another; redact(text) takes text and answers a RedactionResult at once.',
    );
  }
}

function inOrder(content: string, matches: readonly RedactionMatch[]): boolean {
  let at = 0;
  for (const { start, end } of matches) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < at || end < start || end > content.length) {
      return false;
    }
    at = end;
  }
  return true;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof (value as { then?: unknown }).then === 'function') return 'a promise';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
