import { anyCase } from '../hint-index.js';
import { SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { findSecretTables } from '../secret-tables.js';

// Most texts that name a secret hold no table; in a header a delimiter stands by the name.
const NAMES = [
  'password',
  'passwd',
  'pwd',
  'pass',
  'pw',
  'secret',
  'secret_key',
  'secret key',
  'token',
  'api_key',
  'apikey',
  'api key',
  '비밀번호',
  '토큰',
  '시크릿',
  '令牌',
  '密钥',
  '口令',
  'トークン',
  '暗証番号',
  '비번',
  '패스워드',
  '암호',
  'パスワード',
  '密码',
  '密碼',
];
const BEFORE = [',', '|', '| ', ', ', '\t', ';', ',"', '  '];
const AFTER = [',', '|', ' |', '\t', ';', '",', '  '];

/** Columns of tables, in Markdown or separated by commas, that are headed by the name of a secret. */
export const tableColumns: readonly RedactionRule[] = [
  {
    name: 'secret-column',
    category: 'SECRET',
    specificity: SPECIFICITY.KEYWORD,
    hints: NAMES.flatMap((name) => anyCase(...BEFORE.map((sign) => sign + name), ...AFTER.map((sign) => name + sign))),
    find: (text, hinted) => findSecretTables(text, hinted).flatMap(({ secrets }) => secrets),
    matches: 'user,password\notter,plum7river',
    ignores: '| user | password |\n|---|---|\n| otter | required |',
  },
];
