import {
  type DialecticQuery,
  InvalidArgumentError,
  LlmAnswerError,
  LlmDialecticEngine,
  type LlmDialecticEngineOptions,
  type LlmRequest,
  LlmUnavailableError,
  type MemoryMessage,
  type Observation,
  PeerView,
  Principal,
  REASONING_LEVELS,
  type TranscriptRequest,
} from '@aimon/nestjs-memory';
import { formatStatement } from '../../../lib/domain/statement.js';
import { alice, bob, observation, ops } from '../../support/peers.js';
import { ScriptedLlmClient, type ScriptedTurn } from '../../support/scripted-llm-client.js';
import { blocksIn } from './support/prompt-blocks.js';
import { ScriptedSearcher } from './support/scripted-searcher.js';

const porto = observation(1, { content: 'Alice lives in Porto.' });
const nurse = observation(2, { content: 'Alice works as a nurse.', occurredAt: new Date('2026-03-02T09:30:00Z') });
const cat = observation(3, { content: 'Alice has a cat.' });
const QUESTION: DialecticQuery = { subject: alice, observer: bob, question: 'Where does Alice live?' };

interface Asked {
  readonly engine: LlmDialecticEngine;
  readonly llm: ScriptedLlmClient;
  readonly searcher: ScriptedSearcher;
}

/** An engine over a memory that finds those observations, and others for other words. */
function engineWith(
  found: readonly Observation[],
  turns: ConstructorParameters<typeof ScriptedLlmClient>[0],
  more: Partial<LlmDialecticEngineOptions> & {
    readonly byQuery?: Readonly<Record<string, readonly Observation[]>>;
  } = {},
): Asked {
  const { byQuery = {}, ...options } = more;
  const llm = new ScriptedLlmClient(turns);
  const searcher = new ScriptedSearcher(({ query }) => byQuery[query] ?? (query === QUESTION.question ? found : []));
  const clock = (): Date => new Date('2026-03-10T08:00:00Z');
  return { engine: new LlmDialecticEngine({ llm, searcher, clock, ...options }), llm, searcher };
}

const search = (query: string, top_k?: number): ScriptedTurn => ({
  calls: [{ name: 'memory_search', arguments: { query, ...(top_k !== undefined && { top_k }) } }],
});
const lastContent = ({ messages }: LlmRequest): string => messages.at(-1)?.content ?? '';
const requestAt = ({ llm }: Asked, index: number): LlmRequest => llm.requests[index] as LlmRequest;
const roles = ({ messages }: LlmRequest): readonly string[] => messages.map(({ role }) => role);

describe('LlmDialecticEngine', () => {
  describe('its prompt', () => {
    it('holds the peers, what was found for the question, the question and the present time', async () => {
      const asked = engineWith([porto, nurse], [{ text: 'In Porto [k1].' }]);
      const subject = PeerView.of(ops, Principal.user('alice', 'Alice'));
      await asked.engine.query({ ...QUESTION, subject });
      const request = requestAt(asked, 0);
      expect(roles(request)).toEqual(['system', 'user']);
      expect([...blocksIn(lastContent(request))]).toEqual([
        ['about', [{ type: 'USER', id: 'alice', name: 'Alice' }]],
        ['asker', [{ type: 'USER', id: 'bob' }]],
        [
          'observations',
          [
            {
              id: 'k1',
              text: 'Alice lives in Porto.',
              recorded_at: '2026-01-01 00:01 UTC (Thursday)',
              type: 'EXPLICIT',
              confidence: 0.9,
            },
            {
              id: 'k2',
              text: 'Alice works as a nurse.',
              said_at: '2026-03-02 09:30 UTC (Monday)',
              type: 'EXPLICIT',
              confidence: 0.9,
            },
          ],
        ],
        ['question', [{ text: 'Where does Alice live?' }]],
      ]);
      expect(lastContent(request)).toMatch(/\nThe present time is 2026-03-10 08:00 UTC \(Tuesday\)\.$/);
    });

    it('shows who said a statement and when apart from the words', async () => {
      const saidAt = new Date('2023-05-08T13:56:00Z');
      const statement = observation(1, {
        content: formatStatement({ speaker: 'Caroline', saidAt, text: 'I moved to Ghent yesterday.' }),
        metadata: { speaker: 'Caroline', occurredAt: saidAt.toISOString() },
      });
      const asked = engineWith([statement], [{ text: 'In Ghent.' }]);
      await asked.engine.query(QUESTION);
      expect(blocksIn(lastContent(requestAt(asked, 0))).get('observations')).toMatchObject([
        { speaker: 'Caroline', text: 'I moved to Ghent yesterday.', said_at: '2023-05-08 13:56 UTC (Monday)' },
      ]);
    });

    it('leaves out a confidence that the memory does not keep', async () => {
      const hit = { observation: porto, score: 0, confidenceAvailable: false, signals: {} };
      const llm = new ScriptedLlmClient([{ text: 'In Porto.' }]);
      await new LlmDialecticEngine({ llm, searcher: new ScriptedSearcher(() => [hit]) }).query(QUESTION);
      expect(blocksIn(lastContent(llm.requests[0] as LlmRequest)).get('observations')?.[0]).not.toHaveProperty(
        'confidence',
      );
    });

    it('cuts a text that is too long to be read', async () => {
      const asked = engineWith([observation(1, { content: 'x'.repeat(10_000) })], [{ text: 'Yes.' }]);
      await asked.engine.query(QUESTION);
      const [record] = blocksIn(lastContent(requestAt(asked, 0))).get('observations') ?? [];
      expect(record?.text).toBe(`${'x'.repeat(3999)}…`);
    });
  });

  describe('its lookups', () => {
    it.each([
      ['FAST', 10, 512],
      ['BALANCED', 20, 1024],
      ['DEEP', 30, 2048],
    ] as const)('at %s begin with %d observations, and an answer has %d tokens', async (level, topK, tokens) => {
      const asked = engineWith([porto], [{ text: 'In Porto.' }]);
      await asked.engine.query({ ...QUESTION, level });
      expect(asked.searcher.queries).toMatchObject([{ query: QUESTION.question, topK, subject: alice, observer: bob }]);
      expect(requestAt(asked, 0)).toMatchObject({ maxOutputTokens: tokens, toolChoice: 'auto' });
    });

    it('give way to the tokens that a question asks for', async () => {
      const asked = engineWith([porto], [{ text: 'In Porto.' }]);
      await asked.engine.query({ ...QUESTION, maxTokens: 77 });
      expect(requestAt(asked, 0).maxOutputTokens).toBe(77);
    });

    it.each([
      ['FAST', 2],
      ['BALANCED', 4],
      ['DEEP', 8],
    ] as const)('at %s end after %d rounds, the last of which can call nothing', async (level, rounds) => {
      let round = 0;
      const asked = engineWith([porto], ({ toolChoice }) =>
        toolChoice === 'none'
          ? { text: 'In Porto [k1].' }
          : { calls: [{ name: 'memory_search', arguments: { query: `words ${++round}` } }] },
      );
      expect(await asked.engine.query({ ...QUESTION, level })).toEqual({
        answer: 'In Porto.',
        observationsConsidered: [porto.id],
        tokenUsage: { inputTokens: 100 * rounds, outputTokens: 10 * rounds },
        toolCalls: rounds - 1,
      });
      const choices = asked.llm.requests.map(({ toolChoice }) => toolChoice);
      expect(choices).toEqual([...Array.from({ length: rounds - 1 }, () => 'auto'), 'none']);
      // Servers refuse calls in a conversation whose tools they are not told.
      expect(asked.llm.requests.at(-1)?.tools).toEqual(asked.llm.requests[0]?.tools);
    });

    it('go on in the conversation, with new aliases for what is new', async () => {
      const asked = engineWith([porto], [search('her job', 5), { text: 'A nurse [k2] in Porto [k1].' }], {
        byQuery: { 'her job': [nurse, porto] },
      });
      const response = await asked.engine.query(QUESTION);
      expect(asked.searcher.queries[1]).toMatchObject({ query: 'her job', topK: 5, subject: alice, observer: bob });
      const second = requestAt(asked, 1);
      expect(roles(second)).toEqual(['system', 'user', 'assistant', 'tool']);
      expect(second.messages[2]).toEqual({
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'call_1', name: 'memory_search', argumentsJson: '{"query":"her job","top_k":5}' }],
      });
      expect(second.messages[3]).toMatchObject({ role: 'tool', toolCallId: 'call_1' });
      expect(blocksIn(lastContent(second)).get('observations')).toMatchObject([
        { id: 'k2', text: 'Alice works as a nurse.' },
        { id: 'k1', already_shown: true },
      ]);
      expect(response).toMatchObject({
        answer: 'A nurse in Porto.',
        observationsConsidered: [nurse.id, porto.id],
        toolCalls: 1,
      });
    });

    it.each<readonly [string, string, unknown, RegExp]>([
      ['a tool that there is none of', 'delete_all', {}, /no tool of that name.*memory_search\.$/],
      ['broken JSON', 'memory_search', '{"query": "x', /no JSON object.*memory_search again/],
      ['JSON that is no object', 'memory_search', '["x"]', /no JSON object/],
      ['a query that is missing', 'memory_search', {}, /query has to be a text/],
      ['a query that is blank', 'memory_search', { query: ' ' }, /query has to be a text/],
      ['a number that is none', 'memory_search', { query: 'x', top_k: 'many' }, /top_k .* from 1 to 50/],
      ['a number below 1', 'memory_search', { query: 'x', top_k: 0 }, /top_k .* from 1 to 50/],
      ['a history that is not there', 'recent_history', {}, /no tool of that name/],
    ])('answer %s with what to do', async (_what, name, given, answer) => {
      const asked = engineWith([porto], [{ calls: [{ name, arguments: given }] }, { text: 'In Porto.' }]);
      const response = await asked.engine.query(QUESTION);
      expect(lastContent(requestAt(asked, 1))).toMatch(answer);
      expect(asked.searcher.queries).toHaveLength(1);
      expect(response).toMatchObject({ answer: 'In Porto.', toolCalls: 1 });
    });

    it('are made whatever the server says the model ended for', async () => {
      for (const finishReason of ['stop', 'other'] as const) {
        const call = { name: 'memory_search', arguments: { query: 'job' } };
        const asked = engineWith([porto], [{ calls: [call], finishReason }, { text: 'In Porto.' }]);
        expect(await asked.engine.query(QUESTION)).toMatchObject({ answer: 'In Porto.', toolCalls: 1 });
      }
    });

    it('send no broken call back to the server', async () => {
      const calls = [
        { name: 'memory search!', arguments: {} },
        { name: 'memory_search', arguments: '{"query": ' },
      ];
      const asked = engineWith([porto], [{ calls }, { text: 'In Porto.' }]);
      await asked.engine.query(QUESTION);
      expect(requestAt(asked, 1).messages[2]).toMatchObject({
        toolCalls: [
          { name: 'unknown_tool', argumentsJson: '{}' },
          { name: 'memory_search', argumentsJson: '{}' },
        ],
      });
    });

    it('take a number that is too high, or half, as the nearest that can be', async () => {
      const asked = engineWith([porto], [search('a', 1000), search('b', 2.5), { text: 'In Porto.' }]);
      await asked.engine.query(QUESTION);
      expect(asked.searcher.queries.map(({ topK }) => topK)).toEqual([20, 50, 2]);
    });

    it('are not made a second time for the same words, unless for more hits', async () => {
      const again = engineWith(
        [porto],
        [
          {
            calls: ['job', ' job ', QUESTION.question].map((query) => ({
              name: 'memory_search',
              arguments: { query },
            })),
          },
          search('job', 30),
          { text: 'In Porto.' },
        ],
      );
      await again.engine.query(QUESTION);
      expect(again.searcher.queries.map(({ query, topK }) => [query, topK])).toEqual([
        [QUESTION.question, 20],
        ['job', 20],
        ['job', 30],
      ]);
      const results = requestAt(again, 1)
        .messages.slice(3)
        .map(({ content }) => content);
      expect(results).toEqual([
        '<observations>\n(none)\n</observations>',
        expect.stringMatching(/^This was asked already/),
        expect.stringMatching(/^This was asked already/),
      ]);
    });

    it('are made for only so many calls at a time', async () => {
      const calls = Array.from({ length: 30 }, (_, n) => ({ name: 'memory_search', arguments: { query: `q${n}` } }));
      const asked = engineWith([porto], [{ calls }, { text: 'In Porto.' }]);
      expect(await asked.engine.query(QUESTION)).toMatchObject({ toolCalls: 30 });
      expect(asked.searcher.queries).toHaveLength(9);
      expect(lastContent(requestAt(asked, 1))).toMatch(/^Not looked up: only 8 calls at a time/);
    });

    it('that fail are told the model, without the words of the failure, and may be tried again', async () => {
      let failures = 0;
      const llm = new ScriptedLlmClient([search('job'), search('job'), { text: 'A nurse [k2].' }]);
      const searcher = new ScriptedSearcher(({ query }) => {
        if (query !== 'job') return [porto];
        if (failures++ === 0) throw new Error('postgres://user:secret@host');
        return [nurse];
      });
      const response = await new LlmDialecticEngine({ llm, searcher }).query(QUESTION);
      expect(lastContent(llm.requests[1] as LlmRequest)).toMatch(/^The lookup failed\. Try it once more/);
      expect(JSON.stringify(llm.requests)).not.toContain('secret');
      expect(response.observationsConsidered).toEqual([nurse.id]);
    });

    it('for the question itself fail the question when they fail', async () => {
      const failure = new Error('The store is away.');
      const llm = new ScriptedLlmClient([]);
      const searcher = new ScriptedSearcher(() => Promise.reject(failure));
      await expect(new LlmDialecticEngine({ llm, searcher }).query(QUESTION)).rejects.toBe(failure);
    });
  });

  describe('the session of a question', () => {
    const here = observation(4, { content: 'Of this session.', sessionId: 'monday' });
    const there = observation(5, { content: 'Of another.', sessionId: 'sunday' });
    const shownTo = (llm: ScriptedLlmClient): unknown =>
      blocksIn(lastContent(llm.requests[0] as LlmRequest))
        .get('observations')
        ?.map(({ text, this_session }) => [text, this_session]);

    it('comes first, and leaves nothing of the others out', async () => {
      const asked = engineWith([there, here, porto], [{ text: 'Yes.' }]);
      await asked.engine.query({ ...QUESTION, sessionId: 'monday' });
      expect(asked.searcher.queries.map(({ sessionId }) => sessionId)).toEqual([undefined]);
      expect(shownTo(asked.llm)).toEqual([
        ['Of this session.', true],
        ['Of another.', undefined],
        ['Alice lives in Porto.', undefined],
      ]);
    });

    it('is looked up by itself too where a search can be narrowed', async () => {
      // Told in several sessions, and kept under another than this one.
      const told = observation(6, { content: 'Told again.', sessionId: 'friday' });
      const many = Array.from({ length: 20 }, (_, n) => observation(100 + n));
      const llm = new ScriptedLlmClient([{ text: 'Yes.' }]);
      const searcher = new ScriptedSearcher(({ sessionId }) => (sessionId === undefined ? many : [here, told]), true);
      await new LlmDialecticEngine({ llm, searcher }).query({ ...QUESTION, sessionId: 'monday' });
      expect(searcher.queries).toMatchObject([
        { topK: 10, sessionId: 'monday' },
        { topK: 20, sessionId: undefined },
      ]);
      expect(shownTo(llm)).toEqual([
        ['Of this session.', true],
        ['Told again.', true],
        ...many.slice(0, 18).map(({ content }) => [content, undefined]),
      ]);
    });
  });

  describe('the recent history', () => {
    const said: readonly MemoryMessage[] = [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', name: 'Alice', content: 'I moved to Ghent.', createdAt: '2026-03-10T07:00:00Z' },
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', content: 'A result.', tool_call_id: 'x' },
      { role: 'user', content: '<aimon-memory kind="x">\nAlice lives in Rome.\n</aimon-memory>' },
      { role: 'assistant', content: [{ type: 'text', text: 'Good to know.' }] },
    ];
    const history = (limit?: number): ScriptedTurn => ({
      calls: [{ name: 'recent_history', arguments: limit === undefined ? {} : { limit } }],
    });
    const readerOf = (messages: readonly MemoryMessage[]) => {
      const requests: TranscriptRequest[] = [];
      const recentMessages = async (request: TranscriptRequest): Promise<readonly MemoryMessage[]> => {
        requests.push(request);
        return messages;
      };
      return { requests, recentMessages };
    };
    const inSession = { ...QUESTION, sessionId: 'monday' };

    it('is shown with who said what, and is enough to answer from', async () => {
      for (const level of REASONING_LEVELS) {
        const transcriptReader = readerOf(said);
        const asked = engineWith([], [history(), { text: 'In Ghent.' }], { transcriptReader });
        const response = await asked.engine.query({ ...inSession, level });
        expect(transcriptReader.requests).toEqual([
          { subject: alice, observer: bob, sessionId: 'monday', limit: 20, signal: undefined },
        ]);
        expect(blocksIn(lastContent(requestAt(asked, 1))).get('messages')).toEqual([
          { role: 'user', speaker: 'Alice', text: 'I moved to Ghent.', said_at: '2026-03-10 07:00 UTC (Tuesday)' },
          { role: 'assistant', text: 'Good to know.' },
        ]);
        expect(response).toMatchObject({ answer: 'In Ghent.', observationsConsidered: [], toolCalls: 1 });
      }
    });

    it('holds no more than was asked for, and is not read twice', async () => {
      const transcriptReader = readerOf(said);
      const asked = engineWith([porto], [history(1), history(1), history(99), { text: 'In Ghent.' }], {
        transcriptReader,
      });
      await asked.engine.query(inSession);
      expect(blocksIn(lastContent(requestAt(asked, 1))).get('messages')).toHaveLength(1);
      expect(lastContent(requestAt(asked, 2))).toMatch(/^This was asked already/);
      expect(transcriptReader.requests.map(({ limit }) => limit)).toEqual([1, 50]);
    });

    it('is not offered without a session', async () => {
      const asked = engineWith([porto], [{ text: 'In Porto.' }], { transcriptReader: readerOf(said) });
      await asked.engine.query(QUESTION);
      expect(requestAt(asked, 0).tools?.map(({ name }) => name)).toEqual(['memory_search']);
    });

    it('says nothing where nobody said anything', async () => {
      const transcriptReader = readerOf(said.slice(2, 5));
      const asked = engineWith([], [history(), { text: 'In Rome.' }], { transcriptReader });
      expect((await asked.engine.query(inSession)).answer).toMatch(/^I do not know/);
    });
  });

  describe('what an answer rests on', () => {
    it.each<readonly [string, string, string, readonly Observation[]]>([
      ['what it cites, in its order', 'A cat [k3], in Porto [k1].', 'A cat, in Porto.', [cat, porto]],
      ['what it cites often, once', 'Porto [k1]. Porto [k1, k2].', 'Porto. Porto.', [porto, nurse]],
      ['nothing that it made up', 'In Porto [k9][k1].', 'In Porto.', [porto]],
      ['all that was shown where it cites nothing', 'In Porto.', 'In Porto.', [porto, nurse, cat]],
      ['all that was shown where it made up all that it cites', 'In Porto [k7].', 'In Porto.', [porto, nurse, cat]],
    ])('is %s', async (_what, text, answer, considered) => {
      for (const streams of [false, true]) {
        const { engine } = engineWith([porto, nurse, cat], [{ text }]);
        const response = await (streams ? engine.queryStream(QUESTION, () => undefined) : engine.query(QUESTION));
        expect(response.answer).toBe(answer);
        expect(response.observationsConsidered).toEqual(considered.map(({ id }) => id));
      }
    });
  });

  describe('where nothing is known', () => {
    it('asks the model for other words, and says so itself when these find nothing either', async () => {
      const asked = engineWith([], [search('Porto'), search('home'), search('address')]);
      expect(await asked.engine.query(QUESTION)).toEqual({
        answer: 'I do not know: nothing that is remembered answers this question.',
        observationsConsidered: [],
        tokenUsage: { inputTokens: 300, outputTokens: 30 },
        toolCalls: 3,
      });
    });

    it('answers from what other words find', async () => {
      const asked = engineWith([], [search('Porto'), { text: 'In Porto [k1].' }], { byQuery: { Porto: [porto] } });
      expect(await asked.engine.query(QUESTION)).toMatchObject({
        answer: 'In Porto.',
        observationsConsidered: [porto.id],
      });
    });

    it('does not ask the model at all at FAST', async () => {
      const asked = engineWith([], []);
      expect(await asked.engine.query({ ...QUESTION, level: 'FAST', question: '어디에 살아?' })).toEqual({
        answer: '알 수 없습니다. 이 질문에 답할 수 있는 기억이 없습니다.',
        observationsConsidered: [],
        tokenUsage: { inputTokens: 0, outputTokens: 0 },
        toolCalls: 0,
      });
      expect(asked.llm.requests).toEqual([]);
    });

    it('lets nothing through of what the model makes up, in the answer or to the sink', async () => {
      const turns: readonly (readonly ScriptedTurn[])[] = [
        [{ text: 'She lives in Paris.' }],
        [
          { text: 'She lives in Paris.', calls: [{ name: 'memory_search', arguments: { query: 'x' } }] },
          { text: 'Paris.' },
        ],
      ];
      for (const script of turns) {
        const heard: string[] = [];
        const { answer } = await engineWith([], script).engine.queryStream(QUESTION, (text) => void heard.push(text));
        expect(answer).toMatch(/^I do not know/);
        expect(heard.join('')).toBe(answer);
        expect((await engineWith([], script).engine.query(QUESTION)).answer).toBe(answer);
      }
    });

    it('forgets what the model made up before it found something', async () => {
      const call = { name: 'memory_search', arguments: { query: 'Porto' } };
      const script = [{ text: 'She lives in Paris.', calls: [call] }, { text: 'In Porto.' }];
      const asked = engineWith([], script, { byQuery: { Porto: [porto] } });
      const heard: string[] = [];
      const { answer } = await asked.engine.queryStream(QUESTION, (text) => void heard.push(text));
      expect([answer, heard.join('')]).toEqual(['In Porto.', 'In Porto.']);
      expect(JSON.stringify(asked.llm.requests)).not.toContain('Paris');
    });
  });

  describe('what goes wrong', () => {
    it.each<readonly [string, ScriptedTurn, string]>([
      ['a refusal', { text: 'No.', finishReason: 'refusal' }, 'refused to answer'],
      ['an empty answer', { text: '' }, 'with nothing'],
      ['an answer of citations alone', { text: ' [k1]\n' }, 'with nothing'],
      ['an answer that was cut before it began', { finishReason: 'length' }, 'used up 1024 tokens before it answered'],
    ])('fails the question by %s', async (_what, turn, words) => {
      for (const streams of [false, true]) {
        const { engine } = engineWith([porto], [turn]);
        const answer = streams ? engine.queryStream(QUESTION, () => undefined) : engine.query(QUESTION);
        const error: unknown = await answer.catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(LlmAnswerError);
        expect((error as Error).message).toContain(words);
      }
    });

    it('ends an answer where it is cut, without half a citation', async () => {
      const { engine } = engineWith([porto], [{ text: 'In Porto, near [k', finishReason: 'length' }]);
      expect((await engine.query(QUESTION)).answer).toBe('In Porto, near');
    });

    it('asks for the answer once calls were cut', async () => {
      const cut: ScriptedTurn = { calls: [{ name: 'memory_search', arguments: '{"que' }], finishReason: 'length' };
      const asked = engineWith([porto], [cut, { text: 'In Porto.' }]);
      expect((await asked.engine.query({ ...QUESTION, level: 'DEEP' })).answer).toBe('In Porto.');
      expect(requestAt(asked, 1).toolChoice).toBe('none');
    });

    it('passes on what the model client throws', async () => {
      const failure = new LlmUnavailableError('The service is away.', { outage: 'unreachable' });
      for (const turns of [[failure], [search('job'), failure]]) {
        await expect(engineWith([porto], turns).engine.query(QUESTION)).rejects.toBe(failure);
      }
    });

    it('takes the text of a last round that calls all the same, and fails without one', async () => {
      const turns = (text: string): readonly ScriptedTurn[] => [
        search('job'),
        { text, calls: [{ name: 'memory_search', arguments: { query: 'more' } }] },
      ];
      const fast = { ...QUESTION, level: 'FAST' } as const;
      const { engine, searcher } = engineWith([porto], turns('In Porto.'));
      expect(await engine.query(fast)).toMatchObject({ answer: 'In Porto.', toolCalls: 1 });
      expect(searcher.queries).toHaveLength(2);
      await expect(engineWith([porto], turns('')).engine.query(fast)).rejects.toThrow(LlmAnswerError);
    });

    it('does not guess a cost of which a part is not told', async () => {
      const { engine } = engineWith([porto], [search('job'), { text: 'In Porto.', usage: null }]);
      expect(await engine.query(QUESTION)).not.toHaveProperty('tokenUsage');
    });

    it('refuses a question that is none, and parts that are missing', async () => {
      const { engine, llm, searcher } = engineWith([porto], []);
      await expect(engine.query({ ...QUESTION, question: ' ' })).rejects.toThrow(InvalidArgumentError);
      const without = (parts: object): (() => unknown) => {
        return () => new LlmDialecticEngine({ llm, searcher, ...parts });
      };
      expect(without({ llm: undefined })).toThrow(
        'LlmDialecticEngineOptions.llm is undefined; it takes an object with complete and stream.',
      );
      expect(without({ searcher: {} })).toThrow(
        'LlmDialecticEngineOptions.searcher is a value of type object; it takes',
      );
      expect(without({ transcriptReader: 'x' })).toThrow('it takes an object with recentMessages.');
    });
  });

  it('asks the model to complete a query, and to stream a stream', async () => {
    const turns = [search('job'), { text: 'In Porto.' }];
    const whole = engineWith([porto], turns);
    await whole.engine.query(QUESTION);
    expect(whole.llm.ways).toEqual(['complete', 'complete']);
    const streamed = engineWith([porto], turns);
    await streamed.engine.queryStream(QUESTION, () => undefined);
    expect(streamed.llm.ways).toEqual(['stream', 'stream']);
  });

  it('keeps questions that come at once apart', async () => {
    const llm = new ScriptedLlmClient(({ messages }) => {
      const [question] = blocksIn(messages[1]?.content ?? '').get('question') ?? [];
      return { text: `${String(question?.text)} [k1].` };
    });
    const engine = new LlmDialecticEngine({ llm, searcher: new ScriptedSearcher(() => [porto]) });
    const questions = Array.from({ length: 20 }, (_, n) => `Question ${n}`);
    const answers = await Promise.all(questions.map((question) => engine.query({ ...QUESTION, question })));
    expect(answers.map(({ answer }) => answer)).toEqual(questions.map((question) => `${question}.`));
  });
});
