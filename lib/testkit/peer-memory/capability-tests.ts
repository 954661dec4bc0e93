import assert from 'node:assert/strict';

import { MEMORY_CAPABILITIES, memoryCapabilities } from '../../spi/peer-memory.js';
import { assertAnswers } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import type { PeerMemoryUnderTest } from './peer-memory-under-test.js';

/** What a backend is, before anything is asked of it. The first of them is the first of the contract. */
export const CAPABILITY_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = [
  {
    name: 'has exactly the tiers that it is expected to have',
    run: async ({ capabilities, expects }) => {
      assert.deepEqual(
        [...capabilities],
        MEMORY_CAPABILITIES.filter((capability) => expects.has(capability)),
        'Capabilities are computed from the tiers that are there, and these are not the ones in `expects`.',
      );
    },
  },
  {
    name: 'has a name for diagnostics',
    run: async ({ backend }) => {
      assert.equal(typeof backend.backendId, 'string', 'backendId has to be a text.');
      assert.notEqual(backend.backendId.trim(), '', 'backendId has to say something.');
    },
  },
  {
    name: 'has the same tiers whenever it is asked',
    run: async ({ backend, capabilities }) => {
      for (let time = 0; time < 3; time++) assert.deepEqual(memoryCapabilities(backend), capabilities);
    },
  },
  {
    name: 'answers a ping, where it takes one',
    run: async ({ backend }) => {
      if (typeof backend.ping !== 'function') return;
      await assertAnswers(async () => backend.ping?.(), 'A ping');
      await assertAnswers(async () => backend.ping?.(new AbortController().signal), 'A ping with a signal');
    },
  },
];
