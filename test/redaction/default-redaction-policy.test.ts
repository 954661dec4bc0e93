import { expectLinearGrowth } from '../support/growth.js';
import fc from 'fast-check';
import { DefaultRedactionPolicy } from '../../lib/redaction/default-redaction-policy.js';
import { applyMatches } from '../../lib/redaction/match-application.js';
import { patternRule, SPECIFICITY } from '../../lib/redaction/redaction-rule.js';
import { defaultRules } from '../../lib/redaction/rules/default-rules.js';

const policy = new DefaultRedactionPolicy();
const redact = (text: string): string => policy.redact(text).redactedContent;
const PASSWORD = ['plum7', 'river'].join('');
const KEY = ['AK', 'IA', 'Q3EGZ7XWLMN4RT2B'].join('');
const AT = '@';

const optedIn = new DefaultRedactionPolicy({ optIn: ['PHONE', 'MAC', 'PUBLIC_IP'] });

describe.each(defaultRules.map((rule) => [rule.name, rule] as const))('the rule %s', (_name, rule) => {
  it('finds its example', () => {
    expect([...rule.find(rule.matches)]).not.toEqual([]);
    const { matches } = optedIn.redact(rule.matches);
    expect(matches.map((match) => match.category)).toContain(rule.category);
  });

  it('leaves its counter-example as it is', () => {
    expect([...rule.find(rule.ignores)]).toEqual([]);
    expect(redact(rule.ignores)).toBe(rule.ignores);
  });

  it('has a name and a category of the right form', () => {
    expect(rule.name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(rule.category).toMatch(/^[A-Z][A-Z0-9_]*$/);
  });
});

it('no two rules share a name', () => {
  expect(new Set(defaultRules.map((rule) => rule.name)).size).toBe(defaultRules.length);
});

describe('the default policy', () => {
  it('leaves the name, the user, the host and the frame', () => {
    expect(redact(`DB_PASSWORD=${PASSWORD}`)).toBe('DB_PASSWORD=[REDACTED:SECRET]');
    expect(redact(`postgres://otter:${PASSWORD}@db.example:5432/t`)).toBe(
      'postgres://otter:[REDACTED:SECRET]@db.example:5432/t',
    );
    expect(redact(`비밀번호는 ${PASSWORD}입니다`)).toBe('비밀번호는 [REDACTED:SECRET]입니다');
    expect(redact(`{\\"password\\":\\"${PASSWORD}\\"}`)).toBe('{\\"password\\":\\"[REDACTED:SECRET]\\"}');
  });

  it.each([
    'password: required',
    'the token: is expired',
    '비밀번호: 필수',
    'password: process.env.DB_PASSWORD',
    'password: ${DB_PASSWORD}, token: <your-token>, secret=****, api_key=""',
    'max_tokens=4096 prompt_tokens: 12, tokenizer: bpe, passport: X1234567',
    'request 0b2e38db-3ed3-409d-abb8-4e84de3c91e0 at commit c0d436986ad5285fbcad26d60f0f7149175e9091',
    'arn:aws:iam::123456789012:role/ops, git@example.org:a/b.git, version 10.2.3.4',
    'https://example.org/a?page=2&token=',
  ])('leaves readable: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    ['The password of db-stg-02 is ', ''],
    ['the password for the staging db is ', ', ask otter'],
    ['password to the router is ', '.'],
    ['root password on db1: ', ''],
    ['Password (staging) = ', ''],
    ['I changed the password for the old host to ', ' today'],
    ['the password you asked for: ', ''],
    ['login otter / ', ' as before'],
    ['user otter, password ', ''],
    ['비밀번호 (운영): ', ''],
    ['db1 서버의 비밀번호: ', ''],
    ['password: |\n  ', '\n'],
  ])('masks what a person writes: %s…%s', (head, tail) => {
    expect(redact(head + PASSWORD + tail)).toBe(`${head}[REDACTED:SECRET]${tail}`);
  });

  it('masks a token after what it is for, and numbers for one use with their kind on either side', () => {
    expect(redact(`api key for grafana is ${'0f1e2d3c4b5a6978'.repeat(2)}`)).toBe(
      'api key for grafana is [REDACTED:SECRET]',
    );
    const code = ['482', '913'].join('');
    for (const text of [`code: ${code} (2FA)`, `${code} is your login code`, `2FA code for the forge: ${code}`]) {
      expect(redact(text)).toBe(text.replace(code, '[REDACTED:SECRET]'));
    }
    expect(redact(`PIN: ${['48', '21'].join('')}`)).toBe('PIN: [REDACTED:SECRET]');
  });

  it.each([
    'Password policy is strict, and the password is rotated every quarter',
    'password for the vault is required; the password on the wiki is wrong',
    'the key to success is patience, the secret to scaling is k8s-operators',
    'The password for db1 is sha256-hashed, the token for staging is 90-day',
    'the password of length 12 is ok, password attempts for user kim: 3',
    'tokens for this month are 1500000, token usage for today is 12000',
    'error code 404512 in login, exit code: 137 after login, zip code: 90210 is valid for login',
    'user guide, password section 3; login requests / 5xx errors; account balance / 2024-05',
    'GPIO pin: 1024, the pin code is required, PIN 12 is ground',
    '비밀번호는 8자 이상, 비밀번호(필수)는 8자 이상',
    'password: |',
  ])('leaves prose readable: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('names what it masks by the more specific rule', () => {
    expect(redact(`password=${KEY}`)).toBe('password=[REDACTED:AWS_KEY]');
    expect(redact(`ftp://otter:${PASSWORD}${AT}example.org`)).toBe('ftp://otter:[REDACTED:SECRET]@example.org');
  });

  it('answers matches that lead from the original to the masked text', () => {
    const text = `a ${KEY} b otter${AT}example.org c password=${PASSWORD}`;
    const { redactedContent, matches } = policy.redact(text);
    expect(applyMatches(text, matches)).toBe(redactedContent);
    expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual([KEY, `otter${AT}example.org`, PASSWORD]);
    expect(JSON.stringify(matches)).not.toContain(KEY);
  });

  it('lets no marker that somebody wrote hide what is in it or around it', () => {
    expect(redact(`[REDACTED:${KEY}]`)).not.toContain(KEY);
    expect(redact(`password=[REDACTED:SECRET]${PASSWORD}`)).not.toContain(PASSWORD);
    expect(redact(`password=plum[REDACTED:SECRET]7river`)).not.toMatch(/plum|7river/);
    expect(redact('password=[REDACTED:SECRET]')).toBe('password=[REDACTED:SECRET]');
  });

  it('is not turned off by what a text says', () => {
    for (const directive of ['gitleaks:allow', 'secretlint-disable', 'nosec', 'pragma: allowlist secret']) {
      expect(redact(`password=${PASSWORD} # ${directive}`)).not.toContain(PASSWORD);
    }
  });

  it('masks what it has masked no further, whatever stands side by side', () => {
    const pieces = [
      ...defaultRules.flatMap((rule) => [rule.matches, rule.ignores]),
      ...[
        '[REDACTED:SECRET]',
        '[REDACTED:',
        ']',
        'password=',
        'token: ',
        '"',
        "'",
        '\\"',
        '\n',
        ' ',
        '@',
        '://',
        ':',
        '=',
        '-----',
      ],
      ...['a', '10.', '비밀번호 ', `a${AT}b.example10.2.3.4`, 'eyJ', '\uffff', '🦦'],
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }), (chosen) => {
        const once = redact(chosen.join(''));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes time in proportion to the text', () => {
    const units = [
      'a',
      'password=',
      'password:\n',
      'token \t',
      '\\"',
      `a${AT}a.`,
      'http://a:',
      '-----BEGIN PRIVATE KEY-----\n',
      'key: "',
      '비밀번호 ',
    ];
    for (const unit of units) {
      expectLinearGrowth(12_500, (size) => {
        const text = unit.repeat(Math.ceil(size / unit.length));
        return () => void policy.redact(text);
      });
    }
  });

  it('takes rules away, adds them and opts into them', () => {
    const email = `otter${AT}example.org`;
    expect(new DefaultRedactionPolicy({ remove: ['EMAIL'] }).redact(email).modified).toBe(false);
    expect(new DefaultRedactionPolicy({ remove: ['email'] }).redact(email).modified).toBe(false);
    const badge = patternRule({
      name: 'badge',
      category: 'BADGE',
      specificity: SPECIFICITY.VENDOR,
      pattern: /BDG-\d{6}/g,
      matches: 'BDG-123456',
      ignores: 'BDG-',
    });
    expect(new DefaultRedactionPolicy({ add: [badge] }).redact('my BDG-123456').redactedContent).toBe(
      'my [REDACTED:BADGE]',
    );
    const phone = '연락처 010-1234-5678';
    expect(redact(phone)).toBe(phone);
    expect(new DefaultRedactionPolicy({ optIn: ['PHONE'] }).redact(phone).redactedContent).toBe(
      '연락처 [REDACTED:PHONE]',
    );
  });

  it('refuses to take away or opt into what there is not', () => {
    expect(() => new DefaultRedactionPolicy({ remove: ['E-MAIL'] })).toThrow(
      'DefaultRedactionPolicyOptions.remove names "E-MAIL"',
    );
    expect(() => new DefaultRedactionPolicy({ optIn: ['EMAIL'] })).toThrow('it takes MAC, PHONE, PUBLIC_IP');
  });
});
