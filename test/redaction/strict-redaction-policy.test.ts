import { DefaultRedactionPolicy, MessageRedactor, normaliseMessage, StrictRedactionPolicy } from '@aimon/nestjs-memory';
import fc from 'fast-check';
import { misspeltKeyKind } from '../../lib/redaction/misspelt-key.js';
import { misspeltKeywordValues } from '../../lib/redaction/rules/misspelt-keyword-values.js';
import { secretKeyKind } from '../../lib/redaction/secret-key.js';

const SECRET = ['Winter', 'Harbour', '4471'].join('-');
const strict = new StrictRedactionPolicy();
const plain = new DefaultRedactionPolicy();
const redact = (text: string): string => strict.redact(text).redactedContent;

describe('the strict policy masks a value after a misspelt keyword', () => {
  it.each([
    ...['passwrod=', 'pasword: ', 'DB_PASWORD=', 'pssword = ', 'dbPasswrod: ', '--pasword=', '"passowrd": "'],
    ...[
      'tokne=',
      'toekn: ',
      'API_TOKNE=',
      'sercet: ',
      'secert=',
      'clientSercet: ',
      'api_kye=',
      'apikye: ',
      'acess_key=',
      'secret_kay: ',
    ],
    ...['credentails: ', 'pasphrase: ', 'passpharse=', 'paascode: ', 'my psasword is ', 'the passwrod was '],
    ...['비밀번허: ', '비밀번허는 ', '비멀번호=', '패스워트: ', 'パスウード: ', 'トークソ: '],
  ])('%s', (before) => {
    const masked = redact(`${before}${SECRET}`);
    expect(masked).toBe(`${before}[REDACTED:SECRET]`);
    expect(plain.redact(`${before}${SECRET}`).modified).toBe(false);
  });

  it('in JSON, escaped JSON, YAML and lines of a log too', () => {
    expect(redact(`{"passwrod":"${SECRET}"}`)).toBe('{"passwrod":"[REDACTED:SECRET]"}');
    expect(redact(`"{\\"passwrod\\":\\"${SECRET}\\"}"`)).not.toContain(SECRET);
    expect(redact(`db:\n  pasword: ${SECRET}\n  host: db-1\n`)).toBe(
      'db:\n  pasword: [REDACTED:SECRET]\n  host: db-1\n',
    );
  });

  it('where the key and the value are judged apart, as in the arguments of a tool call', async () => {
    const call = {
      id: 'c',
      type: 'function' as const,
      function: { name: 'login', arguments: JSON.stringify({ passwrod: SECRET, room: '4.2' }) },
    };
    const [message] = await new MessageRedactor(strict).redactMessages([
      normaliseMessage({ role: 'assistant', content: null, tool_calls: [call] }),
    ]);
    expect(message?.tool_calls?.[0]?.function.arguments).toBe('{"passwrod":"[REDACTED:SECRET]","room":"4.2"}');
  });
});

describe('the strict policy leaves alone', () => {
  it.each([
    'passport: M12345678',
    'passports = K87654321',
    'postcode: SW1A-1AA',
    'passed: 12/14 suites-v2',
    'token_count=4096, tokens: 512k',
    'max_tokens=4096 tokenizer: cl100k_base',
    'taken: 2026-01-02T03:04:05Z',
    "credentialsId: '56b628e2-51bd-4f8c-b180-6978cd3c4d0c'",
    'sector: C-12-north',
    'essential: yes-1',
    'pasword: required',
    'passwrod: ${DB_PASSWORD}',
    'tokne: process.env.API_TOKEN_2',
    'secert: ********',
    'tokne: <your-token-1>',
    '비밀번허: 필수',
    '주민번호는 아직 없습니다. 전화번호: 02-123',
    'pasword: [REDACTED:SECRET]',
  ])('%s', (text) => {
    expect(redact(text)).toBe(plain.redact(text).redactedContent);
  });
});

describe('the rules of the strict policy', () => {
  it.each(misspeltKeywordValues.map((rule) => [rule.name, rule] as const))(
    '%s find their example, and nothing in the other',
    (_, rule) => {
      expect([...rule.find(rule.matches)]).not.toEqual([]);
      expect([...rule.find(rule.ignores)]).toEqual([]);
    },
  );

  it('know every keyword with one slip, and none that is spelt right', () => {
    const word = fc.constantFrom('password', 'passphrase', 'secret', 'token', 'credentials');
    const slip = fc.constantFrom('leave out', 'double', 'exchange');
    fc.assert(
      fc.property(word, slip, fc.nat(), (keyword, kind, place) => {
        // The first letter is got right, and what is exchanged differs.
        const at = 1 + (place % (keyword.length - 2));
        const slipped =
          kind === 'leave out'
            ? keyword.slice(0, at) + keyword.slice(at + 1)
            : kind === 'double'
              ? keyword.slice(0, at) + keyword[at] + keyword.slice(at)
              : keyword.slice(0, at) + keyword[at + 1] + keyword[at] + keyword.slice(at + 2);
        if (slipped === keyword || secretKeyKind(slipped) !== undefined) return;
        expect(misspeltKeyKind(slipped)).toBeDefined();
        expect(misspeltKeyKind(keyword)).toBeUndefined();
      }),
    );
  });

  it('can be removed, and others added and opted into, as with the default policy', () => {
    const text = `passwrod=${SECRET}`;
    expect(new StrictRedactionPolicy({ remove: ['misspelt-keyword-value'] }).redact(text).modified).toBe(false);
    expect(new StrictRedactionPolicy({ optIn: ['PHONE'] }).redact(text).modified).toBe(true);
    expect(strict.name).toBe('strict');
  });

  it('mask a text that was masked once no further, whatever the text', () => {
    const piece = fc.constantFrom(
      'passwrod',
      '=',
      ': ',
      ' is ',
      SECRET,
      '비밀번허',
      '\n',
      '"',
      '[REDACTED:SECRET]',
      ' ',
      'tokne',
      '{',
      '}',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 14 }), (pieces) => {
        const once = redact(pieces.join(''));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });
});
