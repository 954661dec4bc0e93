import fc from 'fast-check';
import {
  DERIVER_TOOL_NAMES,
  LlmAnswerError,
  LlmContextLengthError,
  type LlmMessage,
  LlmUnavailableError,
  type Observation,
  ReActLlmDeriver,
  type LlmDeriverOptions,
  StoreError,
} from '@aimon/nestjs-memory';
import { alice, observation } from '../../support/peers.js';
import { ScriptedLlmClient, type ScriptedTurn } from '../../support/scripted-llm-client.js';
import { Gate } from '../../support/scripted-llm-server/gate.js';
import { blocksIn } from '../dialectic/support/prompt-blocks.js';
import { ScriptedSearcher } from '../dialectic/support/scripted-searcher.js';
import {
  batch,
  type DerivationMemory,
  derivationMemory,
  fact,
  found,
  SAID_AT,
  says,
  warnings,
} from './support/derivation-memory.js';

interface Case {
  readonly deriver: ReActLlmDeriver;
  readonly llm: ScriptedLlmClient;
  readonly memory: DerivationMemory;
}

function deriverWith(
  turns: ConstructorParameters<typeof ScriptedLlmClient>[0],
  options: Partial<LlmDeriverOptions> = {},
): Case {
  const memory = derivationMemory();
  const llm = new ScriptedLlmClient(turns);
  const { recorder, searcher } = memory;
  return { deriver: new ReActLlmDeriver({ llm, recorder, searcher, clock: () => SAID_AT, ...options }), llm, memory };
}

type Call = NonNullable<Exclude<ScriptedTurn, Error | ((...given: never) => unknown)>['calls']>[number];

const calls = (...made: readonly Call[]): { readonly calls: readonly Call[] } => ({ calls: made });
const create = (content: string, sources: readonly string[] = ['m1'], type = 'EXPLICIT'): Call => ({
  ...{ name: 'deriver_observation_create', arguments: { content, type, sources } },
});
const link = (id: string, sources: unknown = ['m1']): Call => ({
  ...{ name: 'deriver_message_link', arguments: { observation: id, sources } },
});
const search = (query: string): Call => ({ name: 'deriver_memory_search', arguments: { query } });
const DONE = { text: 'DONE' };

const toolMessages = ({ llm }: Case, index = -1): readonly LlmMessage[] =>
  llm.requests.at(index)?.messages.filter(({ role }) => role === 'tool') ?? [];
const toolTexts = (one: Case, index = -1): readonly string[] => toolMessages(one, index).map(({ content }) => content);
const PORTO: Observation = observation(1, { content: 'Alice lives in Porto.' });
const MESSAGES = says('I live in Porto.', 'I have a cat.');

describe('ReActLlmDeriver', () => {
  describe('its tools', () => {
    it('are offered by names without dots, and have names with dots among us', async () => {
      const asked = deriverWith([DONE]);
      await asked.deriver.derive(batch(MESSAGES));
      const names = asked.llm.requests[0]?.tools?.map(({ name }) => name) ?? [];
      expect(names).toEqual(['deriver_observation_create', 'deriver_message_link', 'deriver_memory_search']);
      expect(names.map((name) => name.replaceAll('_', '.')).sort()).toEqual(Object.values(DERIVER_TOOL_NAMES).sort());
      for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
    });

    it('have no lookup where there is nowhere to look', async () => {
      const asked = deriverWith([calls(search('Porto')), DONE], { searcher: undefined });
      await asked.deriver.derive(batch(MESSAGES));
      expect(asked.llm.requests[0]?.tools).toHaveLength(2);
      expect(toolTexts(asked)).toEqual([
        'There is no tool of that name. There are deriver_observation_create, deriver_message_link.',
      ]);
    });

    it('note facts, several in one round, and each call is answered by its id in its place', async () => {
      const asked = deriverWith([
        calls(create('Alice lives in Porto.'), create('Alice has a cat.', ['m2'], 'deductive'), search('dog')),
        calls(create('Porto is in Portugal.', ['m1'], 'DEDUCTIVE')),
        DONE,
      ]);
      const result = await asked.deriver.derive(batch(MESSAGES));
      expect(await asked.memory.stored()).toMatchObject([
        {
          content: 'Alice lives in Porto.',
          type: 'EXPLICIT',
          sourceMessageIds: ['m1'],
          metadata: { deriver: 'react' },
        },
        { content: 'Alice has a cat.', type: 'DEDUCTIVE', sourceMessageIds: ['m2'], occurredAt: SAID_AT },
        { content: 'Porto is in Portugal.', type: 'DEDUCTIVE', sourceMessageIds: ['m1'] },
      ]);
      expect(result).toMatchObject({ updated: [], failures: [], tokensUsed: 330 });
      expect(result.created).toHaveLength(3);
      const second = asked.llm.requests[1]?.messages ?? [];
      expect(second.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'tool']);
      const called = second.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []));
      expect(toolMessages(asked, 1)).toEqual(
        called.map(({ id }, index) => ({
          ...{ role: 'tool', toolCallId: id },
          content: ['Noted.', 'Noted.', '<known>\n(none)\n</known>'][index],
        })),
      );
    });

    it('link what is known: 0.9 becomes 0.95, and nothing new is written', async () => {
      const asked = deriverWith([calls(link('k1', ['m1', 'm2']), link(' [K1] ', 'm2')), DONE]);
      const { recorder } = asked.memory;
      await recorder.observe({ subject: alice, observer: alice, content: 'Alice lives in Porto.', type: 'EXPLICIT' });
      const result = await asked.deriver.derive(batch(says('I live in Porto.', 'Porto it is.')));
      expect(toolTexts(asked)).toEqual(['Linked.', 'Linked.']);
      expect(await asked.memory.stored()).toMatchObject([
        { content: 'Alice lives in Porto.', corroborations: 1, confidence: 0.95, sourceMessageIds: ['m1', 'm2'] },
      ]);
      expect(result).toMatchObject({ created: [], updated: [{ confidence: 0.95 }] });
    });

    it('look up what is known, under ids that go on from those that were shown and can be linked', async () => {
      const nurse = observation(2, { content: 'Alice is a nurse.', type: 'DEDUCTIVE' });
      const queries: Readonly<Record<string, readonly Observation[]>> = { work: [PORTO, nurse], job: [nurse] };
      const searcher = new ScriptedSearcher(({ query }) => queries[query] ?? [PORTO]);
      const asked = deriverWith(
        [calls(search(' work ')), calls(search('job'), search('work')), calls(link('k2')), DONE],
        {
          searcher,
        },
      );
      await asked.memory.observationStore.save(nurse);
      await asked.deriver.derive(batch(MESSAGES));
      expect(searcher.queries.slice(1)).toMatchObject([
        { subject: alice, observer: alice, query: 'work', topK: 10 },
        { query: 'job' },
      ]);
      const texts = toolTexts(asked);
      expect(blocksIn(texts[0] ?? '').get('known')).toEqual([
        { id: 'k1', fact: 'Alice lives in Porto.', type: 'EXPLICIT' },
        { id: 'k2', fact: 'Alice is a nurse.', type: 'DEDUCTIVE' },
      ]);
      expect(blocksIn(texts[1] ?? '').get('known')).toEqual([
        { id: 'k2', fact: 'Alice is a nurse.', type: 'DEDUCTIVE' },
      ]);
      expect(texts.slice(2)).toEqual(['That was looked up already; see above.', 'Linked.']);
      expect(await asked.memory.stored()).toMatchObject([
        { content: 'Alice is a nurse.', type: 'DEDUCTIVE', corroborations: 1 },
      ]);
    });

    it('look up no more words than a search takes', async () => {
      const searcher = new ScriptedSearcher(() => []);
      const asked = deriverWith([calls(search('Porto '.repeat(1000))), DONE], { searcher });
      await asked.deriver.derive(batch(MESSAGES));
      expect(searcher.queries[1]?.query).toHaveLength(1000);
    });

    it('answer a call that cannot be done with what to do, and note nothing', async () => {
      const asked = deriverWith([
        calls(
          { name: 'remember', arguments: {} },
          { name: 'deriver_observation_create', arguments: '{"content": "Al' },
          { name: 'deriver_observation_create', arguments: { content: ' ', sources: ['m1'] } },
          create('Alice is tall.', ['m7']),
          link('k9'),
          link('m1'),
          { name: 'deriver_message_link', arguments: { observation: 7, sources: ['m1'] } },
          search('   '),
          { name: 'deriver_memory_search', arguments: 'null' },
        ),
        DONE,
      ]);
      const result = await asked.deriver.derive(batch(MESSAGES));
      expect(toolTexts(asked)).toEqual([
        expect.stringMatching(/^There is no tool of that name\. There are deriver_observation_create, /),
        'The arguments were no JSON object; call the tool again with one.',
        'An observation had no "content".',
        'An observation had no "sources"; the statements are m1, m2.',
        ...Array<string>(3).fill('No known fact has that id; the ids stand in <known>, such as k1.'),
        'The "query" was empty; give the words to look for.',
        'The arguments were no JSON object; call the tool again with one.',
      ]);
      expect(result.created).toEqual([]);
    });

    it('say so where a link rests on no statement', async () => {
      const asked = deriverWith([calls(link('k1', ['k1', 'm9']), link('k1', [])), DONE], {
        searcher: new ScriptedSearcher(() => [PORTO]),
      });
      await asked.deriver.derive(batch(MESSAGES));
      expect(toolTexts(asked)).toEqual(
        Array(2).fill('None of the sources is a statement; their ids stand in <messages>, such as m1.'),
      );
      expect(await asked.memory.stored()).toEqual([]);
    });

    it('never say back what the model wrote', async () => {
      const marked = fc.string({ unit: 'binary' }).map((text) => `ECHO${text}`);
      const given = fc.oneof(
        marked,
        fc.record({ content: marked, type: marked, sources: fc.array(marked) }),
        fc.record({ observation: marked, sources: marked }),
        fc.record({ query: marked }),
      );
      const name = fc.oneof(
        marked,
        fc.constantFrom(...Object.values(DERIVER_TOOL_NAMES)).map((one) => one.replaceAll('.', '_')),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ name, arguments: given }), { minLength: 1, maxLength: 4 }),
          async (made) => {
            const asked = deriverWith([calls(...made), DONE]);
            await asked.deriver.derive(batch(MESSAGES));
            expect(toolTexts(asked)).toHaveLength(made.length);
            for (const text of toolTexts(asked)) expect(text).not.toContain('ECHO');
          },
        ),
      );
    });
  });

  describe('its end', () => {
    it('is at once where there is nothing to remember', async () => {
      const asked = deriverWith([DONE]);
      expect(await asked.deriver.derive(batch(MESSAGES))).toMatchObject({
        ...{ created: [], updated: [], failures: [], tokensUsed: 110 },
        byMessage: new Map(),
      });
      expect(await asked.memory.stored()).toEqual([]);
    });

    it('costs nothing where there is small talk alone', async () => {
      const asked = deriverWith([]);
      await asked.deriver.derive(batch(says('Hello!', 'Thanks.')));
      expect(asked.llm.requests).toEqual([]);
    });

    it('is after six rounds: what was noted by then is kept, which is said once', async () => {
      const { logger, lines } = warnings();
      const asked = deriverWith(() => calls(create('Alice lives in Porto.')), { logger });
      for (const id of ['a', 'b']) await asked.deriver.derive(batch(says({ id, content: 'I live in Porto.' })));
      expect(asked.llm.requests).toHaveLength(12);
      expect(await asked.memory.stored()).toMatchObject([{ corroborations: 1, sourceMessageIds: ['a', 'b'] }]);
      expect(lines).toEqual([expect.stringMatching(/still at work on a batch when its rounds were spent/)]);
    });

    it('is a failure after six rounds in which nothing was noted', async () => {
      const asked = deriverWith(() => calls({ name: 'remember' }));
      const failure = asked.deriver.derive(batch(MESSAGES));
      await expect(failure).rejects.toThrow(LlmAnswerError);
      await expect(failure).rejects.toThrow(/called tools 6 times in a row and noted nothing/);
    });

    it('is once its tokens are spent: what was noted by then is kept, which is said once', async () => {
      const { logger, lines } = warnings();
      const asked = deriverWith(() => calls(create('Alice lives in Porto.')), { logger });
      // Two rounds of 110.
      await asked.deriver.derive(batch(MESSAGES, { tokenBudget: 220 }));
      expect(asked.llm.requests).toHaveLength(2);
      expect(await asked.memory.contents()).toEqual(['Alice lives in Porto.']);
      expect(lines).toEqual([expect.stringMatching(/when its tokens were spent/)]);
    });

    it('is too much at once where its tokens are spent before anything was noted', async () => {
      const asked = deriverWith(() => calls(search('Porto')));
      await expect(asked.deriver.derive(batch(MESSAGES, { tokenBudget: 100 }))).rejects.toThrow(LlmContextLengthError);
      expect(asked.llm.requests).toHaveLength(1);
    });

    it('is not its budget where the server does not say what it costs', async () => {
      const asked = deriverWith(() => ({ ...calls(search('Porto')), usage: null }));
      await expect(asked.deriver.derive(batch(MESSAGES, { tokenBudget: 1 }))).rejects.toThrow(LlmAnswerError);
      expect(asked.llm.requests).toHaveLength(6);
    });

    it.each<[string, ScriptedTurn]>([
      ['refuses', { text: 'No.', finishReason: 'refusal' }],
      ['is cut', { text: 'DO', finishReason: 'length' }],
      ['says nothing', { text: '' }],
      ['says something else', { text: 'I have noted it all.' }],
    ])('keeps what was noted where the model then %s', async (_, last) => {
      const asked = deriverWith([calls(create('Alice lives in Porto.')), last]);
      await asked.deriver.derive(batch(MESSAGES));
      expect(await asked.memory.contents()).toEqual(['Alice lives in Porto.']);
    });

    it.each<[string, ScriptedTurn, typeof LlmAnswerError | typeof LlmContextLengthError]>([
      ['refuses', { ...found(fact('Alice is ill.')), finishReason: 'refusal' }, LlmAnswerError],
      ['is cut', { ...found(fact('Alice is ill.')), finishReason: 'length' }, LlmContextLengthError],
    ])('is a failure where the model %s before it has noted anything', async (_, last, error) => {
      const asked = deriverWith([last]);
      await expect(asked.deriver.derive(batch(MESSAGES))).rejects.toThrow(error);
      expect(await asked.memory.stored()).toEqual([]);
    });

    it.each<[string, ScriptedTurn]>([
      ['says nothing', { text: ' \n' }],
      ['says something else', { text: 'I have noted it all.' }],
      ['writes JSON that cannot be used', found(fact(' '))],
    ])('comes after one reminder where the model %s before it has noted anything', async (_, odd) => {
      const asked = deriverWith([odd, calls(create('Alice lives in Porto.')), DONE]);
      await asked.deriver.derive(batch(MESSAGES));
      expect(await asked.memory.contents()).toEqual(['Alice lives in Porto.']);
      expect(asked.llm.requests[1]?.messages.at(-1)).toEqual({
        role: 'user',
        content: expect.stringMatching(/^That was neither a call of a tool nor DONE\./) as string,
      });
      const twice = deriverWith([odd, odd]);
      await expect(twice.deriver.derive(batch(MESSAGES))).rejects.toThrow(LlmAnswerError);
      expect(await twice.memory.stored()).toEqual([]);
    });

    it('is an answer in words where the model cannot call tools', async () => {
      const { text } = found(fact('Alice lives in Porto.', ['m1']), { ...fact('', ['m2']), repeats: 'k1' });
      const asked = deriverWith([{ text: `Here is what I found:\n\`\`\`json\n${text}\n\`\`\`\nDONE` }]);
      const { recorder } = asked.memory;
      await recorder.observe({ subject: alice, observer: alice, content: 'Alice has a cat.', type: 'EXPLICIT' });
      await asked.deriver.derive(batch(MESSAGES));
      expect(await asked.memory.stored()).toMatchObject([
        { content: 'Alice has a cat.', corroborations: 1 },
        { content: 'Alice lives in Porto.', corroborations: 0 },
      ]);
    });
  });

  describe('what is recorded', () => {
    it('is recorded only at the end: an outage in the second round leaves nothing, and then nothing is twice', async () => {
      const away = new LlmUnavailableError('Away.', { outage: 'unreachable' });
      const asked = deriverWith([
        calls(create('Alice lives in Porto.'), link('k1')),
        away,
        calls(create('Porto is where Alice lives.'), link('k1')),
        DONE,
      ]);
      const { recorder } = asked.memory;
      await recorder.observe({
        subject: alice,
        observer: alice,
        content: 'Alice has a cat in Porto.',
        type: 'EXPLICIT',
      });
      await expect(asked.deriver.derive(batch(MESSAGES))).rejects.toBe(away);
      expect(await asked.memory.stored()).toMatchObject([{ corroborations: 0 }]);
      await asked.deriver.derive(batch(MESSAGES));
      expect(await asked.memory.stored()).toMatchObject([
        { content: 'Alice has a cat in Porto.', corroborations: 1 },
        { content: 'Porto is where Alice lives.', corroborations: 0 },
      ]);
    });

    it('costs no second conversation with the model where the store did not take all of it', async () => {
      let full = true;
      const memory = derivationMemory();
      const asked = deriverWith([calls(create('Alice lives in Porto.'), create('Alice has a cat.', ['m2'])), DONE], {
        ...memory,
        recorder: {
          ...{ storesConfidence: true, storesType: true },
          observe: (draft) =>
            full && draft.content.includes('cat')
              ? Promise.reject(new StoreError('It is full.'))
              : memory.recorder.observe(draft),
        },
      });
      const first = await asked.deriver.derive(batch(MESSAGES));
      expect(first.failures).toMatchObject([{ messageId: 'm2', reason: 'store failed' }]);
      full = false;
      const second = await asked.deriver.derive(batch(MESSAGES.slice(1)));
      expect(second).toMatchObject({ created: [{ content: 'Alice has a cat.' }], failures: [], tokensUsed: 0 });
      expect(asked.llm.requests).toHaveLength(2);
      expect(await memory.stored()).toMatchObject([{ corroborations: 0 }, { corroborations: 0 }]);
    });

    it('is nothing where a lookup fails: that is no fault of the model', async () => {
      const failure = new StoreError('The index is gone.');
      const asked = deriverWith([calls(create('Alice lives in Porto.'), search('dog'))], {
        searcher: new ScriptedSearcher(({ query }) => (query === 'dog' ? Promise.reject(failure) : [])),
      });
      await expect(asked.deriver.derive(batch(MESSAGES))).rejects.toBe(failure);
      expect(await asked.memory.stored()).toEqual([]);
    });

    it('is nothing where the batch is called off, which gives the reason', async () => {
      const calledOff = new AbortController();
      const reason = new Error('Nobody waits any more.');
      const gate = new Gate();
      const asked = deriverWith([calls(create('Alice lives in Porto.')), { text: 'DONE', pieces: [gate] }]);
      const failed = expect(asked.deriver.derive(batch(MESSAGES, { signal: calledOff.signal }))).rejects.toBe(reason);
      await gate.reached;
      calledOff.abort(reason);
      await failed;
      expect(await asked.memory.stored()).toEqual([]);
    });
  });
});
