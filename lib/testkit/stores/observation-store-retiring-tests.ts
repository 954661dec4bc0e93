import assert from 'node:assert/strict';

import type { ObservationHistoryEntry } from '../../ports/observation-store.js';
import { assertRefused, errorOf } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { assertSame } from './observation-store-tests.js';
import type { ObservationStoreUnderTest } from './observation-store-under-test.js';
import { allPages, idOf, LEE, MINA, minute, numbersOf, observed, OPS, peerOf } from './store-facts.js';

const EVERYTHING = { limit: 1000 };

/** The history of Mina: number, whether it is retired, and by what it was superseded. */
async function historyOf({ store }: ObservationStoreUnderTest): Promise<readonly (readonly [number, string])[]> {
  const { items } = await store.history(MINA);
  return items.map((entry) => [...numbersOf([entry.observation]), endOf(entry)] as [number, string]);
}

function endOf({ observation, retiredAt }: ObservationHistoryEntry): string {
  if (retiredAt === undefined) return 'live';
  assert.ok(retiredAt instanceof Date && !Number.isNaN(retiredAt.getTime()), 'retiredAt has to be a Date.');
  return observation.supersededBy === undefined ? 'retired' : `superseded by ${observation.supersededBy.localId}`;
}

/** Retiring: supersede, merge, soft deletion and its end. */
export const OBSERVATION_STORE_RETIRING_TESTS: readonly ContractTest<ObservationStoreUnderTest>[] = [
  {
    name: 'supersede puts the replacement in the place of the old one',
    run: async (subject) => {
      const { store, keepsRetired } = subject;
      for (const n of [0, 1]) await store.save(observed(n));
      const replacement = observed(7, { content: 'Newer.' });
      assertSame(await store.supersede(idOf(0), replacement), replacement);
      assert.equal(await store.findById(idOf(0)), undefined, 'What was superseded is live.');
      assert.deepEqual(numbersOf((await store.findBySubject(MINA, EVERYTHING)).items), [7, 1]);
      assert.equal(await store.count(MINA), 2);
      assert.deepEqual(numbersOf(await store.findByConfidenceBelow(MINA, 1, 50)).sort(), [1, 7]);
      assert.deepEqual(await historyOf(subject), [
        [7, 'live'],
        [1, 'live'],
        ...(keepsRetired ? [[0, 'superseded by o7'] as const] : []),
      ]);
    },
  },
  {
    name: 'supersede and merge refuse observations about two peers, and one in the place of itself',
    run: async (subject) => {
      const { store } = subject;
      for (const n of [0, 1]) await store.save(observed(n));
      await store.save(observed(5, { subject: LEE }));
      await assertRefused(() => store.supersede(idOf(1), observed(8, { subject: LEE })), 'supersede by another peer');
      await assertRefused(() => store.supersede(idOf(1), observed(1)), 'supersede by itself');
      await assertRefused(() => store.merge(idOf(0), idOf(5), observed(0)), 'merge of what is about two peers');
      await assertRefused(() => store.merge(idOf(0), idOf(0), observed(0)), 'merge with itself');
      await assertRefused(() => store.merge(idOf(0), idOf(1), observed(8)), 'merge under an id that is not the winner');
      assert.deepEqual(await historyOf(subject), [
        [1, 'live'],
        [0, 'live'],
      ]);
      assert.equal(await store.findById(idOf(8)), undefined);
      assert.equal(await store.count(LEE), 1);
    },
  },
  {
    name: 'supersede of one observation at the same time has one that wins',
    run: async (subject) => {
      const { store } = subject;
      await store.save(observed(0));
      const all = await Promise.allSettled([1, 2, 3, 4].map((n) => store.supersede(idOf(0), observed(n))));
      const won = all.flatMap((result) => (result.status === 'fulfilled' ? numbersOf([result.value]) : []));
      assert.equal(won.length, 1, `${won.length} have taken the place of one.`);
      assert.deepEqual(numbersOf((await store.findBySubject(MINA, EVERYTHING)).items), won);
    },
  },
  {
    name: 'merge saves the merged one as the winner and retires the loser',
    run: async (subject) => {
      const { store, keepsRetired } = subject;
      for (const n of [0, 1, 2]) await store.save(observed(n));
      const merged = observed(0, { content: 'Both.', corroborations: 3, confidence: 1 });
      assertSame(await store.merge(idOf(0), idOf(1), merged), merged);
      assertSame(await store.findById(idOf(0)), merged);
      assert.equal(await store.findById(idOf(1)), undefined, 'The loser is live.');
      assert.equal(await store.count(MINA), 2);
      assert.deepEqual(await historyOf(subject), [
        [2, 'live'],
        ...(keepsRetired ? [[1, 'superseded by o0'] as const] : []),
        [0, 'live'],
      ]);
    },
  },
  {
    name: 'soft deletion retires into the history, and says whether it was live',
    needs: ['AUDIT_WINDOW'],
    run: async (subject) => {
      const { store } = subject;
      for (const n of [0, 1]) await store.save(observed(n));
      assert.equal(await store.softDelete?.(idOf(0)), true);
      assert.equal(await store.softDelete?.(idOf(0)), false);
      assert.equal(await store.softDelete?.(idOf(7)), false);
      assert.equal(await store.findById(idOf(0)), undefined, 'What was retired is found by its id.');
      assert.deepEqual(numbersOf((await store.findBySubject(MINA, EVERYTHING)).items), [1]);
      assert.deepEqual(numbersOf(await store.findByConfidenceBelow(MINA, 1, 50)), [1]);
      assert.equal(await store.count(MINA), 1);
      assert.deepEqual(await historyOf(subject), [
        [1, 'live'],
        [0, 'retired'],
      ]);
      const exported: string[] = [];
      for await (const entry of store.exportSubject(MINA)) exported.push(endOf(entry));
      assert.deepEqual(exported, ['retired', 'live']);
      const error = await errorOf(() => store.supersede(idOf(0), observed(8)), 'supersede of what is retired');
      assert.match(String(error), /o0/, 'The error has to name what is not live.');
    },
  },
  {
    name: 'saves what was retired as live again',
    needs: ['AUDIT_WINDOW'],
    run: async (subject) => {
      const { store } = subject;
      await store.save(observed(0));
      await store.softDelete?.(idOf(0));
      await store.save(observed(0, { content: 'Back.' }));
      assert.equal((await store.findById(idOf(0)))?.content, 'Back.');
      assert.deepEqual(await historyOf(subject), [[0, 'live']]);
      assert.equal(await store.count(MINA), 1);
    },
  },
  {
    name: 'deletes also what was retired',
    needs: ['AUDIT_WINDOW'],
    run: async (subject) => {
      const { store } = subject;
      await store.save(observed(0));
      await store.softDelete?.(idOf(0));
      assert.equal(await store.delete(idOf(0)), true);
      assert.deepEqual(await historyOf(subject), []);
    },
  },
  {
    name: 'lists a subject no more when nothing about it is live, and its history in pages of any size',
    needs: ['AUDIT_WINDOW'],
    run: async ({ store }) => {
      for (const n of [0, 1, 2, 3, 4]) await store.save(observed(n, { createdAt: minute(n % 2) }));
      for (const n of [0, 1, 2, 3, 4]) await store.softDelete?.(idOf(n));
      assert.deepEqual((await store.findSubjects(OPS, EVERYTHING)).items, []);
      assert.deepEqual((await store.findBySubject(MINA, EVERYTHING)).items, []);
      for (const limit of [1, 2, 50]) {
        const entries = await allPages(limit, (page) => store.history(MINA, page));
        assert.deepEqual(
          numbersOf(entries.map(({ observation }) => observation)),
          [1, 3, 0, 2, 4],
          `pages of ${limit}`,
        );
      }
    },
  },
  {
    name: 'purges what was retired before the cutoff, of that workspace, and nothing live',
    needs: ['AUDIT_WINDOW'],
    run: async (subject) => {
      const { store } = subject;
      const elsewhere = peerOf('mina', 'elsewhere');
      for (const n of [0, 1, 2]) await store.save(observed(n));
      await store.save(observed(0, { subject: elsewhere }));
      await store.softDelete?.(idOf(0));
      await store.softDelete?.(idOf(0, 'elsewhere'));
      await store.supersede(idOf(1), observed(3));
      const { items } = await store.history(MINA);
      const times = items.flatMap(({ retiredAt }) => (retiredAt === undefined ? [] : [retiredAt.getTime()]));
      const purge = (time: number) => store.purgeSoftDeletedBefore?.(OPS, new Date(time));
      assert.equal(await purge(Math.min(...times)), 0, 'What was retired at the cutoff was not retired before it.');
      assert.equal(await purge(Math.max(...times) + 1), 2);
      assert.deepEqual(await historyOf(subject), [
        [3, 'live'],
        [2, 'live'],
      ]);
      assert.equal((await store.history(elsewhere)).items.length, 1, 'Another workspace was purged too.');
      assert.equal(await purge(Math.max(...times) + 86_400_000), 0);
      assert.equal(await store.count(MINA), 2);
    },
  },
  {
    name: 'rewrites in its place what is live and what is retired, and brings nothing back',
    needs: ['REWRITE'],
    run: async (subject) => {
      const { store, keepsRetired } = subject;
      for (const n of [0, 1, 2]) await store.save(observed(n));
      if (keepsRetired) await store.softDelete?.(idOf(1));
      else await store.delete(idOf(1));
      const before = (await store.history(MINA)).items.map(({ retiredAt }) => retiredAt?.getTime());
      for (const n of [1, 2]) {
        assert.equal(await store.rewrite?.(observed(n, { content: 'Masked.' })), n === 2 || keepsRetired);
      }
      assert.equal(await store.rewrite?.(observed(7, { content: 'Masked.' })), false);
      const { items } = await store.history(MINA);
      assert.deepEqual(
        items.map(({ observation: { content } }) => content),
        ['Masked.', ...(keepsRetired ? ['Masked.'] : []), 'Fact number f0.'],
      );
      assert.deepEqual(
        items.map(({ retiredAt }) => retiredAt?.getTime()),
        before,
        'It was retired at another time afterwards, or is live again.',
      );
      assert.equal(await store.count(MINA), 2);
      assert.equal(await store.findById(idOf(7)), undefined);
      await assertRefused(async () => store.rewrite?.(observed(0, { subject: LEE })), 'rewrite about another peer');
    },
  },
  {
    name: 'lists also the peers of whom only retired observations are kept, where it is asked for them',
    needs: ['KEPT_SUBJECTS', 'AUDIT_WINDOW'],
    run: async ({ store }) => {
      await store.save(observed(0));
      await store.save(observed(5, { subject: LEE }));
      await store.save(observed(6, { subject: peerOf('kim') }));
      await store.softDelete?.(idOf(0));
      await store.delete(idOf(6));
      for (const limit of [1, 50]) {
        const kept = await allPages(
          limit,
          async (page) => (await store.findKeptSubjects?.(OPS, page)) ?? { items: [] },
        );
        assert.deepEqual(kept.map(({ principal }) => principal.id).sort(), ['lee', 'mina'], `in pages of ${limit}`);
      }
    },
  },
  {
    name: 'lists a workspace of which only retired observations are kept',
    needs: ['WORKSPACES', 'AUDIT_WINDOW'],
    run: async ({ store }) => {
      await store.save(observed(0));
      await store.softDelete?.(idOf(0));
      const found = await store.findWorkspaces?.(EVERYTHING);
      assert.deepEqual(
        found?.items.map(({ id }) => id),
        ['ops'],
      );
    },
  },
];
