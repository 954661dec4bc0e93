import {
  type IngestOutcome,
  InMemoryDerivationQueue,
  InMemoryObservationStore,
  type MemoryIngestRequest,
  requireTier,
  StoreBackedPeerMemory,
  ExtractiveDeriver,
} from '@aimon/nestjs-memory';
import { alice } from '../support/peers.js';

function memoryOf(options: { readonly maxPending?: number } = {}) {
  const observationStore = new InMemoryObservationStore();
  const outcomes: IngestOutcome[] = [];
  const memory = new StoreBackedPeerMemory({
    observationStore,
    derivationQueue: (inner) =>
      new InMemoryDerivationQueue({
        deriver: new ExtractiveDeriver({ recorder: requireTier(inner, 'OBSERVE') }),
        redactionPolicy: undefined,
        ...options,
      }),
  });
  memory.derivationQueue?.onOutcome((outcome) => void outcomes.push(outcome));
  return {
    observationStore,
    outcomes,
    queue: memory.derivationQueue as InMemoryDerivationQueue,
    ingestor: requireTier(memory, 'INGEST'),
  };
}

const request = (id: string, change: Partial<MemoryIngestRequest> = {}): MemoryIngestRequest => ({
  observer: alice,
  sessionId: 's',
  messages: [{ role: 'user', content: `Rack ${id} is full.`, id }],
  ...change,
});

describe('the ingestor of the default backend', () => {
  it('has derived when it says so, and says so only when it was asked to wait', async () => {
    const { ingestor, observationStore, queue } = memoryOf();
    queue.start();
    expect(await ingestor.ingest(request('m1'))).toEqual({ accepted: 1, derived: false });
    expect(await ingestor.ingest(request('m2', { waitForDerivation: true }))).toEqual({ accepted: 1, derived: true });
    expect(await observationStore.count(alice)).toBe(2);
  });

  it('has taken what it took, also when whoever waits gives up', async () => {
    const { ingestor, outcomes, queue, observationStore } = memoryOf();
    const controller = new AbortController();
    const waiting = ingestor.ingest(
      request('m1', { waitForDerivation: true, idempotencyKey: 'k', signal: controller.signal }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const again = ingestor.ingest(request('m1', { waitForDerivation: true, idempotencyKey: 'k' }));
    queue.start();
    expect(await again).toEqual({ accepted: 1, derived: true });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored']);
    expect(await observationStore.count(alice)).toBe(1);
  });

  it('takes a request again under its key when the queue had no room for it', async () => {
    const { ingestor, queue } = memoryOf({ maxPending: 1 });
    await ingestor.ingest(request('m1'));
    expect(await ingestor.ingest(request('m2', { idempotencyKey: 'k' }))).toEqual({ accepted: 0, derived: false });
    queue.start();
    await queue.whenIdle();
    expect(await ingestor.ingest(request('m2', { idempotencyKey: 'k' }))).toEqual({ accepted: 1, derived: false });
  });

  it('does not say that it derived what was lost', async () => {
    const { ingestor, queue } = memoryOf({ maxPending: 1 });
    queue.start();
    const messages = ['m1', 'm2'].map((id) => ({ role: 'user' as const, content: `Rack ${id} is full.`, id }));
    expect(await ingestor.ingest(request('x', { messages, waitForDerivation: true }))).toEqual({
      accepted: 1,
      derived: false,
    });
  });
});
