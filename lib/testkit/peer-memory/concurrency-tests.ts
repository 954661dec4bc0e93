import assert from 'node:assert/strict';

import { assertAnswers } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { fact, type PeerMemoryUnderTest } from './peer-memory-under-test.js';

const WRITERS = 50;
const CONTENTS = Array.from({ length: WRITERS }, (_, n) => `The machine m${n}x is in hall number h${n}x.`);

export const CONCURRENCY_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = [
  {
    name: 'OBSERVE loses nothing and doubles nothing when fifty write and fifty read at once',
    needs: ['OBSERVE', 'SEARCH'],
    run: async (memory) => {
      const one = memory.peer();
      const subjects = [one, one, memory.peer('lee', one.workspace), memory.peer()];
      const subjectOf = (n: number) => subjects[n % subjects.length] ?? one;
      await Promise.all(
        CONTENTS.flatMap((content, n) => [
          assertAnswers(() => memory.observe(fact(subjectOf(n), content)), 'A write among others'),
          assertAnswers(() => memory.search({ subject: subjectOf(n), query: 'machine' }), 'A search among writes'),
          ...(memory.has('SNAPSHOT')
            ? [assertAnswers(async () => memory.read({ subject: subjectOf(n) }), 'A snapshot among writes')]
            : []),
        ]),
      );
      await memory.settle();
      for (const [n, content] of CONTENTS.entries()) {
        assert.equal(await memory.timesFound(subjectOf(n), content), 1, `how often write ${n} is found`);
      }
    },
  },
  {
    name: 'OBSERVE makes one fact of one that is told many times at once',
    needs: ['OBSERVE', 'SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      const content = CONTENTS[0] as string;
      await Promise.all(Array.from({ length: 20 }, () => memory.observe(fact(subject, content))));
      await memory.settle();
      assert.ok((await memory.timesFound(subject, content)) >= 1, 'It is lost.');
    },
  },
  {
    name: 'INGEST loses nothing when twenty conversations come at once',
    needs: ['INGEST', 'SEARCH'],
    run: async (memory) => {
      const observer = memory.peer();
      const receipts = await Promise.all(
        Array.from({ length: 20 }, (_, session) =>
          memory.ingest({
            observer,
            sessionId: `session ${session}`,
            messages: [0, 1].map((n) => ({ role: 'user' as const, content: CONTENTS[2 * session + n] as string })),
          }),
        ),
      );
      assert.deepEqual(
        receipts.map(({ accepted }) => accepted),
        Array.from({ length: 20 }, () => 2),
      );
      await memory.settle();
      for (const content of CONTENTS.slice(0, 40)) {
        const name = /m\d+x/.exec(content)?.[0] as string;
        const found = (await memory.search({ subject: observer, query: content })).filter(({ observation }) =>
          observation.content.includes(name),
        );
        assert.equal(found.length, 1, `how often what was said of ${name} is found`);
      }
    },
  },
];
