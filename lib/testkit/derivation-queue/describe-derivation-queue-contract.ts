import { checkedMaker } from '../checked-options.js';
import { declareContract, type ContractOptions, type ContractTest } from '../contract.js';
import { DERIVATION_QUEUE_ENDING_TESTS } from './derivation-queue-ending-tests.js';
import {
  DerivationQueueUnderTest,
  KEEPS_UNFINISHED,
  LOSES_UNFINISHED,
  type DerivationQueueParts,
  type DerivationQueueToTest,
} from './derivation-queue-under-test.js';
import { DERIVATION_QUEUE_FAILING_TESTS } from './derivation-queue-failing-tests.js';
import { DERIVATION_QUEUE_WORKING_TESTS } from './derivation-queue-working-tests.js';

/** What is tested by `describeDerivationQueueContract`. */
export interface DerivationQueueContractOptions extends ContractOptions {
  /** Called before each test; makes a queue over these parts. */
  readonly makeQueue: (parts: DerivationQueueParts) => DerivationQueueToTest | Promise<DerivationQueueToTest>;
  /** Whether what was not finished when it stopped is kept for the next start; default false: it has the outcome `failed`. */
  readonly keepsUnfinished?: boolean;
}

/** All tests of the contract, in the order in which they are declared. @internal */
export const DERIVATION_QUEUE_CONTRACT: readonly ContractTest<DerivationQueueUnderTest>[] = Object.freeze([
  ...DERIVATION_QUEUE_WORKING_TESTS,
  ...DERIVATION_QUEUE_FAILING_TESTS,
  ...DERIVATION_QUEUE_ENDING_TESTS,
]);

/**
 * Declares the tests that every `DerivationQueue` has to pass.
 *
 * @param name what is tested, such as `the in-memory queue`
 * @throws InvalidArgumentError when there is no runner
 */
export function describeDerivationQueueContract(name: string, options: DerivationQueueContractOptions): void {
  const { makeQueue, keepsUnfinished = false, runner, timeoutMs } = options;
  const make = checkedMaker('makeQueue', 'queue', makeQueue);
  declareContract({
    ...{ name, runner, timeoutMs },
    tests: DERIVATION_QUEUE_CONTRACT,
    abilities: [keepsUnfinished ? KEEPS_UNFINISHED : LOSES_UNFINISHED],
    make: async () => {
      const subject = new DerivationQueueUnderTest();
      await subject.make(make);
      return { subject, close: () => subject.close() };
    },
  });
}
