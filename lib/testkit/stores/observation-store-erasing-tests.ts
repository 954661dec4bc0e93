import assert from 'node:assert/strict';

import type { ContractTest } from '../contract.js';
import type { ObservationStoreUnderTest } from './observation-store-under-test.js';
import { idOf, LEE, MINA, numbersOf, observed, OPS, peerOf } from './store-facts.js';

const EVERYTHING = { limit: 1000 };

/** Handing out everything about a peer, and letting go of it. */
export const OBSERVATION_STORE_ERASING_TESTS: readonly ContractTest<ObservationStoreUnderTest>[] = [
  {
    name: 'exports everything about a subject, oldest first, and can be left half way',
    run: async ({ store }) => {
      for (const n of [3, 1, 2]) await store.save(observed(n));
      await store.save(observed(7, { subject: LEE }));
      const exported: number[] = [];
      for await (const { observation } of store.exportSubject(MINA)) exported.push(...numbersOf([observation]));
      assert.deepEqual(exported, [1, 2, 3]);
      for await (const entry of store.exportSubject(MINA)) {
        assert.equal(entry.retiredAt, undefined);
        break;
      }
      assert.equal(await store.count(MINA), 3);
      for await (const { observation } of store.exportSubject(peerOf('nobody')))
        assert.fail(`There is ${observation.id.toString()} about nobody.`);
    },
  },
  {
    name: 'erases a peer as subject and as observer, and names whom else it concerned',
    run: async ({ store, keepsRetired }) => {
      for (const n of [0, 1]) await store.save(observed(n));
      await store.save(observed(5, { subject: LEE, observer: MINA }));
      await store.save(observed(6, { subject: LEE, observer: LEE }));
      await store.save(observed(7, { subject: peerOf('mina', 'elsewhere') }));
      if (keepsRetired) await store.softDelete?.(idOf(0));
      const { observations, alsoAbout } = await store.eraseSubject(MINA);
      assert.equal(observations, 3);
      assert.deepEqual(
        alsoAbout.map((peer) => peer.key()),
        [LEE.key()],
      );
      assert.deepEqual((await store.history(MINA)).items, []);
      assert.equal(await store.count(MINA), 0);
      assert.equal(await store.findById(idOf(5)), undefined, 'What the peer had observed is still there.');
      assert.deepEqual(numbersOf((await store.findBySubject(LEE, EVERYTHING)).items), [6]);
      assert.equal(await store.count(peerOf('mina', 'elsewhere')), 1, 'A peer of the same name elsewhere is gone.');
      assert.deepEqual(await store.eraseSubject(MINA), { observations: 0, alsoAbout: [] });
    },
  },
  {
    name: 'erases a workspace, and only that',
    run: async ({ store, keepsRetired }) => {
      for (const [n, id] of ['ops', 'ops', 'op', 'ops:', 'Ops', 'o%'].entries())
        await store.save(observed(n, { subject: peerOf('mina', id) }));
      if (keepsRetired) await store.softDelete?.(idOf(0));
      assert.equal(await store.eraseWorkspace(OPS), 2);
      assert.deepEqual((await store.history(MINA)).items, []);
      for (const id of ['op', 'ops:', 'Ops', 'o%']) assert.equal(await store.count(peerOf('mina', id)), 1, id);
      assert.equal(await store.eraseWorkspace(OPS), 0);
    },
  },
  {
    name: 'takes a fact again that was deleted or erased',
    run: async ({ store }) => {
      await store.save(observed(0));
      await store.delete(idOf(0));
      await store.save(observed(0, { content: 'Again.' }));
      assert.equal((await store.findById(idOf(0)))?.content, 'Again.');
      await store.eraseSubject(MINA);
      await store.save(observed(0, { content: 'Once more.' }));
      assert.deepEqual(
        (await store.history(MINA)).items.map(({ observation: { content } }) => content),
        ['Once more.'],
      );
    },
  },
];
