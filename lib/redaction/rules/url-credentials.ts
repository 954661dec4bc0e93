import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { isSecretValue } from '../secret-value.js';

const { STRUCTURE } = SPECIFICITY;
const MAX_AUTHORITY = 512;
const USER_ONLY_LENGTH = 20;

// A password with a slash, a hash or a question mark in it, which is not the number of a port; a host follows it.
const UNENCODED =
  /^[^\s/?#"'`<>\\:@]{0,64}:(?!\d{1,5}[/?#])[^\s"'`<>\\@]{1,128}@(?=[A-Za-z0-9[][\w.:[\]-]{0,128}(?:[/?#\s"'`,;)]|$))/;

// A password is often put in without being encoded, so the last at sign is the one that ends it.
function findUserinfo(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const from = at + 3;
    const window = text.slice(from, from + MAX_AUTHORITY);
    const plain = /^[^\s/?#"'`<>\\,;|)\]}]*/.exec(window)?.[0] ?? '';
    const authority = plain.includes('@') ? plain : (UNENCODED.exec(window)?.[0] ?? plain);
    const end = authority.lastIndexOf('@');
    if (end <= 0) continue;
    const colon = authority.indexOf(':');
    if (colon < 0 || colon > end) {
      if (end >= USER_ONLY_LENGTH && isSecretValue(authority.slice(0, end), 'token', 'assigned')) {
        spans.push({ start: from, end: from + end });
      }
      continue;
    }
    const password = authority.slice(colon + 1, end);
    if (isPassword(password)) spans.push({ start: from + colon + 1, end: from + end });
  }
  return spans;
}

function isPassword(value: string): boolean {
  return (
    value.length >= 1 &&
    !/^(?:[*x•.]{1,64}|<[^>]{0,64}>|\$\{?[A-Za-z_]\w{0,63}\}?|\{{1,2}[^}]{0,64}\}{0,2}|\[?redacted\]?|pass(?:word|wd)?|\uffff{1,128}|%[A-Z_]{1,64}%)$/i.test(
      value,
    )
  );
}

const QUERY_NAMES = [
  ...['code', 'sig', 'signature', 'X-Amz-Signature', 'X-Amz-Security-Token', 'X-Goog-Signature', 'hmac', 'key', 'sid'],
  ...['auth', 'ticket', 'assertion', 'samlresponse', 'otp', 'hash', 'apikey', 'api_key', 'session', 'state_token'],
  ...['invite', 'magic', 'reset', 'tempauth', 'id_token', 'sas'],
];

/** Passwords in addresses, and what signs or authorises a request in an address's query. */
export const urlCredentials: readonly RedactionRule[] = [
  {
    name: 'url-userinfo',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['@'],
    withinLines: true,
    find: findUserinfo,
    matches: 'postgres://otter:plum7@river@db.example:5432/tides',
    ignores: 'postgres://${PGUSER}:${PGPASS}@db.example/tides, https://otter:****@example.org/x.git',
  },
  patternRule({
    name: 'oracle-thin-url',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['jdbc:oracle'],
    startsWithHint: true,
    pattern: /jdbc:oracle:(?:thin|oci8?):[\w.$-]{1,64}\/(?<secret>[^\s@"'\\]{1,128})@/g,
    matches: 'jdbc:oracle:thin:otter/plum7river@//db.example:1521/ORCL',
    ignores: 'jdbc:oracle:thin:@//db.example:1521/ORCL',
  }),
  patternRule({
    name: 'oracle-login',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['sqlplus', 'sqlldr', 'expdp', 'impdp', 'rman'],
    startsWithHint: true,
    pattern:
      /(?:sqlplus|sqlldr|expdp|impdp|rman)[ \t](?:[^\n|;]{0,120}[ \t=])?\\{0,4}["']?[\w$#]{1,64}\/(?<secret>[^\s@"'\\/]{3,128})(?=@|["'\s]|$)/g,
    accept: (secret) => isSecretValue(secret, 'password', 'assigned'),
    matches: 'sqlplus -s otter/plum7river@//db.example:1521/TIDES',
    ignores: 'sqlplus / as sysdba, sqlplus otter@TIDES',
  }),
  patternRule({
    name: 'data-source-name',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['@tcp(', '@unix('],
    withinLines: true,
    pattern: /(?<![\w.-])[\w.-]{1,64}:(?<secret>[^\s@"'`]{1,128})@(?:tcp|unix)\(/g,
    accept: (secret) => isPassword(secret),
    matches: 'otter:plum7river@tcp(db.example:3306)/tides',
    ignores: '${USER}:${PASS}@tcp(db.example:3306)/tides',
  }),
  patternRule({
    name: 'encoded-url-userinfo',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('%3a%2f%2f'),
    startsWithHint: true,
    pattern: /%3A%2F%2F(?:(?!%2F|%40|%3A)[\w.~%-]){1,64}%3A(?<secret>(?:(?!%2F|%40)[\w.~%!*-]){1,128})%40/gi,
    accept: (secret) => isPassword(secret),
    matches: 'next=https%3A%2F%2Fotter%3Aplum7river%40example.org%2Fx',
    ignores: 'next=https%3A%2F%2Fexample.org%3A8080%2Fx',
  }),
  patternRule({
    name: 'odbc-braced-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('pwd={', 'password={'),
    startsWithHint: true,
    pattern: /(?:pwd|password)=\{(?<secret>[^{}\n]{4,128})\}(?=;|["']|\s|$)/gi,
    accept: (secret) => /\d/.test(secret) && !/^[a-z_]\w*$/.test(secret),
    matches: 'Driver={Tides};Uid=otter;Pwd={Plum7;river};',
    ignores: 'f"password={db_pw1}"',
  }),
  patternRule({
    name: 'query-secret',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase(...QUERY_NAMES.map((name) => `${name}=`)),
    startsWithHint: true,
    pattern: new RegExp(`(?<=[?&;])(?:${QUERY_NAMES.join('|')})=(?<secret>[A-Za-z0-9._~%+/=-]{12,4096})`, 'gi'),
    accept: (secret) => /\d/.test(secret) && isSecretValue(secret, 'token', 'assigned'),
    matches: 'GET /callback?code=7Qm2Lx9Zr4Kp8WnT&state=open',
    ignores: 'GET /list?key=name&code=404',
  }),
];
