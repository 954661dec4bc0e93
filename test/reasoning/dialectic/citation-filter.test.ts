import fc from 'fast-check';

import { CitationFilter } from '../../../lib/reasoning/dialectic/citation-filter.js';

interface Filtered {
  readonly text: string;
  readonly cited: readonly string[];
}

function filtered(pieces: readonly string[]): Filtered {
  const cited: string[] = [];
  const filter = new CitationFilter((alias) => cited.push(alias));
  const text = pieces.map((piece) => filter.take(piece)).join('') + filter.end();
  return { text, cited };
}

/** `text` cut at those places, which may be the same and in any order. */
function cutAt(text: string, places: readonly number[]): readonly string[] {
  const ends = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b);
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

const FRAGMENTS = [
  ...['[k1]', ' [k2, k3]', '[k1][k2]', '[k1,k2;k3 ]', '［k4］', '【k5、k6】', '[ k7 ]', '[k1](', '[[k1]]', '\n[k8] '],
  ...['[', ']', ' ', '  ', '\t', '\u00a0', '\n', 'k', 'k1', ',', ', ', '(', ')', '[k', '[k1', '[k1,', '[k1, k', '[0]'],
  ...[
    '[keyboard]',
    '[text](https://example.org/a)',
    'list[0]',
    '[k1x]',
    '[K1]',
    '[k]',
    '[k1234567]',
    '서버',
    '🙂',
    '.',
  ],
];
const text = fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ maxLength: 4 })), { maxLength: 12 });

describe('a citation filter', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['She lives in Porto [k1].', 'She lives in Porto.', ['k1']],
    ['She lives in Porto[k1] and works [k2, k10].', 'She lives in Porto and works.', ['k1', 'k2', 'k10']],
    ['Porto [k1][k2]. Ghent [k3] [k1].', 'Porto. Ghent.', ['k1', 'k2', 'k3', 'k1']],
    ['포르투에 삽니다 [k1、k2].', '포르투에 삽니다.', ['k1', 'k2']],
    ['她住在波尔图【k1】。', '她住在波尔图。', ['k1']],
    ['[k1] She lives in Porto.', 'She lives in Porto.', ['k1']],
    ['One [k1]\n[k2] [k3] Two', 'One\nTwo', ['k1', 'k2', 'k3']],
    ['- [k1] One\n- Two [k2]\n', '- One\n- Two\n', ['k1', 'k2']],
    ['A  [k1]', 'A ', ['k1']],
    ['[[k1]]', '[]', ['k1']],
    ['[k99]', '', ['k99']],
  ])('makes of %j the text %j', (before, after, cited) => {
    expect(filtered([before])).toEqual({ text: after, cited });
  });

  it.each([
    'See [the runbook](https://example.org/k1) and [k1](https://example.org).',
    'items[0] = matrix[i][j]; map[key]',
    'Press [keyboard] or [k] or [K1] or [k1x] or [ k1 or k1] or [k1 k2] or [k1,] or [].',
    'a[k1',
    '  two spaces  and\ta tab  ',
    '[1] [12] [k-1] [note]',
    `[${Array.from({ length: 33 }, (_, n) => `k${n}`).join(', ')}]`,
  ])('leaves %j as it is', (unchanged) => {
    expect(filtered([unchanged])).toEqual({ text: unchanged, cited: [] });
    expect(filtered([...unchanged])).toEqual({ text: unchanged, cited: [] });
  });

  it('makes the same of a text however it is cut into pieces', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (fragments, places) => {
        const whole = fragments.join('');
        expect(filtered(cutAt(whole, places))).toEqual(filtered([whole]));
        expect(filtered(whole.split(''))).toEqual(filtered([whole]));
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves every text without the name of an alias as it is', () => {
    fc.assert(
      fc.property(text, (fragments) => {
        const plain = fragments.join('').replaceAll(/k(?=\d)/g, 'x');
        expect(filtered(plain.split(''))).toEqual({ text: plain, cited: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it('holds back nothing but what may be the beginning of a citation', () => {
    const filter = new CitationFilter(() => undefined);
    const given = ['Lives', ' ', 'in ', '[P', 'orto] ', '[k', '12', ']', '(', ')[k1', ', x] ', 'end'];
    expect(given.map((piece) => filter.take(piece))).toEqual([
      ...['Lives', '', ' in', ' [P', 'orto]', '', '', '', ' [k12](', ')', '[k1, x]', ' end'],
    ]);
    expect(filter.end()).toBe('');
  });

  it('holds back no more than the longest citation, whatever comes', () => {
    for (const [endless, most] of [
      ['[k1,k1', 500],
      ['    ', 1],
      ['[k11111', 10],
    ] as const) {
      const filter = new CitationFilter(() => undefined);
      const given = endless + endless.slice(-3).repeat(5000);
      let said = 0;
      const held = given.split('').map((piece, index) => {
        said += filter.take(piece).length;
        return index + 1 - said;
      });
      expect(Math.max(...held)).toBeLessThanOrEqual(most);
    }
  });
});
