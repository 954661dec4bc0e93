import {
  LlmContextLengthError,
  LlmError,
  LlmUnavailableError,
  SYSTEM_CLOCK,
  type LlmOutage,
} from '@aimon/nestjs-memory';
import { inspect } from 'node:util';

import { retryAfterMs } from '../../../lib/reasoning/llm/retry-after.js';
import {
  apiError,
  contextTooLong,
  cutInBody,
  errorInSuccess,
  htmlPage,
  nothingLeftToSpend,
  serverError,
  tooManyRequests,
} from '../../support/scripted-llm-server/misbehaviours.js';
import { ScriptedLlmServer, type ScriptedReply } from '../../support/scripted-llm-server/scripted-llm-server.js';
import { ASKED, clientOf, failureOf, KEY, scripted, SECRET } from './clients.js';

const body = (status: number, value: unknown): ScriptedReply => ({ status, body: JSON.stringify(value) });

describe('the service is away', () => {
  it.each<[string, ScriptedReply, LlmOutage, RegExp]>([
    ['it is asked too often', tooManyRequests(), 'rate-limited', /answered with 429 \(rate_limit_exceeded\)/],
    ['nothing is left to spend', nothingLeftToSpend(), 'quota', /429 \(insufficient_quota\): there is nothing left/],
    ['a gateway wants to be paid', body(402, { error: { message: 'Insufficient credits' } }), 'quota', /402/],
    ['it fails', serverError(), 'server-error', /answered with 500 \(server_error\): it failed/],
    ['a proxy stands in for it', htmlPage(502), 'server-error', /answered with 502: it failed/],
    ['it is overloaded', serverError(529), 'server-error', /529/],
    ['it was too slow for itself', apiError(408, {}), 'timeout', /408/],
    [
      'it does not take the key',
      apiError(401, { code: 'invalid_api_key' }),
      'unauthorised',
      /API key; check aimon\.memory\.llm\.api-key/,
    ],
    ['the key may not do it', apiError(403, {}), 'unauthorised', /aimon\.memory\.llm\.api-key/],
    [
      'it words a wrong key otherwise',
      body(400, [{ error: { code: 400, message: 'API key not valid.' } }]),
      'unauthorised',
      /400/,
    ],
    [
      'it has no such model',
      apiError(404, { code: 'model_not_found' }),
      'not-found',
      /aimon\.memory\.llm\.model and aimon\.memory\.llm\.base-url/,
    ],
    ['it words that otherwise', body(400, { error: 'model "x" not found, try pulling it first' }), 'not-found', /400/],
    ['it breaks off', cutInBody(), 'unreachable', /broke off in the middle of an answer/],
    ['it hangs up', 'hang up', 'unreachable', /cannot be reached \(UND_ERR_SOCKET\)/],
    ['a gateway says so in a success', errorInSuccess({ code: 502, message: 'Upstream' }), 'server-error', /502/],
    ['it is overloaded in a success', errorInSuccess({ type: 'overloaded_error' }), 'server-error', /overloaded_error/],
    ['it is asked too often in a success', errorInSuccess({ code: 'rate_limit_exceeded' }), 'rate-limited', /429/],
  ])('when %s', async (_name, reply, outage, message) => {
    const error = await failureOf(clientOf(await scripted(reply)).complete(ASKED));
    expect(error).toBeInstanceOf(LlmUnavailableError);
    expect(error).toMatchObject({ outage, code: 'LLM_UNAVAILABLE', retryAfterMs: undefined });
    expect(error.message).toMatch(message);
  });

  it('when nobody listens there', async () => {
    const gone = await ScriptedLlmServer.start();
    const client = clientOf(gone);
    await gone.close();
    const error = await failureOf(client.complete(ASKED));
    expect(error).toMatchObject({ outage: 'unreachable' });
    expect(error.message).toMatch(
      /^The language model test-model at http:\/\/127.*\/v1 cannot be reached \(ECONNREFUSED\)\.$/,
    );
  });

  it('and is asked once: whoever has work waiting decides when to ask again', async () => {
    const server = await scripted(serverError(), { content: 'Yes.' });
    await failureOf(clientOf(server).complete(ASKED));
    expect(server.requests).toHaveLength(1);
  });

  it('for as long as it says', async () => {
    const server = await scripted(
      tooManyRequests({ 'retry-after': '7' }),
      tooManyRequests({ 'retry-after-ms': '250' }),
    );
    const client = clientOf(server);
    expect((await failureOf(client.complete(ASKED))).retryAfterMs).toBe(7000);
    expect((await failureOf(client.complete(ASKED))).retryAfterMs).toBe(250);
    server.reply(apiError(503, {}, { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }));
    const clock = { ...SYSTEM_CLOCK, now: () => new Date('2026-01-01T00:00:00Z') };
    expect((await failureOf(clientOf(server, { clock }).complete(ASKED))).retryAfterMs).toBe(30_000);
  });

  it.each([
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after-ms': 'x', 'retry-after': '2' }, 2000],
    [{}, undefined],
  ])('which %j says to be %s ms', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers), new Date('2026-01-01T00:00:00Z'))).toBe(expected);
  });
});

describe('the request is at fault', () => {
  it.each<[string, ScriptedReply]>([
    ['by its code', contextTooLong()],
    [
      'in the words of another server',
      body(400, { object: 'error', message: 'This model’s maximum context length is 4096 tokens.', code: 400 }),
    ],
    ['by its size', { status: 413, body: '' }],
    ['with a failure', body(500, { error: { message: 'the request exceeds the available context size' } })],
    [
      'as one that would never fit into a minute',
      apiError(429, { message: 'Request too large for m: Limit 10000, Requested 12000.', code: 'rate_limit_exceeded' }),
    ],
    ['in a success', errorInSuccess({ code: 'context_length_exceeded' })],
  ])('when it is too long, said %s', async (_name, reply) => {
    const error = await failureOf(clientOf(await scripted(reply)).complete(ASKED));
    expect(error).toBeInstanceOf(LlmContextLengthError);
    expect(error.message).toMatch(/longer than the model can read/);
  });

  it.each<[string, ScriptedReply, string, RegExp]>([
    [
      'when it is malformed',
      apiError(400, { message: SECRET, type: 'invalid_request_error' }),
      'LLM_FAILED',
      /400 \(invalid_request_error\): it refuses the request\.$/,
    ],
    [
      'when a filter stops it',
      apiError(400, { code: 'content_filter', message: SECRET }),
      'LLM_CONTENT_REFUSED',
      /content filter/,
    ],
    [
      'when it is flagged',
      apiError(403, { message: 'Your input was flagged' }),
      'LLM_CONTENT_REFUSED',
      /content filter/,
    ],
    ['when a gateway says so in a success', errorInSuccess('Nope'), 'LLM_FAILED', /refuses the request/],
    [
      'when a value is out of its range',
      apiError(400, { message: 'temperature must be at most 2', param: 'temperature' }),
      'LLM_FAILED',
      /refuses/,
    ],
  ])('%s', async (_name, reply, code, message) => {
    const server = await scripted(reply);
    const error = await failureOf(clientOf(server).complete({ ...ASKED, temperature: 2 }));
    expect(error).toBeInstanceOf(LlmError);
    expect(error).not.toBeInstanceOf(LlmUnavailableError);
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(message);
    expect(server.requests).toHaveLength(1);
  });
});

describe('no error', () => {
  it.each([400, 401, 403, 404, 413, 422, 429, 500])(
    'with status %i repeats the key or the question',
    async (status) => {
      const echo = { message: `You sent ${SECRET} with ${KEY}`, type: SECRET, code: KEY, param: SECRET };
      const server = await scripted(apiError(status, echo), { status, body: `${SECRET} ${KEY}` });
      for (let turn = 0; turn < 2; turn++) {
        const error = await failureOf(clientOf(server).complete(ASKED));
        const shown = inspect(error, { depth: 10, showHidden: true });
        expect(shown).not.toContain(SECRET);
        expect(shown).not.toContain(KEY);
      }
    },
  );

  it('of a connection does so either', async () => {
    for (const reply of ['hang up', cutInBody()] as const) {
      const error = await failureOf(clientOf(await scripted(reply)).complete(ASKED));
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
    }
  });
});
