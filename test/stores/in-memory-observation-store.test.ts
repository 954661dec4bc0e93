import fc from 'fast-check';
import {
  InMemoryObservationStore,
  type Observation,
  ObservationId,
  PeerView,
  Principal,
  StoreError,
  Workspace,
} from '@aimon/nestjs-memory';
import { alice, bob, observation, ops } from '../support/peers.js';

const idOf = (number: number): ObservationId => ObservationId.of({ workspaceId: 'ops', localId: `o${number}` });
const ids = (items: readonly Observation[]): string[] => items.map(({ id }) => id.localId);

async function filled(count: number): Promise<InMemoryObservationStore> {
  const store = new InMemoryObservationStore({ clock: () => new Date(Date.UTC(2026, 1, 1)) });
  for (let n = 0; n < count; n++) await store.save(observation(n));
  return store;
}

describe('the in-memory observation store', () => {
  it('replaces the observation of the same id, also under another subject and another time', async () => {
    const store = await filled(3);
    await store.save(observation(1, { content: 'Changed.', createdAt: new Date(Date.UTC(2027, 0)) }));
    expect(ids((await store.findBySubject(alice, { limit: 9 })).items)).toEqual(['o1', 'o2', 'o0']);
    await store.save(observation(1, { subject: bob, observer: bob }));
    expect([await store.count(alice), await store.count(bob)]).toEqual([2, 1]);
  });

  it('pages through everything once, newest first, also where all share one instant', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(200), fc.nat(3)), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        async (made, limit) => {
          const store = new InMemoryObservationStore();
          const kept = new Map<number, Observation>();
          for (const [number, minute] of made) {
            const one = observation(number, { createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)) });
            kept.set(number, one);
            await store.save(one);
          }
          const seen: Observation[] = [];
          let cursor: string | undefined;
          do {
            const page = await store.findBySubject(alice, { limit, cursor });
            expect(page.items.length).toBeLessThanOrEqual(limit);
            seen.push(...page.items);
            cursor = page.cursor;
          } while (cursor !== undefined);
          const expected = [...kept.values()].sort(
            (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id.localId < b.id.localId ? -1 : 1),
          );
          expect(ids(seen)).toEqual(ids(expected));
        },
      ),
    );
  });

  it('goes on with a page although what it ended with is gone', async () => {
    const store = await filled(5);
    const { cursor } = await store.findBySubject(alice, { limit: 2 });
    await store.delete(idOf(3));
    expect(ids((await store.findBySubject(alice, { limit: 9, cursor })).items)).toEqual(['o2', 'o1', 'o0']);
  });

  it('refuses a cursor that is not its own, and a limit below one', async () => {
    const store = await filled(1);
    await expect(store.findBySubject(alice, { limit: 1, cursor: 'x' })).rejects.toThrow(
      'The cursor "x" is not one that this store gave out',
    );
    await expect(store.findBySubject(alice, { limit: 0 })).rejects.toThrow(
      'PageRequest.limit is 0; it takes a whole number of at least 1.',
    );
    await expect(store.findByConfidenceBelow(alice, 1, 0)).rejects.toThrow('limit is 0;');
  });

  it('retires what is superseded and points at what took its place, in one step', async () => {
    const store = await filled(2);
    await store.supersede(idOf(0), observation(7, { content: 'Newer.' }));
    expect(await store.findById(idOf(0))).toBeUndefined();
    expect(ids((await store.findBySubject(alice, { limit: 9 })).items)).toEqual(['o7', 'o1']);
    const { items } = await store.history(alice);
    expect(
      items.map(({ observation: { id, supersededBy }, retiredAt }) => [
        id.localId,
        supersededBy?.localId,
        retiredAt !== undefined,
      ]),
    ).toEqual([
      ['o7', undefined, false],
      ['o1', undefined, false],
      ['o0', 'o7', true],
    ]);
    await expect(store.supersede(idOf(0), observation(8))).rejects.toBeInstanceOf(StoreError);
    await expect(store.supersede(idOf(1), observation(8, { subject: bob, observer: bob }))).rejects.toThrow(
      'observations about two peers',
    );
    expect(await store.findById(idOf(8))).toBeUndefined();
  });

  it('merges into the winner and keeps the loser for the audit', async () => {
    const store = await filled(3);
    await expect(store.merge(idOf(0), idOf(1), observation(5))).rejects.toThrow('it takes the winner');
    await expect(store.merge(idOf(0), idOf(0), observation(0))).rejects.toThrow('as winner and as loser');
    await store.merge(idOf(0), idOf(1), observation(0, { content: 'Both.' }));
    expect((await store.findById(idOf(0)))?.content).toBe('Both.');
    expect(await store.findById(idOf(1))).toBeUndefined();
    expect(
      (await store.history(alice)).items.find(({ observation: { id } }) => id.localId === 'o1')?.observation
        .supersededBy?.localId,
    ).toBe('o0');
    expect(await store.count(alice)).toBe(2);
  });

  it('purges what was retired before the cutoff, of that workspace only', async () => {
    const store = await filled(2);
    const elsewhere = PeerView.of(Workspace.of({ id: 'other' }), Principal.user('alice'));
    await store.save(observation(9, { subject: elsewhere, observer: elsewhere }));
    await store.softDelete(idOf(0));
    await store.softDelete(ObservationId.of({ workspaceId: 'other', localId: 'o9' }));
    expect(await store.purgeSoftDeletedBefore(ops, new Date(Date.UTC(2026, 1, 1)))).toBe(0);
    expect(await store.purgeSoftDeletedBefore(ops, new Date(Date.UTC(2026, 1, 2)))).toBe(1);
    expect((await store.history(alice)).items).toHaveLength(1);
    expect((await store.history(elsewhere)).items).toHaveLength(1);
    expect(await store.softDelete(idOf(0))).toBe(false);
  });

  it('erases a peer as subject and as observer, audit window included, and names whom else it concerned', async () => {
    const store = await filled(2);
    await store.save(observation(5, { subject: bob, observer: alice }));
    await store.save(observation(6, { subject: bob, observer: bob }));
    await store.softDelete(idOf(0));
    const report = await store.eraseSubject(alice);
    expect([report.observations, report.alsoAbout.map((peer) => peer.key())]).toEqual([3, ['ops:USER:bob']]);
    expect((await store.history(alice)).items).toEqual([]);
    expect(ids((await store.findBySubject(bob, { limit: 9 })).items)).toEqual(['o6']);
  });

  it('lists the peers of a workspace page by page, and the least certain observations first', async () => {
    const store = await filled(1);
    for (const name of ['bob', 'carol', 'dave']) {
      const subject = PeerView.of(ops, Principal.user(name));
      await store.save(observation(name.length * 10 + name.charCodeAt(0), { subject, observer: subject }));
    }
    const first = await store.findSubjects(ops, { limit: 3 });
    const second = await store.findSubjects(ops, { limit: 3, cursor: first.cursor });
    expect([...first.items, ...second.items].map(({ principal }) => principal.id).sort()).toEqual([
      'alice',
      'bob',
      'carol',
      'dave',
    ]);
    expect(second.cursor).toBeUndefined();
    await store.save(observation(2, { confidence: 0.2 }));
    await store.save(observation(3, { confidence: 0.1 }));
    expect(ids(await store.findByConfidenceBelow(alice, 0.9, 5))).toEqual(['o3', 'o2']);
  });

  it('rewrites an observation in its place, live or retired, and lists the peers of whom only retired ones are kept', async () => {
    const store = await filled(3);
    await store.softDelete(idOf(1));
    const entries = async () =>
      (await store.history(alice)).items.map(({ observation: { id, content }, retiredAt }) =>
        [id.localId, content, retiredAt?.toISOString()].join(' '),
      );
    const before = await entries();
    for (const n of [1, 2]) expect(await store.rewrite(observation(n, { content: 'Masked.' }))).toBe(true);
    expect(await store.rewrite(observation(7, { content: 'Masked.' }))).toBe(false);
    expect(await entries()).toEqual(['o2 Masked. ', 'o1 Masked. 2026-02-01T00:00:00.000Z', before[2]]);
    expect(await store.count(alice)).toBe(2);
    for (const n of [0, 2]) await store.softDelete(idOf(n));
    expect((await store.findSubjects(ops, { limit: 9 })).items).toEqual([]);
    expect((await store.findKeptSubjects(ops, { limit: 9 })).items).toEqual([alice]);
    await expect(store.rewrite(observation(0, { subject: bob, observer: bob }))).rejects.toThrow('rewrite');
  });

  it('exports what is there when the export begins, oldest first, retired observations included', async () => {
    const store = await filled(3);
    await store.softDelete(idOf(1));
    const exported: string[] = [];
    for await (const { observation: one } of store.exportSubject(alice)) {
      exported.push(one.id.localId);
      await store.eraseSubject(alice);
    }
    expect(exported).toEqual(['o0', 'o1', 'o2']);
  });
});
