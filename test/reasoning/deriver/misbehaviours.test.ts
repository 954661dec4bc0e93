import {
  type DerivationOutage,
  InMemoryDerivationQueue,
  InMemoryObservationStore,
  IndexedObservationStore,
  type IngestOutcome,
  LexicalIndex,
  LlmDeriver,
  normaliseMessage,
  type Observation,
  OpenAiLlmClient,
  ReActLlmDeriver,
  StoreBackedPeerMemory,
} from '@aimon/nestjs-memory';

import { TestClock } from '../../../lib/testing/test-clock.js';
import { alice } from '../../support/peers.js';
import { JSON_MISBEHAVIOURS } from '../../support/scripted-llm-server/json-misbehaviours.js';
import {
  contextTooLong,
  cutInBody,
  emptyChoices,
  htmlPage,
  invalidUtf8,
  nothingLeftToSpend,
  refusing,
  serverError,
  tooManyRequests,
} from '../../support/scripted-llm-server/misbehaviours.js';
import {
  forever,
  type LastingReply,
  type ScriptedReply,
  ScriptedLlmServer,
} from '../../support/scripted-llm-server/scripted-llm-server.js';
import { observations, recordsIn } from '../../support/scripted-memory-model.js';
import { until } from '../../support/until.js';

const FACT = { content: 'Alice lives in Busan.', type: 'EXPLICIT', sources: ['m1'], repeats: null };
const GOOD = { content: JSON.stringify({ observations: [FACT] }) };
const say = (content: string): ScriptedReply => ({ content });
const fact = (change: object): ScriptedReply => say(JSON.stringify({ observations: [{ ...FACT, ...change }] }));

let server: ScriptedLlmServer | undefined;
afterEach(() => server?.close());

interface Told {
  readonly kept: readonly Pick<Observation, 'content' | 'type'>[];
  readonly outcomes: readonly string[];
  readonly requests: number;
  readonly deadLettered: number;
  readonly outages: readonly string[];
  /** How long the whole took, in milliseconds of the memory's clock. */
  readonly waitedMs: number;
}

/** Has one message, or some, derived from the first call to the last, and tells what became of it. */
async function told(
  replies: readonly (ScriptedReply | LastingReply)[],
  {
    kind = 'llm',
    messages = ['I live in Busan now.'],
    timeoutMs,
  }: Partial<{ kind: 'llm' | 'react'; messages: string[]; timeoutMs: number }> = {},
): Promise<Told> {
  server = await ScriptedLlmServer.start(...replies);
  const clock = new TestClock();
  const start = clock.now().getTime();
  const observationStore = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());
  const memory = new StoreBackedPeerMemory({ observationStore });
  const llm = new OpenAiLlmClient({ model: 'small-1', baseUrl: server.baseUrl, timeoutMs });
  const { observationRecorder: recorder, searcher } = memory;
  if (recorder === undefined) throw new Error('The memory has no OBSERVE.');
  const options = { llm, recorder, searcher };
  const deriver = kind === 'react' ? new ReActLlmDeriver(options) : new LlmDeriver(options);
  const queue = new InMemoryDerivationQueue({
    deriver,
    redactionPolicy: undefined,
    maxAttempts: 2,
    retryDelayMs: 500,
    clock,
  });
  const outcomes: IngestOutcome[] = [];
  const outages: DerivationOutage[] = [];
  queue.onOutcome((outcome) => void outcomes.push(outcome));
  queue.onOutage((outage) => outage !== undefined && outages.push(outage));
  queue.start();
  await queue.enqueue({
    subject: alice,
    observer: alice,
    sessionId: 's',
    messages: messages.map((content, n) => normaliseMessage({ role: 'user', content, id: `id${n + 1}` })),
  });
  for (let idle = false; !idle;) {
    const { stats } = { stats: () => queue.stats() };
    await until(() => stats().inFlight === 0 && (stats().pending === 0 || clock.waiting > 0));
    idle = stats().pending + stats().inFlight === 0;
    if (!idle) await clock.advance(clock.untilNextTask ?? 0);
  }
  const { items } = await observationStore.findBySubject(alice, { limit: 100 });
  return {
    kept: items.map(({ content, type }) => ({ content, type })),
    outcomes: outcomes.map(({ outcome, reason }) => (reason === undefined ? outcome : `${outcome}: ${reason}`)),
    requests: server.requests.length,
    deadLettered: queue.stats().deadLettered,
    outages: outages.map(({ reason }) => reason),
    waitedMs: clock.now().getTime() - start,
  };
}

const BUSAN = { content: 'Alice lives in Busan.', type: 'EXPLICIT' };
const STORED = { kept: [BUSAN], outcomes: ['stored'], requests: 1, deadLettered: 0, outages: [], waitedMs: 0 };
const STORED_LATER = { kept: [BUSAN], outcomes: ['stored'], requests: 3 };
const NOTHING = { ...STORED, kept: [], outcomes: ['nothing-found'] };
const GIVEN_UP = {
  kept: [],
  outcomes: ['failed: derivation failed'],
  requests: 4,
  deadLettered: 1,
  outages: [],
  waitedMs: 500,
};

describe('an answer that is taken at once', () => {
  const FORGIVEN: readonly (readonly [string, ScriptedReply])[] = [
    ...Object.entries(JSON_MISBEHAVIOURS).map(([how, answer]) => [how, answer({ observations: [FACT] })] as const),
    ['one object instead of the list', say(JSON.stringify(FACT))],
    ['a list instead of the object', say(JSON.stringify([FACT]))],
    ['one observation that is not in a list', say(JSON.stringify({ observations: FACT }))],
    ['keys in capitals', say(JSON.stringify({ Observations: [FACT] }))],
    ['a source that is no list', fact({ sources: 'm1' })],
    ['sources in brackets', fact({ sources: ['[m1]', ' M1 '] })],
    ['a source that is a number', fact({ sources: [1] })],
    ['sources that there are not, where there is one statement', fact({ sources: ['m7'] })],
    ['no sources, where there is one statement', fact({ sources: undefined })],
    ['a known fact that there is not', fact({ repeats: 'k9' })],
    [
      'the wrong word for the content',
      say(JSON.stringify({ facts: [{ fact: FACT.content, type: 'EXPLICIT', sources: ['m1'] }] })),
    ],
  ];
  it.each(FORGIVEN)('%s', async (_, reply) => {
    expect(await told([reply])).toEqual(STORED);
  });

  it.each([
    ['a type that there is not', fact({ type: 'OPINION' })],
    ['a type of stores that no deriver writes', fact({ type: 'CONTRADICTION' })],
    ['no type', fact({ type: undefined })],
    ['a list of texts', say(JSON.stringify([FACT.content]))],
  ])('%s is taken for the weaker type', async (_, reply) => {
    expect(await told([reply])).toEqual({ ...STORED, kept: [{ ...BUSAN, type: 'DEDUCTIVE' }] });
  });

  it.each([
    ['null', say('null')],
    ['an empty list', say('[]')],
    ['no observations', say('{"observations": []}')],
    ['observations that are null', say('{"observations": null}')],
  ])('%s is nothing to remember, and no failure', async (_, reply) => {
    expect(await told([reply])).toEqual(NOTHING);
  });
});

describe('an answer that cannot be used', () => {
  const UNUSABLE: readonly (readonly [string, ScriptedReply])[] = [
    ['an empty text', say('')],
    ['prose without JSON', say('There is a lot to remember here.')],
    ['an object of something else', say('{"status":"ok"}')],
    ['an observation without content', fact({ content: ' ' })],
    ['a refusal', { refusal: 'I cannot help with that.' }],
    [
      'JSON that was cut at the most tokens',
      { content: '{"observations":[{"content":"Alice li', finishReason: 'length' },
    ],
  ];

  it.each(UNUSABLE)('%s is asked for once more, with what is wrong with it', async (_, reply) => {
    expect(await told([reply, GOOD])).toEqual({ ...STORED, requests: 2 });
    const asked = server?.request(1).body.messages.map(({ role }) => role);
    expect(asked).toEqual(['system', 'user', 'assistant', 'user']);
    expect(server?.request(1).body.messages[3]?.content).toMatch(
      /^(?:The answer|An observation) .+ Answer once more, in full/s,
    );
  });

  it.each(UNUSABLE)('%s, every time, is given up after the last attempt and counted', async (_, reply) => {
    expect(await told([forever(reply)])).toEqual(GIVEN_UP);
  });

  it.each([
    ['no choices', emptyChoices()],
    ['bytes that are no UTF-8', invalidUtf8()],
    ['no JSON at all', { body: 'Hello!' }],
  ] as const)('%s is a failed attempt, and tried again later', async (_, reply) => {
    expect(await told([reply, GOOD])).toEqual({ ...STORED, requests: 2, waitedMs: 500 });
    await server?.close();
    expect(await told([forever(reply)])).toEqual({ ...GIVEN_UP, requests: 2 });
  });

  it('of which a part can be used is used in that part, after it was asked for once more', async () => {
    const partly = say(JSON.stringify({ observations: [FACT, { type: 'EXPLICIT', sources: ['m1'] }] }));
    expect(await told([forever(partly)])).toEqual({ ...STORED, requests: 2 });
  });

  it('that goes on without end is cut to twenty facts for a statement, after it was asked for once more', async () => {
    const endless = observations(...Array.from({ length: 500 }, (_, n) => ({ ...FACT, content: `Fact number ${n}.` })));
    const result = await told([forever(endless)]);
    expect(result.kept).toHaveLength(20);
    expect(result).toMatchObject({ outcomes: ['stored'], requests: 2 });
  });

  it('whose fact is no sentence is asked for once more, and what it wrote is not sent back whole', async () => {
    const endless = fact({ content: 'Alice '.repeat(50_000) });
    expect(await told([endless, GOOD])).toEqual({ ...STORED, requests: 2 });
    expect(server?.request(1).body.messages[2]?.content?.length).toBeLessThan(10_000);
  });

  it('is never stored with sources that are not known, where there are several statements', async () => {
    const messages = ['I live in Busan now.', 'My cat is called Nabi.'];
    const told1 = await told([fact({ sources: ['m9'] }), fact({ sources: ['m1'] })], { messages });
    expect(told1).toEqual({ ...STORED, outcomes: ['stored', 'nothing-found'], requests: 2 });
  });
});

describe('a server that is away', () => {
  it.each([
    ['asks to be left alone for a while', tooManyRequests({ 'retry-after': '30' }), 'rate-limited', 30_000],
    ['is asked too often', tooManyRequests(), 'rate-limited', 500],
    ['fails', serverError(), 'server-error', 500],
    ['is overloaded', serverError(503), 'server-error', 500],
    ['hangs up', 'hang up', 'unreachable', 500],
    ['breaks off in the middle of an answer', cutInBody(), 'unreachable', 500],
    ['has a proxy in front that answers for it', htmlPage(502), 'server-error', 500],
    ['wants to be paid', nothingLeftToSpend(), 'quota', 500],
    ['does not take the key', { status: 401, body: '{"error":{"message":"No."}}' }, 'unauthorised', 500],
    ['does not have the model', { status: 404, body: '{"error":{"message":"No."}}' }, 'not-found', 500],
  ] as const)('and %s costs no attempt', async (_, reply, reason, waitedMs) => {
    expect(await told([reply, GOOD])).toEqual({ ...STORED, requests: 2, outages: [reason], waitedMs });
    await server?.close();
    // Four times in a row, with two attempts.
    const often = await told([reply, reply, reply, reply, GOOD]);
    expect(often).toMatchObject({ outcomes: ['stored'], requests: 5, outages: [reason], deadLettered: 0 });
  });

  it('and does not answer in time costs no attempt', async () => {
    expect(await told(['silence', GOOD], { timeoutMs: 250 })).toEqual({
      ...STORED,
      requests: 2,
      outages: ['timeout'],
      waitedMs: 500,
    });
  });
});

describe('a server that knows less than others', () => {
  it('and refuses response_format is asked in words', async () => {
    const refuses = forever(refusing('response_format', GOOD));
    const first = await told([refuses]);
    expect(first).toMatchObject({ kept: [BUSAN], outcomes: ['stored'], outages: [], deadLettered: 0 });
    expect(server?.request(-1).body.response_format).toBeUndefined();
  });

  it.each(['temperature', 'max_tokens'] as const)('and refuses %s is asked without', async (parameter) => {
    expect(await told([forever(refusing(parameter, GOOD))])).toMatchObject({ kept: [BUSAN], outcomes: ['stored'] });
  });

  it('and does not say what was used is believed', async () => {
    expect(await told([{ ...GOOD, usage: null }])).toEqual(STORED);
  });

  it('and cannot read as much is given less, until it can', async () => {
    const messages = Array.from({ length: 4 }, (_, n) => `Fact number ${n}: ${'it is a long story. '.repeat(30)}`);
    const result = await told(
      [
        forever((request) => {
          if ((request.body.messages[1]?.content ?? '').length > 1500) return contextTooLong();
          const read = recordsIn(request, 'messages');
          return observations(...read.map(({ id, text }) => ({ ...FACT, content: text, sources: [id] })));
        }),
      ],
      { messages },
    );
    expect(result.outcomes).toEqual(messages.map(() => 'stored'));
    expect(result).toMatchObject({ deadLettered: 0, outages: [], waitedMs: 0 });
  });
});

describe('a model that works in steps', () => {
  const calls = (...made: (readonly [string, object | string])[]): ScriptedReply => ({
    toolCalls: made.map(([name, given]) => ({
      name,
      arguments: typeof given === 'string' ? given : JSON.stringify(given),
    })),
  });
  const create = ['deriver_observation_create', FACT] as const;
  const answersOf = (index: number): readonly string[] =>
    server?.request(index).body.messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : [])) ?? [];

  it('and calls a tool that there is not is told which there are', async () => {
    expect(await told([calls(['deriver_delete_all', {}]), calls(create), say('DONE')], { kind: 'react' })).toEqual({
      ...STORED,
      requests: 3,
    });
    expect(answersOf(1)).toEqual([
      'There is no tool of that name. There are deriver_observation_create, deriver_message_link, deriver_memory_search.',
    ]);
  });

  it.each([
    ['broken JSON', '{"content": "Ali'],
    ['no object', '"Alice"'],
    ['nothing', ''],
  ])('and calls a tool with %s is told so', async (_, given) => {
    const result = await told([calls([create[0], given]), calls(create), say('DONE')], { kind: 'react' });
    expect(result).toEqual({ ...STORED, requests: 3 });
    expect(answersOf(1)[0]).toMatch(/^(?:The arguments were no JSON object|An observation had no "content")/);
  });

  it('and calls the same tool for ever without noting anything is stopped after six rounds, and given up', async () => {
    const search = calls(['deriver_memory_search', { query: 'Busan' }]);
    expect(await told([forever(search)], { kind: 'react' })).toEqual({ ...GIVEN_UP, requests: 12 });
    expect(answersOf(5).slice(1)).toEqual(Array(4).fill('That was looked up already; see above.'));
  });

  it('and looks things up without end is told that it is enough', async () => {
    const searches = Array.from({ length: 60 }, (_, n) => ['deriver_memory_search', { query: `Word ${n}` }] as const);
    expect(await told([calls(...searches), calls(create), say('DONE')], { kind: 'react' })).toMatchObject(STORED_LATER);
    expect(answersOf(1).filter((answer) => answer.startsWith('Enough was looked up'))).toHaveLength(40);
  });

  it('and notes things without end has twenty noted for a statement', async () => {
    const noted = Array.from({ length: 60 }, (_, n) => [create[0], { ...FACT, content: `Fact ${n}.` }] as const);
    const result = await told([calls(...noted), say('DONE')], { kind: 'react' });
    expect(result.kept).toHaveLength(20);
    expect(answersOf(1).filter((answer) => answer.startsWith('Enough was noted'))).toHaveLength(40);
  });

  it('and notes the same for ever has it noted once', async () => {
    expect(await told([forever(calls(create))], { kind: 'react' })).toEqual({ ...STORED, requests: 6 });
  });

  it('and is cut off between two rounds leaves nothing behind that comes twice', async () => {
    const again = calls([create[0], { ...FACT, content: 'Busan is where Alice lives.' }]);
    expect(await told([calls(create), 'hang up', again, say('DONE')], { kind: 'react' })).toEqual({
      ...STORED,
      kept: [{ ...BUSAN, content: 'Busan is where Alice lives.' }],
      requests: 4,
      outages: ['unreachable'],
      waitedMs: 500,
    });
  });

  it('and cannot call tools writes down what it has found', async () => {
    expect(await told([GOOD], { kind: 'react' })).toEqual(STORED);
  });

  it.each([
    ['says DONE at once', say('DONE'), NOTHING],
    ['says nothing', say(''), GIVEN_UP],
    ['says that it noted something, and did not', say('I have noted it.'), GIVEN_UP],
    ['writes down an observation without content', fact({ content: '' }), GIVEN_UP],
    ['refuses', { refusal: 'No.' }, { ...GIVEN_UP, requests: 2 }],
  ] as const)('and %s is taken at its word', async (_, reply, expected) => {
    expect(await told([forever(reply)], { kind: 'react' })).toEqual(expected);
  });
});
