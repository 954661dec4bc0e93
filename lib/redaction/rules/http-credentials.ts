import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { isSecretValue } from '../secret-value.js';

const { CREDENTIAL, STRUCTURE } = SPECIFICITY;

const COOKIE =
  /(?:(?<![A-Za-z0-9])(?:set-)?cookie(?:\\{0,16}["'])?[ \t]{0,8}[:=][ \t]{0,8}|(?:set-)?cookie\\{0,16}["'],\s{0,16}(?:\\{0,16}["']value\\{0,16}["'][ \t]{0,4}:[ \t]{0,4})?|--cookie[ \t]{1,4}|[ \t]-b[ \t]{0,4}(?=\\{0,16}["']))(?:\\{0,16}["'])?/gi;
const PAIR = /[ \t]{0,8}([\w.-]{1,128})=([^\s;,"'\\]{0,4096})[ \t]{0,8};?/y;
const SESSION_NAME = /sess|auth|token|sid|jwt|csrf|xsrf|remember|secret|ticket|login|user|identity|\bat\b|\brt\b/i;
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|version|priority)$/i;

function findCookies(text: string): Span[] {
  const spans: Span[] = [];
  COOKIE.lastIndex = 0;
  for (let header = COOKIE.exec(text); header !== null; header = COOKIE.exec(text)) {
    PAIR.lastIndex = COOKIE.lastIndex;
    for (let pair = PAIR.exec(text); pair !== null; pair = PAIR.exec(text)) {
      const [, name = '', value = ''] = pair;
      COOKIE.lastIndex = PAIR.lastIndex;
      if (!ATTRIBUTE.test(name) && isSessionValue(name, value)) {
        const start = pair.index + pair[0].indexOf('=') + 1;
        spans.push({ start, end: start + value.length });
      }
    }
  }
  return spans;
}

function isSessionValue(name: string, value: string): boolean {
  if (SESSION_NAME.test(name)) return value.length >= 6 && isSecretValue(value, 'token', 'assigned');
  return value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value) && isSecretValue(value, 'token', 'assigned');
}

function isBasicPair(encoded: string): boolean {
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  return /^[^\s:\ufffd]{0,128}:[^\ufffd]{1,512}$/.test(decoded);
}

/** What HTTP carries to say who is asking: JSON web tokens, the Authorization header, cookies. */
export const httpCredentials: readonly RedactionRule[] = [
  patternRule({
    name: 'jwt',
    category: 'JWT',
    specificity: CREDENTIAL,
    hints: ['eyJ'],
    startsWithHint: true,
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{0,2048}){0,3}/g,
    matches: `session ${['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJvdHRlciJ9', 'c2lnbmF0dXJlLXBhcnQ'].join('.')} ended`,
    ignores: 'data:application/json;base64,eyJ2ZXJzaW9uIjozfQ==',
  }),
  patternRule({
    name: 'bearer-token',
    category: 'JWT',
    specificity: STRUCTURE,
    hints: anyCase('bearer', 'token', 'apikey', 'digest'),
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z0-9])(?:bearer|(?<=authorization(?:\\{0,16}["'])?[ \t]{0,4}[:=][ \t]{0,4}(?:\\{0,16}["'])?)(?:token|apikey|digest))(?:[ \t]{1,8}|%20|\+|:[ \t]{0,8})(?:token=)?\\{0,16}["']?(?<secret>[A-Za-z0-9._~+/-]{12,4096}={0,2})/gi,
    accept: (secret) => /\d/.test(secret) && isSecretValue(secret, 'token', 'assigned'),
    matches: `Authorization: Bearer ${['q7Lm2Xz9', 'Rt4Kp8Wn'].join('')}`,
    ignores: 'Authorization: Bearer $TOKEN, a bearer of news',
  }),
  // Vendors have schemes of their own, and some do without any.
  patternRule({
    name: 'authorization-header',
    category: 'SECRET',
    specificity: SPECIFICITY.KEYWORD,
    hints: anyCase('authorization'),
    startsWithHint: true,
    pattern:
      /authorization(?:\\{0,16}["'])?[ \t]{0,4}[:=][ \t]{0,4}(?:\\{0,16}["'`])?(?:(?<scheme>[A-Za-z][A-Za-z0-9-]{1,32})[ \t]{1,4})?(?<secret>[A-Za-z0-9][A-Za-z0-9._~+/:-]{7,4096}={0,2})(?![=\w])/gi,
    accept: (secret, match) =>
      (secret.match(/\d/g)?.length ?? 0) >= 2 &&
      (match.groups?.['scheme'] !== undefined || secret.length >= 20) &&
      isSecretValue(secret, 'token', 'assigned'),
    matches: `Authorization: TidesKey ${['q7Lm2Xz9', 'Rt4Kp8Wn'].join('')}`,
    ignores: 'Authorization: rbac-v1, authorization: required, Authorization: Digest realm="tides"',
  }),
  patternRule({
    name: 'authorization-parameter',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [...anyCase('signature='), 'response="', 'response=\\"'],
    startsWithHint: true,
    pattern:
      /(?:(?<=[\s,_])signature=\\{0,4}"?(?<secret>[A-Za-z0-9+/%=_-]{24,1024})|(?<=[\s,])response=\\{0,4}"[0-9a-f]{32,64}(?="|\\))/gi,
    accept: (secret) => /\d/.test(secret),
    matches: `Authorization: Digest username="otter", ${['response="', 'a1b2c3d4e5f6a7b8'.repeat(2)].join('')}"`,
    ignores: 'signature=valid, response="200"',
  }),
  patternRule({
    name: 'basic-credentials',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('basic', 'auth', '_auth'),
    startsWithHint: true,
    pattern:
      /(?:(?<![A-Za-z0-9])basic(?:[ \t]{1,8}|\\{0,16}["'],[ \t]{0,4}(?=\\{0,16}["']))|(?<![A-Za-z0-9])_?auth\\{0,16}["']?[ \t]{0,8}[:=][ \t]{0,8})\\{0,16}["']?(?<secret>[A-Za-z0-9+/]{8,2048}={0,2})(?![A-Za-z0-9+/=])/gi,
    accept: (secret) => isBasicPair(secret),
    matches: `Authorization: Basic ${Buffer.from(['otter', 'plum7-river'].join(':')).toString('base64')}`,
    ignores: 'a basic understanding of things',
  }),
  patternRule({
    name: 'cookie-file',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['TRUE\t', 'FALSE\t'],
    startsWithHint: true,
    pattern: /(?:TRUE|FALSE)\t\d{1,12}\t(?<name>[^\t\n]{1,128})\t(?<secret>[^\s]{6,4096})/g,
    accept: (secret, match) => isSessionValue(match.groups?.['name'] ?? '', secret),
    matches: '.example.org\tTRUE\t/\tTRUE\t1793000000\tsession\t4kq9zx71mwp02rte',
    ignores: '.example.org\tTRUE\t/\tTRUE\t1793000000\ttheme\tdark-mode',
  }),
  patternRule({
    name: 'cookie-member',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [
      {
        text: 'name',
        confirm: /name\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}\\{0,16}["'][\w.-]{0,64}(?:sess|sid|csrf|xsrf|remember)/iy,
      },
    ],
    startsWithHint: true,
    pattern:
      /name\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}\\{0,16}["'](?<name>[\w.-]{1,128})\\{0,16}["'],\s{0,64}\\{0,16}["']value\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}\\{0,16}["'](?<secret>[^\s"'\\]{8,4096})/g,
    accept: (secret, match) => isSessionValue(match.groups?.['name'] ?? '', secret) && /\d/.test(secret),
    matches: '{"name":"session","value":"4kq9zx71mwp02rte","path":"/"}',
    ignores: '{"name":"session","value":"closed-by-user","path":"/"}',
  }),
  {
    name: 'cookie',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [...anyCase('cookie'), ' -b'],
    withinLines: true,
    find: findCookies,
    matches: 'Cookie: theme=dark; sessionid=4kq9zx71mwp02rte',
    ignores: 'cookie policy: accept all; Set-Cookie: theme=dark; Path=/; Max-Age=3600',
  },
];
