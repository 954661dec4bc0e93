import fc from 'fast-check';
import { PolicyCaller } from '../../lib/redaction/policy-caller.js';
import { RedactionBudget } from '../../lib/redaction/redaction-budget.js';
import type { RedactionPolicy } from '../../lib/redaction/redaction-policy.js';
import { TextRedactor } from '../../lib/redaction/text-redactor.js';
import { OVERLAP_UNITS, POLICY_UNITS, sliceText } from '../../lib/redaction/text-slices.js';
import { DefaultRedactionPolicy } from '../../lib/redaction/default-redaction-policy.js';

/** Masks every run that `pattern` matches, and notes how much it was given at a time. */
function expressionPolicy(pattern: RegExp): RedactionPolicy & { readonly lengths: number[] } {
  const lengths: number[] = [];
  return {
    name: 'expression',
    lengths,
    redact(content) {
      lengths.push(content.length);
      const matches = [...content.matchAll(pattern)].map((match) => ({
        category: 'CODE',
        start: match.index,
        end: match.index + match[0].length,
        replacement: '[REDACTED:CODE]',
      }));
      return { redactedContent: content.replace(pattern, '[REDACTED:CODE]'), matches, modified: matches.length > 0 };
    },
  };
}

const redact = (policy: RedactionPolicy, text: string) =>
  new TextRedactor(new PolicyCaller(policy)).redact(text, new RedactionBudget(60_000));

const SECRET = 'CODE<0123456789>';
const CODE = /CODE<[^>]{1,64}>/g;

describe('a text longer than a policy takes', () => {
  it('has a secret masked exactly once, wherever it stands, with and without line ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 200_000 }),
        fc.constantFrom('a line of text\n', 'x', '물때표 ', '🦦'),
        async (offset, filler) => {
          const before = filler.repeat(Math.ceil(offset / filler.length));
          const text = before + SECRET + filler.repeat(Math.ceil((200_000 - offset) / filler.length));
          const { redactedContent, matches } = await redact(expressionPolicy(CODE), text);
          expect(matches).toEqual([
            {
              category: 'CODE',
              start: before.length,
              end: before.length + SECRET.length,
              replacement: '[REDACTED:CODE]',
            },
          ]);
          expect(redactedContent === text.replace(SECRET, '[REDACTED:CODE]')).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has a secret masked at each place around each cut', async () => {
    for (const cut of [...sliceText('x'.repeat(200_000))].flatMap(({ start, end, decidesFrom }) => [
      start,
      end,
      decidesFrom,
    ])) {
      for (let offset = Math.max(0, cut - SECRET.length - 1); offset <= cut + 1; offset++) {
        const text = `${'x'.repeat(offset)}${SECRET}${'x'.repeat(Math.max(0, 200_000 - offset))}`;
        const { matches } = await redact(expressionPolicy(CODE), text);
        expect(matches.map(({ start, end }) => [start, end])).toEqual([[offset, offset + SECRET.length]]);
      }
    }
  });

  it('is handed over in pieces of at most 64 KiB', async () => {
    const policy = expressionPolicy(CODE);
    await redact(policy, 'word '.repeat(100_000));
    expect(Math.max(...policy.lengths)).toBeLessThanOrEqual(POLICY_UNITS);
  });

  it('is never cut inside a character of two units', () => {
    for (const text of ['🦦'.repeat(100_000), `x${'🦦'.repeat(100_000)}`]) {
      for (const { start, end } of sliceText(text)) expect(/\p{Surrogate}/u.test(text.slice(start, end))).toBe(false);
    }
  });

  it('is cut at line ends where there are any, with at least 16 KiB seen twice', () => {
    const text = 'a line of text\n'.repeat(20_000);
    const slices = [...sliceText(text)];
    slices.slice(1).forEach((slice, index) => {
      expect(text[slice.start - 1]).toBe('\n');
      expect(slices[index]!.end - slice.start).toBeGreaterThanOrEqual(OVERLAP_UNITS);
      expect(slice.decidesFrom).toBe(slices[index]!.decidesTo);
    });
  });

  it('has a private key masked as one, also where it is longer than a slice', async () => {
    const line = `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ'.repeat(1)}\n`;
    for (const lines of [40, 400, 4_000]) {
      const head = `log line\n`.repeat(6_000);
      const frame = (word: string) => ['-----', word, ' PRIVATE KEY-----\n'].join('');
      const text = `${head}${frame('BEGIN')}${line.repeat(lines)}${frame('END')}${'log line\n'.repeat(6_000)}`;
      const { redactedContent } = await redact(new DefaultRedactionPolicy(), text);
      expect(redactedContent.length).toBeLessThan(text.length - line.length * lines + 200);
      expect(redactedContent.match(/\[REDACTED:PRIVATE_KEY\]/g)).toHaveLength(1);
      expect(redactedContent).toContain(`${frame('BEGIN')}[REDACTED:PRIVATE_KEY]\n${frame('END')}log line`);
    }
  });

  it('has a key without an end masked over cuts, and not what comes after it', async () => {
    const line = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n`;
    const text = `${['-----BEGIN', ' PRIVATE KEY-----\n'].join('')}${line.repeat(3_000)}and then a sentence.\n`;
    const { redactedContent } = await redact(new DefaultRedactionPolicy(), text);
    expect(redactedContent).not.toContain('MIIEvQ');
    expect(redactedContent).toContain('and then a sentence.');
  });

  it('has a secret that is longer than a slice masked to its end', async () => {
    const value = 'a1B2c3D4e5F6'.repeat(20_000);
    const { redactedContent, matches } = await redact(new DefaultRedactionPolicy(), `password=${value} and more`);
    expect(matches).toHaveLength(1);
    expect(redactedContent).toBe('password=[REDACTED:SECRET] and more');
  });

  it('lets others run between slices', async () => {
    let ran = 0;
    const policy = expressionPolicy(CODE);
    const done = redact(policy, 'word '.repeat(60_000));
    setImmediate(() => void (ran = policy.lengths.length));
    await done;
    expect(ran).toBeGreaterThan(0);
    expect(ran).toBeLessThan(policy.lengths.length);
  });
});
