import fc from 'fast-check';

import { MessageRedactor } from '@aimon/nestjs-memory';
import { DefaultRedactionPolicy } from '../../lib/redaction/default-redaction-policy.js';
import { applyMatches } from '../../lib/redaction/match-application.js';
import { defaultRules } from '../../lib/redaction/rules/default-rules.js';
import { misspeltKeywordValues } from '../../lib/redaction/rules/misspelt-keyword-values.js';
import { StrictRedactionPolicy } from '../../lib/redaction/strict-redaction-policy.js';
import { POLICY_UNITS } from '../../lib/redaction/text-slices.js';

const rules = [...defaultRules, ...misspeltKeywordValues];
const MARKER = /\[REDACTED:[A-Z_]+\]/g;

// Put together here, so that no file holds what a scanner would take for live.
const SECRETS = [
  ['AK', 'IA', 'Q3EGZ7XWLMN4RT2B'].join(''),
  ['gh', 'p_', 'a1B2c3D4e5F6'.repeat(3)].join(''),
  ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJvdHRlciJ9', 'c2lnbmF0dXJlLXBhcnQ'].join('.'),
  ['xo', 'xb-', '1234567890-', 'a1B2c3D4e5F6a1B2c3D4'].join(''),
  ['sk', '_live_', 'a1B2c3D4e5F6a1B2c3D4e5F6'].join(''),
];

const joints = [
  '',
  ' ',
  '\n',
  '\n\n',
  ',',
  ':',
  '=',
  '"',
  "'",
  '\\"',
  '|',
  '\t',
  '(',
  ')',
  '->',
  '가',
  '은 ',
  '\u200b',
  '\uff1a',
];
const markers = [
  '[REDACTED:SECRET]',
  '[REDACTED:EMAIL]',
  '[REDACTED:',
  'REDACTED:SECRET]',
  '[REDACTED:OTTER]',
  ']',
  '\uffff',
];
const names = [
  'password',
  'token',
  'api_key',
  'secret',
  '비밀번호',
  '토큰',
  'パスワード',
  '密码',
  'Authorization: Bearer',
  'kind: Secret\ndata:\n  ',
];
const fragment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...rules.flatMap((rule) => [rule.matches, rule.ignores])) },
  { weight: 2, arbitrary: fc.constantFrom(...SECRETS) },
  { weight: 2, arbitrary: fc.constantFrom(...names) },
  { weight: 2, arbitrary: fc.constantFrom(...markers) },
  { weight: 3, arbitrary: fc.constantFrom(...joints) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 24 }) },
);
const text = fc.array(fragment, { minLength: 1, maxLength: 8 }).map((fragments) => fragments.join(''));

describe.each([new DefaultRedactionPolicy(), new StrictRedactionPolicy()])('the $name policy', (policy) => {
  const redact = (given: string): string => policy.redact(given).redactedContent;

  it('masks what is masked no further, whatever the text and whatever stands side by side', () => {
    fc.assert(
      fc.property(text, (given) => {
        const once = redact(given);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 3_000 },
    );
  });

  it('answers spans in order that lead from the original to the masked text, and none for a text that stays', () => {
    fc.assert(
      fc.property(text, (given) => {
        const { redactedContent, matches, modified } = policy.redact(given);
        let at = 0;
        for (const { start, end, category, replacement } of matches) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          expect(replacement).toBe(`[REDACTED:${category}]`);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(given.length);
        expect(applyMatches(given, matches)).toBe(redactedContent);
        expect(modified).toBe(redactedContent !== given);
        expect(matches.length > 0).toBe(modified);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds nothing inside a marker, and nothing that begins or ends in one', () => {
    const known = new Set(rules.map((rule) => rule.category));
    fc.assert(
      fc.property(text, (given) => {
        const { matches } = policy.redact(given);
        for (const { 0: marker, index } of given.matchAll(MARKER)) {
          if (!known.has(marker.slice(10, -1))) continue;
          const [from, to] = [index, index + marker.length];
          for (const { start, end } of matches) {
            const apart = end <= from || start >= to;
            const around = start < from && end > to;
            expect(apart || around).toBe(true);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not shielded from a live secret by a marker that somebody wrote', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SECRETS),
        fc.constantFrom('[REDACTED:', '[REDACTED:SECRET', '[REDACTED:SECRET]', '[REDACTED:X]', '[redacted:', '[', ''),
        fc.constantFrom(']', '[REDACTED:SECRET]', ':SECRET]', ' ]', ''),
        (secret, before, behind) => {
          expect(redact(`see ${before}${before.endsWith('T') ? ' ' : ''}${secret}${behind} there`)).not.toContain(
            secret,
          );
        },
      ),
    );
  });

  it('is turned off by nothing that a text says', () => {
    const directive = fc.constantFrom(
      ...[
        'gitleaks:allow',
        '# nosec',
        'secretlint-disable',
        '/* secretlint-disable-next-line */',
        'pragma: allowlist secret',
      ],
      ...[
        '<!-- redaction: off -->',
        'trufflehog:ignore',
        'NOSONAR',
        'aimon:ignore',
        'DO NOT REDACT',
        '[REDACTED:NONE]',
      ],
    );
    fc.assert(
      fc.property(
        directive,
        fc.constantFrom(...SECRETS),
        fc.constantFrom(' ', '\n', '\n\n'),
        (words, secret, joint) => {
          expect(redact(`${words}${joint}${secret}${joint}${words}`)).not.toContain(secret);
        },
      ),
    );
  });

  it('answers matches that do not carry what they mask', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...SECRETS), (around, secret) => {
        const { matches } = policy.redact(`${around} ${secret} ${around}`);
        const told = JSON.stringify(matches);
        for (let at = 0; at + 8 <= secret.length; at++) expect(told).not.toContain(secret.slice(at, at + 8));
        for (const match of matches)
          expect(Object.keys(match).sort()).toEqual(['category', 'end', 'replacement', 'start']);
      }),
    );
  });

  it('masks a text as a whole as the gate does in slices', async () => {
    const gate = new MessageRedactor(policy, { deadlineMs: 120_000 });
    const line = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...rules.flatMap((rule) => [rule.matches, rule.ignores])) },
      { weight: 2, arbitrary: fc.constantFrom('2026-11-30 10:00:00 INFO ready', '물때표가 바뀌었습니다', '') },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 60 }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 20, maxLength: 60 }), async (lines) => {
        const unit = `${lines.join('\n')}\n`;
        const given = `start: ${unit.repeat(Math.ceil((2.5 * POLICY_UNITS) / unit.length))}`;
        const [message] = await gate.redactMessages([
          { id: 'm', role: 'user', content: given, createdAt: new Date(0) },
        ]);
        expect(message?.content).toBe(redact(given));
      }),
      { numRuns: 12 },
    );
  });
});
