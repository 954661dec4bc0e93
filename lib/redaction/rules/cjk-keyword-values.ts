import { BLOCK_SEPARATOR } from '../described-separator.js';
import type { Hint } from '../hint-index.js';
import { findKeywordValues, type Separator } from '../keyword-scanner.js';
import { SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

// What is a key of something comes before what is shorter and begins alike.
const KOREAN =
  '(?:API|api|액세스|접근|접속|인증|비밀|개인|보안|암호화|복호화|서명|라이선스|라이센스|복구)\\s?키|비밀\\s?번호|비번|패스\\s?(?:워드|프레이즈|코드)|암호|토큰(?!\\s?(?:수|개수|사용량|화|이저))|시크릿(?:\\s?키)?';
const JAPANESE =
  'パスワード|パスコード|パスフレーズ|暗証番号|合言葉|トークン(?!数|化|ナイザ)|シークレット(?:キー)?|秘密鍵|暗号鍵|(?:API|api|アクセス|認証)キー';
const CHINESE = '密码|密碼|口令|令牌(?!数|桶|化)|权杖|權杖|密钥|密鑰|金鑰|金钥|秘钥|私钥|私鑰|通行码|通行碼';

const QUOTE = '\\\\{0,16}["\'`]?';
// `값`, `值`, `値`: the value of it.
const PARTICLE = '[ \\t]?(?:값|值|値)?(?:[은는이가을를도만]|으로|로)?(?:요)?';
const KOREAN_VERB = '(?:[\\uac00-\\ud7a3]{1,8}[ \\t]?){1,4}';

/** What may stand between a name in Korean, Japanese or Chinese and its value. */
export const CJK_SEPARATORS: readonly Separator[] = [
  BLOCK_SEPARATOR,
  {
    pattern: new RegExp(`[ \\t]{0,4}\\([^()\\n]{1,48}\\)(?:${PARTICLE}[ \\t]{0,4}[:=]|[은는이가])[ \\t]{0,4}`, 'y'),
    form: 'sentence',
  },
  {
    pattern: new RegExp(
      `${QUOTE}(?:\\*{2})?${PARTICLE}[ \\t]{0,16}(?:=>|=(?!=)|:(?![:/])|->|→)(?:\\*{2})?[ \\t]{0,16}(?:\\r?\\n[ \\t]{0,16})?(?:\\*{2}(?=[^*\\s]))?`,
      'y',
    ),
    form: 'assigned',
  },
  {
    pattern:
      /(?:[ \t]?(?:값|值|値))?(?:[은는이가을를도만](?:요,?)?|으?로|[はがを]|[\u4e00-\u9fff]{0,8}?(?:是|[为為成到]了?))[ \t]{0,4}\[?/y,
    form: 'sentence',
    tentative: true,
  },
  { pattern: /[ \t]{0,4}(?=["'「『“‘`【《〈])/y, form: 'quoted' },
  { pattern: /[ \t]{0,4}[([][ \t]{0,2}/y, form: 'adjacent', tentative: true },
  { pattern: /[>\]】」』〉》)][ \t]{1,4}/y, form: 'sentence', tentative: true },
  { pattern: /[ \t]{1,4}\|[ \t]{1,4}|[ \t]{1,4}/y, form: 'sentence', tentative: true },
  // 비밀번호를 알려드립니다: …, 비번이 뭐였죠? …, 비밀번호 바뀌었습니다. …
  {
    pattern: new RegExp(`${PARTICLE}[ \\t]{1,4}${KOREAN_VERB}(?:[.:?!]|[ \\t]-)\\s{1,4}(?:[>-][ \\t])?`, 'y'),
    form: 'adjacent',
    tentative: true,
  },
  { pattern: /(?:이|은|는)?요?\?[ \t]{1,4}/y, form: 'adjacent', tentative: true },
  // 비번 0000에서 …
  { pattern: /[ \t]{1,4}[\w!@#$%^&*+=.-]{3,64}에서[ \t]{1,4}/y, form: 'adjacent', tentative: true },
  { pattern: /(?:-|\r?\n[ \t]{0,16}|)(?=[A-Za-z0-9])/y, form: 'adjacent' },
];

const KEYWORD = new RegExp(`${KOREAN}|${JAPANESE}|${CHINESE}`, 'g');

const KEY_NAMES = [
  'api',
  '액세스',
  '접근',
  '접속',
  '인증',
  '개인',
  '보안',
  '복호화',
  '서명',
  '라이선스',
  '라이센스',
  '복구',
  'アクセス',
  '認証',
];

const HINTS: readonly (string | Hint)[] = [
  ...['비밀', '비번', '패스', '암호', '토큰', '시크릿'],
  ...['パスワード', 'パスコード', 'パスフレーズ', '暗証番号', '合言葉', '暗号鍵', 'トークン', 'シークレット', '秘密鍵'],
  ...['密码', '密碼', '口令', '令牌', '密钥', '密鑰', '秘钥', '私钥', '私鑰', '金鑰', '金钥', '权杖', '權杖', '通行'],
  ...KEY_NAMES.map((text) => ({ text, anyCase: true, confirm: new RegExp(`${text}(?:\\s?키|キー)`, 'iy') })),
];

/** As the keyword values, in Korean (with particles glued on), Japanese and Chinese. */
export const cjkKeywordValues: readonly RedactionRule[] = [
  {
    name: 'cjk-keyword-value',
    category: 'SECRET',
    specificity: SPECIFICITY.KEYWORD,
    hints: HINTS,
    withinLines: true,
    find: (text) => findKeywordValues(text, KEYWORD, CJK_SEPARATORS),
    matches: '운영 비밀번호는 plum7otter9이고 매달 바뀝니다',
    ignores: '비밀번호: 필수, 토큰이 만료되었습니다',
  },
];
