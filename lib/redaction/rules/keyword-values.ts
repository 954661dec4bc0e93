import { BLOCK_SEPARATOR, CELL_SEPARATOR, DESCRIBED_SEPARATOR, PARTICLE_SEPARATOR } from '../described-separator.js';
import { anyCase, type Hint } from '../hint-index.js';
import { findKeywordValues, type Separator } from '../keyword-scanner.js';
import { SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

const QUOTE = '\\\\{0,16}["\'`]?';

/** What may stand between the name of a secret and its value. */
export const KEYWORD_SEPARATORS: readonly Separator[] = [
  // <property name="password">…, <add key="password" value="…">
  {
    pattern: new RegExp(`${QUOTE}[ \\t]{1,8}(?:value|content)[ \\t]{0,8}=[ \\t]{0,8}(?=\\\\{0,16}["'])`, 'y'),
    form: 'quoted',
  },
  { pattern: new RegExp(`(?:\\\\{0,16}["'])?[ \\t]{0,8}(?:>(?!=)|&gt;)`, 'y'), form: 'quoted', element: true },
  // <name>password</name><value>…
  {
    pattern: /[ \t]{0,4}<\/(?:key|name|param-name)>\s{0,32}<(?:string|value|data|param-value)>/y,
    form: 'quoted',
    element: true,
  },
  // - name: DB_PASSWORD, and on the next line value: …
  {
    pattern: new RegExp(
      `${QUOTE}(?:[,;]\\s{0,64}(?:\\\\{0,16}"[\\w-]{1,24}\\\\{0,16}":[ \\t]{0,4}(?:\\\\{0,16}"[^"\\n\\\\]{0,48}\\\\{0,16}"|[\\w.-]{1,12}),\\s{0,64}){0,3}|\\s{1,64})${QUOTE}(?:\\w{0,16}[vV]alue|val)${QUOTE}[ \\t]{0,8}[:=][ \\t]{0,8}`,
      'y',
    ),
    form: 'bare',
  },
  BLOCK_SEPARATOR,
  // "token": {"value": …}, and let token: String = …
  {
    pattern:
      /\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}\{\s{0,32}(?:\\{0,16}"[\w-]{1,24}\\{0,16}":[ \t]{0,4}(?:\\{0,16}"[^"\n\\]{0,48}\\{0,16}"|[\w.-]{1,12}),\s{0,64}){0,3}\\{0,16}["']value\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}(?=\\{0,16}["'])/y,
    form: 'quoted',
  },
  { pattern: /\??:[ \t]{0,4}[A-Za-z&][\w<>.&']{1,32}[ \t]{0,4}=[ \t]{0,4}(?=["'`])/y, form: 'quoted' },
  // name["password"] = …, "password": …, password=…, :password => …
  { pattern: new RegExp(`${QUOTE}\\]?(?:=(?![=>])|:=)(?=[^\\s=])`, 'y'), form: 'assigned' },
  {
    pattern: new RegExp(
      `${QUOTE}\\]?(?:\\*{2}|__)?[ \\t]{0,64}(?:=>|:=|=(?!=)|::?(?![:/])|->|→)(?:\\*{2}|__)?[ \\t]{0,64}(?![=>])(?:\\*{2}(?=[^*\\s]))?`,
      'y',
    ),
    form: 'bare',
  },
  CELL_SEPARATOR,
  { pattern: /[ \t]{1,16}/y, form: 'assigned', flag: true },
  // an escaped or encoded equals sign
  { pattern: /(?:\\{1,4}u003[da]|&#61;|%3D)[ \t]{0,4}/iy, form: 'bare' },
  DESCRIBED_SEPARATOR,
  PARTICLE_SEPARATOR,
  // ('password', '…')
  { pattern: /["'],[ \t]{0,4}(?=["'])/y, form: 'adjacent', tentative: true },
  // what's the password? …
  { pattern: /\?\s{1,8}(?:(?:>|-|a:)[ \t]{1,4})?/iy, form: 'adjacent', tentative: true },
  // [password] …, the password changed, it's now …
  { pattern: /\][ \t]{1,4}/y, form: 'adjacent', tentative: true },
  {
    pattern: /[ \t](?:\w{1,16},?[ \t]){0,4}(?:it['’]s|it is)(?: now)?:?[ \t]{1,4}/y,
    form: 'adjacent',
    tentative: true,
  },
  {
    pattern:
      /(?:['’]s|[ \t]{1,4}(?:is|was|are|to|as|(?:will|should|must|has to) be|(?:has been |was |is )?(?:set|changed|reset|updated) to))(?: (?:now|still|currently|just|simply|set to))?:?[ \t]{1,4}/y,
    form: 'sentence',
  },
  { pattern: /(?:[ \t]{1,4}|:[ \t]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t]{0,8}(?:- )?)\(?/y, form: 'adjacent' },
];

const KEYWORD =
  /passw(?:or)?d|passwort|pass[ _-]?phrase|passcode|passwd|pwd|secret|token|credential|(?:api|access|secret|private|auth|account|signing|encryption|master|service|shared|license|decryption|decrypt|unseal|recovery|backup|client|webhook|admin|mfa|otp|totp|2fa)[ _-]?(?:key|seed)|key(?![a-z])|pass(?![a-z])|pw(?![a-z])|psw(?![a-z])|(?:cookie|auth|session|app|password)[_-]?salt|erlang_cookie|key[_-]?material|skey(?![a-z])|(?:verification|security|confirmation|sms|login)[ _-]?code|creds?(?![a-z])|session_?id|sessid|psk|jwt|pat(?![a-z])|auth(?![a-z])|connection_?string|(?:pin|otp|cv[cv])(?![a-z])/gi;

const HINTS: readonly Hint[] = [
  ...anyCase('pwd', 'secret', 'token', 'cred', 'key', 'psk', 'jwt', 'seed'),
  { text: 'pass', anyCase: true, confirm: /pass(?:wo?r?[dt]|[ _-]?phrase|code|(?![a-z]))/iy },
  { text: 'pw', anyCase: true, confirm: /pw(?![a-z])/iy },
  { text: 'psw', anyCase: true, confirm: /psw(?![a-z])/iy },
  { text: 'code', anyCase: true, confirm: /code\\{0,16}["'`]?[ \t]{0,8}[:=]/iy },
  { text: 'salt', anyCase: true, confirm: /(?<=[_-]|[a-z])salt(?![a-z])/iy },
  { text: 'erlang_cookie', anyCase: true },
  { text: 'sess', anyCase: true, confirm: /sess(?:ion_?)?id/iy },
  { text: 'pat', anyCase: true, confirm: /pat(?![a-z])/iy },
  { text: 'auth', anyCase: true, confirm: /auth(?![a-z])/iy },
  { text: 'pin', anyCase: true, confirm: /pin(?![a-z])/iy },
  { text: 'otp', anyCase: true, confirm: /otp(?![a-z])/iy },
  ...['cvv', 'cvc'].map((text) => ({ text, anyCase: true, confirm: new RegExp(`${text}(?![a-z])`, 'iy') })),
  { text: 'connection', anyCase: true, confirm: /connection_?string/iy },
];

/** A value after the name of a secret, in environment files, ini, YAML, JSON, XML, code and on command lines. */
export const keywordValues: readonly RedactionRule[] = [
  {
    name: 'keyword-value',
    category: 'SECRET',
    specificity: SPECIFICITY.KEYWORD,
    hints: HINTS,
    withinLines: true,
    find: (text) => findKeywordValues(text, KEYWORD, KEYWORD_SEPARATORS),
    matches: '{"db_password": "plum7-otter"}',
    ignores: 'password: required, max_tokens=4096, token: process.env.TOKEN',
  },
];
