import fc from 'fast-check';
import {
  InMemoryObservationStore,
  type ObservationDraft,
  PeerView,
  Principal,
  StoreBackedPeerMemory,
  StoreError,
  requireTier,
  Workspace,
} from '@aimon/nestjs-memory';

const ops = Workspace.of({ id: 'ops' });
const alice = PeerView.of(ops, Principal.user('alice'));
const bob = PeerView.of(ops, Principal.user('bob'));

const memoryOf = () => {
  const store = new InMemoryObservationStore();
  return { store, recorder: requireTier(new StoreBackedPeerMemory({ observationStore: store }), 'OBSERVE') };
};
const draft = (content: string, rest: Partial<ObservationDraft> = {}): ObservationDraft => ({
  subject: alice,
  content,
  type: 'EXPLICIT',
  ...rest,
});

describe('the writer of observations', () => {
  it('makes a fact told again stronger: first id and content, all sources, five points of confidence, twenty at most', async () => {
    const { store, recorder } = memoryOf();
    const first = await recorder.observe(draft('The server is down.', { sourceMessageIds: ['m0'] }));
    expect([first.confidence, first.corroborations]).toEqual([0.9, 0]);
    const second = await recorder.observe(draft('the server  is down', { sourceMessageIds: ['m1'] }));
    expect(second.id.equals(first.id)).toBe(true);
    expect([second.content, second.confidence, second.corroborations]).toEqual(['The server is down.', 0.95, 1]);
    expect(second.sourceMessageIds).toEqual(['m0', 'm1']);
    const deduced = [];
    for (let n = 0; n < 7; n++)
      deduced.push(
        await recorder.observe(draft('The router is new.', { type: 'DEDUCTIVE', sourceMessageIds: [`d${n}`] })),
      );
    expect(deduced.map(({ confidence }) => confidence)).toEqual([0.6, 0.65, 0.7, 0.75, 0.8, 0.8, 0.8]);
    expect(await store.count(alice)).toBe(2);
  });

  it('takes no second voice from the same message', async () => {
    const { recorder } = memoryOf();
    await recorder.observe(draft('The server is down.', { sourceMessageIds: ['m0'] }));
    const again = await recorder.observe(draft('The server is down.', { sourceMessageIds: ['m0'] }));
    expect([again.confidence, again.corroborations]).toEqual([0.9, 0]);
  });

  it('puts a confidence that was given in the place of the base', async () => {
    const { recorder } = memoryOf();
    expect((await recorder.observe(draft('The lift is slow.', { confidence: 0.3 }))).confidence).toBe(0.3);
    expect((await recorder.observe(draft('The lift is slow.'))).confidence).toBe(0.35);
  });

  it('lets what was concluded become what was said', async () => {
    const { recorder } = memoryOf();
    await recorder.observe(draft('The lift is slow.', { type: 'DEDUCTIVE' }));
    expect(await recorder.observe(draft('The lift is slow.'))).toMatchObject({
      type: 'EXPLICIT',
      confidence: 0.95,
      corroborations: 1,
    });
  });

  it('keeps the views of two observers, and a fact and the record of its conflict, apart', async () => {
    const { store, recorder } = memoryOf();
    await recorder.observe(draft('The lift is slow.'));
    await recorder.observe(draft('The lift is slow.', { observer: bob }));
    await recorder.observe(draft('The door is open.'));
    await recorder.observe(draft('The door is open.', { type: 'CONTRADICTION' }));
    expect(await store.count(alice)).toBe(4);
  });

  it('records a draft that is sent again under its key once, also when its words have changed', async () => {
    const { store, recorder } = memoryOf();
    const first = await recorder.observe(draft('The lift is slow.', { idempotencyKey: 'k' }));
    const again = await recorder.observe(draft('The lift is very slow.', { idempotencyKey: 'k' }));
    expect(again.id.equals(first.id)).toBe(true);
    expect(await store.count(alice)).toBe(1);
    const restarted = requireTier(new StoreBackedPeerMemory({ observationStore: store }), 'OBSERVE');
    await restarted.observe(draft('The lift is slow.', { idempotencyKey: 'k' }));
    expect(await store.count(alice)).toBe(1);
    expect((await store.findById(first.id))?.corroborations).toBe(0);
    await recorder.observe(draft('The lift is slow.', { subject: bob, idempotencyKey: 'k' }));
    expect(await store.count(bob)).toBe(1);
  });

  it('does not bring back what was retired when its message comes a second time', async () => {
    const { store, recorder } = memoryOf();
    const first = await recorder.observe(draft('The lift is slow.', { idempotencyKey: 'k' }));
    await store.softDelete(first.id);
    await recorder.observe(draft('The lift is slow.', { idempotencyKey: 'k' }));
    expect(await store.count(alice)).toBe(0);
  });

  it('knows a fact that was stored before it began, and not one that was deleted', async () => {
    const { store, recorder } = memoryOf();
    const first = await recorder.observe(draft('The lift is slow.'));
    const later = requireTier(new StoreBackedPeerMemory({ observationStore: store }), 'OBSERVE');
    expect((await later.observe(draft('The lift is slow.'))).corroborations).toBe(1);
    await store.delete(first.id);
    expect((await later.observe(draft('The lift is slow.'))).corroborations).toBe(0);
    expect((await recorder.observe(draft('The lift is slow.'))).corroborations).toBe(1);
  });

  it('loses and doubles nothing among a hundred writers at once', async () => {
    const { store, recorder } = memoryOf();
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        recorder.observe(draft(`Rack ${n % 10} is full.`, { sourceMessageIds: [`m${n}`] })),
      ),
    );
    const { items } = await store.findBySubject(alice, { limit: 200 });
    expect(items).toHaveLength(10);
    for (const observation of items) {
      expect([observation.corroborations, observation.sourceMessageIds.length]).toEqual([9, 10]);
    }
  });

  it('keeps any text byte for byte, or refuses it with a reason', async () => {
    const { store, recorder } = memoryOf();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('\u0000', 'a\ud800b', '\u202eabc', '🙂'.repeat(50_000)),
        ),
        async (content) => {
          if (content.trim() === '') {
            await expect(recorder.observe(draft(content))).rejects.toThrow('ObservationDraft.content is');
            return;
          }
          const { id } = await recorder.observe(
            draft(content, {
              type: 'INDUCTIVE',
              metadata: { n: 'x' },
              idempotencyKey: `k${content.length}${content.codePointAt(0)}`,
            }),
          );
          expect(await store.findById(id)).toBeDefined();
        },
      ),
    );
    const odd = await recorder.observe(draft('NUL \u0000, half \ud800, right-to-left \u202e, 🙂.'));
    expect(odd.content).toBe('NUL \u0000, half \ud800, right-to-left \u202e, 🙂.');
  });

  it('gives peers that differ in a lone surrogate alone two observations', async () => {
    const { store, recorder } = memoryOf();
    const [one, other] = ['a\ud800', 'a\ud801'].map((id) => PeerView.of(ops, Principal.user(id))) as [
      PeerView,
      PeerView,
    ];
    for (const subject of [one, other])
      await recorder.observe({ subject, content: 'The lift is slow.', type: 'EXPLICIT', idempotencyKey: 'k' });
    expect([await store.count(one), await store.count(other)]).toEqual([1, 1]);
  });

  it('refuses a text that is no fact any more but a book', async () => {
    const { recorder } = memoryOf();
    await expect(recorder.observe(draft('x'.repeat(262_145)))).rejects.toThrow(
      'ObservationDraft.content is 262145 characters long; it takes at most 262144.',
    );
  });

  it('wraps what a driver throws, and keeps it as the cause', async () => {
    const store = new InMemoryObservationStore();
    const broken = new Error('connection to db-prod-01 lost');
    store.save = async () => Promise.reject(broken);
    const recorder = requireTier(new StoreBackedPeerMemory({ observationStore: store }), 'OBSERVE');
    const error = await recorder.observe(draft('The lift is slow.')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: 'STORE_FAILED', cause: broken });
    expect((error as Error).message).not.toContain('db-prod-01');
  });

  it('writes nothing for a call that was aborted', async () => {
    const { store, recorder } = memoryOf();
    await expect(recorder.observe(draft('The lift is slow.', { signal: AbortSignal.abort() }))).rejects.toThrow();
    expect(await store.count(alice)).toBe(0);
  });
});
