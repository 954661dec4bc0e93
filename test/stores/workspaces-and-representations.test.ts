import {
  InMemoryRepresentationStore,
  InMemoryWorkspaceStore,
  Principal,
  Representation,
  Workspace,
} from '@aimon/nestjs-memory';
import { alice, bob, observation, ops } from '../support/peers.js';

describe('the in-memory workspace store', () => {
  it('refuses a second workspace of one id and keeps the first', async () => {
    const store = new InMemoryWorkspaceStore();
    await store.create(Workspace.of({ id: 'ops', displayName: 'First' }));
    await expect(store.create(Workspace.of({ id: 'ops' }))).rejects.toThrow('Workspace "ops" exists already;');
    expect((await store.findById('ops'))?.displayName).toBe('First');
    await store.delete(ops);
    expect(await store.findById('ops')).toBeUndefined();
  });

  it('shows people the workspaces that nobody owns and those that name them, and systems all', async () => {
    const store = new InMemoryWorkspaceStore();
    await store.create(Workspace.of({ id: 'free' }));
    await store.create(Workspace.of({ id: 'owned', metadata: { 'acl.owner': 'kim' } }));
    await store.create(Workspace.of({ id: 'shared', metadata: { 'acl.owner': 'lee', 'acl.members': 'park, kim' } }));
    const seen = async (who: Principal): Promise<string[]> => (await store.findAll(who)).map(({ id }) => id);
    expect(await seen(Principal.user('kim'))).toEqual(['free', 'owned', 'shared']);
    expect(await seen(Principal.group('park'))).toEqual(['free', 'shared']);
    expect(await seen(Principal.user('ki'))).toEqual(['free']);
    expect(await seen(Principal.service('indexer'))).toEqual(['free', 'owned', 'shared']);
  });
});

describe('the in-memory representation store', () => {
  const made = (
    summary: string,
    minute: number,
    scope: { observer?: typeof alice; sessionId?: string } = {},
  ): Representation =>
    Representation.of({
      subject: alice,
      ...scope,
      summary,
      generatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
      tokenCount: 1,
    });

  it('finds the newest of each scope', async () => {
    const store = new InMemoryRepresentationStore();
    for (const one of [
      made('g2', 2),
      made('g1', 1),
      made('l', 9, { observer: bob }),
      made('s', 9, { observer: bob, sessionId: 'x' }),
    ])
      await store.save(one);
    expect((await store.findLatestGlobal(alice))?.summary).toBe('g2');
    expect((await store.findLatestLocal(alice, bob))?.summary).toBe('l');
    expect((await store.findLatestLocal(alice, bob, 'x'))?.summary).toBe('s');
    expect(await store.findLatestLocal(alice, bob, 'y')).toBeUndefined();
    expect(await store.findLatestGlobal(bob)).toBeUndefined();
    expect(await store.deleteOlderThan(ops, new Date(Date.UTC(2026, 0, 1, 0, 2)))).toBe(1);
  });

  it('erases what is about a peer, by it, or quotes what it observed', async () => {
    const store = new InMemoryRepresentationStore();
    await store.save(made('about', 1));
    await store.save(
      Representation.of({ subject: bob, observer: alice, summary: 'by', generatedAt: new Date(0), tokenCount: 1 }),
    );
    await store.save(
      Representation.of({
        subject: bob,
        observations: [observation(1, { subject: bob, observer: alice })],
        summary: 'quotes',
        generatedAt: new Date(0),
        tokenCount: 1,
      }),
    );
    await store.save(Representation.of({ subject: bob, summary: 'other', generatedAt: new Date(0), tokenCount: 1 }));
    expect(await store.eraseSubject(alice)).toBe(3);
    expect((await store.findLatestGlobal(bob))?.summary).toBe('other');
  });
});
