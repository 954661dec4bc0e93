import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';

const { STRUCTURE } = SPECIFICITY;

const LIST =
  /(?:backup|recovery|scratch|emergency|rescue|백업|복구)[ _-]?(?:codes?|keys?|코드|키)(?:\([^()\n]{1,32}\))?[은는]?(?: are| is)?[ \t]{0,4}[:=]?[\s"'[]{1,16}(?=[A-Za-z0-9])/iy;
const HEAD = /backup|recovery|scratch|emergency|rescue|백업|복구/gi;
const ITEM =
  /([A-Za-z0-9]{4,12}(?:[ -][A-Za-z0-9]{4,12}){0,9})(?:["'\]]{0,3}[\s,;/|]{1,8}["']?(?:[-*][ ]|\d{1,2}[.)][ ])?|["'\].]{0,3}$)/y;
const MAX_ITEMS = 32;

// Codes that are kept for the day on which the telephone is lost. There are several, and each has digits in it.
function findBackupCodes(text: string, hinted?: readonly number[]): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const place of hinted ?? [...text.matchAll(HEAD)].map(({ index }) => index)) {
    LIST.lastIndex = place;
    if (place < end || !LIST.test(text)) continue;
    ITEM.lastIndex = LIST.lastIndex;
    for (let items = 0; items < MAX_ITEMS; items++) {
      const { lastIndex: start } = ITEM;
      const code = ITEM.exec(text)?.[1];
      if (code === undefined) break;
      const digits = code.match(/\d/g)?.length ?? 0;
      if (code.length < 8 || digits < 3) break;
      spans.push({ start, end: start + code.length });
      end = ITEM.lastIndex;
    }
  }
  return spans;
}

const KIND = 'verification|security|confirmation|auth(?:entication)?|one[- ]time|2fa|mfa|otp|login|access|sms|sign-?in';
const LABEL = `(?<![A-Za-z])(?:(?:${KIND})[ -](?:pass)?(?:code|pin)|otp|pass ?code|(?:this|the) code to (?:sign|log) in|code to (?:sign|log) in|(?:door|gate|entry|alarm|lock) code)`;
const WHOSE =
  " (?:for|to|on|of|from)(?: [\\w@.-]{1,48}){1,4}?| (?:you|we|I|they|that|which|it|for|to)(?: [\\w'’-]{1,24}){1,6}?";
// `code is …`, `code: …`, `code, it's …`, and on a line of its own.
const LINK = `(?:(?:(?:${WHOSE})?(?: is| was|:)| -|=|,? it(?:['’]s| is))?[ \\t]{0,4}|:?[ \\t]{0,4}(?:\\r?\\n[ \\t]{0,16}){1,3}(?=[\\d -]{6,9}[ \\t]*(?:\\r?\\n|$)))`;
const CJK_LABEL =
  '(?:(?:인증|보안|확인|승인|OTP|PIN|핀)\\s?(?:번호|코드)|PIN(?:码|碼|コード)|验证码|驗證碼|校验码|动态码|確認碼|确认码|(?:認証|確認)(?:コード|番号))';
const CJK_LINK =
  '(?:[ \\t]?(?:은\\(는\\)|[은는이가를을はがを是为為])?[ \\t]?[:、,]?[ \\t]{0,4}|[^\\n\\d]{0,16}(?:->|→)[ \\t]|[ \\t]{0,4}(?:\\r?\\n[ \\t]{0,16}){1,3})';

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
      ...['인증', '보안', '확인', '승인', '핀번호', '핀 번호', '핀코드', '핀 코드', 'PIN'],
      ...['验证码', '驗證碼', '校验码', '动态码', '確認碼', '确认码'],
      '認証',
      '確認',
    ],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:${LABEL}${LINK}|${CJK_LABEL}${CJK_LINK}|(?<![A-Za-z])G-)\\[?(?<secret>\\d{3}[ -]?\\d{3,5}|(?<=${CJK_LABEL}[^\\d]{0,32})\\d{4,8})\\]?(?!\\d|\\.\\d|[- ]?\\d|\\s?(?:년|월|일|시|분|초|자리|회|개|年|月|日|位|桁))`,
      'gi',
    ),
    matches: 'Your verification code is 482 913',
    ignores: 'error code 404512, zip code 12345',
  }),
  patternRule({
    name: 'code-before-its-cjk-name',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['인증', '보안', '확인', '验证码', '驗證碼', '認証', '確認'],
    withinLines: true,
    pattern: new RegExp(
      `(?<![\\w.,:/-])\\d{4,8}(?=[ \\t]?(?:은\\(는\\)|[은는이가はが是为為]|这是|這是|[(（])[^\\n\\d]{0,24}${CJK_LABEL})`,
      'g',
    ),
    matches: `${['037', '272'].join('')} 은(는) 귀하의 로그인 인증번호입니다`,
    ignores: '2026년 6월 4일 인증번호를 보냈습니다; 3회 실패하면 인증번호가 만료됩니다',
  }),
  patternRule({
    name: 'one-time-seed',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('otp', 'totp', 'hotp', 'mfa', '2fa', 'authenticator', 'secret key', 'setup key', 'manual'),
    startsWithHint: true,
    pattern:
      /(?:(?:TOTP|HOTP)\(\s{0,16}["']|(?:secret|setup|manual(?: entry)?) key(?: is)?[ \t]{0,4}[:=][ \t]{0,4}|otpauth:\/\/[^\s"'<>]{1,256}[?&]secret=|(?:otp|mfa|2fa|totp|authenticator)[ _-]?(?:시드|비밀)?(?: ?키)?(?:(?:setup|set-up|manual|entry|backup)[ _-]){0,2}(?:(?:seed|secret|key)(?: is)?[ \t]{1,4}|(?:seed|secret|key)?(?: is)?[ \t]{0,4}[:=][ \t]{0,4})["']?)(?<secret>(?:[A-Z2-7]{4}(?: [A-Z2-7]{4}){2,15}|[A-Z2-7]{16,128})={0,6})(?![A-Za-z0-9])/gi,
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
