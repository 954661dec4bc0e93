import assert from 'node:assert/strict';

import type { StoreHit } from '../../ports/observation-store.js';
import { assertAnswers } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { HOSTILE_IDENTITIES } from '../hostile-identities.js';
import { HOSTILE_TEXTS } from '../hostile-texts.js';
import type { ObservationStoreUnderTest } from './observation-store-under-test.js';
import { idOf, LEE, MINA, numbersOf, observed, peerOf } from './store-facts.js';

const FACTS = [
  'The printer in the kitchen prints invoices.',
  'The printer beside reception is out of toner.',
  'The database cluster was moved to Dublin.',
  'The printer of the studio takes glossy paper.',
];

const found = (hits: readonly StoreHit[]): number[] => numbersOf(hits.map(({ observation }) => observation));

async function search(
  subject: ObservationStoreUnderTest,
  query: string,
  options: { readonly topK?: number; readonly sessionId?: string; readonly of?: typeof MINA } = {},
): Promise<readonly StoreHit[]> {
  await subject.settle();
  const { topK = 200, sessionId, of = MINA } = options;
  return subject.searchable.semanticSearch(of, query, { topK, sessionId });
}

export const OBSERVATION_STORE_SEARCH_TESTS: readonly ContractTest<ObservationStoreUnderTest>[] = [
  {
    name: 'keeps apart peers and workspaces whose ids are alike',
    run: async ({ store }) => {
      for (const worlds of [(id: string) => peerOf(id), (id: string) => peerOf('mina', id)]) {
        for (const [n, id] of HOSTILE_IDENTITIES.entries()) await store.save(observed(n, { subject: worlds(id) }));
        for (const [n, id] of HOSTILE_IDENTITIES.entries()) {
          const subject = worlds(id);
          assert.deepEqual(numbersOf((await store.findBySubject(subject, { limit: 9 })).items), [n], subject.key());
          assert.equal(await store.count(subject), 1, subject.key());
        }
      }
    },
  },
  {
    name: 'search finds a fact by its own words, before all others, and at most topK',
    needs: ['SEARCH'],
    run: async (subject) => {
      for (const [n, content] of FACTS.entries()) await subject.store.save(observed(n, { content }));
      for (const [n, content] of FACTS.entries()) {
        assert.deepEqual(found(await search(subject, content, { topK: 1 })), [n]);
        assert.equal(found(await search(subject, content))[0], n);
      }
      assert.equal((await search(subject, 'printer', { topK: 2 })).length, 2);
      assert.deepEqual(
        found(await search(subject, 'printer'))
          .filter((n) => n !== 2)
          .sort(),
        [0, 1, 3],
      );
    },
  },
  {
    name: 'search scores from 0 to 1 and does not rise, where it ranks by score, and has none otherwise',
    needs: ['SEARCH'],
    run: async (subject) => {
      for (const [n, content] of FACTS.entries()) await subject.store.save(observed(n, { content }));
      const hits = await search(subject, 'printer with glossy paper');
      assert.ok(hits.length > 1);
      for (const [at, { score }] of hits.entries()) {
        if (!subject.searchable.ranksByScore) assert.ok(score === undefined || score === 0, 'ranksByScore is false.');
        else {
          assert.ok(score !== undefined && score >= 0 && score <= 1, `The score ${score} is not from 0 to 1.`);
          assert.ok(score <= (hits[at - 1]?.score ?? 1), 'A score rises.');
        }
      }
    },
  },
  {
    name: 'search finds that session only, where it narrows by session',
    needs: ['SEARCH'],
    run: async (subject) => {
      const sessions = ['monday', 'monday ', 'Monday', 'mon%', undefined];
      for (const [n, sessionId] of sessions.entries()) {
        await subject.store.save(observed(n, { content: `The printer number p${n} jams.`, sessionId }));
      }
      if (!subject.searchable.narrowsBySession) return;
      for (const [n, sessionId] of sessions.entries()) {
        if (sessionId === undefined) continue;
        assert.deepEqual(found(await search(subject, 'printer', { sessionId })), [n], `session ${sessionId}`);
      }
    },
  },
  {
    name: 'search follows what is saved, replaced, superseded, merged, deleted and erased',
    needs: ['SEARCH'],
    run: async (subject) => {
      const { store } = subject;
      for (const n of [0, 1, 2, 3, 4, 5]) await store.save(observed(n, { content: `The printer number p${n} jams.` }));
      await store.save(observed(6, { content: 'The printer of Lee jams.', subject: LEE, observer: MINA }));
      assert.deepEqual(found(await search(subject, 'printer')).sort(), [0, 1, 2, 3, 4, 5]);
      await store.save(observed(0, { content: 'The scanner is new.' }));
      assert.deepEqual(found(await search(subject, 'printer')).sort(), [1, 2, 3, 4, 5], 'after it was replaced');
      assert.deepEqual(found(await search(subject, 'scanner')), [0]);
      await store.supersede(idOf(1), observed(7, { content: 'The printer number p7 jams.' }));
      assert.deepEqual(found(await search(subject, 'printer')).sort(), [2, 3, 4, 5, 7], 'after it was superseded');
      await store.merge(idOf(2), idOf(3), observed(2, { content: 'The printers p2 and p3 are one printer.' }));
      assert.deepEqual(found(await search(subject, 'printer')).sort(), [2, 4, 5, 7], 'after they were merged');
      await store.delete(idOf(4));
      if (store.softDelete === undefined) await store.delete(idOf(5));
      else await store.softDelete(idOf(5));
      assert.deepEqual(found(await search(subject, 'printer')).sort(), [2, 7], 'after they were deleted');
      await store.save(observed(7, { subject: LEE, content: 'The printer number p7 jams.' }));
      assert.deepEqual(found(await search(subject, 'printer')), [2], 'after it became a fact about another peer');
      assert.deepEqual(found(await search(subject, 'printer', { of: LEE })).sort(), [6, 7]);
      await store.eraseSubject(MINA);
      assert.deepEqual(found(await search(subject, 'printer')), [], 'after the peer was erased');
      assert.deepEqual(found(await search(subject, 'printer', { of: LEE })), [7], 'of what the peer had observed');
      await store.eraseWorkspace(LEE.workspace);
      assert.deepEqual(found(await search(subject, 'printer', { of: LEE })), [], 'after the workspace was erased');
    },
  },
  {
    name: 'search shows the fact as it is kept',
    needs: ['SEARCH'],
    run: async (subject) => {
      for (const [n, { text }] of HOSTILE_TEXTS.entries()) {
        const content = `unmistakable${n}x ${text}`;
        try {
          await subject.store.save(observed(n, { content }));
        } catch {
          continue;
        }
        const [hit] = await search(subject, `unmistakable${n}x`, { topK: 1 });
        assert.equal(hit?.observation.content, content);
      }
    },
  },
  {
    name: 'search keeps apart peers whose ids are alike',
    needs: ['SEARCH'],
    run: async (subject) => {
      for (const [n, id] of HOSTILE_IDENTITIES.entries()) {
        await subject.store.save(observed(n, { subject: peerOf(id), content: `The server has the number n${n}.` }));
      }
      for (const [n, id] of HOSTILE_IDENTITIES.entries()) {
        assert.deepEqual(found(await search(subject, 'server', { of: peerOf(id) })), [n], JSON.stringify(id));
      }
    },
  },
  {
    name: 'search answers whatever is asked',
    needs: ['SEARCH'],
    run: async (subject) => {
      await subject.store.save(observed(0, { content: FACTS[0] }));
      for (const query of [
        '"',
        "'",
        '%',
        '*',
        '(',
        'AND',
        'NOT',
        'a:b',
        '\u0000',
        '\ud83d',
        '🙂',
        'the',
        'p'.repeat(9999),
      ]) {
        await assertAnswers(() => search(subject, query), `The query ${JSON.stringify(query.slice(0, 20))}`);
      }
    },
  },
];
