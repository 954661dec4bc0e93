import fc from 'fast-check';

import {
  type DerivationContext,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  LlmDeriver,
  type LlmRequest,
  normaliseMessage,
  PeerView,
  Principal,
  ReActLlmDeriver,
  SessionRepresentations,
  StoreBackedPeerMemory,
} from '@aimon/nestjs-memory';

import { observation, ops } from '../../support/peers.js';
import { ScriptedLlmClient, type ScriptedTurn } from '../../support/scripted-llm-client.js';
import { blocksIn, withoutRecords } from '../dialectic/support/prompt-blocks.js';
import { ScriptedSearcher } from '../dialectic/support/scripted-searcher.js';
import { attackingText, PROMPT_ATTACKS } from '../prompts/prompt-attacks.js';

// What has no words is small talk, of which no model is asked.
const worded = attackingText.map((text) => `Said ${text}.`);

/** All that anybody may have written and that gets into a prompt. */
const data = fc.record({ name: worded, speaker: worded, said: worded, reply: worded, known: worded, found: worded });
type Data = typeof data extends fc.Arbitrary<infer T> ? T : never;

const PLAIN: Data = {
  name: 'Mina',
  speaker: 'Jonas',
  said: 'I moved to Busan.',
  reply: 'Good for you.',
  known: 'Mina lives in Porto.',
  found: 'Mina is a nurse.',
};

/** Every request of one batch in whose course all is asked that can be asked. */
async function requestsWith(kind: 'llm' | 'react', given: Data): Promise<readonly LlmRequest[]> {
  const subject = PeerView.of(ops, Principal.user('mina', given.name));
  const known = observation(1, { subject, content: given.known, sessionId: 's' });
  const other = observation(2, { subject, content: given.found, sessionId: 'other' });
  const observationStore = new InMemoryObservationStore();
  for (const one of [known, other]) await observationStore.save(one);
  const { observationRecorder: recorder } = new StoreBackedPeerMemory({ observationStore });
  if (recorder === undefined) throw new Error('The memory has no OBSERVE.');
  const fact = { content: 'Mina moved.', type: 'EXPLICIT', sources: ['m1'] };
  const turns: Readonly<Record<typeof kind, readonly ScriptedTurn[]>> = {
    // An answer with a fault, so that it is asked for once more.
    llm: [{ text: 'No JSON.' }, { text: JSON.stringify({ observations: [fact] }) }],
    react: [
      {
        calls: [
          { name: 'deriver_memory_search', arguments: { query: 'nurse' } },
          { name: given.found, arguments: given.said },
          { name: 'deriver_observation_create', arguments: given.said },
          { name: 'deriver_observation_create', arguments: { ...fact, sources: [given.known] } },
          { name: 'deriver_message_link', arguments: { observation: given.known, sources: ['m1'] } },
        ],
      },
      { calls: [{ name: 'deriver_observation_create', arguments: fact }] },
      { text: 'DONE' },
    ],
  };
  const llm = new ScriptedLlmClient([...turns[kind], { text: 'Mina has moved.' }]);
  const options = {
    ...{ llm, recorder, agentNames: ['agent'], clock: () => new Date('2026-03-10T08:00:00Z') },
    searcher: new ScriptedSearcher(({ query }) => (query === 'nurse' ? [other] : [known])),
    representations: new SessionRepresentations({
      ...{ llm, observationStore, representationStore: new InMemoryRepresentationStore(), redactionPolicy: undefined },
    }),
  };
  const context: DerivationContext = {
    ...{ workspace: ops, sessionId: 's', subject, observer: subject, tokenBudget: 8000 },
    messages: [
      normaliseMessage({ role: 'system', content: given.reply, id: '0' }),
      normaliseMessage({ role: 'user', name: given.speaker, content: given.said, id: '1' }),
      normaliseMessage({ role: 'assistant', content: given.reply, id: '2' }),
      normaliseMessage({ role: 'tool', tool_call_id: 'c', content: given.reply, id: '3' }),
      normaliseMessage({ role: 'user', content: given.said, id: '4' }),
    ],
  };
  const deriver = kind === 'react' ? new ReActLlmDeriver(options) : new LlmDeriver(options);
  await deriver.derive(context);
  return llm.requests;
}

/** What of a request must be the same whatever the data is. */
const structureOf = ({ messages, ...request }: LlmRequest): object => ({
  ...request,
  messages: messages.map((message) => ({ ...message, toolCalls: undefined, content: withoutRecords(message.content) })),
});

const attacked = fc
  .constantFrom(...PROMPT_ATTACKS)
  .map(
    (attack) => Object.fromEntries(Object.keys(PLAIN).map((field) => [field, `Said ${attack}.`])) as unknown as Data,
  );

describe.each([
  ['llm', 3],
  ['react', 4],
] as const)('the prompts of the deriver %s, and of the representation', (kind, requests) => {
  it('are built alike whatever names, messages, facts and results hold', async () => {
    const plain = (await requestsWith(kind, PLAIN)).map(structureOf);
    expect(plain).toHaveLength(requests);
    await fc.assert(
      fc.asyncProperty(fc.oneof({ arbitrary: data, weight: 3 }, attacked), async (given) => {
        expect((await requestsWith(kind, given)).map(structureOf)).toEqual(plain);
      }),
      { numRuns: 200 },
    );
  });

  it('hold all data in blocks, from which it is read as it was', async () => {
    await fc.assert(
      fc.asyncProperty(data, async (given) => {
        const asked = await requestsWith(kind, given);
        const user = blocksIn(asked[0]?.messages[1]?.content ?? '');
        const summed = blocksIn(asked.at(-1)?.messages[1]?.content ?? '');
        expect(user.get('subject')).toEqual([{ name: given.name }]);
        expect(user.get('known')).toMatchObject([{ id: 'k1', fact: given.known }]);
        expect(user.get('messages')).toMatchObject([
          { id: 'm1', statement: true, by: given.speaker, text: given.said },
          { statement: false, by: 'assistant', text: given.reply },
          { statement: false, by: 'tool', text: given.reply },
          { id: 'm2', statement: true, by: given.name, text: given.said },
        ]);
        expect(summed.get('session')?.map(({ fact }) => fact)).toEqual(expect.arrayContaining([given.known]));
        expect(summed.get('earlier')).toMatchObject([{ fact: given.found }]);
      }),
      { numRuns: 100 },
    );
  });
});
