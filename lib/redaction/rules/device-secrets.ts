import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { isSecretValue } from '../secret-value.js';

const { STRUCTURE } = SPECIFICITY;
const isPassword = (secret: string): boolean => isSecretValue(secret, 'password', 'assigned');

/** Secrets that follow their keyword after a space: network devices, servers' settings, netrc, pgpass, SQL. */
export const deviceSecrets: readonly RedactionRule[] = [
  patternRule({
    name: 'network-device-secret',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase(
      'snmp-', 'rocommunity', 'rwcommunity', 'enable ', 'username ', 'user ', 'radius', 'tacacs', 'pre-shared-key', 'key-string', 'wpa-psk ascii',
      'ppp chap', 'neighbor ', 'standby ', 'ntp authentication-key', 'crypto isakmp',
    ) /* prettier-ignore */,
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z])(?:snmp-server community|rocommunity6?|rwcommunity6?|snmp-community|enable (?:secret|password)|(?:username|user) [\w.@-]{1,64} (?:privilege \d{1,2} )?(?:secret|password)|(?:radius|tacacs)(?:-server)?(?: host [\w.:-]{1,64})?(?: auth-port \d{1,5})?(?: acct-port \d{1,5})? key|(?:pre-shared-key|key-string|wpa-psk ascii|ppp chap password|neighbor [\w.:]{1,48} password|standby \d{1,3} authentication|ntp authentication-key \d{1,5} md5|crypto isakmp key))[ \t]{1,4}(?:level \d{1,2} )?(?:ascii-text |hexadecimal |md5 |text )?(?:[0-9] )?["']?(?<secret>[^\s"';,]{3,256})/gi,
    accept: (secret) => isPassword(secret) || /^[0-9A-F]{6,64}$/i.test(secret),
    matches: 'snmp-server community plum7river RO 15',
    ignores: 'enable secret rotation; username otter password required',
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
    ],
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z])(?:requirepass|masterauth|rootpw|bindpw|(?:IDENTIFIED(?: WITH \w{1,48})? BY|identified by|(?:WITH|ENCRYPTED|SET) PASSWORD)(?: PASSWORD)?)[ \t]{1,8}\\{0,4}["']?(?<secret>[^\s"';,]{3,256})/g,
    accept: isPassword,
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
    hints: [':5', ':6', ':*'].map((text) => ({ text, confirm: /:(?:[56]\d{3,4}|\*):/y })),
    withinLines: true,
    pattern:
      /(?<![\w.:*-])[\w.*-]{1,128}:(?:\d{4,5}|\*):(?:[\w-]{1,64}|\*):[\w.-]{1,64}:(?<secret>[^\s:"'\\]{3,128})(?![^\s])/g,
    accept: isPassword,
    matches: 'db.example:5432:*:otter:plum7river',
    ignores: 'at 12:3456:78:90:12',
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
  patternRule({
    name: 'one-time-code',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [
      ...anyCase(
        'verification',
        'security',
        'confirmation',
        'auth',
        'one-time',
        'one time',
        '2fa',
        'mfa',
        'otp',
        'login',
        'access',
        'sms',
      ),
      ...anyCase('signin', 'sign-in', 'passcode', 'g-'),
      '인증',
      '验证码',
      '認証',
      '確認',
    ],
    startsWithHint: true,
    pattern:
      /(?:(?<![A-Za-z])(?:(?:verification|security|confirmation|auth(?:entication)?|one[- ]time|2fa|mfa|otp|login|access|sms|sign-?in)[ -](?:pass)?(?:code|pin)|otp|passcode)(?:(?: (?:for|to|on|of|from)(?: [\w@.-]{1,48}){1,4}?)?(?: is| was|:)| -|=)?|인증\s?(?:번호|코드)(?:는|은|:)?|验证码(?:是|为|:|:)?|(?:認証|確認)コード(?:は|:|:)?|(?<![A-Za-z])G-)[ \t]{0,4}\[?(?<secret>\d{3}[ -]?\d{3,5})\]?(?!\d|\.\d|[- ]?\d)/gi,
    matches: 'Your verification code is 482 913',
    ignores: 'error code 404512, zip code 12345',
  }),
  patternRule({
    name: 'one-time-seed',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('otp', 'totp', 'mfa', '2fa', 'authenticator'),
    startsWithHint: true,
    pattern:
      /(?:otpauth:\/\/[^\s"'<>]{1,256}[?&]secret=|(?:otp|mfa|2fa|totp|authenticator)[ _-]?(?:seed|secret|key)?(?: is)?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?<secret>[A-Z2-7]{4}(?: ?[A-Z2-7]{4}){2,15}={0,6})(?![A-Za-z0-9])/gi,
    accept: (secret) => secret === secret.toUpperCase() || /\d/.test(secret),
    matches: `MFA seed: ${['JBSW', 'Y3DP', 'EHPK', '3PXP'].join('')}`,
    ignores: 'otp: required',
  }),
];
