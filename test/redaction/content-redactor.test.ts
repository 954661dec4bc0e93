import fc from 'fast-check';
import { ContentRedactor } from '../../lib/redaction/content-redactor.js';
import { DefaultRedactionPolicy } from '../../lib/redaction/default-redaction-policy.js';
import { scanJson } from '../../lib/redaction/json-scanner.js';
import { RedactionBudget } from '../../lib/redaction/redaction-budget.js';
import type { RedactionPolicy } from '../../lib/redaction/redaction-policy.js';

const SECRET = ['hunter', '22', 'abc'].join('');
const MARKER = '[REDACTED:SECRET]';

const redactWith = async (policy: RedactionPolicy, text: string) =>
  (await new ContentRedactor(policy).redact(text, new RedactionBudget(60_000))).content;
const redact = (text: string) => redactWith(new DefaultRedactionPolicy(), text);

/** A policy that knows texts only: values of `password` in JSON, and anything that looks like `hunter…`. */
const textOnly: RedactionPolicy = {
  name: 'text-only',
  redact(content) {
    const matches = [...content.matchAll(/(?<=password": ?")[^"\\]+|hunter\w+/g)].map((match) => ({
      category: 'SECRET',
      start: match.index,
      end: match.index + match[0].length,
      replacement: MARKER,
    }));
    return {
      redactedContent: content.replace(/(?<=password": ?")[^"\\]+|hunter\w+/g, MARKER),
      matches,
      modified: true,
    };
  },
};

describe('a JSON document', () => {
  it.each([
    ['a value under its key, at any depth', `{"a":{"password":"${SECRET}"}}`, `{"a":{"password":"${MARKER}"}}`],
    ['a word that only its key makes a secret', '{"password":"swordfish"}', `{"password":"${MARKER}"}`],
    ['a number', '{"password":12345678}', `{"password":"${MARKER}"}`],
    ['a number too large for a double', '{"password":123456789012345678901234567890}', `{"password":"${MARKER}"}`],
    ['the items of an array', `{"password":["${SECRET}",["${SECRET}"]]}`, `{"password":["${MARKER}",["${MARKER}"]]}`],
    ['what is in an object', `{"password":{"value":"${SECRET}"}}`, `{"password":{"value":"${MARKER}"}}`],
    ['JSON in a text', `{"a":"{\\"password\\":\\"${SECRET}\\"}"}`, `{"a":"{\\"password\\":\\"${MARKER}\\"}"}`],
    [
      'a pair of name and value',
      `[{"name":"API_TOKEN","value":"${SECRET}"}]`,
      `[{"name":"API_TOKEN","value":"${MARKER}"}]`,
    ],
    ['a key that is a secret', `{"password=${SECRET}":1}`, `{"password=${MARKER}":1}`],
    ['a value under __proto__', `{"__proto__":{"password":"${SECRET}"}}`, `{"__proto__":{"password":"${MARKER}"}}`],
    [
      'each of two equal keys',
      `{"password":"${SECRET}","password":"x9${SECRET}"}`,
      `{"password":"${MARKER}","password":"${MARKER}"}`,
    ],
    ['a text among others', `{"a":1.0,  "note":"password=${SECRET} ok"}`, `{"a":1.0,  "note":"password=${MARKER} ok"}`],
  ])('has masked %s', async (_what, given, expected) => {
    expect(await redact(given)).toBe(expected);
    expect(await redact(expected)).toBe(expected);
  });

  it.each([
    '{"id": 12345678901234567890123, "id": 1e400, "x":  [ 1.50, -0 ],\n\t"password": null, "token": ""}',
    '{"usage":{"prompt_tokens":1062,"total_tokens":9253},"max_tokens":4096}',
    '{"__proto__":{"a":1},"constructor":2}',
    '{"password":{"type":"string","minLength":8,"description":"What to log in with"}}',
    '{"credentials":{"username":"app","host":"db.example","port":5432}}',
    '{"escaped":"\\u00e9\\/\\ud83e"}',
    '[]',
  ])('is left as it is, to the byte, where nothing is secret: %s', async (text) => {
    expect(await redact(text)).toBe(text);
  });

  it('comes out as JSON whenever it went in as JSON, and is not touched without a secret', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.constantFrom('password', 'a'), async (json, key) => {
        const text = `{ "${key}" : ${json}, "token" : "${SECRET}" }`;
        const masked = await redact(text);
        expect(() => JSON.parse(masked) as unknown).not.toThrow();
        expect(masked).not.toContain(SECRET);
      }),
    );
  });

  it('of a hundred thousand levels is masked without running out of stack', async () => {
    const deep = `${'['.repeat(100_000)}{"password":"${SECRET}"}${']'.repeat(100_000)}`;
    expect(await redact(deep)).not.toContain(SECRET);
    const nested = `${'{"a":'.repeat(100_000)}{"password":"${SECRET}"}${'}'.repeat(100_000)}`;
    expect(await redact(nested)).not.toContain(SECRET);
    expect(await redact(`${'{"a":'.repeat(100_000)} password=${SECRET}`)).not.toContain(SECRET);
  });

  it('is text where it is not quite JSON', async () => {
    expect(await redact(`{"password":"${SECRET}",}`)).toBe(`{"password":"${MARKER}",}`);
    expect(await redact(`result: {"password":"${SECRET}"}`)).toBe(`result: {"password":"${MARKER}"}`);
  });

  it('is judged with its keys by a policy that knows only texts', async () => {
    expect(await redactWith(textOnly, '{"a":{"password":"swordfish"}}')).toBe(`{"a":{"password":"${MARKER}"}}`);
    expect(await redactWith(textOnly, '{"password":"sword\\"fish\\nand"}')).toBe(`{"password":"${MARKER}"}`);
    expect(await redactWith(textOnly, '{"password":42}')).toBe(`{"password":"${MARKER}"}`);
    expect(await redactWith(textOnly, '{"user":"swordfish"}')).toBe('{"user":"swordfish"}');
    expect(await redactWith(textOnly, `{"hunter99":"swordfish"}`)).toBe(`{"${MARKER}":"${MARKER}"}`);
  });
});

describe('the reader of JSON', () => {
  it('takes exactly the objects and arrays that JSON.parse takes', () => {
    const mutated = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '\\', ',', '{', ']', '0', ' ', '-', '\n'));
    fc.assert(
      fc.property(mutated, ([json, place, change]) => {
        const at = place % (json.length + 1);
        const text = json.slice(0, at) + change + json.slice(at + (place % 2));
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        expect(scanJson(text) !== undefined).toBe(typeof parsed === 'object' && parsed !== null);
      }),
      { numRuns: 2_000 },
    );
  });
});
