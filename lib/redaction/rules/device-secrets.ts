import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { isSecretValue } from '../secret-value.js';

const { STRUCTURE } = SPECIFICITY;
const isPassword = (secret: string): boolean => isSecretValue(secret, 'password', 'assigned');

// On a device nothing follows; in a sentence words do.
const continuesAsProse = (match: RegExpExecArray): boolean =>
  /^[ \t]{1,4}[a-z]/.test(match.input.slice(match.index + match[0].length, match.index + match[0].length + 8));

/** Secrets that follow their keyword after a space: network devices, servers' settings, netrc, pgpass, SQL. */
export const deviceSecrets: readonly RedactionRule[] = [
  patternRule({
    name: 'network-device-secret',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase(
      'snmp-', 'rocommunity', 'rwcommunity', 'enable ', 'username ', 'user ', 'radius', 'tacacs', 'pre-shared-key', 'key-string', 'wpa-psk ascii',
      'com2sec ',
      'snmp-agent ',
      'shared-key',
      'isakmp key',
      'vrrp ', 'snmp community', 'authentication-key', 'message-digest-key', 'set-key ', 'auth_pass', 'password cipher', 'password irreversible', 'plaintext-password', 'pre-shared-secret', 'wpa-passphrase',
      'ppp chap', 'neighbor ', 'standby ', 'ntp authentication-key', 'crypto isakmp',
    ) /* prettier-ignore */,
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z])(?:snmp-server community|snmp community|snmp-agent community(?: (?:read|write))?|shared-key|isakmp key|vrrp \d{1,3} authentication(?: md5 key-string| text)?|com2sec(?: -Cn \S{1,32})? [\w.-]{1,32} [\w.:/]{1,48}|rocommunity6?|rwcommunity6?|snmp-community|(?:ip ospf )?(?:message-digest-key \d{1,3} md5|authentication-key)|set-key|auth_pass|password (?:irreversible-)?cipher|plaintext-password|pre-shared-secret|wpa-passphrase|enable (?:secret|password)|(?:username|user) [\w.@-]{1,64} (?:privilege \d{1,2} )?(?:secret|password)|(?:radius|tacacs)(?:-server| server \S{1,64}\s{1,8})?(?: host [\w.:-]{1,64})?(?: auth-port \d{1,5})?(?: acct-port \d{1,5})? key|(?:pre-shared-key|key-string|wpa-psk ascii|ppp chap password|neighbor [\w.:]{1,48} password|standby \d{1,3} authentication(?: md5 key-string| text)?|ntp authentication-key \d{1,5} (?:md5|sha\d{0,3}|hmac-sha2?-?\d{0,3})|crypto isakmp key))[ \t]{1,4}(?:level \d{1,2} )?(?:local |remote |local-address \S{1,48} )?(?:ascii-text |sha1 |ascii |hexadecimal |hex |md5 |text |cipher |irreversible-cipher |simple |encrypted |plaintext |sha512 |scrypt |ENC )?(?:[0-9] )?["']?(?<secret>[^\s"';,]{3,256})/gi,
    accept: (secret, match) =>
      (isPassword(secret) ||
        /^[0-9A-F]{6,64}$/i.test(secret) ||
        (/^(?:ip ospf |message-digest|authentication-key|ntp|neighbor|standby|ppp|key-string|pre-shared|crypto|isakmp)/i.test(
          match[0],
        ) &&
          isSecretValue(secret, 'password', 'quoted'))) &&
      !(/^(?:enable|user)/i.test(match[0]) && /^[a-z]+$/.test(secret) && continuesAsProse(match)),
    matches: 'snmp-server community plum7river RO 15',
    ignores: 'enable secret rotation; username otter password required',
  }),
  // In a device's own encoding, of type 7 or 5, whatever it belongs to.
  patternRule({
    name: 'encoded-device-secret',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('password 7 ', 'key 7 ', 'secret 7 ', 'md5 7 ', 'community 7 ', 'key 6 ', 'password 6 '),
    startsWithHint: true,
    pattern: /(?:password|key|secret|md5|community) [67] (?<secret>[0-9A-F]{6,128}|[A-Za-z`^[\]_]{12,128})(?![^\s])/gi,
    accept: (secret) => secret.length % 2 === 0 || /[`^_]/.test(secret),
    matches: ' key 7 070C285F4D06',
    ignores: 'password 7 characters long',
  }),
  patternRule({
    name: 'server-block-key',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [{ text: 'key ', confirm: /key (?:\d )?\S{3}/y }],
    startsWithHint: true,
    pattern:
      /(?<=(?:aaa-server|tacacs|radius)[^\n]{0,160}\n(?:[ \t]{1,8}[^\n]{0,120}\n){0,4}[ \t]{1,8})key (?:\d )?["']?(?<secret>[^\s"';,]{3,128})(?=["']?[ \t]*(?:\r?\n|$))/g,
    accept: (secret) => isSecretValue(secret, 'password', 'quoted'),
    matches: 'radius server a\n address ipv4 203.0.113.9\n key plum7river',
    ignores: 'radius server a\n key ${KEY}\n\nkey plum7river',
  }),
  patternRule({
    name: 'access-list-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [' >'],
    startsWithHint: true,
    pattern:
      /(?<=(?:user|SETUSER) [\w.@-]{1,64}(?: [^\n]{0,200})?) >(?<secret>[^\s"']{3,128})(?= (?:[~&+-]|on|off|allkeys|reset)|["']|\s*(?:\n|$))/gi,
    accept: (secret, match) =>
      /\d/.test(secret) &&
      isPassword(secret) &&
      / (?:on|off|[~+&]\S+|allkeys|reset)(?:\s|$)/.test(
        match.input.slice(Math.max(0, match.index - 200), match.index + 200),
      ),
    matches: 'user otter on >plum7river ~app:* +@all',
    ignores: 'user otter >plum7 is greater',
  }),
  patternRule({
    name: 'snmp-created-user',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase(' md5 ', ' sha ', ' sha-', ' des ', ' aes ', ' aes-'),
    startsWithHint: true,
    pattern:
      /(?<=createUser [^\n]{1,200}) (?:md5|sha(?:-?\d{3})?|3?des|aes(?:-?\d{3})?) \\{0,4}["']?(?<secret>[^\s"';\\]{4,128})/gi,
    accept: (secret) => isSecretValue(secret, 'password', 'quoted'),
    matches: 'createUser otter SHA "plum7river" AES "plum8river"',
    ignores: 'createUser otter SHA ${AUTH}',
  }),
  patternRule({
    name: 'server-password-setting',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [
      'requirepass',
      'masterauth',
      'rootpw',
      'bindpw',
      'IDENTIFIED',
      'identified by',
      'WITH PASSWORD',
      'ENCRYPTED PASSWORD',
      'SET PASSWORD',
      'ROLE ',
      'USER ',
    ],
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z])(?:requirepass|masterauth|rootpw|bindpw|(?:IDENTIFIED(?: WITH \w{1,48})? BY|identified by|(?:WITH|ENCRYPTED|SET|(?:ROLE|USER) [\w"-]{1,64}) PASSWORD)(?: PASSWORD)?)[ \t]{1,8}\\{0,4}["']?(?<secret>(?<=["'])[^"'\n\\]{3,256}(?=\\{0,4}["'])|[^\s"';,]{3,256})/g,
    accept: (secret, match) => isSecretValue(secret, 'password', /["']/.test(match[0]) ? 'quoted' : 'assigned'),
    matches: "CREATE USER otter IDENTIFIED BY 'plum7river'",
    ignores: 'requirepass ${REDIS_AUTH}',
  }),
  patternRule({
    name: 'netrc',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['login'],
    startsWithHint: true,
    pattern: /(?<![A-Za-z])login[ \t]{1,4}\S{1,128}\s{1,16}password[ \t]{1,4}(?<secret>\S{1,256})/g,
    accept: isPassword,
    matches: 'machine example.org login otter password plum7river',
    ignores: 'use login and password to get in',
  }),
  patternRule({
    name: 'pgpass',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [':*:', ...[':5', ':6'].map((text) => ({ text, confirm: /:[56]\d{3,4}:/y }))],
    withinLines: true,
    pattern:
      /(?<![\w.:*-])[\w.*-]{1,128}:(?:\d{4,5}|\*):(?:[\w-]{1,64}|\*):[\w.-]{1,64}:(?<secret>[^\s:"'\\]{3,128})(?![^\s])/g,
    accept: isPassword,
    matches: 'db.example:5432:*:otter:plum7river',
    ignores: 'at 12:3456:78:90:12',
  }),
  patternRule({
    name: 'snmp-user',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('auth ', 'priv '),
    startsWithHint: true,
    pattern:
      /(?<=snmp[^\n]{1,160})(?:auth (?:md5|sha(?:-?\d{3})?)|priv (?:3?des|aes(?:[ -]?\d{3})?)) (?<secret>[^\s"';]{4,128})/gi,
    accept: isPassword,
    matches: 'snmp-server user otter group v3 auth sha plum7river priv aes 128 plum8river',
    ignores: 'auth sha is weak; snmp-server user otter group v3 auth sha',
  }),
  patternRule({
    name: 'ipsec-secret',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [': PSK', ': EAP', ': XAUTH', ': NTLM', ': PLAIN', ': PIN', ': RSA', ': PKCS'],
    startsWithHint: true,
    pattern:
      /: (?:PSK|EAP|XAUTH|NTLM|PLAIN|PIN|RSA \S{1,64}|PKCS\d{1,2} \S{1,64})[ \t]{1,8}(?:\\{0,4}["'](?<secret>[^"'\n\\]{4,256})|0s(?=[A-Za-z0-9+/]{16}))/g,
    accept: isPassword,
    matches: '%any otter : EAP "plum7river"',
    ignores: 'error: EAP "failed"; auth: PLAIN "${PW}"',
  }),
  patternRule({
    name: 'ipsec-encoded-secret',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [': PSK 0'],
    startsWithHint: true,
    pattern: /: PSK 0[sx](?<secret>[A-Za-z0-9+/=]{16,256})/g,
    matches: `%any : PSK 0s${'a1B2c3D4e5F6'.repeat(2)}`,
    ignores: ': PSK 0s',
  }),
  // chap-secrets and pap-secrets: client, server, secret, addresses.
  patternRule({
    name: 'chap-secret',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['pptpd', 'l2tpd', 'chap-secrets', 'pap-secrets', 'IP addresses', 'secret\t', 'secret  '],
    pattern:
      /(?<=(?:^|\n|[:=] )"?[\w.@\\-]{1,64}"?[ \t]{0,15}[ \t])(?:\*|pptpd|x?l2tpd)[ \t]{1,16}"?(?<secret>[^\s"*]{4,128})"?[ \t]{1,16}(?:\*|\d{1,3}\.\d)/g,
    accept: (secret) => /\d/.test(secret) && isPassword(secret),
    matches: '# /etc/ppp/chap-secrets\notter * plum7river *',
    ignores: 'a * b2 * c, width * height2 * depth',
  }),
  // What postfix logs in with: a host, and the user with the password.
  patternRule({
    name: 'sasl-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [':25', ':465', ':587', ']:25', ']:465', ']:587'],
    startsWithHint: true,
    pattern:
      /(?<=(?:^|\n|[:=] )\[?[\w-]{1,64}\.[\w.-]{2,128})\]?:\d{2,5}[ \t]{1,8}[\w.@+-]{1,64}:(?<secret>[^\s:]{5,128})(?=\s|$)/g,
    accept: (secret) => /\d/.test(secret) && isPassword(secret),
    matches: '[smtp.example.org]:587 otter:plum7river',
    ignores: 'example.org:443 host:8080, keys:1204 hits:99212',
  }),
  patternRule({
    name: 'login-pair',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('login', 'credential', 'passw', 'account'),
    withinLines: true,
    pattern:
      /(?<![\w/.])(?:use|with|try|is|are|as|:) [\w.@-]{1,64} ?\/ ?(?<secret>[^\s/"'`,;]{5,128})(?=[^\n]{0,40}(?:login|credential|passw|account))/gi,
    accept: (secret) => /\d/.test(secret) && isPassword(secret),
    matches: 'use otter / plum7river as login and password',
    ignores: 'use read / write as login scopes',
  }),
];
