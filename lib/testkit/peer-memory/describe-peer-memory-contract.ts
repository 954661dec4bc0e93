import { MEMORY_CAPABILITIES, type MemoryCapability } from '../../spi/peer-memory.js';
import { checkedMaker, requireExpected } from '../checked-options.js';
import { declareContract, type ContractOptions, type ContractTest } from '../contract.js';
import { CAPABILITY_TESTS } from './capability-tests.js';
import { CHAT_TESTS } from './chat-tests.js';
import { CONCURRENCY_TESTS } from './concurrency-tests.js';
import { ENDING_TESTS } from './ending-tests.js';
import { INGEST_TESTS } from './ingest-tests.js';
import { ISOLATION_TESTS } from './isolation-tests.js';
import { OBSERVE_TESTS } from './observe-tests.js';
import { PeerMemoryUnderTest, SEEDED_SNAPSHOTS, type PeerMemoryToTest } from './peer-memory-under-test.js';
import { SEARCH_TESTS } from './search-tests.js';
import { SNAPSHOT_TESTS } from './snapshot-tests.js';

/** What is tested by `describePeerMemoryContract`, and what it is expected to have. */
export interface PeerMemoryContractOptions extends ContractOptions {
  /** The tiers that the backend has; the first test fails when it has others. Tests of the rest are skipped by name. */
  readonly expects: readonly MemoryCapability[];
  /** Called before each test; answers with an empty backend. */
  readonly makeBackend: () => PeerMemoryToTest | Promise<PeerMemoryToTest>;
  /** Whether `makeBackend` answers with a `seedSnapshot`, so that whose view is read can be tested; default false. */
  readonly seedsSnapshots?: boolean;
}

/** All tests of the contract, in the order in which they are declared. @internal */
export const PEER_MEMORY_CONTRACT: readonly ContractTest<PeerMemoryUnderTest>[] = Object.freeze([
  ...CAPABILITY_TESTS,
  ...SNAPSHOT_TESTS,
  ...SEARCH_TESTS,
  ...CHAT_TESTS,
  ...OBSERVE_TESTS,
  ...INGEST_TESTS,
  ...ISOLATION_TESTS,
  ...CONCURRENCY_TESTS,
  ...ENDING_TESTS,
]);

/**
 * Declares the tests that every `PeerMemory` has to pass. The backend may be bare, as it is supplied to the module, or inside the
 * gate and the guard.
 *
 * @param name what is tested, such as `the in-memory backend, guarded`
 * @throws InvalidArgumentError when there is no runner, or `expects` names what is no capability
 */
export function describePeerMemoryContract(name: string, options: PeerMemoryContractOptions): void {
  const { expects, makeBackend, seedsSnapshots = false, runner, timeoutMs } = options;
  requireExpected(expects, MEMORY_CAPABILITIES);
  const make = checkedMaker('makeBackend', 'backend', makeBackend);
  declareContract({
    ...{ name, runner, timeoutMs },
    tests: PEER_MEMORY_CONTRACT,
    abilities: [...expects, ...(seedsSnapshots ? [SEEDED_SNAPSHOTS] : [])],
    make: async () => {
      const subject = new PeerMemoryUnderTest(await make(), expects);
      return { subject, close: () => subject.close() };
    },
  });
}
