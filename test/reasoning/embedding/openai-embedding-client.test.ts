import {
  InvalidArgumentError,
  LlmAnswerError,
  LlmUnavailableError,
  OpenAiEmbeddingClient,
  type OpenAiEmbeddingClientOptions,
} from '@aimon/nestjs-memory';
import { TestClock } from '@aimon/nestjs-memory/testing';

import {
  apiError,
  contextTooLong,
  htmlPage,
  refusing,
  tooManyRequests,
} from '../../support/scripted-llm-server/misbehaviours.js';
import { digestVector, embeddings, vectors } from '../../support/scripted-llm-server/scripted-embeddings.js';
import {
  forever,
  ScriptedLlmServer,
  type ScriptedReply,
} from '../../support/scripted-llm-server/scripted-llm-server.js';

let server: ScriptedLlmServer;
beforeEach(async () => {
  server = await ScriptedLlmServer.startAt('/proxy/v1');
});
afterEach(() => server.close());

const clientOf = (options: Partial<OpenAiEmbeddingClientOptions> = {}): OpenAiEmbeddingClient =>
  new OpenAiEmbeddingClient({ model: 'embedder', baseUrl: server.baseUrl, ...options });
const rows = (all: readonly Float32Array[]): number[][] => all.map((vector) => [...vector]);
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );

describe('texts', () => {
  it('become vectors in their order, in as many requests as the batch allows', async () => {
    const texts = ['a', 'b', 'c', 'd', 'e'];
    const all = await clientOf({ maxBatchSize: 2 }).embed(texts);
    expect(all).toEqual(texts.map((text) => Float32Array.from(digestVector(text))));
    expect(server.requests.map(({ body }) => body.input)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(server.request(0).path).toBe('/proxy/v1/embeddings');
    expect(server.request(0).body).toEqual({ model: 'embedder', input: ['a', 'b'], encoding_format: 'float' });
  });

  it('are told apart by the index of each vector, else by their order', async () => {
    server.embed(
      embeddings([
        { index: 1, embedding: [2] },
        { index: 0, embedding: [1] },
      ]),
      embeddings([{ embedding: [1] }, { embedding: [2] }]),
    );
    for (let turn = 0; turn < 2; turn++) expect(rows(await clientOf().embed(['a', 'b']))).toEqual([[1], [2]]);
  });

  it('may be none, which asks nothing', async () => {
    expect(await clientOf().embed([])).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it('are waited for as long as the options say', async () => {
    const clock = new TestClock();
    server.embed('silence');
    const failed = failureOf(clientOf({ clock, timeoutMs: 100 }).embed(['a']));
    await server.asked;
    await clock.advance(100);
    expect(await failed).toMatchObject({
      outage: 'timeout',
      message: expect.stringContaining('OpenAiEmbeddingClientOptions.timeoutMs is how long it may take'),
    });
  });

  it('may not be blank', async () => {
    expect(await failureOf(clientOf().embed(['a', ' ']))).toBeInstanceOf(InvalidArgumentError);
    expect(server.requests).toEqual([]);
  });

  it('are asked about no longer when the caller gives up', async () => {
    server.embed('silence');
    const giving = new AbortController();
    const reason = new Error('Enough.');
    const failed = failureOf(clientOf().embed(['a'], giving.signal));
    await server.asked;
    giving.abort(reason);
    expect(await failed).toBe(reason);
    expect(await failureOf(clientOf().embed(['a'], giving.signal))).toBe(reason);
  });
});

describe('dimensions', () => {
  it('are learnt from the first vector where they were not given', async () => {
    const client = clientOf();
    expect(client.dimensions).toBeUndefined();
    await client.embed(['a']);
    expect(client.dimensions).toBe(8);
    server.embed(vectors([1, 2, 3]));
    const error = await failureOf(client.embed(['b']));
    expect(error).toMatchObject({ outage: 'wrong-dimensions' });
    expect((error as Error).message).toMatch(/a vector of 3 numbers after one of 8/);
    expect(client.dimensions).toBe(8);
  });

  it('that were given are asked for, and vectors of another size are refused with both numbers', async () => {
    const client = clientOf({ dimensions: 4 });
    expect(client.dimensions).toBe(4);
    expect((await client.embed(['a']))[0]).toHaveLength(4);
    expect(server.request(0).body.dimensions).toBe(4);
    server.embed(vectors([1, 2, 3]));
    const error = await failureOf(client.embed(['b']));
    expect(error).toBeInstanceOf(LlmUnavailableError);
    expect((error as Error).message).toMatch(/a vector of 3 numbers, but aimon\.memory\.embedding\.dimensions is 4/);
  });

  it('are not asked for where the model cannot choose, and still are what they have to be', async () => {
    server.embed(refusing('dimensions', {}), vectors([1, 2]), vectors([3, 4]));
    const client = clientOf({ dimensions: 2 });
    expect(rows(await client.embed(['a']))).toEqual([[1, 2]]);
    expect(rows(await client.embed(['b']))).toEqual([[3, 4]]);
    expect(server.requests.map(({ body }) => body.dimensions)).toEqual([2, undefined, undefined]);
  });
});

describe('an answer', () => {
  it.each<[string, ScriptedReply, RegExp]>([
    ['with too few vectors', vectors([1]), /answered 2 texts with 1 embeddings/],
    [
      'with one vector twice',
      embeddings([
        { index: 0, embedding: [1] },
        { index: 0, embedding: [2] },
      ]),
      /indexes are not 0 to 1/,
    ],
    [
      'with an index out of range',
      embeddings([
        { index: 0, embedding: [1] },
        { index: 7, embedding: [2] },
      ]),
      /indexes are not 0 to 1/,
    ],
    ['with an empty vector', vectors([1], []), /empty embedding/],
    ['with zeros alone', vectors([1], [0]), /zeros alone/],
    ['with null in a vector, as which NaN travels', vectors([1], [null]), /no finite number/],
    ['with a number that is too large', vectors([1], [1e300]), /no finite number/],
    [
      'with text for a vector',
      embeddings([{ embedding: 'AACAPw==' }, { embedding: 'AACAPw==' }]),
      /no list of numbers/,
    ],
    ['with null for a vector', embeddings([null, null]), /no list of embeddings/],
    ['without data', { body: '{}' }, /no list of embeddings/],
    ['that is no JSON', { body: 'ok' }, /no JSON/],
  ])('%s is unusable', async (_name, reply, message) => {
    server.embed(reply);
    const error = await failureOf(clientOf().embed(['a', 'b']));
    expect(error).toBeInstanceOf(LlmAnswerError);
    expect((error as Error).message).toMatch(message);
  });

  it.each<[string, ScriptedReply, object]>([
    ['the service is away', tooManyRequests({ 'retry-after': '2' }), { outage: 'rate-limited', retryAfterMs: 2000 }],
    ['the key is wrong', apiError(401, {}), { message: expect.stringContaining('aimon.memory.embedding.api-key') }],
    ['something else stands there', htmlPage(), { outage: 'not-found' }],
    ['a text is too long', contextTooLong(), { code: 'LLM_CONTEXT_TOO_LONG' }],
    ['an error comes as a success', { body: '{"error":{"code":503}}' }, { outage: 'server-error' }],
  ])('says whether %s', async (_name, reply, expected) => {
    server.embed(forever(reply));
    expect(await failureOf(clientOf({ dimensions: 3 }).embed(['a']))).toMatchObject(expected);
  });
});

it.each([
  [{ dimensions: 0 }, /OpenAiEmbeddingClientOptions\.dimensions is 0/],
  [{ maxBatchSize: 0 }, /maxBatchSize is 0/],
  [{ maxResponseBytes: 0 }, /maxResponseBytes is 0/],
  [{ model: '' }, /OpenAiEmbeddingClientOptions\.model is empty/],
])('a client with %j is refused', (options, message) => {
  expect(() => clientOf(options)).toThrow(message);
});
