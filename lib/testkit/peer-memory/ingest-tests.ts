import assert from 'node:assert/strict';

import type { MemoryMessage } from '../../domain/memory-message.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { MemoryIngestRequest } from '../../spi/ingest.js';
import { assertAnswers } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import type { PeerMemoryUnderTest } from './peer-memory-under-test.js';

const CONTENT = 'The database cluster was moved to Dublin.';
const LARGE_BATCH = 600;

const said = (content: string, id?: string): MemoryMessage => ({
  role: 'user',
  content,
  ...(id !== undefined && { id }),
});
const request = (
  observer: PeerView,
  messages: readonly MemoryMessage[],
  change: Partial<MemoryIngestRequest> = {},
): MemoryIngestRequest => ({ observer, sessionId: 'monday', messages, ...change });

/** A conversation with every kind of message that a chat has. */
const CONVERSATION: readonly MemoryMessage[] = [
  { role: 'system', content: 'You help an operations engineer.' },
  { role: 'developer', content: 'Answer briefly.' },
  { role: 'user', content: CONTENT, name: 'mina', createdAt: '2026-03-02T09:00:00+09:00' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'status', arguments: '{"of":"db"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"status":"ok"}' },
  { role: 'tool', tool_call_id: 'c2', content: 'not json {' },
  { role: 'assistant', content: 'It is up.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'This is what I see.' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ],
  },
  { role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] },
  { role: 'user', content: '' },
  { role: 'user', content: '고맙습니다. 서버는 더블린에 있습니다. \ud83d' },
];

export const INGEST_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = [
  {
    name: 'INGEST takes every kind of message that a conversation has, and counts them',
    needs: ['INGEST'],
    run: async (memory) => {
      const observer = memory.peer();
      const whole = await assertAnswers(() => memory.ingest(request(observer, CONVERSATION)), 'A conversation');
      assert.equal(whole.accepted, CONVERSATION.length, 'accepted is how many messages were taken.');
      for (const message of CONVERSATION) {
        const what = `A message of the role ${message.role}`;
        const receipt = await assertAnswers(
          () => memory.ingest(request(observer, [message], { sessionId: 's' })),
          what,
        );
        assert.equal(receipt.accepted, 1, what);
      }
    },
  },
  {
    name: 'INGEST makes what was said be found by SEARCH',
    needs: ['INGEST', 'SEARCH'],
    run: async (memory) => {
      const observer = memory.peer();
      await memory.ingest(request(observer, CONVERSATION));
      await memory.settle();
      const hits = await memory.search({ subject: observer, query: CONTENT });
      assert.ok(
        hits.some(({ observation: { content } }) => content.includes('Dublin')),
        `Nothing that SEARCH finds says where the database is: ${JSON.stringify(hits)}`,
      );
    },
  },
  {
    name: 'INGEST makes what was said be known to SNAPSHOT',
    needs: ['INGEST', 'SNAPSHOT'],
    run: async (memory) => {
      const observer = memory.peer();
      await memory.ingest(request(observer, CONVERSATION));
      await memory.settle();
      await memory.readKnown({ subject: observer });
    },
  },
  {
    name: 'INGEST remembers about the subject, where that is somebody else than the observer',
    needs: ['INGEST', 'SEARCH'],
    run: async (memory) => {
      const observer = memory.peer('lee');
      const subject = memory.peer('mina', observer.workspace);
      await memory.ingest(request(observer, [said(CONTENT)], { subject }));
      await memory.settle();
      assert.ok((await memory.search({ subject, query: CONTENT })).length > 0, 'Nothing is known about the subject.');
      const about = await memory.search({ subject: observer, query: CONTENT });
      assert.deepEqual(about, [], 'It is taken for a fact about the observer.');
    },
  },
  {
    name: 'INGEST says that it derived only where it was asked to wait, and did',
    needs: ['INGEST'],
    run: async (memory) => {
      const observer = memory.peer();
      const unasked = await memory.ingest(request(observer, [said('The lift stops on Fridays.')]));
      assert.equal(unasked.derived, false, 'derived is true only where waitForDerivation was asked for.');
      const asked = await memory.ingest(request(observer, [said(CONTENT)], { waitForDerivation: true }));
      assert.equal(typeof asked.derived, 'boolean', 'derived has to be true or false.');
      assert.equal(asked.accepted, 1);
      if (!asked.derived || !memory.has('SEARCH')) return;
      const hits = await memory.search({ subject: observer, query: CONTENT });
      assert.ok(hits.length > 0, 'derived is true, and SEARCH does not find it yet.');
    },
  },
  {
    name: 'INGEST takes a batch of any size whole',
    needs: ['INGEST'],
    run: async (memory) => {
      const observer = memory.peer();
      const messages = Array.from({ length: LARGE_BATCH }, (_, n) =>
        said(`The machine m${n} is in hall number h${n}.`),
      );
      const receipt = await assertAnswers(
        () => memory.ingest(request(observer, messages)),
        `A request of ${LARGE_BATCH} messages`,
      );
      assert.equal(receipt.accepted, LARGE_BATCH);
      if (!memory.has('SEARCH')) return;
      await memory.settle();
      for (const n of [0, 1, 99, 100, 101, 299, 300, LARGE_BATCH - 1]) {
        const content = `The machine m${n} is in hall number h${n}.`;
        const [best] = await memory.search({ subject: observer, query: content, topK: 1 });
        assert.match(best?.observation.content ?? '', new RegExp(`\\bm${n}\\b`), `message ${n} of ${LARGE_BATCH}`);
      }
    },
  },
  {
    name: 'INGEST works through a large batch in its order',
    needs: ['INGEST', 'SEARCH'],
    run: async (memory) => {
      const observer = memory.peer();
      const ids = Array.from({ length: LARGE_BATCH }, (_, n) => `m${n}`);
      // What is said again makes the fact stronger, and is added to what it rests on: in the order in which it was heard.
      await memory.ingest(
        request(
          observer,
          ids.map((id) => said(CONTENT, id)),
        ),
      );
      await memory.settle();
      for (const { observation } of await memory.search({ subject: observer, query: CONTENT })) {
        const order = observation.sourceMessageIds.map((id) => ids.indexOf(id)).filter((at) => at >= 0);
        assert.deepEqual(
          order,
          [...order].sort((a, b) => a - b),
          'Messages were heard in another order.',
        );
      }
    },
  },
  {
    name: 'INGEST takes a request with an idempotency key once, also when it comes many times at once',
    needs: ['INGEST'],
    run: async (memory) => {
      const observer = memory.peer();
      // Each time with ids of their own, as from a client that assigns none.
      const send = () => memory.ingest(request(observer, [said(CONTENT)], { idempotencyKey: 'once' }));
      const receipts = [...(await Promise.all(Array.from({ length: 5 }, send))), await send()];
      for (const { accepted } of receipts) assert.equal(accepted, 1, 'Sent again it is answered as it was at first.');
      if (!memory.has('SEARCH')) return;
      await memory.settle();
      await send();
      await memory.settle();
      const hits = await memory.search({ subject: observer, query: CONTENT });
      const sources = hits.flatMap(({ observation }) => observation.sourceMessageIds);
      assert.ok(hits.length <= 1, `It is remembered ${hits.length} times.`);
      assert.ok(sources.length <= 1, `It rests on ${sources.length} messages, and one was said.`);
      for (const { observation } of hits) {
        assert.equal(observation.corroborations, 0, 'Sent again it counts as told again.');
      }
    },
  },
  {
    name: 'INGEST takes the same idempotency key of another peer or session as another request',
    needs: ['INGEST', 'SEARCH'],
    run: async (memory) => {
      const mina = memory.peer('mina');
      const lee = memory.peer('lee', mina.workspace);
      const requests = [
        request(mina, [said('The printer number p0 jams.')]),
        request(lee, [said('The printer number p1 jams.')]),
        request(memory.peer('mina'), [said('The printer number p2 jams.')]),
        request(mina, [said('The printer number p3 jams.')], { sessionId: 'tuesday' }),
        request(mina, [said('The printer number p4 jams.')], { subject: lee }),
      ];
      for (const one of requests) await memory.ingest({ ...one, idempotencyKey: 'k' });
      await memory.settle();
      for (const [n, { observer, subject = observer }] of requests.entries()) {
        const hits = await memory.search({ subject, query: 'printer' });
        assert.ok(
          hits.some(({ observation: { content } }) => content.includes(`p${n}`)),
          `The request number ${n} was dropped.`,
        );
      }
    },
  },
];
