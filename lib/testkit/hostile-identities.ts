/**
 * Ids that are all different, and that a backend takes for the same, for nothing, or for something else, when it joins
 * them, escapes them, folds them, cuts them, looks them up in an object or puts them into a pattern, a path or a statement.
 */
export const HOSTILE_IDENTITIES: readonly string[] = Object.freeze([
  ...['a', 'A', 'a ', ' a', 'a  ', 'a\u00a0', 'a\u200b', 'ａ', 'а'],
  ...['a:b', 'a:', ':a', 'a::b', 'a:USER:b', 'USER:a', 'b:USER:a', 'a%3Ab', 'a\\:b'],
  ...['a/b', 'a%2Fb', 'a//b', '/a', 'a/', '.', '..', '../a', 'a\\b', 'C:\\a'],
  ...['%', 'a%', '%a', '%%', '%25', '%zz', '_', 'a_', 'aa', '*', '?', 'a.b', 'a-b', 'a b', 'a+b', 'a,b', 'a|b', 'a;b'],
  ...["'", "a'b", "a''b", '"', 'a"b', '`', '$1', '${a}', '{}', '[]', '[object Object]', '<a>', '#', '&', '@a', '~'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'length'],
  ...['null', 'undefined', 'true', 'false', 'NaN', '0', '00', '1', '1.0', '-1', '1e0', 'GLOBAL', 'LOCAL', 'USER'],
  ...['é', 'e\u0301', 'ß', 'ss', 'ẞ', 'İ', 'i', 'ı', 'I', 'ﬁ', 'fi', '가', '\u1100\u1161', '서버', '漢', '漢\u{e0100}'],
  ...['🙂', '👩‍👩‍👧', '👩', '\ud800', '\udc00', '\ufffd', '\u202e', '\ufeffa'],
  ...[
    'x'.repeat(255),
    'x'.repeat(256),
    `${'x'.repeat(255)}y`,
    `y${'x'.repeat(255)}`,
    '가'.repeat(256),
    '%'.repeat(256),
  ],
]);
