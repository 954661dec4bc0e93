import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { isSecretValue } from '../secret-value.js';

const { STRUCTURE } = SPECIFICITY;

const isMixed = (secret: string): boolean => /\d/.test(secret) && /[A-Za-z]/.test(secret);

// Without spaces around it a slash parts a path as well, which has fewer kinds of characters.
const isElaborate = (secret: string): boolean =>
  isMixed(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret) && /[!@#$%^&*+=?~]/.test(secret);

const isSpaced = (text: string): boolean => / \/ /.test(text);

const OTHER_CODE = /(?:zip|postal|post|area|country|error|exit|status|return|response|reason|product|item|order|sku|gpio|http|promo|discount|coupon|currency|language|source|dress|qr|bar|color|colour|key|op|byte|machine) ?$/i; // prettier-ignore
const KIND =
  '2fa|mfa|otp|one[- ]time|two[- ]factor|two[- ]step|verif|authenticat|sign(?:ing)?[- ]?in|log(?:ging)?[- ]?in|passcode|expires in|valid for|인증|로그인';

const before = (match: RegExpExecArray): string => match.input.slice(Math.max(0, match.index - 24), match.index);

/** Names with passwords and numbers for one use, as people write them to each other. */
export const spokenCredentials: readonly RedactionRule[] = [
  patternRule({
    name: 'name-and-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [
      ...anyCase(
        'user',
        'login',
        'log in',
        'account',
        'credential',
        'creds',
        'sign in',
        'get in',
        'wifi',
        'wi-fi',
        'ssid',
        'id/p',
        'id / p',
      ),
      ...['로그인', '접속', '계정', '아이디', '비번'],
    ],
    startsWithHint: true,
    pattern:
      /(?:(?<![A-Za-z])(?:user(?:[ _-]?name)?|log ?in|sign in|get in|account|credentials?|creds|wi-?fi|ssid|id ?\/ ?(?:pw|pass(?:word)?))(?: (?:is|as|with|are|using|to \S{1,32} with|(?:for|on|of) \S{1,48}))?|(?:로그인|접속|계정|아이디)(?: ?정보)?(?:\/(?:비밀번호|비번|패스워드|PW))?(?:은|는|이|가)?|비번(?=은 \w))(?: ?[:=]| ?->)?[ \t]{1,4}["']?(?<user>[\w.@-]{1,64})["']?(?:[ \t]{1,4}\/[ \t]{1,4}|\/|:(?!\/)|[ \t]and[ \t])["']?(?<secret>[^\s"',;/]{5,128})/gi,
    accept: (secret, match) =>
      (isSpaced(match[0])
        ? isMixed(secret)
        : isElaborate(secret) || (match[0].includes(':' + secret) && isMixed(secret) && secret.length >= 8)) &&
      isSecretValue(secret, 'password', 'sentence'),
    matches: 'login otter / plum7river for the old host',
    ignores: 'account balance / 2024-05, login requests / 5xx, user otter/river2',
  }),
  patternRule({
    name: 'user-then-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('user', 'login', 'log in', 'account', 'sign in'),
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z])(?:user(?:[ _-]?name)?|log ?in|sign in|account)(?: (?:is|as|with))?(?: ?[:=])?[ \t]{1,4}["']?[\w.@-]{1,64}["']?(?:[ \t]{0,4}[,;/]|[ \t]{1,4}(?:and|with))[ \t]{1,4}(?:and |with |the ){0,2}(?:password|passwd|pass|pwd|pw|pin)[ \t]{1,4}["']?(?<secret>[^\s"',;]{4,128}?)(?=[.!?)]?["',;\s]|[.!?)]?$)/gi,
    accept: (secret) => /\d|[!@#$%^&*+=~]/.test(secret) && isSecretValue(secret, 'password', 'sentence'),
    matches: 'user otter, password plum7river',
    ignores: 'user otter, password required; user guide, password section',
  }),
  patternRule({
    name: 'pin',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [...anyCase('pin'), '핀번호', '핀 번호', '핀코드'],
    startsWithHint: true,
    pattern:
      /(?:(?:(?<![A-Za-z0-9_-])PIN|(?<![A-Za-z0-9_-])[Pp]in(?= ?(?:code|number|is|[:=])))(?: ?(?:code|number|번호|코드|码|碼))?(?:[은는가は是]| ?[:=]| is)?|핀 ?(?:번호|코드)(?:는|은|가)?(?: ?[::=])?)[ \t]{0,4}(?<![A-Za-z])(?<secret>\d{4,8})(?![\w-]|[.,]\d)/g,
    accept: (_secret, match) => !OTHER_CODE.test(before(match)),
    matches: `the card and its PIN: ${['48', '21'].join('')}`,
    ignores: 'PIN 12 is ground, GPIO pin: 1024, pin==2024.1',
  }),
  patternRule({
    name: 'code-with-its-kind-behind',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('code'),
    startsWithHint: true,
    pattern: new RegExp(
      `(?<![A-Za-z0-9_])code(?: is| was| ?[:=])?[ \\t]{1,4}(?<secret>\\d{3}[ -]?\\d{3,5}|\\d{4,8})(?![\\w-]|[.,]\\d)(?=[^\\n\\d]{0,40}(?:${KIND}))`,
      'gi',
    ),
    accept: (_secret, match) => !OTHER_CODE.test(before(match)),
    matches: `code: ${['482', '913'].join('')} (2FA)`,
    ignores: 'error code 404512 after login, code: 1234 of 5678 in the book',
  }),
  patternRule({
    name: 'code-before-its-kind',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase(' is your ', ' is the ', ' as your ', ' as the ', ' to sign in', ' to log in', ' to verify'),
    withinLines: true,
    pattern:
      /(?<![\w.,:/-])(?<secret>(?:\d{3}[ -]?\d{3}|\d{4,8})(?= (?:is|as) (?:your|the) (?:[\w-]{1,24} ){0,3}?(?:(?:verification|security|confirmation|one[- ]time|login|sign[- ]?in|2fa|mfa|auth(?:entication)?|access|sms) (?:pass)?(?:code|pin)|otp|passcode)(?![a-z]))|\d{3}[ -]?\d{3}(?= to (?:sign in|log in|verify)(?![a-z])))/gi,
    matches: `${['482', '913'].join('')} is your login code`,
    ignores: '90210 is your zip code, 4821 is the error code',
  }),
];
