import { LlmError, type LlmRequest } from '@aimon/nestjs-memory';

import { apiError, refusing, refusingWhen, serverError } from '../../support/scripted-llm-server/misbehaviours.js';
import { forever } from '../../support/scripted-llm-server/scripted-llm-server.js';
import { ASKED, clientOf, failureOf, SCHEMA, scripted } from './clients.js';

const ANSWER = { content: '{"facts": []}' };
const JSON_ASKED: LlmRequest = { ...ASKED, responseSchema: SCHEMA };

describe('a server without response_format', () => {
  it('is asked in words, in the instruction that is there, and from then on at once', async () => {
    const server = await scripted(forever(refusing('response_format', ANSWER)));
    const client = clientOf(server);
    const request: LlmRequest = {
      ...JSON_ASKED,
      messages: [{ role: 'system', content: 'Be exact.' }, ...ASKED.messages],
    };
    expect((await client.complete(request)).text).toBe('{"facts": []}');
    expect(server.requests.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
    ]);
    const { messages } = server.request(-1).body;
    expect(messages).toHaveLength(2);
    expect(messages[0]?.content).toMatch(/^Be exact\.\n\nAnswer with one JSON value.*\n\{"type":"object"/s);

    await client.complete(JSON_ASKED);
    expect(server.requests).toHaveLength(4);
    expect(server.request(-1).body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('is asked for any JSON first, with the schema in words, where it knows no schemas', async () => {
    const schemas = refusingWhen(
      ({ response_format: format }) => format?.type === 'json_schema',
      { message: "'response_format.type' must be one of 'text', 'json_object'." },
      ANSWER,
    );
    const server = await scripted(forever(schemas));
    await clientOf(server).complete(JSON_ASKED);
    expect(server.request(-1).body).toMatchObject({ response_format: { type: 'json_object' } });
    expect(server.request(-1).body.messages[0]?.content).toContain('"facts"');
  });

  it.each([
    ['by FastAPI', 422, { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] }],
    ['in text', 400, 'response_format is not supported'],
    ['in the older form', 400, { object: 'error', message: 'json_schema is not supported', code: 400 }],
  ])('is understood however it says so: %s', async (_name, status, body) => {
    const refused = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
    const server = await scripted(refused, refused, ANSWER);
    expect((await clientOf(server).complete(JSON_ASKED)).text).toBe('{"facts": []}');
  });

  it('is not thought to be one for refusing a single schema', async () => {
    const invalid = apiError(400, { message: "Invalid schema for response_format 'facts'", param: 'response_format' });
    const server = await scripted(invalid, ANSWER, ANSWER);
    const client = clientOf(server);
    await client.complete(JSON_ASKED);
    await client.complete(JSON_ASKED);
    expect(server.requests.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      'json_schema',
    ]);
  });
});

describe('a model', () => {
  it('that wants max_completion_tokens gets it, and no temperature where it takes none, and is asked so from then on', async () => {
    const unsupported = apiError(400, {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: 'max_tokens',
      code: 'unsupported_parameter',
    });
    const server = await scripted(unsupported, forever(refusing('temperature', ANSWER)));
    const client = clientOf(server);
    const request = { ...ASKED, maxOutputTokens: 9, temperature: 0 };
    for (let turn = 0; turn < 2; turn++) expect((await client.complete(request)).text).toBe(ANSWER.content);
    expect(server.requests).toHaveLength(4);
    expect(server.request(-1).body).toMatchObject({ max_completion_tokens: 9 });
    expect(server.request(-1).body).not.toHaveProperty('max_tokens');
    expect(server.request(-1).body).not.toHaveProperty('temperature');
  });

  it('that refuses both names of the limit is not asked without one', async () => {
    const refused = (name: string): ReturnType<typeof apiError> =>
      apiError(400, { message: `Unsupported parameter: ${name}`, param: name });
    const server = await scripted(refused('max_tokens'), refused('max_completion_tokens'));
    await expect(clientOf(server).complete({ ...ASKED, maxOutputTokens: 9 })).rejects.toThrow(/max_completion_tokens/);
    expect(server.requests).toHaveLength(2);
  });
});

describe('what a server refuses', () => {
  it('is learnt only once it takes the request without', async () => {
    const server = await scripted(apiError(400, { message: 'Unsupported: temperature' }), serverError(), ANSWER);
    const client = clientOf(server);
    const request = { ...ASKED, temperature: 0.5 };
    expect(await failureOf(client.complete(request))).toMatchObject({ outage: 'server-error' });
    await client.complete(request);
    expect(server.requests.map(({ body }) => body.temperature)).toEqual([0.5, undefined, 0.5]);
  });

  it('and was not sent is no reason to ask again', async () => {
    const server = await scripted(apiError(400, { message: 'Unsupported: temperature, max_tokens, response_format' }));
    expect(await failureOf(clientOf(server).complete(ASKED))).toBeInstanceOf(LlmError);
    expect(server.requests).toHaveLength(1);
  });

  it('is learnt by parallel calls, none of which is lost', async () => {
    const server = await scripted(
      forever(({ body }) =>
        body.response_format !== undefined
          ? refusing('response_format', ANSWER)
          : refusing('max_tokens', { content: body.messages.at(-1)?.content ?? '' }),
      ),
    );
    const client = clientOf(server);
    const ask = async (number: number): Promise<string> => {
      const messages = [{ role: 'user', content: `Question ${number}` }] as const;
      const request = { ...JSON_ASKED, messages, maxOutputTokens: 5 };
      return number % 2 === 0
        ? (await client.complete(request)).text
        : (await client.stream(request, () => undefined)).text;
    };
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    expect(await Promise.all(numbers.map(ask))).toEqual(numbers.map((number) => `Question ${number}`));
    const before = server.requests.length;
    await Promise.all(numbers.map(ask));
    expect(server.requests.length - before).toBe(20);
  });
});
