import { type ContractTest, type MadeSubject, withinDeadline } from '../../../lib/testkit/contract.js';

/** Something broken on purpose, and the tests that have to notice. */
export interface Mutant<Subject> {
  /** What is wrong with it. */
  readonly name: string;
  /** The beginning of the name of each test that has to fail on it; at least one. */
  readonly caughtBy: readonly string[];
  readonly make: () => Promise<MadeSubject<Subject>>;
  /** Whether it is caught by a call that never settles; then nobody waits long. */
  readonly hangs?: boolean;
}

/** The one test whose name begins so. @throws Error when there is none, or several */
export function testNamed<S>(tests: readonly ContractTest<S>[], beginning: string): ContractTest<S> {
  const found = tests.filter(({ name }) => name.startsWith(beginning));
  if (found.length !== 1) throw new Error(`${found.length} tests begin with: ${beginning}`);
  return found[0] as ContractTest<S>;
}

/** What `test` says to a subject; `undefined` when it passes. */
export async function verdict<S>(
  test: ContractTest<S>,
  { make, hangs = false }: Pick<Mutant<S>, 'make' | 'hangs'>,
): Promise<string | undefined> {
  const { subject, close } = await make();
  try {
    await withinDeadline(test.run(subject), hangs ? 500 : 60_000);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    // Who is broken may not even close.
    await withinDeadline(close(), hangs ? 500 : 60_000).catch(() => undefined);
  }
}

/** The tests of a contract, shown to be able to fail: each of them catches a mutant, and no mutant survives. */
export function describeMutants<S>(
  name: string,
  tests: readonly ContractTest<S>[],
  mutants: readonly Mutant<S>[],
): void {
  describe(name, () => {
    it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('catches one that %s', async (_, mutant) => {
      expect(mutant.caughtBy.length).toBeGreaterThan(0);
      for (const beginning of mutant.caughtBy) {
        const test = testNamed(tests, beginning);
        expect([test.name, await verdict(test, mutant)]).toEqual([test.name, expect.any(String)]);
      }
    });

    it('has no test that never fails', () => {
      const catching = new Set(mutants.flatMap(({ caughtBy }) => caughtBy.map((each) => testNamed(tests, each).name)));
      expect(tests.map((test) => test.name).filter((each) => !catching.has(each))).toEqual([]);
    });

    // Every test on every mutant takes minutes: `MUTANT_TABLE=1 npm test -- test/testkit` writes the whole table.
    if (process.env['MUTANT_TABLE'] !== undefined) {
      it('writes who catches whom', () => writeTable(name, tests, mutants), 3_600_000);
    }
  });
}

async function writeTable<S>(
  name: string,
  tests: readonly ContractTest<S>[],
  mutants: readonly Mutant<S>[],
): Promise<void> {
  const caught = new Map(tests.map((test) => [test.name, [] as string[]]));
  for (const mutant of mutants) {
    const by: string[] = [];
    for (const test of tests) if ((await verdict(test, mutant)) !== undefined) by.push(test.name);
    expect([mutant.name, by.length]).not.toEqual([mutant.name, 0]);
    for (const each of by) caught.get(each)?.push(mutant.name);
  }
  const rows = [...caught].map(([test, all]) => `${test}\n  catches ${all.length}: ${all.join('; ')}`);
  process.stdout.write(`\n${name}, ${mutants.length} mutants\n\n${rows.join('\n')}\n`);
  for (const [test, all] of caught) expect([test, all.length]).not.toEqual([test, 0]);
}
