import {
  assembleMemory,
  type Deriver,
  InMemoryDerivationQueue,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  LlmAnswerError,
  LlmUnavailableError,
  MemorySpec,
  type MemoryStack,
} from '@aimon/nestjs-memory';
import { TestClock } from '../../lib/testing/test-clock.js';

import { alice, ops } from '../support/peers.js';

/** A memory whose deriver does what it is told; nothing of it is found. */
async function memoryWith(derive: () => void, maxAttempts = 1): Promise<{ stack: MemoryStack; clock: TestClock }> {
  const clock = new TestClock();
  const deriver: Deriver = {
    derive: async () => {
      derive();
      return { created: [], updated: [], tokensUsed: 0, failures: [], byMessage: new Map() };
    },
  };
  const spec = MemorySpec.forPeer(ops, alice).parts({
    observationStore: new InMemoryObservationStore(),
    representationStore: new InMemoryRepresentationStore(),
    derivationQueue: () => new InMemoryDerivationQueue({ deriver, redactionPolicy: undefined, maxAttempts, clock }),
  });
  const stack = await assembleMemory(spec.build(), { clock });
  clock.waitWhile(() => (stack.derivationQueue?.stats().inFlight ?? 0) > 0);
  return { stack, clock };
}

const say = ({ peerMemory }: MemoryStack, id: string) =>
  peerMemory?.ingestor?.ingest({
    subject: alice,
    observer: alice,
    sessionId: 's',
    messages: [{ role: 'user', content: 'I live in Busan.', id }],
  });

const raised = ({ degradations }: MemoryStack, key: string) => degradations.all().find((one) => one.key === key);

describe('a memory whose model is away', () => {
  it.each([
    ['unreachable', 'See the log for the cause.'],
    ['unauthorised', 'Set aimon.memory.llm.api-key to a key that the server takes'],
  ] as const)('says that it has paused (%s), and is up again when it goes on', async (outage, remedy) => {
    let there = false;
    const { stack, clock } = await memoryWith(() => {
      if (!there) throw new LlmUnavailableError('Away.', { outage });
    });
    const since = clock.now().toISOString();
    await say(stack, 'm1');
    await clock.advance('10s');
    expect(raised(stack, 'memory-derivation-paused')).toMatchObject({
      kind: 'fault',
      capability: 'INGEST',
      consequence: expect.stringContaining(`paused deriving observations since ${since}`) as string,
      remedy: expect.stringContaining(remedy) as string,
    });
    expect(await stack.health.check()).toMatchObject({ status: 'degraded', detail: { queue: { pending: 1 } } });
    there = true;
    await clock.advance('1m');
    expect(raised(stack, 'memory-derivation-paused')).toBeUndefined();
    expect(await stack.health.check()).toMatchObject({ status: 'up', detail: { queue: { pending: 0 } } });
    await stack.teardown.run();
  });
});

describe('a memory that has given messages up', () => {
  it('says so until they were tried again', async () => {
    let usable = false;
    const { stack, clock } = await memoryWith(() => {
      if (!usable) throw new LlmAnswerError('No JSON.');
    });
    await say(stack, 'm1');
    await clock.advance('1m');
    expect(raised(stack, 'memory-dead-letters')?.remedy).toContain('MemoryMaintenance.retryDeadLettered()');
    await say(stack, 'm2');
    await clock.advance('1m');
    expect(raised(stack, 'memory-dead-letters')?.consequence).toContain('2 batches');
    usable = true;
    expect(await stack.maintenance.retryDeadLettered()).toBe(2);
    await clock.advance('1m');
    expect(raised(stack, 'memory-dead-letters')).toBeUndefined();
    expect(stack.outcomes.counts()).toMatchObject({ failed: 2, nothingFound: 2 });
    await stack.teardown.run();
  });

  it('cannot have them tried again where there is no queue', async () => {
    const spec = MemorySpec.forPeer(ops, alice).parts({ observationStore: new InMemoryObservationStore() });
    const { maintenance, teardown } = await assembleMemory(spec.build());
    await expect(maintenance.retryDeadLettered()).rejects.toThrow(
      'MemoryMaintenance.retryDeadLettered needs a derivation queue of the default backend',
    );
    await teardown.run();
  });
});
