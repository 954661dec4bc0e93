import {
  IndexedObservationStore,
  InMemoryObservationStore,
  LexicalIndex,
  type ObservationIndex,
  StoreError,
} from '@aimon/nestjs-memory';
import { alice, bob, observation } from '../support/peers.js';

const found = async (store: IndexedObservationStore, query: string, sessionId?: string): Promise<string[]> =>
  (await store.semanticSearch(alice, query, { topK: 10, sessionId })).map(({ observation: { id } }) => id.localId);

describe('a store with an index', () => {
  it('finds what was saved before the index was there, and what is saved after', async () => {
    const inner = new InMemoryObservationStore();
    await inner.save(observation(1, { content: 'The printer is on the third floor.' }));
    const store = new IndexedObservationStore(inner, new LexicalIndex());
    expect(await found(store, 'printer')).toEqual(['o1']);
    await store.save(observation(2, { content: 'The printer is out of paper.' }));
    expect((await found(store, 'printer')).sort()).toEqual(['o1', 'o2']);
  });

  it('loses no write that comes while the index is filled', async () => {
    const store = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());
    for (let n = 0; n < 50; n++) await store.save(observation(n, { content: `Printer ${n} is slow.` }));
    const [first] = await Promise.all([
      found(store, 'printer'),
      store.save(observation(99, { content: 'Printer 99 is slow.' })),
    ]);
    expect(first.length).toBeGreaterThan(0);
    expect(await store.semanticSearch(alice, 'printer 99', { topK: 1 })).toMatchObject([
      { observation: { id: { localId: 'o99' } } },
    ]);
  });

  it('follows changes, retirements, merges and erasures', async () => {
    const store = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());
    await store.save(observation(1, { content: 'The printer is slow.' }));
    expect(await found(store, 'printer')).toEqual(['o1']);
    await store.save(observation(1, { content: 'The scanner is slow.' }));
    expect([await found(store, 'printer'), await found(store, 'scanner')]).toEqual([[], ['o1']]);
    await store.supersede(observation(1).id, observation(2, { content: 'The scanner is fast.' }));
    expect(await found(store, 'scanner')).toEqual(['o2']);
    await store.save(observation(3, { content: 'The scanner is grey.' }));
    await store.merge(
      observation(2).id,
      observation(3).id,
      observation(2, { content: 'The scanner is fast and grey.' }),
    );
    expect(await found(store, 'grey')).toEqual(['o2']);
    expect(await store.softDelete?.(observation(2).id)).toBe(true);
    expect(await found(store, 'scanner')).toEqual([]);
    await store.save(observation(4, { subject: alice, observer: bob, content: 'The plotter is red.' }));
    expect(await found(store, 'plotter')).toEqual(['o4']);
    await store.eraseSubject(bob);
    expect(await found(store, 'plotter')).toEqual([]);
  });

  it('shows nothing that the index names and the store does not hold', async () => {
    const strange: ObservationIndex = {
      scores: false,
      narrowsBySession: false,
      index: async () => undefined,
      delete: async () => undefined,
      eraseSubject: async () => undefined,
      eraseWorkspace: async () => undefined,
      search: async (_subject, _query, { topK }) =>
        [observation(7).id, observation(8).id, observation(1).id].slice(0, topK).map((id) => ({ id })),
    };
    const inner = new InMemoryObservationStore();
    await inner.save(observation(7, { subject: bob, observer: bob }));
    await inner.save(observation(1));
    const store = new IndexedObservationStore(inner, strange);
    expect(await found(store, 'x')).toEqual(['o1']);
    expect((await store.semanticSearch(alice, 'x', { topK: 1 })).map(({ observation: { id } }) => id.localId)).toEqual([
      'o1',
    ]);
    expect([store.ranksByScore, store.narrowsBySession]).toEqual([false, false]);
  });

  it('says so when an index that keeps what it has could not be told', async () => {
    const failing = new LexicalIndex();
    const index: ObservationIndex = {
      ...{
        scores: true,
        narrowsBySession: true,
        delete: async () => undefined,
        eraseSubject: async () => undefined,
        eraseWorkspace: async () => undefined,
        search: async () => [],
      },
      index: async () => Promise.reject(new Error('no connection')),
    };
    await expect(
      new IndexedObservationStore(new InMemoryObservationStore(), index).save(observation(1)),
    ).rejects.toBeInstanceOf(StoreError);
    failing.index = async () => Promise.reject(new Error('out of memory'));
    const store = new IndexedObservationStore(new InMemoryObservationStore(), failing);
    await found(store, 'fill it');
    await store.save(observation(1, { content: 'The printer is slow.' }));
    expect(await found(store, 'printer')).toEqual(['o1']);
  });

  it('has an audit window only where the store has one', () => {
    const bare = new InMemoryObservationStore();
    expect(new IndexedObservationStore(bare, new LexicalIndex()).softDelete).toBeDefined();
    Object.assign(bare, { softDelete: undefined, purgeSoftDeletedBefore: undefined });
    expect(new IndexedObservationStore(bare, new LexicalIndex()).softDelete).toBeUndefined();
  });
});
