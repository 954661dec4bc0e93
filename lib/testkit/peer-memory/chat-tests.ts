import assert from 'node:assert/strict';

import { ObservationId } from '../../domain/observation-id.js';
import type { PeerView } from '../../domain/peer-view.js';
import {
  MAX_QUESTION_LENGTH,
  normaliseDialecticQuery,
  REASONING_LEVELS,
  type DialecticQuery,
  type DialecticResponse,
} from '../../spi/chat.js';
import { assertAnswers, errorOf } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { fact, type PeerMemoryUnderTest } from './peer-memory-under-test.js';

const QUESTION = 'Which city was the database cluster moved to?';

const ask = (memory: PeerMemoryUnderTest, query: DialecticQuery): Promise<DialecticResponse> =>
  memory.tier('CHAT').query(normaliseDialecticQuery(query));

const askStreaming = (
  memory: PeerMemoryUnderTest,
  query: DialecticQuery,
  sink: (text: string) => void | Promise<void>,
): Promise<DialecticResponse> => memory.tier('CHAT').queryStream(normaliseDialecticQuery(query), sink);

/** A peer of whom something is known, where anything can be made known. */
async function knownPeer(memory: PeerMemoryUnderTest): Promise<PeerView> {
  const subject = memory.peer();
  if (memory.canKnow) await memory.know(fact(subject, 'The database cluster was moved to Dublin.'));
  return subject;
}

export const CHAT_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = [
  {
    name: 'CHAT answers at every level, about a peer it knows and about one it does not',
    needs: ['CHAT'],
    run: async (memory) => {
      const known = await knownPeer(memory);
      const other = memory.peer('other', known.workspace);
      for (const subject of [known, memory.peer('unknown', known.workspace)])
        for (const level of REASONING_LEVELS)
          for (const sessionId of [undefined, 'monday'])
            for (const maxTokens of [undefined, 1, 500])
              for (const streaming of [false, true]) {
                const query = { subject, observer: other, question: QUESTION, level, sessionId, maxTokens };
                const response = await assertAnswers(
                  () => (streaming ? askStreaming(memory, query, () => undefined) : ask(memory, query)),
                  `A ${streaming ? 'streamed ' : ''}question at the level ${level}`,
                );
                assertWellFormed(response, subject);
              }
    },
  },
  {
    name: 'CHAT answers the longest question that there may be, and one that holds odd characters',
    needs: ['CHAT'],
    run: async (memory) => {
      const subject = await knownPeer(memory);
      const long = `${QUESTION} `.repeat(400).slice(0, MAX_QUESTION_LENGTH);
      for (const question of [
        long,
        '?',
        '"; --',
        'a\u0000b',
        '\ud83d',
        '데이터베이스는 어디에 있나요?',
        '{"role":"system"}',
      ]) {
        const what = `The question ${JSON.stringify(question.slice(0, 30))}`;
        assertWellFormed(await assertAnswers(() => ask(memory, { subject, question }), what), subject);
      }
    },
  },
  {
    name: 'CHAT streams the answer that it returns, piece by piece and in its order',
    needs: ['CHAT'],
    run: async (memory) => {
      const subject = await knownPeer(memory);
      const pieces: string[] = [];
      const { answer } = await askStreaming(memory, { subject, question: QUESTION }, (text) => {
        assert.equal(typeof text, 'string', 'A piece of the answer has to be a text.');
        pieces.push(text);
      });
      assert.equal(pieces.join(''), answer);
    },
  },
  {
    name: 'CHAT waits for a sink that takes its time',
    needs: ['CHAT'],
    run: async (memory) => {
      const subject = await knownPeer(memory);
      let busy = false;
      let overlapping = false;
      let heard = '';
      const { answer } = await askStreaming(memory, { subject, question: QUESTION }, async (text) => {
        overlapping ||= busy;
        busy = true;
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
        heard += text;
        busy = false;
      });
      assert.ok(!overlapping, 'The sink was called while an earlier call of it was still under way.');
      assert.equal(heard, answer, 'The answer came before its sink was done with all of it.');
    },
  },
  {
    name: 'CHAT ends with the error of a sink that fails',
    needs: ['CHAT'],
    run: async (memory) => {
      const subject = await knownPeer(memory);
      const failure = new Error('The listener has gone.');
      for (const sink of [
        () => {
          throw failure;
        },
        () => Promise.reject(failure),
      ]) {
        const error = await errorOf(
          () => askStreaming(memory, { subject, question: QUESTION }, sink),
          'A question whose sink fails',
        );
        assert.ok(
          error === failure || (error as Error).cause === failure,
          `The error has to be the sink's, or to have it as its cause; it is ${String(error)}.`,
        );
      }
    },
  },
];

/** An answer in words, and of what it rests on only what is the workspace's. */
function assertWellFormed(response: DialecticResponse, subject: PeerView): void {
  const { answer, observationsConsidered, tokenUsage, toolCalls } = response;
  assert.equal(typeof answer, 'string', 'answer has to be a text.');
  assert.notEqual(answer.trim(), '', 'answer has to say something, also when nothing is known.');
  for (const id of observationsConsidered ?? []) {
    assert.ok(id instanceof ObservationId, 'observationsConsidered has to be a list of ObservationId.');
    assert.equal(id.workspaceId, subject.workspace.id, 'The answer rests on what belongs to another workspace.');
  }
  const counts = [...Object.values(tokenUsage ?? {}), ...(toolCalls === undefined ? [] : [toolCalls])];
  for (const count of counts)
    assert.ok(Number.isSafeInteger(count) && count >= 0, `${count} is no number of anything.`);
}
