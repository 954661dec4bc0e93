import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as testkit from '../../lib/testkit/index.js';
import { OBSERVATION_INDEX_ABILITIES } from '../../lib/testkit/observation-index-contract.js';
import { OBSERVATION_STORE_ABILITIES } from '../../lib/testkit/stores/observation-store-under-test.js';
import { REPRESENTATION_STORE_ABILITIES } from '../../lib/testkit/stores/representation-store-contract.js';
import { PEER_MEMORY_CONTRACT } from '../../lib/testkit/peer-memory/describe-peer-memory-contract.js';
import { codeBlocks, namedSources } from '../readme/readme-blocks.js';

const text = readFileSync(join(import.meta.dirname, '../../docs/writing-a-backend.md'), 'utf8');

describe('the document on writing a backend', () => {
  it('has an example of about a hundred lines, and its test', () => {
    const sources = namedSources(codeBlocks(text));
    expect(Object.keys(sources)).toEqual(['sqlite-memory.ts', 'sqlite-memory.test.ts']);
    expect(sources['sqlite-memory.ts']?.split('\n').length).toBeLessThan(140);
  });

  it('names every contract of the testkit, and what each may be expected to have', () => {
    const contracts = Object.keys(testkit).filter((name) => name.startsWith('describe'));
    expect(contracts).toHaveLength(7);
    for (const contract of contracts) expect(text).toContain(contract);
    const expected = (contract: string): string[] => {
      const line = text.split('\n').find((each) => each.includes(`\`${contract}\``)) ?? '';
      return [...line.matchAll(/`([A-Z_]{4,})`/g)].map(([, ability = '']) => ability);
    };
    expect(expected('describeObservationStoreContract')).toEqual([...OBSERVATION_STORE_ABILITIES]);
    expect(expected('describeRepresentationStoreContract')).toEqual([...REPRESENTATION_STORE_ABILITIES]);
    expect(expected('describeObservationIndexContract')).toEqual([...OBSERVATION_INDEX_ABILITIES]);
  });

  it('quotes tests that there are', () => {
    const quoted = [...text.matchAll(/^- `([^`]+)`:/gm)].map(([, name = '']) => name);
    expect(quoted.length).toBeGreaterThan(3);
    for (const name of quoted)
      expect(PEER_MEMORY_CONTRACT.filter((test) => test.name.startsWith(name))).toHaveLength(1);
  });
});
