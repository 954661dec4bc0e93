import { InMemoryWorkspaceStore, type PeerMemory } from '../../lib/index.js';
import { type ContractTest, declareContract } from '../../lib/testkit/contract.js';
import {
  type ContractRunner,
  describeDerivationQueueContract,
  describeObservationIndexContract,
  describeObservationStoreContract,
  describePeerMemoryContract,
  describeRedactionPolicyContract,
  describeRepresentationStoreContract,
  describeWorkspaceStoreContract,
} from '../../lib/testkit/index.js';
import { inMemory } from './support/in-memory.js';

type Body = () => Promise<void>;

/** A runner that keeps what is declared, to be run by hand. */
class KeepingRunner implements ContractRunner {
  readonly bodies = new Map<string, Body>();
  readonly skipped: string[] = [];
  #before: Body = async () => undefined;
  #after: Body = async () => undefined;

  readonly describe = (_: string, body: () => void): void => body();
  readonly it = Object.assign((name: string, body: Body): unknown => this.bodies.set(name, body), {
    skip: (name: string): unknown => this.skipped.push(name),
  });
  readonly beforeEach = (body: Body): unknown => (this.#before = body);
  readonly afterEach = (body: Body): unknown => (this.#after = body);

  /** The error of a test, as a text; `undefined` when it passes. */
  async run(name: string): Promise<string | undefined> {
    try {
      await this.#before();
      await this.bodies.get(name)?.();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await this.#after();
    }
  }
}

const backend = { backendId: 'x' } as PeerMemory;
const FIRST = 'has exactly the tiers that it is expected to have';

describe('declaring a contract', () => {
  it('refuses a runner that lacks a function, and says which', () => {
    const runner = { describe: () => undefined, it: () => undefined } as unknown as ContractRunner;
    expect(() => describePeerMemoryContract('x', { runner, expects: [], makeBackend: () => ({ backend }) })).toThrow(
      /^The runner has no function beforeEach, afterEach, it\.skip; a contract takes one with/,
    );
  });

  const runner = new KeepingRunner();
  it.each<readonly [string, () => void, string]>([
    [
      'no name',
      () => describeWorkspaceStoreContract(' ', { runner, makeStore: () => ({ store: new InMemoryWorkspaceStore() }) }),
      'The name of the contract is " "',
    ],
    [
      'no time',
      () => describePeerMemoryContract('x', { runner, timeoutMs: 0, expects: [], makeBackend: () => ({ backend }) }),
      'timeoutMs is 0;',
    ],
    [
      'a tier that there is not',
      () =>
        describePeerMemoryContract('x', { runner, expects: ['RECALL' as 'CHAT'], makeBackend: () => ({ backend }) }),
      'expects is "RECALL"; it takes one of SNAPSHOT, SEARCH, CHAT, OBSERVE, INGEST.',
    ],
    [
      'no expectation',
      () => describePeerMemoryContract('x', { runner, makeBackend: () => ({ backend }) } as never),
      'expects is undefined; it takes a list of what there is, of SNAPSHOT',
    ],
    [
      'nothing that makes a backend',
      () => describePeerMemoryContract('x', { runner, expects: [], makeBackend: backend } as never),
      'makeBackend is a value of type object; it takes a function that answers with { backend }.',
    ],
    [
      'nothing that makes an observation store',
      () => describeObservationStoreContract('x', { runner, expects: [] } as never),
      'makeStore is undefined;',
    ],
    [
      'nothing that makes a representation store',
      () => describeRepresentationStoreContract('x', { runner, expects: [] } as never),
      'makeStore is undefined;',
    ],
    [
      'nothing that makes a workspace store',
      () => describeWorkspaceStoreContract('x', { runner } as never),
      'makeStore is undefined;',
    ],
    [
      'nothing that makes an index',
      () => describeObservationIndexContract('x', { runner, expects: [] } as never),
      'makeIndex is undefined;',
    ],
    [
      'nothing that makes a queue',
      () => describeDerivationQueueContract('x', { runner } as never),
      'makeQueue is undefined;',
    ],
    [
      'no example of what is masked',
      () => describeRedactionPolicyContract('x', { runner } as never),
      'masks is empty; it takes at least one example',
    ],
    [
      'an example without its secret',
      () =>
        describeRedactionPolicyContract('x', { runner, masks: [{ category: 'A', text: 'a', secret: 'b' }] } as never),
      'The example of A does not hold its secret once',
    ],
    [
      'nothing that makes a policy',
      () =>
        describeRedactionPolicyContract('x', { runner, masks: [{ category: 'A', text: 'a', secret: 'a' }] } as never),
      'makePolicy is undefined;',
    ],
  ])('refuses options with %s', (_, declare, message) => {
    expect(declare).toThrow(message);
  });

  it.each([
    [undefined, 'makeBackend() answered with undefined; it has to answer with { backend }.'],
    [{}, 'makeBackend() answered with backend: undefined; it has to answer with { backend }.'],
    [{ backend: 'x' }, 'makeBackend() answered with backend: "x"; it has to answer with { backend }.'],
  ])('fails each test when what is made is %p', async (made, message) => {
    const keeping = new KeepingRunner();
    describePeerMemoryContract('x', { runner: keeping, expects: [], makeBackend: (() => made) as never });
    expect(await keeping.run(FIRST)).toBe(message);
  });

  it('skips by name what is not expected, and fails when there is something else', async () => {
    const keeping = new KeepingRunner();
    describePeerMemoryContract('x', { runner: keeping, expects: ['OBSERVE'], makeBackend: () => inMemory() });
    expect(keeping.skipped).toContain('SEARCH answers equal questions with equal lists (skipped: it has no SEARCH)');
    expect(keeping.skipped.every((name) => name.includes('(skipped: it has no '))).toBe(true);
    expect(await keeping.run(FIRST)).toContain('these are not the ones in `expects`');
  });

  it('ends a test that hangs, and lets go of what it was given', async () => {
    const keeping = new KeepingRunner();
    const tests: readonly ContractTest<string>[] = [{ name: 'hangs', run: () => new Promise(() => undefined) }];
    let closed = 0;
    const make = async () => ({ subject: 'x', close: async () => void closed++ });
    declareContract({ name: 'x', runner: keeping, timeoutMs: 20, tests, abilities: [], make });
    expect(await keeping.run('hangs')).toBe('Not done after 20 ms: a call did not settle, or took too long.');
    expect(closed).toBe(1);
  });
});
