import fc from 'fast-check';
import {
  IndexedObservationStore,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  LexicalIndex,
  Observation,
  ObservationId,
  type Page,
  type PageRequest,
  PeerView,
  Principal,
  Representation,
  Workspace,
} from '@aimon/nestjs-memory';
import { peer } from '../support/arbitraries.js';
import { expectLinearGrowth } from '../support/growth.js';
import { alice, bob, ops } from '../support/peers.js';

const AT = new Date('2026-01-01T00:00:00Z');

const observed = (subject: PeerView, localId: string): Observation =>
  Observation.of({
    id: ObservationId.of({ workspaceId: subject.workspace.id, localId }),
    ...{ subject, observer: subject, content: 'A fact.', type: 'EXPLICIT', createdAt: AT, confidence: 0.9 },
  });

const represented = (subject: PeerView, generatedAt = AT): Representation =>
  Representation.of({ subject, summary: 'A summary.', generatedAt, tokenCount: 3 });

async function listed(
  store: { findWorkspaces?(page: PageRequest): Promise<Page<Workspace>> },
  limit: number,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = (await store.findWorkspaces?.({ limit, cursor })) as Page<Workspace>;
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return ids;
}

const idsOf = (peers: readonly PeerView[]): string[] => [...new Set(peers.map(({ workspace }) => workspace.id))].sort();

describe('the workspaces of which a store keeps anything', () => {
  it('are those of its observations, each once, on pages of any size, live or retired', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(peer, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (peers, limit) => {
        const store = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());
        for (const [n, subject] of peers.entries()) {
          const { id } = await store.save(observed(subject, `o${n}`));
          if (n % 2 === 1) await store.softDelete?.(id);
        }
        expect(await listed(store, limit)).toEqual(idsOf(peers));
        const [gone, ...rest] = idsOf(peers);
        const erased = peers.find(({ workspace }) => workspace.id === gone)?.workspace;
        if (erased !== undefined) await store.eraseWorkspace(erased);
        expect(await listed(store, limit)).toEqual(rest);
      }),
    );
  });

  it('are those of its representations, each once, on pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(peer, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), async (peers, limit) => {
        const store = new InMemoryRepresentationStore();
        for (const subject of peers) await store.save(represented(subject));
        expect(await listed(store, limit)).toEqual(idsOf(peers));
        for (const subject of peers) await store.eraseSubject(subject);
        expect(await listed(store, limit)).toEqual([]);
      }),
    );
  });

  it('are none that a purge has emptied', async () => {
    const store = new InMemoryObservationStore({ clock: () => AT });
    const { id } = await store.save(observed(alice, 'o1'));
    await store.softDelete(id);
    expect(await store.purgeSoftDeletedBefore(ops, AT)).toBe(0);
    expect(await listed(store, 1)).toEqual(['ops']);
    expect(await store.purgeSoftDeletedBefore(ops, new Date(AT.getTime() + 1))).toBe(1);
    expect(await listed(store, 1)).toEqual([]);
  });

  it('are refused on pages without room', async () => {
    await expect(new InMemoryObservationStore().findWorkspaces({ limit: 0 })).rejects.toThrow('PageRequest.limit');
  });
});

describe('what is removed in one workspace', () => {
  it('is nothing of another one, in either store', async () => {
    const other = PeerView.of(Workspace.of({ id: 'sales' }), Principal.user('alice'));
    const observations = new InMemoryObservationStore({ clock: () => AT });
    const representations = new InMemoryRepresentationStore();
    for (const [n, subject] of [alice, bob, other].entries()) {
      const { id } = await observations.save(observed(subject, `o${n}`));
      await observations.softDelete(id);
      await representations.save(represented(subject));
    }
    const later = new Date(AT.getTime() + 1);
    expect(await observations.purgeSoftDeletedBefore(ops, later)).toBe(2);
    expect(await representations.deleteOlderThan(ops, later)).toBe(2);
    expect((await observations.history(other)).items).toHaveLength(1);
    expect(await representations.findLatestGlobal(other)).toBeDefined();
  });

  it('costs in proportion to all that is kept, when every workspace has its turn', () => {
    expectLinearGrowth(250, (size) => {
      const observations = new InMemoryObservationStore({ clock: () => AT });
      const representations = new InMemoryRepresentationStore();
      const workspaces = Array.from({ length: size }, (_, n) => Workspace.of({ id: `tenant ${n}` }));
      for (const workspace of workspaces) {
        const subject = PeerView.of(workspace, Principal.user('alice'));
        void observations.save(observed(subject, 'one'));
        void representations.save(represented(subject));
      }
      return () => {
        for (const workspace of workspaces) {
          void observations.purgeSoftDeletedBefore(workspace, AT);
          void representations.deleteOlderThan(workspace, AT);
        }
      };
    });
  });
});
