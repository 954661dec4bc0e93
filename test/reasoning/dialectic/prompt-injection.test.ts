import fc from 'fast-check';

import {
  LlmDialecticEngine,
  type LlmRequest,
  type MemoryMessage,
  type Observation,
  PeerView,
  Principal,
} from '@aimon/nestjs-memory';
import { formatStatement } from '../../../lib/domain/statement.js';
import { alice, observation, ops } from '../../support/peers.js';
import { ScriptedLlmClient } from '../../support/scripted-llm-client.js';
import { attackingText, PROMPT_ATTACKS } from '../prompts/prompt-attacks.js';
import { blocksIn, withoutRecords } from './support/prompt-blocks.js';
import { ScriptedSearcher } from './support/scripted-searcher.js';

const filled = attackingText.map((text) => (text.trim() === '' ? `x${text}` : text));
// eslint-disable-next-line no-control-regex -- what an id may not hold
const identity = attackingText.map((text) => `x${text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')}`.slice(0, 256));

/** All that anybody may have written and that gets into a prompt. */
const data = fc.record({
  id: identity,
  name: filled,
  question: filled,
  fact: filled,
  found: filled,
  speaker: filled,
  message: filled,
  sessionId: identity,
});
type Data = typeof data extends fc.Arbitrary<infer T> ? T : never;

const PLAIN: Data = {
  id: 'mina',
  name: 'Mina',
  question: 'Where does Mina live?',
  fact: 'Mina lives in Porto.',
  found: 'Mina is a nurse.',
  speaker: 'Mina',
  message: 'I moved.',
  sessionId: 'monday',
};

/** Every request of one question in whose course all that can be looked up is looked up. */
async function requestsWith(given: Data): Promise<readonly LlmRequest[]> {
  const subject = PeerView.of(ops, Principal.user(given.id, given.name));
  const saidAt = new Date('2026-03-02T09:30:00Z');
  const fact = observation(1, { content: given.fact });
  const statement: Observation = observation(2, {
    content: formatStatement({ speaker: given.speaker, saidAt, text: given.found }),
    metadata: { speaker: given.speaker, occurredAt: saidAt.toISOString() },
  });
  const messages: readonly MemoryMessage[] = [{ role: 'user', name: given.speaker, content: given.message }];
  const llm = new ScriptedLlmClient([
    {
      calls: [
        { name: 'memory_search', arguments: { query: 'other words than any question' } },
        { name: 'recent_history' },
      ],
    },
    { calls: [{ name: given.found, arguments: given.message }] },
    { calls: [{ name: 'memory_search', arguments: { query: 'fails' } }] },
    { text: 'In Porto [k1].' },
  ]);
  const searcher = new ScriptedSearcher(({ query }) => {
    if (query === 'fails') throw new Error(given.fact);
    return query === given.question ? [fact] : [statement];
  });
  const engine = new LlmDialecticEngine({
    ...{ llm, searcher, clock: () => new Date('2026-03-10T08:00:00Z') },
    transcriptReader: { recentMessages: async () => messages },
  });
  await engine.query({ subject, observer: alice, question: given.question, sessionId: given.sessionId });
  return llm.requests;
}

/** What of a request must be the same whatever the data is. */
const structureOf = ({ messages, tools, toolChoice }: LlmRequest): object => ({
  ...{ tools, toolChoice },
  messages: messages.map((message) => ({ ...message, toolCalls: undefined, content: withoutRecords(message.content) })),
});

describe('the prompts of a question', () => {
  it('are built alike whatever names, questions, observations, messages and results hold', async () => {
    const plain = (await requestsWith(PLAIN)).map(structureOf);
    expect(plain).toHaveLength(4);
    const attacked = fc.constantFrom(...PROMPT_ATTACKS).map((attack): Data => {
      const all = Object.fromEntries(Object.keys(PLAIN).map((field) => [field, attack])) as unknown as Data;
      // Ids take no control characters.
      const id = `x${attack.replaceAll('\n', ' ')}`;
      return { ...all, id, sessionId: id };
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof({ arbitrary: data, weight: 3 }, attacked), async (given) => {
        expect((await requestsWith(given)).map(structureOf)).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it('hold all data in blocks, from which it is read as it was', async () => {
    await fc.assert(
      fc.asyncProperty(data, async (given) => {
        const [, , , last] = await requestsWith(given);
        const [, user, , found, read] = (last as LlmRequest).messages.map(({ content }) => blocksIn(content));
        const seen = {
          peer: user?.get('about')?.[0],
          question: user?.get('question')?.[0]?.text,
          fact: user?.get('observations')?.[0]?.text,
          statement: found?.get('observations')?.[0],
          message: read?.get('messages')?.[0],
        };
        const wellFormed = JSON.parse(JSON.stringify(given)) as Data;
        expect(seen).toMatchObject({
          peer: { id: wellFormed.id, name: wellFormed.name.slice(0, 256) },
          question: wellFormed.question,
          fact: wellFormed.fact,
          statement: { speaker: wellFormed.speaker, text: wellFormed.found },
          message: { speaker: wellFormed.speaker, text: wellFormed.message.trim() },
        });
      }),
      { numRuns: 200 },
    );
  });
});
