/* eslint-disable @typescript-eslint/no-explicit-any -- the benchmark is plain JavaScript, which the compiler knows no types of */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryFolder } from '../support/temporary-folder.js';

const load = async (file: string): Promise<any> => import(new URL(file, import.meta.url).href);
const { parseSaidAt } = await load('said-at.mjs');
const { readConversations } = await load('conversations.mjs');
const { distinctIds, groupRecall, percentile, recallOf } = await load('recall.mjs');
const { readOptions } = await load('retrieval-options.mjs');
const { measureRetrieval } = await load('measure-retrieval.mjs');
const { retrievalTable } = await load('retrieval-table.mjs');

const hit = (...sourceMessageIds: string[]) => ({ observation: { sourceMessageIds } });
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index + 1}`);

describe('the time of a turn', () => {
  it.each([
    ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
    ['12:48 am on 1 February, 2023', '2023-02-01T00:48:00.000Z'],
    ['12:05 pm on 29 February, 2024', '2024-02-29T12:05:00.000Z'],
    ['2025-03-06', '2025-03-06T00:00:00.000Z'],
    ['2025-03-06T09:30', '2025-03-06T09:30:00.000Z'],
    ['2025-03-06T09:30:15.5Z', '2025-03-06T09:30:15.000Z'],
    ['2025-03-06T09:30:00+09:00', '2025-03-06T00:30:00.000Z'],
  ])('is read from %s', (text, time) => {
    expect(parseSaidAt(text)?.toISOString()).toBe(time);
  });

  it.each(['yesterday', '13:56 pm on 8 May, 2023', '1:56 pm on 31 April, 2023', '2025-02-29', '2025-13-01', ''])(
    'is not made up from %j',
    (text) => {
      expect(parseSaidAt(text)).toBeUndefined();
    },
  );
});

describe('the conversations of a data file', () => {
  const one = (turn: object, questions: object[] = []) =>
    readConversations({ conversations: [{ id: 'c', turns: [{ id: 'D1:1', text: 'Hello.', ...turn }], questions }] });

  it('have turns with their speaker, their time and what was shared', () => {
    const [{ turns }] = one({ speaker: 'Ann', date: '1:56 pm on 8 May, 2023', img: 'a photo of a boat' });
    expect(turns).toEqual([
      {
        id: 'D1:1',
        speaker: 'Ann',
        text: 'Hello. and shared a photo of a boat',
        saidAt: new Date('2023-05-08T13:56:00Z'),
        session: 'D1',
      },
    ]);
  });

  it('have the session that an id tells, otherwise one for each day', () => {
    expect(one({ id: 'D12:3', date: '2025-03-06' })[0].turns[0].session).toBe('D12');
    expect(one({ id: 'ko-f001', date: '2025-03-06' })[0].turns[0].session).toBe('2025-03-06');
    expect(one({ id: 'ko-f001' })[0].turns[0]).toEqual({ id: 'ko-f001', text: 'Hello.', session: 'undated' });
  });

  it('have questions whose evidence names each turn once', () => {
    const [{ questions }] = one({}, [{ q: 'Who?', category: 4, evidence: ['D1:1', 'D1:1'] }, { q: 'Why?' }]);
    expect(questions).toEqual([
      { text: 'Who?', category: '4', evidence: ['D1:1'] },
      { text: 'Why?', evidence: [] },
    ]);
  });

  it('are read from the file that LoCoMo publishes too', () => {
    const published = [
      {
        sample_id: 'conv-1',
        conversation: {
          speaker_a: 'Ann',
          session_1_date_time: '1:56 pm on 8 May, 2023',
          session_1: [{ speaker: 'Ann', dia_id: 'D1:1', text: 'Look.', blip_caption: 'a boat' }],
        },
        qa: [{ question: 'What did Ann show?', category: 4, evidence: ['D1:1; D1:2'] }],
      },
    ];
    expect(readConversations(published)).toEqual([
      {
        id: 'conv-1',
        turns: [
          {
            id: 'D1:1',
            speaker: 'Ann',
            text: 'Look. and shared a boat',
            saidAt: new Date('2023-05-08T13:56:00Z'),
            session: 'D1',
          },
        ],
        questions: [{ text: 'What did Ann show?', category: '4', evidence: ['D1:1', 'D1:2'] }],
      },
    ]);
  });

  it('are refused with a sentence when they cannot be read', () => {
    expect(() => readConversations({})).toThrow('The data holds no conversations');
    expect(() => readConversations({ conversations: [{ id: 'c', turns: [] }] })).toThrow(
      'Conversation c has no turns.',
    );
    expect(() => one({ date: 'last week' })).toThrow(
      'Turn D1:1 of conversation c has the date "last week"; it takes one like "1:56 pm on 8 May, 2023", or ISO 8601.',
    );
    expect(() => one({ text: 7 })).toThrow('Turn D1:1 of conversation c has no text.');
    const twice = {
      id: 'c',
      turns: [
        { id: 'a', text: '1' },
        { id: 'a', text: '2' },
      ],
    };
    expect(() => readConversations({ conversations: [twice] })).toThrow(
      'Turn a of conversation c has the id of another',
    );
  });
});

describe('recall', () => {
  it('walks the hits and counts an id once, however many hits cite it', () => {
    expect(distinctIds([hit('a', 'b'), hit('b'), hit('a', 'c'), hit('d')], 3)).toEqual(['a', 'b', 'c']);
    expect(distinctIds([hit('a'), hit('a')], 3)).toEqual(['a']);
  });

  it('stops at k ids, not at k hits', () => {
    expect(distinctIds([hit(...numbered(9))], 5)).toEqual(numbered(5));
  });

  it('is the share of the evidence among the first k ids', () => {
    expect(recallOf(numbered(50), ['t1', 't5', 't26', 'nowhere'])).toEqual([0.25, 0.5, 0.5, 0.5, 0.75]);
  });

  it('is the mean of the questions, by category, with adversarial ones in all only', () => {
    const answers = [
      { category: '4', recall: [1, 1, 1, 1, 1] },
      { category: '1', recall: [0, 0, 1, 1, 1] },
      { category: '1', recall: [0, 0, 0, 0, 1] },
      { category: '5', recall: [0, 0, 0, 0, 0] },
    ];
    expect(groupRecall(answers)).toEqual({
      '1-4': { questions: 3, recall: { 1: 33.3, 5: 33.3, 10: 66.7, 25: 66.7, 50: 100 } },
      all: { questions: 4, recall: { 1: 25, 5: 25, 10: 50, 25: 50, 50: 75 } },
      1: { questions: 2, recall: { 1: 0, 5: 0, 10: 50, 25: 50, 50: 100 } },
      4: { questions: 1, recall: { 1: 100, 5: 100, 10: 100, 25: 100, 50: 100 } },
      5: { questions: 1, recall: { 1: 0, 5: 0, 10: 0, 25: 0, 50: 0 } },
    });
  });

  it('is told with a percentile that is one of the measured times', () => {
    expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
    expect(
      percentile(
        Array.from({ length: 100 }, (_, index) => 100 - index),
        0.95,
      ),
    ).toBe(95);
    expect(percentile([7], 0.95)).toBe(7);
  });
});

describe('measuring retrieval', () => {
  /** A memory that remembers every message but those that say nothing, and finds them in the order of their ids. */
  function recordingMemory(outcomeOf = (text: string): string => (text === 'Hi.' ? 'nothing-found' : 'stored')) {
    const listeners = new Set<(outcome: object) => void>();
    const requests: any[] = [];
    const queries: any[] = [];
    return {
      requests,
      queries,
      peerOf: (id: string) => id,
      onOutcome: (listener: (outcome: object) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      settled: async () => {},
      peerMemory: {
        ingestor: {
          ingest: async (request: any) => {
            requests.push(request);
            for (const { id, content } of request.messages) {
              const { sessionId } = request;
              for (const listener of listeners)
                listener({ messageId: id, sessionId, outcome: outcomeOf(content), reason: 'queue full' });
            }
            return { accepted: request.messages.length, derived: true };
          },
        },
        searcher: {
          search: async (query: any) => {
            queries.push(query);
            return requests
              .filter(({ observer }) => observer === query.subject)
              .flatMap(({ messages }) => messages)
              .filter(({ content }: any) => outcomeOf(content) === 'stored')
              .slice(0, query.topK)
              .map(({ id }: any) => hit(id));
          },
        },
      },
    };
  }
  const conversations = readConversations({
    conversations: ['c1', 'c2'].map((id) => ({
      id,
      turns: [
        { id: 'D1:1', speaker: 'Ann', text: 'Hi.', date: '2025-03-06' },
        { id: 'D1:2', text: 'I sail.', date: '2025-03-06' },
        { id: 'D2:1', speaker: 'Bo', text: 'Me too.', date: '2025-03-07' },
      ],
      questions: [
        { q: 'Who sails?', category: 1, evidence: ['D1:2', 'D2:1'] },
        { q: 'Who greets?', category: 5, evidence: ['D1:1'] },
        { q: 'Who knows?', category: 5, evidence: [] },
      ],
    })),
  });
  const clock = () => {
    let milliseconds = 0;
    return () => (milliseconds += 2);
  };

  it('ingests each session of a conversation under the peer of the conversation', async () => {
    const memory = recordingMemory();
    await measureRetrieval(memory, conversations);
    expect(memory.requests.map(({ observer, sessionId }) => [observer, sessionId])).toEqual([
      ['c1', 'c1/D1'],
      ['c1', 'c1/D2'],
      ['c2', 'c2/D1'],
      ['c2', 'c2/D2'],
    ]);
    expect(memory.requests[0].waitForDerivation).toBe(true);
    expect(memory.requests[0].messages).toEqual([
      { role: 'user', content: 'Hi.', id: 'D1:1', name: 'Ann', createdAt: new Date('2025-03-06') },
      { role: 'user', content: 'I sail.', id: 'D1:2', createdAt: new Date('2025-03-06') },
    ]);
  });

  it('tells recall, query times and what the deriver left out', async () => {
    const result = await measureRetrieval(recordingMemory(), conversations, { now: clock() });
    expect(result).toEqual({
      groups: {
        '1-4': { questions: 2, recall: { 1: 50, 5: 100, 10: 100, 25: 100, 50: 100 } },
        all: { questions: 4, recall: { 1: 25, 5: 50, 10: 50, 25: 50, 50: 50 } },
        1: { questions: 2, recall: { 1: 50, 5: 100, 10: 100, 25: 100, 50: 100 } },
        5: { questions: 2, recall: { 1: 0, 5: 0, 10: 0, 25: 0, 50: 0 } },
      },
      queryMs: { p50: 2, p95: 2 },
      evidenceDroppedPercent: 33.3,
    });
  });

  it('keeps turns of one id apart when everything is under one peer', async () => {
    const memory = recordingMemory();
    const { groups } = await measureRetrieval(memory, conversations, { onePeer: true });
    expect(new Set(memory.requests.map(({ observer }) => observer)).size).toBe(1);
    expect(memory.requests[2].messages[1].id).toBe('c2/D1:2');
    expect(groups['1'].recall).toEqual({ 1: 25, 5: 100, 10: 100, 25: 100, 50: 100 });
  });

  it('asks for more hits while they lead to too few turns, up to the most that a search gives', async () => {
    const memory = recordingMemory();
    memory.peerMemory.searcher.search = async (query: any) => {
      memory.queries.push(query);
      return Array.from({ length: query.topK }, (_, index) => hit(`t${Math.floor(index / 10)}`));
    };
    await measureRetrieval(memory, conversations.slice(0, 1));
    expect(memory.queries.slice(0, 3).map(({ topK }) => topK)).toEqual([50, 100, 200]);
  });

  it('refuses to tell figures when messages were lost, or nothing could be asked', async () => {
    const failing = recordingMemory(() => 'failed');
    await expect(measureRetrieval(failing, conversations)).rejects.toThrow(
      '6 turns were lost on the way in (queue full).',
    );
    const silent = conversations.map((conversation: object) => ({ ...conversation, questions: [] }));
    await expect(measureRetrieval(recordingMemory(), silent)).rejects.toThrow('No question of the data has evidence');
  });

  it('prints a table', async () => {
    const table: string = retrievalTable(await measureRetrieval(recordingMemory(), conversations, { now: clock() }));
    expect(table.split('\n')).toEqual([
      'category  questions   R@1    R@5   R@10   R@25   R@50',
      '1                 2  50.0  100.0  100.0  100.0  100.0',
      '5                 2   0.0    0.0    0.0    0.0    0.0',
      '1-4               2  50.0  100.0  100.0  100.0  100.0',
      'all               4  25.0   50.0   50.0   50.0   50.0',
      '',
      'a query: 2 ms (median), 2 ms (95th percentile)',
      'evidence that the deriver left out: 33.3 %',
    ]);
  });
});

describe('the options of the benchmark', () => {
  it('are a file and what is to be done with it', () => {
    expect(readOptions(['--data', 'a.json'])).toEqual({ data: 'a.json', onePeer: false, json: false });
    expect(readOptions(['--json', '--one-peer', '--embedding=none', '--data=a.json'])).toEqual({
      data: 'a.json',
      onePeer: true,
      json: true,
    });
  });

  it.each([
    [[], 'There is no data to measure with; name a file: npm run bench:retrieval -- --data <file>'],
    [['--data'], '--data has no value.'],
    [['--data', '--json'], '--data has no value.'],
    [['--data', 'a', '--embedding', 'local'], '--embedding local is not available in this version'],
    [['--data', 'a', '--embedding', 'openai'], '--embedding is "openai"; it takes none or local.'],
    [['--data', 'a', '--jsn'], 'There is no option --jsn. Usage: npm run bench:retrieval'],
    [['--data', 'a', 'b'], '"b" belongs to no option.'],
    [['--data', 'a', '--json=yes'], '--json takes no value.'],
    [['--data', 'a', '--toString'], 'There is no option --toString.'],
  ])('%j are refused with a sentence', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(sentence);
  });
});

describe('npm run bench:retrieval', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('retrieval.mjs', import.meta.url)), ...args], {
      encoding: 'utf8',
    });

  it('measures the product, and prints one line of JSON last', () => {
    const data = {
      conversations: [
        {
          id: 'boats',
          turns: [
            { id: 'D1:1', speaker: 'Ann', text: 'My boat is called Heron.', date: '1:56 pm on 8 May, 2023' },
            { id: 'D1:2', speaker: 'Bo', text: 'I bake bread every Sunday.', date: '1:56 pm on 8 May, 2023' },
            { id: 'D2:1', speaker: 'Bo', text: 'Thanks!', date: '2:10 pm on 9 May, 2023' },
          ],
          questions: [
            { q: 'What is the name of the boat?', category: 4, evidence: ['D1:1'] },
            { q: 'Who bakes bread?', category: 2, evidence: ['D1:2'] },
          ],
        },
      ],
    };
    const file = join(temporaryFolder({ 'data.json': JSON.stringify(data) }), 'data.json');
    const { stdout, stderr, status } = run('--data', file, '--json');
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'boats: ingested 3 turns in 2 sessions\nasked 2 questions\n',
    });
    const everything = { 1: 100, 5: 100, 10: 100, 25: 100, 50: 100 };
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      groups: {
        '1-4': { questions: 2, recall: everything },
        all: { questions: 2, recall: everything },
        2: { questions: 1, recall: everything },
        4: { questions: 1, recall: everything },
      },
      queryMs: { p50: expect.any(Number), p95: expect.any(Number) },
      evidenceDroppedPercent: 0,
    });
  }, 60_000);

  it('says what is wrong with its data, and where to get some', () => {
    const folder = temporaryFolder({ 'torn.json': '{"conversations": [' });
    const missing = run('--data', join(folder, 'none.json'));
    expect(missing.status).toBe(1);
    expect(missing.stderr).toMatch(/none\.json cannot be read: there is no such file\. LoCoMo is at .* CC BY-NC 4\.0/);
    expect(run('--data', join(folder, 'torn.json')).stderr).toMatch(/torn\.json is not JSON: .*\. LoCoMo is at/);
    expect(run().stderr).toMatch(/^There is no data to measure with/);
  }, 60_000);
});
