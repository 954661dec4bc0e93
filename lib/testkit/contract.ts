import { requireWholeNumber, shown } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';
import { requireRunner, type ContractRunner } from './contract-runner.js';

/** What every contract takes beside what is to be tested. */
export interface ContractOptions {
  /** Where the tests are declared; default: the globals `describe`, `it`, `beforeEach` and `afterEach`. */
  readonly runner?: ContractRunner;
  /** How long one test may take before it fails, in milliseconds; at least 1, default 30 000. */
  readonly timeoutMs?: number;
}

/** One test of a contract, told as a sentence; it fails by throwing. */
export interface ContractTest<Subject> {
  readonly name: string;
  /** What the subject must have for the test to say anything; where it is missing the test is skipped by name. */
  readonly needs?: readonly string[];
  run(subject: Subject): Promise<void>;
}

/** What a test is given, and how it is let go of afterwards. */
export interface MadeSubject<Subject> {
  readonly subject: Subject;
  close(): Promise<void>;
}

/** A contract that is to be declared. */
export interface ContractDeclaration<Subject> extends ContractOptions {
  readonly name: string;
  readonly tests: readonly ContractTest<Subject>[];
  /** What the subject has, of what tests need. */
  readonly abilities: readonly string[];
  /** Called before each test. */
  readonly make: () => Promise<MadeSubject<Subject>>;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Past the test's own deadline, so that its error is seen and not that of the runner. */
const RUNNER_GRACE_MS = 5_000;

/** Declares each test with the runner, over a subject of its own. @throws InvalidArgumentError when there is no runner */
export function declareContract<Subject>(declaration: ContractDeclaration<Subject>): void {
  const { name, tests, abilities, make, timeoutMs = DEFAULT_TIMEOUT_MS } = declaration;
  if (typeof name !== 'string' || name.trim() === '') {
    throw new InvalidArgumentError(`The name of the contract is ${shown(name)}; it takes what is tested, in words.`);
  }
  requireWholeNumber('timeoutMs', timeoutMs, 1);
  const { describe, it, beforeEach, afterEach } = requireRunner(declaration.runner);
  describe(name, () => {
    let made: MadeSubject<Subject> | undefined;
    beforeEach(async () => {
      made = await make();
    });
    afterEach(async () => {
      const ended = made;
      made = undefined;
      await ended?.close();
    });
    for (const test of tests) {
      const missing = missingFor(test, abilities);
      const body = async (): Promise<void> => {
        if (made === undefined) throw new Error('The test runner did not call beforeEach before this test.');
        await withinDeadline(test.run(made.subject), timeoutMs);
      };
      if (missing.length === 0) it(test.name, body, timeoutMs + RUNNER_GRACE_MS);
      else it.skip(`${test.name} (skipped: it has no ${missing.join(', ')})`, body);
    }
  });
}

/** What a test needs and the subject does not have. */
export function missingFor(test: Pick<ContractTest<never>, 'needs'>, abilities: readonly string[]): readonly string[] {
  return (test.needs ?? []).filter((need) => !abilities.includes(need));
}

/** Settles as `work` does, or fails when that takes longer: a call that never settles is a fault of its own. */
export async function withinDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Not done after ${deadlineMs} ms: a call did not settle, or took too long.`)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
