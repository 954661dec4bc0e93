import assert from 'node:assert/strict';

import { Representation, type RepresentationInit } from '../../domain/representation.js';
import type { RepresentationStore } from '../../ports/representation-store.js';
import { checkedMaker, requireExpected } from '../checked-options.js';
import { declareContract, type ContractOptions, type ContractTest } from '../contract.js';
import { HOSTILE_IDENTITIES } from '../hostile-identities.js';
import { HOSTILE_TEXTS } from '../hostile-texts.js';
import { allPages, LEE, MINA, minute, observed, OPS, peerOf } from './store-facts.js';

/** A store to be tested: empty, and nobody else's for the length of one test. */
export interface RepresentationStoreToTest {
  /** The store. */
  readonly store: RepresentationStore;
  /** Lets go of the store. Default: nothing is. */
  close?(): Promise<void>;
}

/** What a store may have beside what every store has: `REWRITE` is `rewriteEach`, `WORKSPACES` is `findWorkspaces`. */
export const REPRESENTATION_STORE_ABILITIES = ['REWRITE', 'WORKSPACES'] as const;
/** `REWRITE` (`rewriteEach`) or `WORKSPACES` (`findWorkspaces`): optional methods of a store. */
export type RepresentationStoreAbility = (typeof REPRESENTATION_STORE_ABILITIES)[number];

/** What is tested by `describeRepresentationStoreContract`, and what it is expected to have. */
export interface RepresentationStoreContractOptions extends ContractOptions {
  /** What the store has beside what every store has; the first test fails when it has something else. */
  readonly expects: readonly RepresentationStoreAbility[];
  /** Called before each test; answers with an empty store. */
  readonly makeStore: () => RepresentationStoreToTest | Promise<RepresentationStoreToTest>;
}

/** The store in the hands of a test. */
export interface RepresentationStoreUnderTest {
  readonly store: RepresentationStore;
  readonly expects: readonly RepresentationStoreAbility[];
}

const made = (summary: string, at: number, change: Partial<RepresentationInit> = {}): Representation =>
  Representation.of({ subject: MINA, summary, generatedAt: minute(at), tokenCount: 3, ...change });

/** All tests of the contract, in the order in which they are declared. @internal */
export const REPRESENTATION_STORE_CONTRACT: readonly ContractTest<RepresentationStoreUnderTest>[] = Object.freeze([
  {
    name: 'has exactly the optional methods that it is expected to have',
    run: async ({ store, expects }: RepresentationStoreUnderTest) => {
      const has = {
        REWRITE: typeof store.rewriteEach === 'function',
        WORKSPACES: typeof store.findWorkspaces === 'function',
      };
      assert.deepEqual(
        REPRESENTATION_STORE_ABILITIES.filter((ability) => has[ability]),
        REPRESENTATION_STORE_ABILITIES.filter((ability) => expects.includes(ability)),
      );
    },
  },
  {
    name: 'keeps every field of a representation',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      const whole = made('Mina runs operations.', 3, {
        ...{ observer: LEE, sessionId: 'monday', tokenCount: 7 },
        observations: [observed(1), observed(2, { observer: LEE, confidence: 0, metadata: { a: 'b' } })],
      });
      assert.deepEqual(picture(await store.save(whole)), picture(whole));
      const found = await store.findLatestLocal(MINA, LEE, 'monday');
      assert.ok(found instanceof Representation, 'What comes back has to be a Representation.');
      assert.deepEqual(picture(found), picture(whole));
    },
  },
  {
    name: 'keeps a summary unit for unit, or refuses it and keeps nothing',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      for (const [n, { what, text }] of HOSTILE_TEXTS.entries()) {
        const subject = peerOf(`p${n}`);
        const kept = await store.save(made(text, 1, { subject })).catch(() => undefined);
        assert.equal((await store.findLatestGlobal(subject))?.summary, kept === undefined ? undefined : text, what);
      }
    },
  },
  {
    name: 'finds the newest of each view, in whichever order they were saved, and mixes none',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      for (const one of [
        made('global 2', 2),
        made('global 1', 1),
        made('lee', 9, { observer: LEE }),
        made('lee, older', 8, { observer: LEE }),
        made('lee on monday', 9, { observer: LEE, sessionId: 'monday' }),
        made('mina', 10, { observer: MINA }),
        made('about lee', 10, { subject: LEE }),
      ])
        await store.save(one);
      const summaries = [
        await store.findLatestGlobal(MINA),
        await store.findLatestLocal(MINA, LEE),
        await store.findLatestLocal(MINA, LEE, 'monday'),
        await store.findLatestLocal(MINA, MINA),
        await store.findLatestGlobal(LEE),
        await store.findLatestLocal(MINA, LEE, 'tuesday'),
        await store.findLatestLocal(MINA, MINA, 'monday'),
        await store.findLatestLocal(LEE, MINA),
        await store.findLatestGlobal(peerOf('mina', 'elsewhere')),
      ];
      assert.deepEqual(
        summaries.map((one) => one?.summary),
        ['global 2', 'lee', 'lee on monday', 'mina', 'about lee', undefined, undefined, undefined, undefined],
      );
    },
  },
  {
    name: 'keeps what was saved before, so that the newest can be deleted',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      for (const n of [1, 2, 3]) await store.save(made(`global ${n}`, n));
      assert.equal(await store.deleteOlderThan(OPS, minute(2)), 1, 'It deletes what was generated before the cutoff.');
      assert.equal((await store.findLatestGlobal(MINA))?.summary, 'global 3');
      assert.equal(await store.deleteOlderThan(OPS, minute(9)), 2, 'Those that are not the newest are gone.');
      assert.equal(await store.findLatestGlobal(MINA), undefined);
    },
  },
  {
    name: 'deletes what is older, of that workspace only',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      const elsewhere = peerOf('mina', 'ops:');
      await store.save(made('here', 1));
      await store.save(made('elsewhere', 1, { subject: elsewhere }));
      assert.equal(await store.deleteOlderThan(OPS, minute(1)), 0, 'What was generated at the cutoff is not older.');
      assert.equal(await store.deleteOlderThan(OPS, minute(2)), 1);
      assert.equal((await store.findLatestGlobal(elsewhere))?.summary, 'elsewhere');
      assert.equal(await store.deleteOlderThan(peerOf('x', 'nowhere').workspace, minute(2)), 0);
    },
  },
  {
    name: 'keeps apart peers, observers and sessions whose ids are alike',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      for (const [n, id] of HOSTILE_IDENTITIES.entries()) {
        await store.save(made(`global ${n}`, 1, { subject: peerOf(id) }));
        await store.save(made(`tenant ${n}`, 1, { subject: peerOf('mina', id) }));
        await store.save(made(`local ${n}`, 1, { observer: peerOf(id) }));
        await store.save(made(`session ${n}`, 1, { observer: LEE, sessionId: id }));
      }
      for (const [n, id] of HOSTILE_IDENTITIES.entries()) {
        const what = JSON.stringify(id);
        assert.equal((await store.findLatestGlobal(peerOf(id)))?.summary, `global ${n}`, what);
        assert.equal((await store.findLatestGlobal(peerOf('mina', id)))?.summary, `tenant ${n}`, what);
        assert.equal((await store.findLatestLocal(MINA, peerOf(id)))?.summary, `local ${n}`, what);
        assert.equal((await store.findLatestLocal(MINA, LEE, id))?.summary, `session ${n}`, what);
      }
    },
  },
  {
    name: 'erases what is about a peer, by it, or quotes what it observed',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      const kim = peerOf('kim');
      await store.save(made('about', 1));
      await store.save(made('by', 1, { subject: LEE, observer: MINA }));
      await store.save(
        made('quotes', 1, { subject: LEE, observations: [observed(1, { subject: LEE, observer: MINA })] }),
      );
      await store.save(made('other', 1, { subject: kim, observations: [observed(2, { subject: kim })] }));
      await store.save(made('elsewhere', 1, { subject: peerOf('mina', 'elsewhere') }));
      assert.equal(await store.eraseSubject(MINA), 3);
      assert.equal(await store.findLatestGlobal(MINA), undefined);
      assert.equal(await store.findLatestLocal(LEE, MINA), undefined, 'What the peer thought of others is there.');
      assert.equal(await store.findLatestGlobal(LEE), undefined, 'What quotes the peer is there.');
      assert.equal((await store.findLatestGlobal(kim))?.summary, 'other');
      assert.equal((await store.findLatestGlobal(peerOf('mina', 'elsewhere')))?.summary, 'elsewhere');
      assert.equal(await store.eraseSubject(MINA), 0);
    },
  },
  {
    name: 'erases a workspace, and only that',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      for (const [n, id] of ['ops', 'op', 'ops:', 'Ops', 'o%'].entries())
        await store.save(made(`in ${id}`, n, { subject: peerOf('mina', id) }));
      await store.save(made('local', 9, { observer: LEE }));
      assert.equal(await store.eraseWorkspace(OPS), 2);
      assert.equal(await store.findLatestGlobal(MINA), undefined);
      for (const id of ['op', 'ops:', 'Ops', 'o%'])
        assert.equal((await store.findLatestGlobal(peerOf('mina', id)))?.summary, `in ${id}`);
      assert.equal(await store.eraseWorkspace(OPS), 0);
    },
  },
  {
    name: 'loses nothing when many write and read at once',
    run: async ({ store }: RepresentationStoreUnderTest) => {
      await Promise.all(
        Array.from({ length: 40 }, (_, n) => [store.save(made(`global ${n}`, n)), store.findLatestGlobal(MINA)]).flat(),
      );
      assert.equal((await store.findLatestGlobal(MINA))?.summary, 'global 39');
      assert.equal(await store.deleteOlderThan(OPS, minute(100)), 40);
    },
  },
  {
    name: 'offers every representation of a workspace to be rewritten, and keeps what comes back in its place',
    needs: ['REWRITE'],
    run: async ({ store }: RepresentationStoreUnderTest) => {
      for (const n of [1, 2]) await store.save(made(`global ${n}`, n));
      await store.save(made('local', 3, { observer: LEE }));
      await store.save(made('elsewhere', 1, { subject: peerOf('mina', 'elsewhere') }));
      const offered: string[] = [];
      await store.rewriteEach?.(OPS, async (one) => {
        offered.push(one.summary);
        return one.summary === 'global 2'
          ? Representation.of({ subject: MINA, summary: 'masked', generatedAt: one.generatedAt, tokenCount: 1 })
          : undefined;
      });
      assert.deepEqual(offered.sort(), ['global 1', 'global 2', 'local']);
      assert.equal((await store.findLatestGlobal(MINA))?.summary, 'masked');
      assert.equal((await store.findLatestLocal(MINA, LEE))?.summary, 'local');
      assert.equal(await store.deleteOlderThan(OPS, minute(100)), 3, 'It was added, and not put in the place.');
    },
  },
  {
    name: 'lists the workspaces of which anything is kept, each once, by id',
    needs: ['WORKSPACES'],
    run: async ({ store }: RepresentationStoreUnderTest) => {
      const ids = ['b', 'a', 'B', 'a:b', 'c'];
      for (const id of ids) await store.save(made('x', 1, { subject: peerOf('mina', id) }));
      await store.eraseWorkspace(peerOf('mina', 'c').workspace);
      for (const limit of [1, 2, 50]) {
        const found = await allPages(limit, async (page) => (await store.findWorkspaces?.(page)) ?? { items: [] });
        assert.deepEqual(
          found.map(({ id }) => id),
          ids.slice(0, -1).sort(),
          `in pages of ${limit}`,
        );
      }
    },
  },
]);

/**
 * Declares the tests that every `RepresentationStore` has to pass.
 *
 * @param name what is tested, such as `the in-memory representation store`
 * @throws InvalidArgumentError when there is no runner, or `expects` names what no store can have
 */
export function describeRepresentationStoreContract(name: string, options: RepresentationStoreContractOptions): void {
  const { expects, makeStore, runner, timeoutMs } = options;
  requireExpected(expects, REPRESENTATION_STORE_ABILITIES);
  const make = checkedMaker('makeStore', 'store', makeStore);
  declareContract({
    ...{ name, runner, timeoutMs },
    tests: REPRESENTATION_STORE_CONTRACT,
    abilities: expects,
    make: async () => {
      const { store, close } = await make();
      return { subject: { store, expects }, close: async () => close?.() };
    },
  });
}

function picture(one: Representation): unknown {
  const { subject, observer, sessionId, summary, generatedAt, tokenCount, observations } = one;
  const peers = { subject: subject.key(), observer: observer?.key() };
  return {
    ...peers,
    sessionId,
    summary,
    generatedAt,
    tokenCount,
    observations: observations.map((each) => each.toJSON()),
  };
}
