import { BLOCK_SEPARATOR } from '../described-separator.js';
import type { Hint } from '../hint-index.js';
import { findKeywordValues, type Separator } from '../keyword-scanner.js';
import { SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

const KOREAN =
  '비밀\\s?번호|비번|패스워드|암호|토큰|시크릿(?:\\s?키)?|(?:API|api|액세스|접근|인증|비밀|개인|보안|암호화|서명)\\s?키';
const JAPANESE = 'パスワード|暗証番号|合言葉|トークン|シークレット(?:キー)?|秘密鍵|(?:API|api|アクセス|認証)キー';
const CHINESE = '密码|密碼|口令|令牌|密钥|密鑰|秘钥|私钥|私鑰';

const QUOTE = '\\\\{0,16}["\'`]?';
const PARTICLE = '(?:[은는이가을를도만]|으로|로)?';

/** What may stand between a name in Korean, Japanese or Chinese and its value. */
export const CJK_SEPARATORS: readonly Separator[] = [
  BLOCK_SEPARATOR,
  {
    pattern: new RegExp(
      `[ \\t]{0,4}[((][^()()\\n]{1,48}[))](?:${PARTICLE}[ \\t]{0,4}[::=]|[은는이가])[ \\t]{0,4}`,
      'y',
    ),
    form: 'sentence',
  },
  {
    pattern: new RegExp(`${QUOTE}${PARTICLE}[ \\t]{0,16}(?:=>|=(?!=)|:(?![:/])|[:=])[ \\t]{0,16}`, 'y'),
    form: 'assigned',
  },
  { pattern: new RegExp(`(?:[은는이가을를]|は|が|を|是|为|為|设为|設為)[ \\t]{0,4}`, 'y'), form: 'sentence' },
  { pattern: /[ \t]{0,4}(?=["'「『“‘`])/y, form: 'quoted' },
  { pattern: /[ \t]{1,4}/y, form: 'sentence' },
];

const KEYWORD = new RegExp(`${KOREAN}|${JAPANESE}|${CHINESE}`, 'g');

const KEY_NAMES = ['api', '액세스', '접근', '인증', '개인', '보안', '서명', 'アクセス', '認証'];

const HINTS: readonly (string | Hint)[] = [
  ...['비밀', '비번', '패스워드', '암호', '토큰', '시크릿'],
  ...['パスワード', '暗証番号', '合言葉', 'トークン', 'シークレット', '秘密鍵'],
  ...['密码', '密碼', '口令', '令牌', '密钥', '密鑰', '秘钥', '私钥', '私鑰'],
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
