import assert from 'node:assert/strict';

import { Principal, PRINCIPAL_TYPES } from '../../domain/principal.js';
import { Workspace } from '../../domain/workspace.js';
import type { WorkspaceStore } from '../../ports/workspace-store.js';
import { assertRefused } from '../clear-error.js';
import { checkedMaker } from '../checked-options.js';
import { declareContract, type ContractOptions, type ContractTest } from '../contract.js';
import { HOSTILE_IDENTITIES } from '../hostile-identities.js';

/** A store to be tested: empty, and nobody else's for the length of one test. */
export interface WorkspaceStoreToTest {
  /** The store. */
  readonly store: WorkspaceStore;
  /** Lets go of the store. Default: nothing is. */
  close?(): Promise<void>;
}

/** What is tested by `describeWorkspaceStoreContract`. */
export interface WorkspaceStoreContractOptions extends ContractOptions {
  /**
   * Whether the store goes by the default access policy (`DefaultWorkspaceAccessPolicy`); default true. With a policy of its
   * own the tests of who sees what are skipped by name.
   */
  readonly defaultAccess?: boolean;
  /** Called before each test; answers with an empty store. */
  readonly makeStore: () => WorkspaceStoreToTest | Promise<WorkspaceStoreToTest>;
}

const DEFAULT_ACCESS = 'default access policy';
const ANYBODY = Principal.system('reader');
const idsOf = (workspaces: readonly Workspace[]): string[] => workspaces.map(({ id }) => id);

/** All tests of the contract, in the order in which they are declared. @internal */
export const WORKSPACE_STORE_CONTRACT: readonly ContractTest<WorkspaceStore>[] = Object.freeze([
  {
    name: 'keeps every field of a workspace',
    run: async (store: WorkspaceStore) => {
      const whole = Workspace.of({
        ...{ id: 'ops', displayName: 'Operations', createdAt: new Date('2026-03-02T09:00:00.123Z') },
        metadata: { 'acl.owner': 'mina', 서버: '', 'a"b': '\\' },
      });
      const created = await store.create(whole);
      for (const found of [created, await store.findById('ops'), (await store.findAll(ANYBODY))[0]]) {
        assert.ok(found instanceof Workspace, 'What comes back has to be a Workspace.');
        const { id, displayName, createdAt, metadata } = found;
        assert.deepEqual([id, displayName, createdAt], [whole.id, whole.displayName, whole.createdAt]);
        assert.deepEqual({ ...metadata }, { ...whole.metadata });
      }
    },
  },
  {
    name: 'finds nothing under an id that it does not know',
    run: async (store: WorkspaceStore) => {
      await store.create(Workspace.of({ id: 'ops' }));
      for (const id of ['op', 'ops ', 'Ops', 'o%', '__proto__', 'constructor'])
        assert.equal(await store.findById(id), undefined, id);
    },
  },
  {
    name: 'refuses a second workspace of one id and keeps the first, also when both come at once',
    run: async (store: WorkspaceStore) => {
      const created = await Promise.allSettled(
        ['First', 'Second', 'Third'].map((displayName) => store.create(Workspace.of({ id: 'ops', displayName }))),
      );
      const won = created.flatMap((result) => (result.status === 'fulfilled' ? [result.value.displayName] : []));
      assert.equal(won.length, 1, `${won.length} workspaces of one id were created.`);
      await assertRefused(
        () => store.create(Workspace.of({ id: 'ops', displayName: 'Fourth' })),
        'A workspace whose id is taken',
      );
      assert.equal((await store.findById('ops'))?.displayName, won[0]);
    },
  },
  {
    name: 'keeps apart ids that are alike',
    run: async (store: WorkspaceStore) => {
      for (const [n, id] of HOSTILE_IDENTITIES.entries()) await store.create(Workspace.of({ id, displayName: `${n}` }));
      for (const [n, id] of HOSTILE_IDENTITIES.entries())
        assert.equal((await store.findById(id))?.displayName, `${n}`, JSON.stringify(id));
      assert.deepEqual(idsOf(await store.findAll(ANYBODY)).sort(), [...HOSTILE_IDENTITIES].sort());
      await store.delete(Workspace.of({ id: 'a%' }));
      assert.equal((await store.findAll(ANYBODY)).length, HOSTILE_IDENTITIES.length - 1, 'It deletes more than one.');
    },
  },
  {
    name: 'forgets a workspace, and does not mind one that it does not know',
    run: async (store: WorkspaceStore) => {
      for (const id of ['a', 'b']) await store.create(Workspace.of({ id }));
      await store.delete(Workspace.of({ id: 'a' }));
      await store.delete(Workspace.of({ id: 'a' }));
      assert.equal(await store.findById('a'), undefined);
      assert.deepEqual(idsOf(await store.findAll(ANYBODY)), ['b']);
      await store.create(Workspace.of({ id: 'a', displayName: 'Again' }));
      assert.equal((await store.findById('a'))?.displayName, 'Again');
    },
  },
  {
    name: 'hands out lists by id, which do not change when something is created',
    run: async (store: WorkspaceStore) => {
      for (const id of ['b', 'B', 'a:b', 'a']) await store.create(Workspace.of({ id }));
      const before = await store.findAll(ANYBODY);
      await store.create(Workspace.of({ id: 'c' }));
      assert.deepEqual(idsOf(before), ['B', 'a', 'a:b', 'b']);
    },
  },
  {
    name: 'shows people and groups what nobody owns and what names them, and systems and services all',
    needs: [DEFAULT_ACCESS],
    run: async (store: WorkspaceStore) => {
      await store.create(Workspace.of({ id: 'free' }));
      await store.create(Workspace.of({ id: 'owned', metadata: { 'acl.owner': 'kim' } }));
      await store.create(Workspace.of({ id: 'shared', metadata: { 'acl.owner': 'lee', 'acl.members': 'park, kim' } }));
      const seen: Record<string, string[]> = {};
      for (const type of PRINCIPAL_TYPES)
        for (const id of ['kim', 'park', 'ki', 'Kim'])
          seen[`${type} ${id}`] = idsOf(await store.findAll(Principal.of({ type, id })));
      const all = ['free', 'owned', 'shared'];
      assert.deepEqual(seen, {
        ...{ 'USER kim': all, 'USER park': ['free', 'shared'], 'USER ki': ['free'], 'USER Kim': ['free'] },
        ...{ 'SYSTEM kim': all, 'SYSTEM park': all, 'SYSTEM ki': all, 'SYSTEM Kim': all },
        ...{ 'SERVICE kim': all, 'SERVICE park': all, 'SERVICE ki': all, 'SERVICE Kim': all },
        ...{ 'GROUP kim': all, 'GROUP park': ['free', 'shared'], 'GROUP ki': ['free'], 'GROUP Kim': ['free'] },
      });
    },
  },
]);

/**
 * Declares the tests that every `WorkspaceStore` has to pass.
 *
 * @param name what is tested, such as `the in-memory workspace store`
 * @throws InvalidArgumentError when there is no runner
 */
export function describeWorkspaceStoreContract(name: string, options: WorkspaceStoreContractOptions): void {
  const { makeStore, defaultAccess = true, runner, timeoutMs } = options;
  const make = checkedMaker('makeStore', 'store', makeStore);
  declareContract({
    ...{ name, runner, timeoutMs },
    tests: WORKSPACE_STORE_CONTRACT,
    abilities: defaultAccess ? [DEFAULT_ACCESS] : [],
    make: async () => {
      const { store, close } = await make();
      return { subject: store, close: async () => close?.() };
    },
  });
}
