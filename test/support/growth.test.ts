import { expectLinearGrowth } from './growth.js';

const spin =
  (steps: number): (() => void) =>
  () => {
    let sum = 0;
    for (let n = 0; n < steps; n++) sum = (sum * 31 + n) % 1_000_003;
    if (sum < 0) throw new Error('not reached');
  };

describe('the measure of growth', () => {
  it('passes work in proportion to its input', () => {
    expectLinearGrowth(50_000, (size) => spin(size * 10));
  });

  it('fails work that is quadratic in it', () => {
    expect(() => expectLinearGrowth(500, (size) => spin(size * size))).toThrow();
  });
});
