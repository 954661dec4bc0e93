import { anyCase } from '../hint-index.js';
import { isTechnicalTerm } from '../keyword-scanner.js';
import { MARKER_FILLER, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { isDrawnAtRandom, isSecretValue } from '../secret-value.js';

const NAME =
  /(?<![A-Za-z0-9_./-])(?:pass ?words?|passwd|pass ?phrase|pass ?code|pwd|pw|creds|credentials?|(?:api|access|license|secret) ?key|secret|tokens?)(?![A-Za-z0-9_-])|비밀\s?번호|비번|패스\s?(?:워드|프레이즈)|암호|토큰|시크릿|パスワード|暗証番号|トークン|密码|密碼|口令|令牌|密钥|密鑰|金鑰/gi;
const MAX_GAP = 80;
const VALUE = /(?:[A-Za-z0-9_.!@#$%^&*~+=?-]|;(?=\S)){8,64}/g;
// What a sentence names by letters and digits that is no secret.
const IDENTIFIED =
  /(?:^|[^a-z])(?:ids?|uuid|hash|digest|sha\d*|md5|commit|checksum|fingerprint|versions?|builds?|trace|request|ref|branch|tag|image|pod|hosts?|node|path|file|url|uri|at|named?|called|users?|username|account|ticket|issue|pr|see|regex|pattern|e-?mail|mailto|model|serial|service|cluster|namespace|bucket|table|column|class|function|method|algorithm|cipher|format|like|example|e\.g|for|in|on|to|of|by|from|via)[\s:="'`(]*$/i;
const ALONE_ON_THE_NEXT_LINE =
  /[^\n.!?;]{0,100}:[ \t]{0,8}(?:\r?\n[ \t]{0,64}){1,3}(?:[>*`-][ \t]{1,2})?[`"']?(?<value>[A-Za-z0-9_.!@#$%^&*~+=?;:/-]{8,128})[`"']?[ \t]{0,8}(?=\r?\n|$)/y;
const ANSWER = /[^\n?]{0,80}\?\s{1,8}(?:[A-Z][\w.]{0,24}: {1,2}|(?:>|-|a:) {1,2})?[`"']?(?<value>[^\s"'`]{6,64})[`"']?(?=[\s.,!]|$)/iy; // prettier-ignore

function findNear(text: string): Span[] {
  const spans: Span[] = [];
  NAME.lastIndex = 0;
  for (let name = NAME.exec(text); name !== null; name = NAME.exec(text)) {
    const end = NAME.lastIndex;
    const found = alone(text, end) ?? inSentence(text, end);
    if (found === undefined) continue;
    spans.push(found);
    NAME.lastIndex = found.end;
  }
  return spans;
}

// After a colon the value has a line of its own, or it answers a question.
function alone(text: string, from: number): Span | undefined {
  for (const pattern of [ALONE_ON_THE_NEXT_LINE, ANSWER]) {
    pattern.lastIndex = from;
    const value = pattern.exec(text)?.groups?.['value'];
    if (value === undefined) continue;
    const start = text.lastIndexOf(value, pattern.lastIndex);
    if (/\d/.test(value) && /[A-Za-z]/.test(value) && !isNamed(value) && isSecretValue(value, 'password', 'sentence')) {
      return { start, end: start + value.length };
    }
  }
  return undefined;
}

function inSentence(text: string, from: number): Span | undefined {
  const line = text.indexOf('\n', from);
  const whole = text.slice(from, Math.min(line < 0 ? text.length : line, from + MAX_GAP + 64));
  // What was masked before was what the name is of.
  const gap = whole.split(MARKER_FILLER, 1)[0] ?? '';
  VALUE.lastIndex = 0;
  for (let hit = VALUE.exec(gap); hit !== null && hit.index <= MAX_GAP; hit = VALUE.exec(gap)) {
    const value = hit[0].replace(/[.,!?]$/, '');
    const before = gap.slice(0, hit.index);
    if (before === '') continue;
    // Another sentence has another subject.
    if (
      /[.!?] +\p{Lu}/u.test(before) ||
      /[^\s"'`(【「『“‘\u3040-\ud7a3]$/.test(before) ||
      /^[\\/:([]/.test(gap.slice(VALUE.lastIndex))
    )
      continue;
    if (standsOut(value) && !IDENTIFIED.test(before)) {
      return { start: from + hit.index, end: from + hit.index + value.length };
    }
  }
  return undefined;
}

// `otter@db1`, `lodash@4.17.21`, `issue#4821`, `1.2.3+build5`, `a=b`.
const isNamed = (value: string): boolean =>
  /^[\w.+-]+@(?:[A-Za-z][\w.-]*|[~^]?v?\d{1,3}(?:\.\d+)*)$|^(?:[a-z]+|[A-Z]+)#\d+$|^v?\d+\.\d|^[\w-]+=|A-Z|a-z|0-9|^[$#@~+%^&*]|^[0-9a-f]{8}-/.test(
    value,
  ) || isTechnicalTerm(value);

// Nothing says that it is a secret but that it can hardly be anything else.
function standsOut(value: string): boolean {
  if (value.length < 8 || isNamed(value) || !isSecretValue(value, 'password', 'sentence')) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return /[!@#$%^&*~+]/.test(value) || (value.length >= 16 && isDrawnAtRandom(value));
}

/** What looks like a secret in a sentence that names one a few words before. */
export const nearKeywords: readonly RedactionRule[] = [
  {
    name: 'secret-near-its-name',
    category: 'SECRET',
    specificity: SPECIFICITY.KEYWORD,
    hints: [
      ...anyCase('password', 'pass word', 'passwd', 'passphrase', 'pass phrase', 'pass code', 'passcode', 'pwd', 'creds', 'credential', 'api key', 'apikey', 'access key', 'license key', 'secret', 'token'),
      { text: 'pw', anyCase: true, confirm: /(?<![A-Za-z])pw(?![A-Za-z0-9_-])/iy },
      ...['비밀', '비번', '패스', '암호', '토큰', '시크릿', 'パスワード', '暗証番号', 'トークン'],
      ...['密码', '密碼', '口令', '令牌', '密钥', '密鑰', '金鑰'],
    ], // prettier-ignore
    withinLines: true,
    find: findNear,
    matches: 'they use the same password everywhere, Plum#7river, even there',
    ignores: 'the token of build 2.4.1+git5 is in commit c0d436986ad5285f, the password policy wants 12+ characters',
  },
];
