import fc from 'fast-check';
import { anyCase, HintIndex, type Hint } from '../../lib/redaction/hint-index.js';

const places = (hints: readonly (string | Hint)[], text: string): readonly number[] =>
  new HintIndex(new Map([[0, hints]])).scan(text)?.get(0) ?? [];

describe('an index of hints', () => {
  it('finds each hint wherever it stands, to the letter, and nothing else', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '1', '2', '-', '@', ' ', '\n', '키', '\uffff') });
    const hints = fc.array(
      letters.filter((hint) => hint !== ''),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(hints, letters, (texts, text) => {
        const expected = Array.from(text, (_, at) => at).filter((at) =>
          texts.some((hint) => text.startsWith(hint, at)),
        );
        expect(places(texts, text)).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds a hint of one unit at either end', () => {
    expect(places(['@'], '@a@')).toEqual([0, 2]);
  });

  it('takes capital letters for small ones only where it was told to', () => {
    expect(places(anyCase('Key-1'), 'kEY-1 KEY-1 key_1')).toEqual([0, 6]);
    expect(places(['Key'], 'key KEY Key')).toEqual([8]);
  });

  it('asks for what has to follow', () => {
    expect(places([{ text: 'pw', confirm: /pw(?![a-z])/y }], 'pwd pw=')).toEqual([4]);
  });

  it('tells the rules apart', () => {
    const index = new HintIndex(
      new Map([
        [3, ['ab']],
        [7, ['b', 'c']],
      ]),
    );
    expect(index.scan('xabc')).toEqual(
      new Map([
        [3, [1]],
        [7, [2, 3]],
      ]),
    );
    expect(index.scan('xyz')).toBeUndefined();
  });
});
