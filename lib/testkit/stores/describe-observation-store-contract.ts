import { checkedMaker, requireExpected } from '../checked-options.js';
import { declareContract, type ContractOptions, type ContractTest } from '../contract.js';
import { OBSERVATION_STORE_ERASING_TESTS } from './observation-store-erasing-tests.js';
import { OBSERVATION_STORE_RETIRING_TESTS } from './observation-store-retiring-tests.js';
import { OBSERVATION_STORE_SEARCH_TESTS } from './observation-store-search-tests.js';
import { OBSERVATION_STORE_TESTS } from './observation-store-tests.js';
import {
  OBSERVATION_STORE_ABILITIES,
  ObservationStoreUnderTest,
  type ObservationStoreAbility,
  type ObservationStoreToTest,
} from './observation-store-under-test.js';

/** What is tested by `describeObservationStoreContract`, and what it is expected to have. */
export interface ObservationStoreContractOptions extends ContractOptions {
  /** What the store has beside what every store has; the first test fails when it has something else. */
  readonly expects: readonly ObservationStoreAbility[];
  /** Called before each test; answers with an empty store. */
  readonly makeStore: () => ObservationStoreToTest | Promise<ObservationStoreToTest>;
}

/** All tests of the contract, in the order in which they are declared. @internal */
export const OBSERVATION_STORE_CONTRACT: readonly ContractTest<ObservationStoreUnderTest>[] = Object.freeze([
  ...OBSERVATION_STORE_TESTS,
  ...OBSERVATION_STORE_ERASING_TESTS,
  ...OBSERVATION_STORE_RETIRING_TESTS,
  ...OBSERVATION_STORE_SEARCH_TESTS,
]);

/**
 * Declares the tests that every `ObservationStore` has to pass.
 *
 * @param name what is tested, such as `the in-memory observation store`
 * @throws InvalidArgumentError when there is no runner, or `expects` names what no store can have
 */
export function describeObservationStoreContract(name: string, options: ObservationStoreContractOptions): void {
  const { expects, makeStore, runner, timeoutMs } = options;
  requireExpected(expects, OBSERVATION_STORE_ABILITIES);
  const make = checkedMaker('makeStore', 'store', makeStore);
  declareContract({
    ...{ name, runner, timeoutMs },
    tests: OBSERVATION_STORE_CONTRACT,
    abilities: expects,
    make: async () => {
      const subject = new ObservationStoreUnderTest(await make(), expects);
      return { subject, close: () => subject.close() };
    },
  });
}
