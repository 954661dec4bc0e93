import fc from 'fast-check';
import { splitSentences } from '../../lib/reasoning/sentences.js';
import { expectLinearGrowth } from '../support/growth.js';

describe('sentences', () => {
  it.each([
    ['One. Two! Three?', ['One. ', 'Two! ', 'Three?']],
    ['The host is 10.2.3.4 and OrderService.retry is 1.5.', ['The host is 10.2.3.4 and OrderService.retry is 1.5.']],
    ['He said "no." Then he left.', ['He said "no." ', 'Then he left.']],
    ['서버를 껐다. 다시 켰다.', ['서버를 껐다. ', '다시 켰다.']],
    ['再起動した。原因は不明。', ['再起動した。', '原因は不明。']],
    ['你好！怎么了？', ['你好！', '怎么了？']],
    ['one\ntwo\n\nthree', ['one\n', 'two\n\n', 'three']],
    ['wait... what?! ', ['wait... ', 'what?! ']],
    ['', []],
  ])('of %j are %j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it('are the text again when joined, and none is empty', () => {
    const text = fc.array(fc.constantFrom('.', '!', '?', '…', '。', '！', '"', ')', ' ', '\n', 'a', '가', '1', '🙂'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, (characters) => {
        const sentences = splitSentences(characters.join(''));
        expect(sentences.join('')).toBe(characters.join(''));
        expect(sentences).not.toContain('');
      }),
      { numRuns: 500 },
    );
  });

  it.each(['.', '?!', '. ', '。', '"', '.")', 'a', '\n', '…x'])(
    'take time in proportion to the text, for %j over and over',
    (piece) => {
      expectLinearGrowth(10_000, (size) => {
        const text = `${piece.repeat(size / piece.length)}x`;
        return () => void splitSentences(text);
      });
    },
  );
});
