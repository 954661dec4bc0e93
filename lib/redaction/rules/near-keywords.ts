import { anyCase, type Hint } from '../hint-index.js';
import { isTechnicalTerm } from '../keyword-scanner.js';
import { MARKER_FILLER, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { isDrawnAtRandom, isSecretValue } from '../secret-value.js';

const KEYS =
  'api|access|licen[sc]e|secret|integration|signing|encryption|master|service|deploy|private|auth|shared|admin|subscription|activation|product|server|client';
const CJK_NAMES =
  '비밀\\s?번호|비번|패스\\s?(?:워드|프레이즈)|암호|토큰|시크릿(?:\\s?키)?|(?:API|api|액세스|접근|인증|비밀|공유)\\s?키|パスワード|暗証番号|トークン|シークレット|密码|密碼|口令|令牌|密钥|密鑰|金鑰';
// `the password policy`, `passwordless`: the name of something else.
const NAME_ENDS =
  '(?![A-Za-z0-9_-]| (?:manager|policy|field|reset|hash|bucket|store|rotation|type|length|file|page|prompt|hint|form)(?![a-z]))';
const NAMES = `(?<![A-Za-z0-9_./-])(?:pass ?words?|passwd|pass ?phrase|pass ?code|pwd|pw|creds|credentials?|(?:${KEYS}) ?key|secret|tokens?)${NAME_ENDS}|${CJK_NAMES}`;
const NAME = new RegExp(NAMES, 'gi');

const SIGN = '[A-Za-z0-9_.!@#$%^&*~+=-]';
const VALUE = new RegExp(`(?:${SIGN}|[;?](?=[A-Za-z0-9])){8,64}`, 'g');
const MAX_GAP = 80;
const MAX_VALUES = 3;
const DIGIT = /\d/;
// Of a name that something is assigned to, that is the value.
const GAP_ENDS = new RegExp(`^(?![=:])[^\\n${MARKER_FILLER}]*`);

// What a sentence names by letters and digits that is no secret.
const IDENTIFIED =
  /(?:^|[^a-z])(?:ids?|uuid|hash|digest|sha\d*|md5|commit|checksum|fingerprint|versions?|builds?|trace|request|ref|branch|tag|image|pod|hosts?|node|path|file|url|uri|at|named?|called|users?|username|account|ticket|issue|pr|see|regex|pattern|e-?mail|mailto|model|serial|service|cluster|namespace|bucket|table|column|class|function|method|algorithm|cipher|format|like|example|e\.g|for|in|on|of|by|from|via|(?<!(?:switch|chang|set|reset|updat|rotat)\w{0,4}(?: it| them)? )to)[\s:="'`(]*$/i;
// Another sentence has another subject, unless it says `it`.
const OTHER_SENTENCE = /[.!?] +\p{Lu}(?![^.!?]*\b(?:it|this|one)\b)/u;
const OPENS = /[\s"'`(【「『“‘《|>\u3040-\ud7a3]$/;

// The value has a line of its own, or it answers a question.
const ALONE = new RegExp(
  '(?:[^\\n.!?;]{0,100}:|[ \\t]{0,2}(?:\\([^()\\n]{0,40}\\))?|[^\\n]{0,60}(?:以下|下記|次の|다음|아래|如下|below|following)[^\\n]{0,40})[ \\t]{0,8}(?:\\r?\\n[ \\t]{0,64}){1,3}' +
    '(?:[>*`-][ \\t]{1,2})?[`"\']?(?<value>[A-Za-z0-9_.!@#$%^&*~+=?;:/-]{8,128})[`"\']?[ \\t]{0,8}(?=\\r?\\n|$)',
  'y',
);
const ANSWER = new RegExp(
  '[^\\n?？]{0,80}[?？]\\s{1,8}(?:[^\\s:]{1,24}[:.] {0,2}|(?:>|-|->|→) )?[`"\']?(?<value>(?:[A-Za-z0-9_.!@#$%^&*~+=;:/-]|[?](?=[A-Za-z0-9])){4,64}?)(?=[`"\']?(?:[.,!]?(?:\\s|$)|[\\u3001\\u3002\\u3040-\\ud7a3]))',
  'y',
);

const PASSWORD = /pass|pw|비밀\s?번호|비번|패스|암호|パスワード|暗証|密码|密碼|口令/i;
const COUNTING = /how (?:many|long|often)|when|which|몇|언제|얼마|多少个|多少位|何桁|何文字|いつ/i;

function findNear(text: string): Span[] {
  const spans: Span[] = [];
  // Each value that is found here has a digit in it, and most sentences have none.
  if (!DIGIT.test(text)) return spans;
  NAME.lastIndex = 0;
  for (let name = NAME.exec(text); name !== null; name = NAME.exec(text)) {
    const from = NAME.lastIndex;
    if (!DIGIT.test(text.slice(Math.max(0, name.index - MAX_BEFORE), from + 2 * MAX_GAP))) continue;
    const site = valueBySite(text, name[0], from);
    const found = site === undefined ? [...valuesInSentence(text, from)] : [site];
    const before = valueBefore(text, { start: name.index, end: from });
    if (before !== undefined && spans.at(-1)?.start !== before.start) spans.push(before);
    spans.push(...found);
    NAME.lastIndex = Math.max(from, ...found.map(({ end }) => end));
  }
  return spans;
}

function valueBySite(text: string, name: string, from: number): Span | undefined {
  const kind = PASSWORD.test(name) ? 'password' : 'token';
  for (const pattern of [ALONE, ANSWER]) {
    pattern.lastIndex = from;
    const { 0: site = '', groups } = pattern.exec(text) ?? {};
    const value = groups?.['value'];
    if (value === undefined || isNamed(value) || value.endsWith(':')) continue;
    const isNumber =
      pattern === ANSWER &&
      kind === 'password' &&
      /^\d{4,8}$/.test(value) &&
      !COUNTING.test(text.slice(Math.max(0, from - 40), from) + site);
    const isPlain = isMixed(value) && value.length >= 8 && isSecretValue(value, kind, 'sentence');
    // A list of names has lines that stand alone, too.
    const isSaid = pattern === ANSWER || /[^\s:]/.test(site.slice(0, site.indexOf('\n')));
    if (!isNumber && !(isSaid && isPlain) && !standsOut(value)) continue;
    const start = text.lastIndexOf(value, pattern.lastIndex);
    return { start, end: start + value.length };
  }
  return undefined;
}

function* valuesInSentence(text: string, from: number): Generator<Span> {
  // Up to the line's end, and to what was masked before, since that was what the name is of.
  const gap = GAP_ENDS.exec(text.slice(from, from + 2 * MAX_GAP))?.[0] ?? '';
  VALUE.lastIndex = 0;
  let last = 0;
  let values = 0;
  for (let hit = VALUE.exec(gap); hit !== null && hit.index <= last + MAX_GAP; hit = VALUE.exec(gap)) {
    const value = hit[0].replace(/[.,!?]$/, '');
    const before = gap.slice(0, hit.index);
    if (!OPENS.test(before) || OTHER_SENTENCE.test(before) || /^[\\/:([]/.test(gap.slice(VALUE.lastIndex))) continue;
    if (!standsOut(value) || IDENTIFIED.test(before)) continue;
    last = hit.index + value.length;
    yield { start: from + hit.index, end: from + last };
    if (++values === MAX_VALUES) return;
  }
}

// `X <- the new admin password`, `"X" is the password`, `「X」がパスワードです`, `X (배포 계정 패스워드)`.
const LINK =
  '(?:[ \\t]{0,2}(?:<-{1,2}|←|->|→|=>|--?|—|–|:)[ \\t]{1,2}|[ \\t](?:is|was|will be)[ \\t]|[ \\t]?(?:이\\(가\\)|은\\(는\\)|이라는|라는|이게|[이가은는도로])(?=[\\s가-힣])|[ \\t]?(?:という|って|[がはを])|[ \\t]?(?:就是|这是|這是|[是为為])|[ \\t]{0,2}[(（])';
const BEFORE = new RegExp(
  `(?<![A-Za-z0-9_!@#$%^&*~+=./:-])(?<value>(?:${SIGN}|\\?){8,64})["'\`”」』】’]?(?:(?<direct>[ \\t]?(?:という|이라는|라는) ?)|${LINK}[^\\n.!?。]{0,40}?)$`,
  'i',
);
const PHRASE_ENDS =
  /^(?:[^\n가-힣\u3040-\u9fff]{0,2}(?:$|\n|[.,!)）。、])|[ \t]?(?:이에요|예요|입니다|이야|야|임|니까|이니|です|だ)|, )/;
const MAX_BEFORE = 128;

function valueBefore(text: string, name: Span): Span | undefined {
  const from = Math.max(0, name.start - MAX_BEFORE);
  const start = from + text.slice(from, name.start).lastIndexOf('\n') + 1;
  const { index = 0, groups } = BEFORE.exec(text.slice(start, name.start)) ?? {};
  const value = groups?.['value'];
  if (value === undefined || !isMixed(value) || isNamed(value)) return undefined;
  if (groups?.['direct'] === undefined && !PHRASE_ENDS.test(text.slice(name.end, name.end + 8))) return undefined;
  const isWeak = !/\d{2}|[!@#$%^&*~+?]/.test(value) && !isDrawnAtRandom(value);
  if (isWeak || !isSecretValue(value, 'password', 'sentence')) return undefined;
  return { start: start + index, end: start + index + value.length };
}

const isMixed = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

// `otter@db1`, `lodash@4.17.21`, `issue#4821`, `1.2.3+build5`, `a=b`.
const isNamed = (value: string): boolean =>
  /^[\w.+-]+@(?:[A-Za-z][\w.-]*|[~^]?v?\d{1,3}(?:\.\d+)*)$|^(?:[a-z]+|[A-Z]+)#\d+$|^v?\d+\.\d|^[\w-]+=|A-Z|a-z|0-9|^[$#@~+%^&*]|^[0-9a-f]{8}-|^pass(?:word)?\d*$|\.[a-z]{2,5}$/.test(
    value,
  ) || isTechnicalTerm(value);

// Nothing says that it is a secret but that it can hardly be anything else.
function standsOut(value: string): boolean {
  if (value.length < 8 || !isMixed(value) || isNamed(value) || !isSecretValue(value, 'password', 'sentence')) {
    return false;
  }
  return /[!@#$%^&*~+?]/.test(value) || (value.length >= 16 && isDrawnAtRandom(value));
}

const HINTS: readonly (string | Hint)[] = [
  ...anyCase('password', 'pass word', 'passwd', 'passphrase', 'pass phrase', 'pass code', 'passcode', 'pwd', 'creds'),
  ...anyCase('credential', 'secret', 'token', ' key', 'apikey'),
  { text: 'pw', anyCase: true, confirm: /(?<![A-Za-z])pw(?![A-Za-z0-9_-])/iy },
  ...anyCase('api 키', 'api키'),
  ...['액세스', '접근', '인증', '비밀', '공유'].flatMap((name) => [name + '키', name + ' 키']),
  ...['비밀', '비번', '패스', '암호', '토큰', '시크릿', 'パスワード', '暗証番号', 'トークン', 'シークレット'],
  ...['密码', '密碼', '口令', '令牌', '密钥', '密鑰', '金鑰'],
];

/** What looks like a secret in a sentence that names one, a few words before or behind. */
export const nearKeywords: readonly RedactionRule[] = [
  {
    name: 'secret-near-its-name',
    category: 'SECRET',
    specificity: SPECIFICITY.KEYWORD,
    hints: HINTS,
    withinLines: true,
    find: findNear,
    matches: 'they use the same password everywhere, Plum#7river, even there; Plum#8river <- new admin password',
    ignores:
      'the token of build 2.4.1+git5 is in commit c0d436986ad5285f, the password policy wants 12+ characters; ' +
      'release2024 is the password manager; otter1234 changed the password; PasswordReset2 (token)',
  },
];
