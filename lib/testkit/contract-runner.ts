import { InvalidArgumentError } from '../domain/errors.js';

/**
 * What a contract needs of a test runner. jest and vitest have it as globals (vitest with `globals: true`), or in their
 * modules; node:test in its module: `import * as runner from 'node:test'`.
 */
export interface ContractRunner {
  /** Groups the tests that `body` declares. */
  describe(name: string, body: () => void): unknown;
  /** Declares a test. */
  readonly it: ContractIt;
  /** Runs `body` before each test of the group. */
  beforeEach(body: () => Promise<void>): unknown;
  /** Runs `body` after each test of the group, also one that failed. */
  afterEach(body: () => Promise<void>): unknown;
}

/** Declares one test. A runner that knows no timeout as the third argument ignores it. */
export interface ContractIt {
  (name: string, body: () => Promise<void>, timeoutMs?: number): unknown;
  /** Declares a test that is not run, by its name. */
  skip(name: string, body: () => Promise<void>): unknown;
}

// As an object, since what is on it depends on the runner.
const GLOBALS: object = globalThis;

const PARTS = ['describe', 'it', 'beforeEach', 'afterEach'] as const;

/**
 * `runner`, or the globals of the runner that this file runs in.
 * @throws InvalidArgumentError naming the functions that are not there
 */
export function requireRunner(runner: ContractRunner | undefined): ContractRunner {
  const found = runner ?? (GLOBALS as ContractRunner);
  const missing: string[] = PARTS.filter((part) => typeof found[part] !== 'function');
  if (typeof found.it === 'function' && typeof found.it.skip !== 'function') missing.push('it.skip');
  if (missing.length === 0) return found;
  throw new InvalidArgumentError(
    runner === undefined
      ? `There is no global ${missing.join(', ')}: this test runner has no globals, or they are switched off. Hand it in: ` +
          "import * as runner from 'node:test' (or 'vitest', '@jest/globals'), and { runner } in the options."
      : `The runner has no function ${missing.join(', ')}; a contract takes one with describe, it, it.skip, beforeEach and afterEach.`,
  );
}
