import { anyCase } from '../hint-index.js';
import { findPrivateKeyBlocks } from '../private-key-blocks.js';
import { patternRule, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';

const { PRIVATE_KEY } = SPECIFICITY;

// The frame stays, and so do the line ends by it, escaped or not.
function findBodies(text: string): Span[] {
  return findPrivateKeyBlocks(text).flatMap(({ bodyStart, bodyEnd }) => {
    const body = text.slice(bodyStart, bodyEnd);
    const lead = /^(?:\s|\\{1,16}[nrt]){0,64}/.exec(body)?.[0].length ?? 0;
    let end = body.length;
    for (;;) {
      const trailing = /(?:\s{1,64}|\\{1,16}[nrt])$/.exec(body.slice(Math.max(lead, end - 80), end));
      if (trailing === null) break;
      end -= trailing[0].length;
    }
    return end > lead ? [{ start: bodyStart + lead, end: bodyStart + end }] : [];
  });
}

function holdsPrivateKey(encoded: string): boolean {
  return Buffer.from(encoded.slice(0, 160), 'base64').toString('latin1').includes('PRIVATE KEY');
}

const PEM_BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';

/** Private keys in every wrapping: the body is masked, the frame stays. */
export const privateKeys: readonly RedactionRule[] = [
  {
    name: 'pem-private-key',
    category: 'PRIVATE_KEY',
    specificity: PRIVATE_KEY,
    hints: ['PRIVATE KEY', 'Static key'],
    find: findBodies,
    matches: ['-----BEGIN', ` PRIVATE KEY-----\n${PEM_BODY}\n-----END PRIVATE KEY-----`].join(''),
    ignores: `-----BEGIN PUBLIC KEY-----\n${PEM_BODY}\n-----END PUBLIC KEY-----`,
  },
  patternRule({
    name: 'encoded-private-key',
    category: 'PRIVATE_KEY',
    specificity: PRIVATE_KEY,
    hints: ['LS0tLS1CRUdJTi'],
    startsWithHint: true,
    pattern: /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{24,16384}={0,2}/g,
    accept: (secret) => holdsPrivateKey(secret),
    matches: Buffer.from(`-----BEGIN PRIVATE${' KEY'}-----\n${PEM_BODY}`).toString('base64'),
    ignores: Buffer.from(`-----BEGIN CERTIFICATE-----\n${PEM_BODY}`).toString('base64'),
  }),
  patternRule({
    name: 'age-secret-key',
    category: 'PRIVATE_KEY',
    specificity: PRIVATE_KEY,
    hints: ['AGE-SECRET-KEY-'],
    startsWithHint: true,
    pattern: /AGE-SECRET-KEY-1[A-Z0-9]{50,64}/g,
    matches: ['AGE-SECRET', `-KEY-1${'QPZRY9X8GF'.repeat(6).slice(2)}`].join(''),
    ignores: 'AGE-SECRET-KEY-1 is how it starts; age1qpzry9x8gf is public',
  }),
  patternRule({
    name: 'wireguard-key',
    category: 'PRIVATE_KEY',
    specificity: PRIVATE_KEY,
    hints: anyCase('private', 'preshared'),
    startsWithHint: true,
    pattern:
      /(?:private|preshared)-?_?key(?:\\{0,16}["'])?[ \t]{0,8}[:=]?[ \t]{1,8}(?:<\(echo )?(?:\\{0,16}["'])?(?<secret>[A-Za-z0-9+/]{43}=)/gi,
    matches: `PrivateKey = ${'a1B2c3D4e5F6'.repeat(4).slice(0, 43)}=`,
    ignores: 'PublicKey = nothing, PrivateKey = /etc/wg/key',
  }),
  patternRule({
    name: 'putty-private-key',
    category: 'PRIVATE_KEY',
    specificity: PRIVATE_KEY,
    hints: ['Private-Lines:'],
    startsWithHint: true,
    pattern: /Private-Lines: \d{1,4}\s{1,4}(?<secret>[A-Za-z0-9+/=]{16,128}(?:\s{1,4}[A-Za-z0-9+/=]{4,128}){0,200})/g,
    matches: `Private-Lines: 1\n${'a1B2c3D4e5F6'.repeat(4)}`,
    ignores: 'Private-Lines: 14',
  }),
  patternRule({
    name: 'json-web-key',
    category: 'PRIVATE_KEY',
    specificity: PRIVATE_KEY,
    hints: ['kty'].map((text) => ({ text, confirm: /kty\\{0,16}["']/y })),
    pattern:
      /(?<![A-Za-z0-9_])(?:d|p|q|dp|dq|qi|k)\\{0,16}["']\s{0,8}:\s{0,8}\\{0,16}["'](?<secret>[A-Za-z0-9_-]{20,2048})(?![A-Za-z0-9_-])/g,
    matches: `{"kty":"oct","k":"${'a1B2c3D4e5F6'.repeat(3)}"}`,
    ignores: `{"kty":"RSA","n":"${'a1B2c3D4e5F6'.repeat(3)}","e":"AQAB"}`,
  }),
  patternRule({
    name: 'recovery-phrase',
    category: 'PRIVATE_KEY',
    specificity: PRIVATE_KEY,
    hints: anyCase('mnemonic', 'seed phrase', 'seed words', 'recovery phrase', 'recovery words'),
    startsWithHint: true,
    pattern:
      /(?:mnemonic|(?:seed|recovery)[ _-](?:phrase|words))(?:[^\n:="']{0,24}[:=]|[ \t]is)?[ \t]{0,4}\\{0,4}["']?(?<secret>(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})(?![a-z])/gi,
    matches: `mnemonic: ${'otter river plum tide '.repeat(3).trim()}`,
    ignores: 'the mnemonic is a list of twelve words out of two thousand',
  }),
];
