import assert from 'node:assert/strict';

import { AimonError } from '../../domain/errors.js';
import { normaliseDialecticQuery } from '../../spi/chat.js';
import type { MemoryCapability } from '../../spi/peer-memory.js';
import { assertAnswers, errorOf, isClear } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { fact, type PeerMemoryUnderTest } from './peer-memory-under-test.js';

const CONTENT = 'The database cluster was moved to Dublin.';
const SAYS_CLOSED = /clos|shut|stop|end|terminat|destroy|닫|종료/i;

/** A call of each tier that is always allowed. */
const CALLS: Readonly<Record<MemoryCapability, (memory: PeerMemoryUnderTest) => Promise<unknown>>> = {
  SNAPSHOT: (memory) => memory.read({ subject: memory.peer() }),
  SEARCH: (memory) => memory.search({ subject: memory.peer(), query: 'database' }),
  CHAT: (memory) =>
    memory.tier('CHAT').query(normaliseDialecticQuery({ subject: memory.peer(), question: 'Where is it?' })),
  OBSERVE: (memory) => memory.observe(fact(memory.peer(), CONTENT)),
  INGEST: (memory) =>
    memory.ingest({ observer: memory.peer(), sessionId: 's', messages: [{ role: 'user', content: CONTENT }] }),
};

export const ENDING_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = [
  {
    name: 'can be closed twice, and at once',
    run: async ({ backend }) => {
      if (typeof backend.close !== 'function') return;
      await assertAnswers(() => Promise.all([backend.close?.(), backend.close?.()]), 'Closing twice at once');
      await assertAnswers(async () => backend.close?.(), 'Closing once more');
    },
  },
  {
    name: 'answers no call after it was closed, and says why',
    run: async (memory) => {
      const { backend, capabilities } = memory;
      if (typeof backend.close !== 'function') return;
      await backend.close();
      for (const capability of capabilities) {
        const error = await errorOf(() => CALLS[capability](memory), `${capability} of a memory that is closed`);
        assert.ok(
          isClear(error) && (error instanceof AimonError || SAYS_CLOSED.test(String(error))),
          `${capability} of a memory that is closed fails with ${String(error)}, which does not say that it is closed.`,
        );
      }
    },
  },
  {
    name: 'OBSERVE that is aborted leaves the whole fact or nothing of it, and takes it when it comes again',
    needs: ['OBSERVE', 'SEARCH'],
    run: async (memory) => {
      for (let turns = -1; turns < 12; turns++) {
        const subject = memory.peer();
        const abort = new AbortController();
        // Before the call, and after so many turns of the event loop.
        if (turns < 0) abort.abort(new Error('The caller has left.'));
        const draft = fact(subject, CONTENT, { idempotencyKey: 'again', signal: abort.signal });
        const writing = memory.observe(draft).then(
          () => true,
          () => false,
        );
        for (let turn = 0; turn < turns; turn++) await (turn % 2 ? nextTurn() : Promise.resolve());
        abort.abort(new Error('The caller has left.'));
        const written = await writing;
        await memory.settle();
        const what = turns < 0 ? 'aborted before it began' : `aborted after ${turns} turns`;
        const found = await memory.timesFound(subject, CONTENT);
        assert.ok(found === 1 || (found === 0 && !written), `A write that was ${what} is found ${found} times.`);
        if (memory.has('SNAPSHOT')) {
          const known = (await memory.read({ subject })) != null;
          assert.equal(known, found === 1, `A write that was ${what} is in one of SEARCH and SNAPSHOT only.`);
        }
        await memory.observe({ ...draft, signal: undefined });
        await memory.settle();
        assert.equal(await memory.timesFound(subject, CONTENT), 1, `A write that was ${what} and came again`);
      }
    },
  },
  {
    name: 'INGEST that is aborted takes all of its messages or none, and takes them when they come again',
    needs: ['INGEST', 'SEARCH'],
    run: async (memory) => {
      const names = ['m1x', 'm2x', 'm3x'];
      const messages = names.map((name) => ({
        role: 'user' as const,
        content: `The machine ${name} is in hall h${name}.`,
      }));
      for (let turns = -1; turns < 8; turns++) {
        const observer = memory.peer();
        const abort = new AbortController();
        if (turns < 0) abort.abort(new Error('The caller has left.'));
        const request = { observer, sessionId: 's', messages, idempotencyKey: 'again', signal: abort.signal };
        const ingesting = memory.ingest(request).then(
          ({ accepted }) => accepted === names.length,
          () => false,
        );
        for (let turn = 0; turn < turns; turn++) await (turn % 2 ? nextTurn() : Promise.resolve());
        abort.abort(new Error('The caller has left.'));
        const taken = await ingesting;
        await memory.settle();
        const found = await foundOf(memory, observer, names);
        const what = turns < 0 ? 'aborted before it began' : `aborted after ${turns} turns`;
        assert.ok(
          found === names.length || (found === 0 && !taken),
          `Of ${names.length} messages in a request that was ${what}, ${found} are remembered.`,
        );
        await memory.ingest({ ...request, signal: undefined });
        await memory.settle();
        assert.equal(await foundOf(memory, observer, names), names.length, `A request that was ${what} and came again`);
      }
    },
  },
];

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** How many of the machines are found, each counted as often as it is. */
async function foundOf(
  memory: PeerMemoryUnderTest,
  subject: ReturnType<PeerMemoryUnderTest['peer']>,
  names: readonly string[],
): Promise<number> {
  const hits = await memory.search({ subject, query: 'machine hall' });
  return hits.filter(({ observation: { content } }) => names.some((name) => content.includes(`machine ${name}`)))
    .length;
}
