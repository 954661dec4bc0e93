import { expectLinearGrowth } from '../support/growth.js';
import fc from 'fast-check';

import { STOP_WORD_WEIGHT, tokenise } from '../../lib/search-index/tokeniser.js';

const terms = (text: string): string[] => tokenise(text).map(({ term }) => term);

/** Whether every term of `query` that weighs as a word is among those of `text`. */
const finds = (query: string, text: string): boolean => {
  const held = new Set(terms(text));
  return tokenise(query).every(({ term, weight }) => weight < 1 || held.has(term));
};

describe('the tokeniser', () => {
  it.each([
    ['서버', '서버를'],
    ['서버 재시작', '서버를 재시작했습니다'],
    ['서버', '데이터베이스서버에서만'],
    ['한도윤', '한도윤님이 말했다'],
    ['再起動', 'サーバーを再起動した'],
    ['サーバー', 'ｻｰﾊﾞｰを再起動した'],
    ['パソコン', 'ﾊﾟｿｺﾝ'],
    ['数据库', '数据库服务器'],
    ['ระบบ', 'รีสตาร์ทระบบแล้ว'],
    ['restart', 'She restarted it'],
    ['Caroline', 'Caroline’s dog'],
    ['STRASSE', 'straße'],
    ['cafe', 'Café'],
    ['мир', 'Привет, Мир!'],
    ['ΟΔΟΣ', 'οδος'],
    ['नमस्ते', 'नमस्ते!'],
    ['مرحبا', 'مَرْحَبًا'],
    ['ＤＢ１', 'db1'],
    ['10800', 'set to 10,800'],
    ['APIs', 'the api'],
    ['👍', 'great 👍🏽'],
  ])('finds %s in %s', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it.each([
    ['db-prod-01', ['db-prod-01', 'db', 'prod', '01']],
    ['OrderService.retry', ['orderservice.retry', 'orderservic', 'order', 'servic', 'retry']],
    ['10.2.3.4', ['10.2.3.4', '10', '2', '3', '4']],
    ['10.2.3.4:8080', ['10.2.3.4:8080', '10.2.3.4', '8080']],
    ['E11000', ['e11000', '11000']],
    ['snake_case', ['snake_case', 'snake', 'case']],
    ['camelCase', ['camelcas', 'camel', 'case']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['/var/log/app.log', ['var/log/app.log', 'var', 'app.log', 'log']],
    ['C++', ['c++']],
    ['C#', ['c#']],
  ])('keeps %s whole and split', (text, expected) => {
    expect(terms(text)).toEqual(expect.arrayContaining(expected));
    expect(tokenise(text)[0]).toEqual({ term: expected[0], weight: 1 });
    for (const part of tokenise(text).slice(1)) expect(part.weight).toBeLessThan(1);
  });

  it('reads a code-like word the same with a Korean particle behind it', () => {
    expect(finds('db-prod-01', 'db-prod-01을 재시작했다')).toBe(true);
  });

  it('gives single characters of Hangul and Han little weight, and makes no bigram across scripts', () => {
    expect(tokenise('서버')).toEqual([
      { term: '서', weight: 0.3 },
      { term: '버', weight: 0.3 },
      { term: '서버', weight: 1 },
    ]);
    expect(terms('再した')).not.toContain('再し');
  });

  it('keeps function words, with next to no weight', () => {
    expect(tokenise('who is it')).toEqual(['who', 'is', 'it'].map((term) => ({ term, weight: STOP_WORD_WEIGHT })));
  });

  it('yields nothing for a redaction marker', () => {
    expect(terms('mail [REDACTED:EMAIL_ADDRESS] now')).toEqual(['mail', 'now']);
  });

  it.each(['', '   ', '!?…', '。、', '[REDACTED:EMAIL]', '\u0000'])('yields nothing for %j', (text) => {
    expect(terms(text)).toEqual([]);
  });

  it('takes any text, and no weight leaves (0, 1]', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: 'grapheme' }),
          loneSurrogates,
          fc.constantFrom('\u0483', 'a\u0483', '\u0301'),
        ),
        (text) => {
          for (const { term, weight } of tokenise(text)) {
            expect(term).not.toBe('');
            expect(weight).toBeGreaterThan(0);
            expect(weight).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  it('reads a text the same in any Unicode normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(terms(text.normalize('NFD'))).toEqual(terms(text.normalize('NFC')));
      }),
    );
  });

  it.each(['a', 'a-', 'A1', 'ab ', '가', '를x', '[REDACTED:', '1,111', '..', 'Aa', 'é', "a'", 'E\u0301'])(
    'takes time in proportion to the text, for %j over and over',
    (piece) => {
      expectLinearGrowth(3_000, (size) => {
        const text = piece.repeat(size / piece.length);
        return () => void tokenise(text);
      });
    },
  );
});

const loneSurrogates = fc
  .array(fc.constantFrom('\ud800', '\udc00', 'a', '가', '-', '\u0000'))
  .map((all) => all.join(''));
