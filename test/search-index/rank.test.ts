import fc from 'fast-check';

import { rank, SIGNAL_WEIGHTS, type Signal, type SignalName } from '../../lib/search-index/rank.js';

const NAMES = Object.keys(SIGNAL_WEIGHTS) as SignalName[];
const ascending = (a: number, b: number): number => a - b;
const column = (name: SignalName, values: readonly number[]): Signal => ({ name, valueOf: (at) => values[at] ?? 0 });
// Few different values, so that ties are common.
const value = fc.constantFrom(0, 0.25, 0.5, 1);
const rows = fc.array(fc.record(Object.fromEntries(NAMES.map((name) => [name, value]))), { maxLength: 40 });

describe('the ranking', () => {
  it('is the same as sorting all candidates by weighted sum over upper bound, for every topK', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 50 }), (all, topK) => {
        const signals = NAMES.map((name) =>
          column(
            name,
            all.map((row) => row[name] as number),
          ),
        );
        const bound = NAMES.reduce((sum, name) => sum + SIGNAL_WEIGHTS[name], 0);
        const expected = all
          .map((row, at) => ({
            at,
            score: NAMES.reduce((s, name) => s + (SIGNAL_WEIGHTS[name] / bound) * (row[name] as number), 0),
          }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || a.at - b.at)
          .slice(0, topK);
        const ranked = rank({ candidates: all.map((_, at) => at), signals, topK, compareTies: ascending });
        expect(ranked.map(({ candidate }) => candidate)).toEqual(expected.map(({ at }) => at));
        ranked.forEach(({ score }, at) => expect(score).toBeCloseTo(expected[at]?.score ?? NaN, 9));
        for (const { score } of ranked) expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('scores a candidate the same whatever else there is', () => {
    const signals = [column('lexical', [0.3, 0.9]), column('session', [0.1, 0.4])];
    const [alone] = rank({ candidates: [0], signals, topK: 5, compareTies: ascending });
    const among = rank({ candidates: [1, 0], signals, topK: 5, compareTies: ascending });
    expect(among[1]).toEqual(alone);
  });

  it('explains a score by the signals that are not 0', () => {
    const signals = [column('lexical', [0.5]), column('neighbour', [0])];
    expect(rank({ candidates: [0], signals, topK: 1, compareTies: ascending })[0]?.signals).toEqual({ lexical: 0.5 });
  });
});
