import assert from 'node:assert/strict';

import { StoreError } from '../../domain/errors.js';
import { Observation } from '../../domain/observation.js';
import { OBSERVATION_TYPES } from '../../domain/observation-type.js';
import { assertRefused, errorOf, isClear } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { HOSTILE_TEXTS, LONG_TEXT } from '../hostile-texts.js';
import type { ObservationStoreUnderTest } from './observation-store-under-test.js';
import { allPages, idOf, LEE, MINA, minute, numbersOf, observed, OPS, peerOf } from './store-facts.js';

const EVERYTHING = { limit: 1000 };

/** Finding, saving, listing and removing. */
export const OBSERVATION_STORE_TESTS: readonly ContractTest<ObservationStoreUnderTest>[] = [
  {
    name: 'has exactly the optional methods that it is expected to have',
    run: async ({ abilities, expects, store }) => {
      assert.deepEqual([...abilities].sort(), [...expects].sort(), 'These are not the abilities in `expects`.');
      assert.equal(
        typeof store.softDelete,
        typeof store.purgeSoftDeletedBefore,
        'softDelete and purgeSoftDeletedBefore come both or not at all.',
      );
    },
  },
  {
    name: 'keeps every field of an observation',
    run: async ({ store }) => {
      const all = OBSERVATION_TYPES.map((type, n) =>
        observed(n, {
          ...{ type, observer: LEE, sessionId: 'monday', contradicted: n % 2 === 1, corroborations: n },
          confidence: n / 3,
          sourceMessageIds: ['m2', 'm1'],
          occurredAt: new Date(Date.UTC(2025, 11, 31, 23, 59, 59, n)),
          createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, 0, n + 1)),
          metadata: { source: 'ticket', constructor: 'a', 서버: '', 'a.b"c': '\\' },
        }),
      );
      all.push(observed(9, { confidence: 0 }));
      for (const one of all) assertSame(await store.save(one), one);
      for (const one of all) assertSame(await store.findById(one.id), one);
      for (const one of (await store.findBySubject(MINA, EVERYTHING)).items)
        assertSame(one, all.find(({ id }) => id.equals(one.id)) as Observation);
    },
  },
  {
    name: 'keeps a text unit for unit, or refuses it and keeps nothing',
    run: async ({ store }) => {
      for (const [n, { what, text }] of [...HOSTILE_TEXTS, { what: '100 kB', text: LONG_TEXT }].entries()) {
        try {
          await store.save(observed(n, { content: text }));
        } catch (error) {
          assert.ok(isClear(error), `${what}: it is refused with ${String(error)}, which explains nothing.`);
          assert.equal(await store.findById(idOf(n)), undefined, `${what}: it was refused, and something was kept.`);
          continue;
        }
        assert.equal((await store.findById(idOf(n)))?.content, text, what);
      }
    },
  },
  {
    name: 'finds nothing under an id that it does not know',
    run: async ({ store }) => {
      await store.save(observed(1));
      assert.equal(await store.findById(idOf(2)), undefined);
      assert.equal(
        await store.findById(idOf(1, 'elsewhere')),
        undefined,
        'The same local id is another one elsewhere.',
      );
      assert.deepEqual((await store.findBySubject(LEE, EVERYTHING)).items, []);
      assert.equal(await store.count(LEE), 0);
      assert.deepEqual((await store.history(LEE)).items, []);
    },
  },
  {
    name: 'replaces the observation of the same id, also under another time and another subject',
    run: async ({ store }) => {
      for (const n of [0, 1, 2]) await store.save(observed(n));
      await store.save(observed(1, { content: 'Changed.', createdAt: minute(9) }));
      const { items } = await store.findBySubject(MINA, EVERYTHING);
      assert.deepEqual(numbersOf(items), [1, 2, 0]);
      assert.equal(items[0]?.content, 'Changed.');
      await store.save(observed(1, { subject: LEE, observer: LEE }));
      assert.deepEqual([await store.count(MINA), await store.count(LEE)], [2, 1]);
      assert.ok((await store.findById(idOf(1)))?.subject.equals(LEE));
      assert.deepEqual(numbersOf((await store.findBySubject(MINA, EVERYTHING)).items), [2, 0]);
    },
  },
  {
    name: 'keeps two observations of one local id in two workspaces apart',
    run: async ({ store }) => {
      const elsewhere = peerOf('mina', 'elsewhere');
      await store.save(observed(1));
      await store.save(observed(1, { subject: elsewhere, content: 'Another.' }));
      assert.equal((await store.findById(idOf(1)))?.content, 'Fact number f1.');
      assert.equal((await store.findById(idOf(1, 'elsewhere')))?.content, 'Another.');
      assert.equal(await store.delete(idOf(1, 'elsewhere')), true);
      assert.equal(await store.count(MINA), 1);
    },
  },
  {
    name: 'lists observations newest first and those of one instant by id, each once, in pages of any size',
    run: async ({ store }) => {
      // Two instants of several observations each, saved out of order.
      const times = [3, 1, 3, 2, 3, 1, 3, 4, 3, 3, 1];
      for (const [n, at] of times.entries()) await store.save(observed(n, { createdAt: minute(at) }));
      const expected = [...times.keys()].sort(
        (a, b) => (times[b] as number) - (times[a] as number) || (idOf(a).localId < idOf(b).localId ? -1 : 1),
      );
      for (const limit of [1, 2, 3, 5, 11, 50]) {
        const listed = await allPages(limit, (page) => store.findBySubject(MINA, page));
        assert.deepEqual(numbersOf(listed), expected, `in pages of ${limit}`);
        const entries = await allPages(limit, (page) => store.history(MINA, page));
        assert.deepEqual(numbersOf(entries.map(({ observation }) => observation)), expected, `history, ${limit}`);
      }
      assert.deepEqual(
        numbersOf((await store.history(MINA)).items.map(({ observation }) => observation)),
        expected,
        'history without a limit',
      );
    },
  },
  {
    name: 'goes on with a page although what it ended with is gone, or newer ones have come',
    run: async ({ store }) => {
      for (const n of [0, 1, 2, 3, 4]) await store.save(observed(n));
      const { cursor } = await store.findBySubject(MINA, { limit: 2 });
      assert.ok(cursor !== undefined, 'There is more, and no cursor.');
      await store.delete(idOf(3));
      for (const n of [7, 8, 9]) await store.save(observed(n));
      assert.deepEqual(numbersOf((await store.findBySubject(MINA, { limit: 9, cursor })).items), [2, 1, 0]);
    },
  },
  {
    name: 'refuses a limit below one, and a cursor that is not its own',
    run: async ({ store }) => {
      await store.save(observed(1));
      for (const limit of [0, -1, 0.5, Number.NaN]) {
        await assertRefused(() => store.findBySubject(MINA, { limit }), `findBySubject with a limit of ${limit}`);
        await assertRefused(() => store.findSubjects(OPS, { limit }), `findSubjects with a limit of ${limit}`);
        await assertRefused(() => store.history(MINA, { limit }), `history with a limit of ${limit}`);
        await assertRefused(() => store.findByConfidenceBelow(MINA, 1, limit), `findByConfidenceBelow, ${limit}`);
      }
      const cursor = 'no cursor of anybody';
      await assertRefused(() => store.findBySubject(MINA, { limit: 1, cursor }), 'findBySubject with a foreign cursor');
      await assertRefused(() => store.findSubjects(OPS, { limit: 1, cursor }), 'findSubjects with a foreign cursor');
      await assertRefused(() => store.history(MINA, { limit: 1, cursor }), 'history with a foreign cursor');
    },
  },
  {
    name: 'lists each peer of a workspace once, of whom there is something live',
    run: async ({ store }) => {
      const ids = ['mina', 'lee', 'kim', 'park', 'choi'];
      for (const [n, id] of ids.entries())
        for (const each of [0, 1]) await store.save(observed(10 * n + each, { subject: peerOf(id) }));
      await store.save(observed(99, { subject: peerOf('stranger', 'elsewhere') }));
      for (const n of [0, 1]) await store.delete(idOf(n));
      for (const limit of [1, 2, 50]) {
        const found = await allPages(limit, (page) => store.findSubjects(OPS, page));
        assert.deepEqual(found.map(({ principal }) => principal.id).sort(), ids.slice(1).sort(), `pages of ${limit}`);
        for (const peer of found) assert.equal(peer.workspace.id, 'ops');
      }
      assert.deepEqual((await store.findSubjects(peerOf('x', 'nowhere').workspace, EVERYTHING)).items, []);
    },
  },
  {
    name: 'finds what has less confidence than a threshold, the least certain first',
    run: async ({ store }) => {
      for (const [n, confidence] of [0.5, 0.2, 0.9, 0.4, 0, 0.49].entries())
        await store.save(observed(n, { confidence }));
      await store.save(observed(50, { subject: LEE, confidence: 0 }));
      assert.deepEqual(numbersOf(await store.findByConfidenceBelow(MINA, 0.5, 50)), [4, 1, 3, 5]);
      assert.deepEqual(numbersOf(await store.findByConfidenceBelow(MINA, 0.5, 2)), [4, 1]);
      assert.deepEqual(await store.findByConfidenceBelow(MINA, 0, 50), []);
    },
  },
  {
    name: 'counts what is live about a subject',
    run: async ({ store }) => {
      for (const n of [0, 1, 2]) await store.save(observed(n));
      await store.save(observed(1, { content: 'Changed.' }));
      await store.save(observed(7, { subject: LEE }));
      assert.equal(await store.count(MINA), 3);
      await store.delete(idOf(0));
      assert.equal(await store.count(MINA), 2);
    },
  },
  {
    name: 'deletes without a trace, and says whether there was anything to delete',
    run: async ({ store }) => {
      for (const n of [0, 1]) await store.save(observed(n));
      assert.equal(await store.delete(idOf(0)), true);
      assert.equal(await store.delete(idOf(0)), false);
      assert.equal(await store.delete(idOf(7)), false);
      assert.equal(await store.findById(idOf(0)), undefined);
      const { items } = await store.history(MINA);
      assert.deepEqual(
        numbersOf(items.map(({ observation }) => observation)),
        [1],
        'What was deleted is in the history.',
      );
    },
  },
  {
    name: 'lists the workspaces of which anything is kept, each once, by id',
    needs: ['WORKSPACES'],
    run: async ({ store }) => {
      const ids = ['b', 'a', 'B', 'ä', 'ops', 'a:b', 'c'];
      for (const [n, id] of ids.entries()) await store.save(observed(n, { subject: peerOf('mina', id) }));
      await store.save(observed(50, { subject: peerOf('lee', 'a') }));
      await store.delete(idOf(6, 'c'));
      for (const limit of [1, 3, 50]) {
        const found = await allPages(limit, async (page) => (await store.findWorkspaces?.(page)) ?? { items: [] });
        const names = found.map(({ id }) => id);
        assert.deepEqual([...names].sort(), ids.slice(0, -1).sort(), `in pages of ${limit}`);
        assert.deepEqual(names, [...names].sort(), 'They do not come by id.');
      }
    },
  },
  {
    name: 'hands out lists that do not change when something is written',
    run: async ({ store }) => {
      for (const n of [0, 1]) await store.save(observed(n));
      const [page, history, weak] = [
        await store.findBySubject(MINA, EVERYTHING),
        await store.history(MINA),
        await store.findByConfidenceBelow(MINA, 1, 50),
      ];
      const before = [page.items.length, history.items.length, weak.length];
      await store.save(observed(2, { confidence: 0.1 }));
      await store.delete(idOf(0));
      assert.deepEqual([page.items.length, history.items.length, weak.length], before);
      assert.deepEqual(numbersOf(page.items), [1, 0]);
    },
  },
  {
    name: 'loses nothing and doubles nothing when many write and read at once',
    run: async ({ store }) => {
      const subjects = [MINA, LEE, peerOf('mina', 'elsewhere')];
      await Promise.all(
        Array.from({ length: 60 }, (_, n) => n).flatMap((n) => {
          const subject = subjects[n % subjects.length] as typeof MINA;
          return [
            store.save(observed(n, { subject })),
            store.save(observed(n, { subject, content: `Fact number f${n}, again.` })),
            store.findBySubject(subject, { limit: 5 }),
            store.count(subject),
          ];
        }),
      );
      for (const [at, subject] of subjects.entries()) {
        const { items } = await store.findBySubject(subject, EVERYTHING);
        const expected = Array.from({ length: 20 }, (_, n) => 3 * n + at).reverse();
        assert.deepEqual(numbersOf(items), expected);
        assert.equal(await store.count(subject), 20);
      }
    },
  },
  {
    name: 'fails clearly when it is given the id of nothing live to supersede or merge, and changes nothing',
    run: async ({ store }) => {
      for (const n of [0, 1]) await store.save(observed(n));
      for (const [what, call] of [
        ['supersede of what is not there', () => store.supersede(idOf(5), observed(8))],
        ['merge into what is not there', () => store.merge(idOf(5), idOf(0), observed(5))],
        ['merge of what is not there', () => store.merge(idOf(0), idOf(5), observed(0))],
      ] as const) {
        const error = await errorOf(call, what);
        assert.ok(
          error instanceof StoreError,
          `${what} has to fail with a StoreError; it failed with ${String(error)}.`,
        );
      }
      assert.deepEqual(numbersOf((await store.findBySubject(MINA, EVERYTHING)).items), [1, 0]);
      assert.equal((await store.findById(idOf(0)))?.content, 'Fact number f0.');
    },
  },
];

/** Fails unless both are the same observation, field by field. */
export function assertSame(actual: Observation | undefined, expected: Observation): void {
  assert.ok(actual instanceof Observation, 'What comes back has to be an Observation.');
  assert.deepEqual(actual.toJSON(), expected.toJSON());
}
