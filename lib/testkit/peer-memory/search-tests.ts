import assert from 'node:assert/strict';

import type { MemoryHit } from '../../spi/search.js';
import { assertAnswers, assertRefused } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { contentsOf, fact, type PeerMemoryUnderTest } from './peer-memory-under-test.js';

/** Facts that share a word, and have words of their own. */
const FACTS = [
  'The printer in the kitchen prints invoices for accounting.',
  'The printer beside reception is out of toner.',
  'The database cluster in Frankfurt was moved to Dublin.',
  'The printer of the design studio takes glossy paper.',
  'The lift to the canteen stops on Fridays.',
] as const;

/** What stands for something else in one query language or another, has no words in it, or is longer than usual. */
const ODD_QUERIES = [
  ...['"', '"printer', "'", '%', '_', '*', 'printer*', '?', '.', '\\', '(', '(printer', '[', '^', '$', '~', '+', '-'],
  ...['AND', 'OR', 'NOT', 'NEAR', 'printer AND', 'NOT printer', 'a:b', 'content:printer', 'printer:*', 'printer & !x'],
  ...['printer)', '{}', '--', ';', '/* */', '<->', '\u0000', 'printer\u0000', '\ud83d', '🙂', '👩‍👩‍👧', '\u200b', '…'],
  ...[
    'the',
    'of the',
    '프린터',
    'プリンター',
    '打印机',
    '[REDACTED:EMAIL]',
    'printer '.repeat(2000),
    'p'.repeat(20_000),
  ],
];

export const SEARCH_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = [
  {
    name: 'SEARCH finds a fact by its own words, before all others',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(...FACTS.map((content) => fact(subject, content)));
      for (const content of FACTS) {
        assert.equal(contentsOf(await memory.search({ subject, query: content, topK: 1 }))[0], content);
        assert.equal(contentsOf(await memory.search({ subject, query: content }))[0], content);
      }
    },
  },
  {
    name: 'SEARCH answers with at most topK hits, and with as many where there are that many',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(...FACTS.map((content) => fact(subject, content)));
      for (const [topK, expected] of [
        [1, 1],
        [2, 2],
        [3, 3],
      ] as const) {
        assert.equal((await memory.search({ subject, query: 'printer', topK })).length, expected, `topK ${topK}`);
      }
      const all = await memory.search({ subject, query: 'printer', topK: 200 });
      assert.ok(all.length >= 3 && all.length <= FACTS.length, `Of ${FACTS.length} facts it finds ${all.length}.`);
      const ids = all.map(({ observation }) => observation.id.toString());
      assert.equal(new Set(ids).size, ids.length, 'It finds a fact twice.');
    },
  },
  {
    name: 'SEARCH answers equal questions with equal lists',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(...FACTS.map((content) => fact(subject, content)));
      const first = await memory.search({ subject, query: 'printer paper' });
      assert.ok(first.length > 1);
      for (let time = 0; time < 5; time++) {
        assert.deepEqual(contentsOf(await memory.search({ subject, query: 'printer paper' })), contentsOf(first));
      }
    },
  },
  {
    name: 'SEARCH that ranks by score has scores from 0 to 1 that do not rise, and leaves out what is below minScore',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(...FACTS.map((content) => fact(subject, content)));
      const query = 'printer with glossy paper';
      const hits = await memory.search({ subject, query });
      assert.ok(hits.length > 1);
      if (!memory.tier('SEARCH').ranksByScore) {
        for (const { score } of hits) assert.equal(score, 0, 'ranksByScore is false, so there is no score but 0.');
        return;
      }
      assertRanked(hits);
      assert.ok((hits[0] as MemoryHit).score > 0, 'ranksByScore is true, and the best hit has the score 0.');
      for (const minScore of [...hits.map(({ score }) => score), 1]) {
        const kept = await memory.search({ subject, query, minScore });
        const expected = hits.filter(({ score }) => score >= minScore);
        assert.deepEqual(contentsOf(kept), contentsOf(expected), `minScore ${minScore}`);
      }
    },
  },
  {
    name: 'SEARCH that does not rank by score refuses a minScore',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(fact(subject, FACTS[0]));
      const ask = () => memory.search({ subject, query: 'printer', minScore: 0.01 });
      if (memory.tier('SEARCH').ranksByScore) await assertAnswers(ask, 'A search with a minScore');
      else await assertRefused(ask, 'A minScore, where ranksByScore is false,');
    },
  },
  {
    name: 'SEARCH that narrows by session finds that session only, and one that does not refuses a session',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      const sessions = ['monday', 'monda', 'monday ', 'Monday', 'mon%', '__proto__', 'a:b', '월요일'];
      await memory.know(
        ...sessions.map((sessionId, n) => fact(subject, `The printer number p${n} jams.`, { sessionId })),
        fact(subject, 'The printer of no session at all jams.'),
      );
      const ask = (sessionId: string) => memory.search({ subject, query: 'printer', sessionId });
      if (!memory.tier('SEARCH').narrowsBySession) {
        await assertRefused(() => ask('monday'), 'A session, where narrowsBySession is false,');
        return;
      }
      for (const [n, sessionId] of sessions.entries()) {
        assert.deepEqual(contentsOf(await ask(sessionId)), [`The printer number p${n} jams.`], `session ${sessionId}`);
      }
      assert.deepEqual(await ask('never held'), []);
    },
  },
  {
    name: 'SEARCH puts the newer of two hits of the same score first, and of the same time the smaller id',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(...[1, 2, 3, 4, 5, 6].map((n) => fact(subject, `The printer on floor f${n} jams.`)));
      const hits = await memory.search({ subject, query: 'printer floor' });
      assert.ok(hits.length === 6);
      if (memory.tier('SEARCH').ranksByScore) assertRanked(hits);
    },
  },
  {
    name: 'SEARCH answers whatever is asked, and finds the fact whose words are among other signs',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(...FACTS.map((content) => fact(subject, content)));
      for (const query of ODD_QUERIES) {
        const what = `The query ${JSON.stringify(query.slice(0, 30))}`;
        const hits = await assertAnswers(() => memory.search({ subject, query, topK: 5 }), what);
        assert.ok(Array.isArray(hits) && hits.length <= 5, `${what} has to be answered with at most topK hits.`);
      }
      for (const query of ['glossy?', '"glossy"', 'glossy AND', 'glossy OR %', '(glossy)', "glossy's", 'GLOSSY!']) {
        assert.equal(contentsOf(await memory.search({ subject, query }))[0], FACTS[3], `query ${query}`);
      }
    },
  },
  {
    name: 'SEARCH of a peer of whom nothing is known finds nothing',
    needs: ['SEARCH'],
    run: async (memory) => {
      const known = memory.peer('known');
      await memory.know(fact(known, FACTS[0]));
      for (const subject of [memory.peer('unknown', known.workspace), memory.peer('known')]) {
        const hits = await assertAnswers(() => memory.search({ subject, query: FACTS[0] }), 'A search of nothing');
        assert.deepEqual(hits, []);
      }
    },
  },
  {
    name: 'SEARCH finds what any observer recorded, whoever asks',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      const [lee, kim] = [memory.peer('lee', subject.workspace), memory.peer('kim', subject.workspace)];
      await memory.know(fact(subject, FACTS[0], { observer: lee }), fact(subject, FACTS[1], { observer: kim }));
      for (const observer of [subject, lee, kim]) {
        const found = contentsOf(await memory.search({ subject, observer, query: 'printer' }));
        assert.deepEqual([...found].sort(), [FACTS[0], FACTS[1]].sort(), `asked by ${observer.principal.id}`);
      }
    },
  },
  {
    name: 'SEARCH explains its hits, and shows the confidence that was recorded or says that it has none',
    needs: ['SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      if (memory.has('OBSERVE')) await memory.observe(fact(subject, FACTS[0], { confidence: 0.35 }));
      else await memory.know(fact(subject, FACTS[0]));
      await memory.settle();
      const [hit] = await memory.search({ subject, query: FACTS[0] });
      assert.ok(hit !== undefined);
      assert.equal(typeof hit.confidenceAvailable, 'boolean', 'confidenceAvailable has to be true or false.');
      assert.equal(typeof hit.signals, 'object', 'signals has to be there; where there are none it is {}.');
      for (const [name, value] of Object.entries(hit.signals ?? {}))
        assert.ok(Number.isFinite(value), `The signal ${name} has to be a number.`);
      if (!memory.has('OBSERVE')) return;
      if (!memory.tier('OBSERVE').storesConfidence) assert.equal(hit.confidenceAvailable, false);
      else if (hit.confidenceAvailable) assert.equal(hit.observation.confidence, 0.35);
    },
  },
];

/** In order of the score; of the same score newer first, then by id. */
function assertRanked(hits: readonly MemoryHit[]): void {
  for (const { score } of hits) assert.ok(score >= 0 && score <= 1, `The score ${score} is not from 0 to 1.`);
  for (const [at, hit] of hits.entries()) {
    const before = hits[at - 1];
    if (before === undefined) continue;
    assert.ok(before.score >= hit.score, `A hit of score ${hit.score} stands behind one of ${before.score}.`);
    if (before.score > hit.score) continue;
    const [older, newer] = [hit.observation, before.observation];
    assert.ok(
      newer.createdAt > older.createdAt ||
        (newer.createdAt.getTime() === older.createdAt.getTime() && newer.id.localId < older.id.localId),
      `Two hits have the score ${hit.score}, and the older one, or the one of the greater id, comes first.`,
    );
  }
}
