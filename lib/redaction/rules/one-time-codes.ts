import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';

const { STRUCTURE } = SPECIFICITY;

const LIST =
  /(?:backup|recovery|scratch|emergency|rescue|백업|복구)[ _-]?(?:codes?|keys?|코드|키)(?:\([^()\n]{1,32}\))?[은는]?(?: are| is)?[ \t]{0,4}[:=]?[\s"'[]{1,16}(?=[A-Za-z0-9])/gi;
const ITEM =
  /([A-Za-z0-9]{4,12}(?:[ -][A-Za-z0-9]{4,12}){0,9})(?:["'\]]{0,3}[\s,;/|]{1,8}["']?(?:[-*][ ]|\d{1,2}[.)][ ])?|["'\].]{0,3}$)/y;
const MAX_ITEMS = 32;

// Codes that are kept for the day on which the telephone is lost. There are several, and each has digits in it.
function findBackupCodes(text: string): Span[] {
  const spans: Span[] = [];
  LIST.lastIndex = 0;
  while (LIST.test(text)) {
    ITEM.lastIndex = LIST.lastIndex;
    for (let items = 0; items < MAX_ITEMS; items++) {
      const { lastIndex: start } = ITEM;
      const code = ITEM.exec(text)?.[1];
      if (code === undefined) break;
      const digits = code.match(/\d/g)?.length ?? 0;
      if (code.length < 8 || digits < 3) break;
      spans.push({ start, end: start + code.length });
      LIST.lastIndex = ITEM.lastIndex;
    }
  }
  return spans;
}

/** Numbers that are good for one use, the seeds that they are made of, and the codes that stand in for them. */
export const oneTimeCodes: readonly RedactionRule[] = [
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
      ...anyCase(
        'signin',
        'sign-in',
        'passcode',
        'pass code',
        'g-',
        'this code',
        'code to ',
        'door code',
        'gate code',
        'entry code',
      ),
      '인증',
      '보안',
      '확인',
      '승인',
      ...['验证码', '驗證碼', '校验码', '动态码', '確認碼', '确认码'],
      '認証',
      '確認',
    ],
    startsWithHint: true,
    pattern:
      /(?:(?<![A-Za-z])(?:(?:verification|security|confirmation|auth(?:entication)?|one[- ]time|2fa|mfa|otp|login|access|sms|sign-?in)[ -](?:pass)?(?:code|pin)|otp|pass ?code|(?:this|the) code to (?:sign|log) in|code to (?:sign|log) in|(?:door|gate|entry|alarm|lock) code)(?:(?:(?: (?:for|to|on|of|from)(?: [\w@.-]{1,48}){1,4}?)?| (?:you|we|I|they|that|which|it)(?: [\w'’-]{1,24}){1,6}?| (?:for|to)(?: [\w'’-]{1,24}){1,6}?)(?: is| was|:)| -|=)?|(?:인증|보안|확인|승인|OTP|otp)\s?(?:번호|코드)(?:는|은|가|이|를|을)?(?:[ \t]?:)?|(?:验证码|驗證碼|校验码|动态码|確認碼|确认码)(?:是|为|為|:)?|(?:認証|確認)(?:コード|番号)(?:は|:)?|(?<![A-Za-z])G-)[ \t]{0,4}\[?(?<secret>\d{3}[ -]?\d{3,5})\]?(?!\d|\.\d|[- ]?\d)/gi,
    matches: 'Your verification code is 482 913',
    ignores: 'error code 404512, zip code 12345',
  }),
  patternRule({
    name: 'one-time-seed',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('otp', 'totp', 'hotp', 'mfa', '2fa', 'authenticator', 'secret key', 'setup key', 'manual'),
    startsWithHint: true,
    pattern:
      /(?:(?:TOTP|HOTP)\(\s{0,16}["']|(?:secret|setup|manual(?: entry)?) key(?: is)?[ \t]{0,4}[:=][ \t]{0,4}|otpauth:\/\/[^\s"'<>]{1,256}[?&]secret=|(?:otp|mfa|2fa|totp|authenticator)[ _-]?(?:(?:setup|set-up|manual|entry|backup)[ _-]){0,2}(?:(?:seed|secret|key)(?: is)?[ \t]{1,4}|(?:seed|secret|key)?(?: is)?[ \t]{0,4}[:=][ \t]{0,4})["']?)(?<secret>(?:[A-Z2-7]{4}(?: [A-Z2-7]{4}){2,15}|[A-Z2-7]{16,128})={0,6})(?![A-Za-z0-9])/gi,
    accept: (secret) =>
      (secret === secret.toUpperCase() || /\d/.test(secret)) &&
      (/\d/.test(secret) || /[ =]/.test(secret) || secret.length >= 16),
    matches: `MFA seed: ${['JBSW', 'Y3DP', 'EHPK', '3PXP'].join('')}`,
    ignores: 'otp: required',
  }),
  {
    name: 'backup-codes',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [...anyCase('backup', 'recovery', 'scratch', 'emergency', 'rescue'), '백업', '복구'],
    find: findBackupCodes,
    matches: `backup codes: ${['4821', '9133'].join('')}, ${['7719', '0342'].join('')}`,
    ignores: 'backup codes: none left; recovery key rotation 2026-01-02',
  },
];
