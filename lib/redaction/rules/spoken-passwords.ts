import { anyCase } from '../hint-index.js';
import { findKeywordValues, isTechnicalTerm } from '../keyword-scanner.js';
import { patternRule, SPECIFICITY, type RedactionRule, type Span } from '../redaction-rule.js';
import { isPhraseOfWords, isSecretValue } from '../secret-value.js';
import { KEYWORD_SEPARATORS } from './keyword-values.js';

const { STRUCTURE, KEYWORD } = SPECIFICITY;

// Before its name a value has only itself to show.
const isTelling = (secret: string): boolean =>
  /\d/.test(secret) &&
  /[A-Za-z]/.test(secret) &&
  secret.length >= 6 &&
  !isTechnicalTerm(secret) &&
  !/^pass/i.test(secret) &&
  isSecretValue(secret, 'password', 'sentence');

const NAME = '(?:pass ?word|passwd|pass ?phrase|passcode|pwd|pw|pass|api ?key|access ?key|secret(?: key)?|token)';
const ATTRIBUTE = '(?:[\\w-]{1,16} ){0,3}?';
// `the token bucket`, `the password policy`: the name of something else.
const NAME_ENDS = `${NAME}(?![A-Za-z0-9_-]| (?:manager|policy|field|reset|hash|bucket|store|rotation|type|length|file|page|prompt|hint)(?![a-z]))`;
const CJK_NAME = '(?:비밀\\s?번호|비번|패스워드|암호|토큰|パスワード|暗証番号|トークン|密码|密碼|口令|令牌)';

const FOREIGN =
  /(?<![\p{L}])(?:kennwort|contrase(?:ñ|n)a|mot de passe|senha|wachtwoord|hasł[oa]|парол[ьяюе]|mật khẩu|lösenord|adgangskode|salasana|heslo|parola|clave|şifre)(?![\p{L}])/giu;
const FOREIGN_SEPARATORS = [
  ...KEYWORD_SEPARATORS.filter(({ form, tentative }) => (form === 'assigned' || form === 'bare') && tentative !== true),
  { pattern: /[ \t]{1,4}(?:ist|lautet|est|es|é|is|to|jest|este)?:?[ \t]{1,4}/y, form: 'sentence' as const },
];

const WORD = '[^\\s"\'`,;，。]{4,128}?';
const PLAIN = '[\\w!@#$%^&*+=.~?-]{4,128}?';
const PIN_CHANGE = /(?<![A-Za-z])pin(?![A-Za-z])[^\n:=]{0,40}? from (?<from>\d{4,8}) to (?<to>\d{4,8})(?!\d)/dgi;
const CHANGES: readonly RegExp[] = [
  PIN_CHANGE,
  new RegExp(
    `(?:password|passwd|pass|pw|pwd|token)(?![A-Za-z])[^\\n:=]{0,64}? from ["'\`]?(?<from>${WORD})["'\`]? to ["'\`]?(?<to>${WORD})(?=["'\`.,;!?]?(?:\\s|$))`,
    'dgi',
  ),
  new RegExp(
    `(?:비밀\\s?번호|비번|패스워드|암호|토큰)[^\\n]{0,80}?(?<![\\w!@#$%^&*+=.~?-])(?<from>${PLAIN})에서[ \\t]{1,4}(?<to>${PLAIN})(?=\\(?으?\\)?로)`,
    'dg',
  ),
  new RegExp(
    `(?:密码|密碼|口令)(?:已经|已經|已|被)?(?:从|從|由)[ \\t]?(?<from>${PLAIN})[ \\t]?(?:改|换|換|变更|變更|更新|更换|更換)(?:成|为|為|到)了?[ \\t]?(?<to>${PLAIN})(?=[^\\w!@#$%^&*+=.~?-]|$)`,
    'dg',
  ),
  new RegExp(
    `パスワード(?:を|は)[^\\n]{0,24}?(?<![\\w!@#$%^&*+=.~?-])(?<from>${PLAIN})から(?<to>${PLAIN})(?=に|へ)`,
    'dg',
  ),
];

const CHANGED = / from |에서|から|[从從由]/i;

// A password that was changed is told with the one that it was.
function findChanges(text: string): Span[] {
  const spans: Span[] = [];
  if (!CHANGED.test(text)) return spans;
  for (const pattern of CHANGES) {
    for (const { indices, groups } of text.matchAll(pattern)) {
      for (const name of ['from', 'to'] as const) {
        const [start, end] = indices?.groups?.[name] ?? [0, 0];
        if (pattern === PIN_CHANGE || isChanged(groups?.[name] ?? '')) spans.push({ start, end });
      }
    }
  }
  return spans;
}

const isChanged = (value: string): boolean =>
  /\d/.test(value) && /[A-Za-z]/.test(value) && !isTechnicalTerm(value) && isSecretValue(value, 'password', 'sentence');

/** Passwords in sentences that name them afterwards, in words, or in languages of Europe. */
export const spokenPasswords: readonly RedactionRule[] = [
  patternRule({
    name: 'password-before-its-name',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase(
      ' is the ',
      ' is my ',
      ' is our ',
      ' is your ',
      ' was the ',
      ' was my ',
      ' was our ',
      ' as the ',
      ' as my ',
      ' as your ',
      ' as ',
      ' asked for ',
    ),
    withinLines: true,
    pattern: new RegExp(
      `(?<![^\\s"'\`(:])["'\`]?(?<secret>[^\\s"'\`()]{6,128})["'\`]?(?= (?:(?:is|was) (?:the|my|our|your|his|her|their)|as (?:the |my |your |our |a )?|(?:when |if )?(?:you(?:'re| are) )?(?:it )?asks?(?:ed)? for (?:the |a )?)[ ]?${ATTRIBUTE}${NAME_ENDS})`,
      'gi',
    ),
    accept: (secret) => isTelling(secret),
    matches: 'plum7river is the new root password',
    ignores: 'Tides2 is the password manager; sha256 is the token type; version2 is the key',
  }),
  patternRule({
    name: 'password-before-its-cjk-name',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [
      '비밀',
      '비번',
      '패스워드',
      '암호',
      '토큰',
      'パスワード',
      '暗証番号',
      'トークン',
      '密码',
      '密碼',
      '口令',
      '令牌',
    ],
    withinLines: true,
    pattern: new RegExp(
      `(?<![A-Za-z0-9_!@#$%^&*+=.-])(?<secret>[A-Za-z0-9_!@#$%^&*+=.-]{6,128})(?=(?:이|가|이라는|라는|을|를|は|が|是|为|為) ?(?:[가-힣]{1,4} ){0,3}${CJK_NAME}(?:예요|이에요|입니다|이야|야|임|です|$|[.,。、!\\s]|로|으로))`,
      'g',
    ),
    accept: (secret) => isTelling(secret),
    matches: 'plum7river가 새 비밀번호예요',
    ignores: 'BCrypt2가 비밀번호를 해시합니다',
  }),
  patternRule({
    name: 'pass-phrase',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: anyCase('passphrase', 'pass phrase', 'pass-phrase'),
    startsWithHint: true,
    pattern:
      /pass[ _-]?phrase(?: (?:on|of|for|to)(?: [\w'’-]{1,24}){1,6}?)?(?:[ \t]{0,4}[:=]|[ \t]is)[ \t]{1,4}\\{0,4}["'“]?(?<secret>[A-Za-z0-9]{2,16}(?:[ ][A-Za-z0-9&!'+]{1,16}){3,9}[!.?]?)(?=["'”\\]|[ \t]*(?:[,;]|\r?\n|$))/gi,
    accept: (secret) =>
      (/[\d&!+]/.test(secret) || isPhraseOfWords(secret.split(' '))) &&
      !/\b(?:least|minimum|must|should|characters?|words?|required|the|for|days?|not)\b/i.test(secret),
    matches: 'passphrase: seven otters swim 42 tides',
    ignores: 'passphrase: must have at least 12 characters',
  }),
  {
    name: 'changed-password',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [
      ...anyCase('pass', 'pw', 'token', 'pin '),
      ...['비밀', '비번', '패스워드', '암호', '토큰', '密码', '密碼', '口令', 'パスワード'],
    ],
    withinLines: true,
    find: findChanges,
    matches: 'the pw of db1 went from plum7river to plum8river',
    ignores: 'pass rate rose from 2024-01 to 2024-02; 비밀번호는 설정에서 앱으로 바꿉니다',
  },
  // `(admin/…)`: the names that come with a machine.
  patternRule({
    name: 'well-known-account',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['admin/', 'root/', 'administrator/', 'postgres/', 'ubuntu/', 'guest/', 'Admin/', 'Administrator/'],
    startsWithHint: true,
    pattern:
      /(?<=[([\s"'`])(?:admin|root|administrator|postgres|ubuntu|guest|Admin|Administrator)\/(?<secret>[^\s"'`,;/()]{6,128})(?=[)\]\s"'`,.]|$)/g,
    accept: (secret) => isTelling(secret) && /[A-Z]/.test(secret) && /[!@#$%^&*+=?~]/.test(secret),
    matches: 'the console (admin/Plum7#river)',
    ignores: 'open admin/users2, root/Projects',
  }),
  {
    name: 'foreign-keyword-value',
    category: 'SECRET',
    specificity: KEYWORD,
    hints: [
      ...anyCase(
        'kennwort',
        'contrase',
        'mot de passe',
        'senha',
        'wachtwoord',
        'has\u0142',
        'm\u1eadt kh',
        'senord',
        'adgangskode',
        'salasana',
        'heslo',
        'clave',
        'parola',
        'ifre',
      ),
      ...['парол', 'Парол', 'ПАРОЛ'],
    ],
    withinLines: true,
    find: (text) => findKeywordValues(text, FOREIGN, FOREIGN_SEPARATORS, () => 'password'),
    matches: 'Das Kennwort lautet plum7river',
    ignores: 'Kennwort: geheim? Das Kennwort ist abgelaufen',
  },
];
