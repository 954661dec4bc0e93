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
  });
}
