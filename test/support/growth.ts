/** How many times the smaller input the larger one is. */
const FACTOR = 16;

/** Linear work takes 16 times as long, quadratic work 256 times; between them is room for caches and collections. */
const MOST = 6 * FACTOR;

const ROUNDS = 3;
const ATTEMPTS = 4;

/**
 * Asserts that work grows in proportion to its input. It counts the processor time of this process, not the clock, takes
 * the best of some rounds and tries again before it fails: a busy machine is no quadratic algorithm, and a quadratic
 * algorithm stays one however often it is tried.
 *
 * @param smaller the size of the smaller input; large enough for a few milliseconds of work
 * @param options.rounds how many it takes the best of; fewer where there are many inputs
 */
export function expectLinearGrowth(
  smaller: number,
  prepare: (size: number) => () => void,
  { rounds = ROUNDS }: { readonly rounds?: number } = {},
): void {
  const few = prepare(smaller);
  const many = prepare(smaller * FACTOR);
  let growth = Infinity;
  few();
  for (let attempt = 0; attempt < ATTEMPTS && growth > MOST; attempt++) {
    growth = best(many, rounds) / Math.max(best(few, rounds), 0.5);
  }
  expect(growth).toBeLessThanOrEqual(MOST);
}

/** Milliseconds of processor time. */
function best(work: () => void, rounds: number): number {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
