import { LlmAnswerError, LlmUnavailableError, OpenAiLlmClient } from '@aimon/nestjs-memory';

import { loadOpenAiPackage } from '../../../lib/reasoning/llm/openai-package.js';
import { emptyChoices, htmlPage, invalidUtf8, slowDrip } from '../../support/scripted-llm-server/misbehaviours.js';
import { ScriptedLlmServer, type ScriptedReply } from '../../support/scripted-llm-server/scripted-llm-server.js';
import { ASKED, clientOf, failureOf, KEY, SCHEMA, scripted } from './clients.js';

const raw = (message: object, more: object = {}): ScriptedReply => ({
  body: JSON.stringify({ choices: [{ index: 0, message, ...more }] }),
});

describe('a question', () => {
  it('reaches the server whole: messages, tools, the choice of one, and the bounds', async () => {
    const server = await scripted({ content: 'Ghent.' });
    await clientOf(server).complete({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where?' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'search', argumentsJson: '{"q":1}' }] },
        { role: 'tool', toolCallId: 'c1', content: 'Ghent' },
        { role: 'assistant', content: 'So.' },
      ],
      tools: [{ name: 'search', description: 'Searches.', inputSchema: { type: 'object' } }],
      toolChoice: { name: 'search' },
      maxOutputTokens: 50,
      temperature: 0,
    });
    expect(server.request(0).body).toEqual({
      model: 'test-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Where?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{"q":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Ghent' },
        { role: 'assistant', content: 'So.' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'search', description: 'Searches.', parameters: { type: 'object' } },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'search' } },
      max_tokens: 50,
      temperature: 0,
    });
  });

  it('holds nothing that was not asked for', async () => {
    const server = await scripted({ content: 'Yes.' });
    await clientOf(server).complete({ ...ASKED, toolChoice: 'required' });
    expect(Object.keys(server.request(0).body)).toEqual(['model', 'messages']);
  });

  it.each([
    ['closed, so that the server keeps to it exactly', SCHEMA.schema, true],
    ['open, so that it need not', { type: 'object', properties: { a: { type: 'string' } } }, undefined],
  ])('asks for JSON by a schema that is %s', async (_how, schema, strict) => {
    const server = await scripted({ content: '{}' });
    await clientOf(server).complete({ ...ASKED, responseSchema: { name: 'facts', schema } });
    const { response_format: format } = server.request(0).body;
    expect(format).toEqual({ type: 'json_schema', json_schema: { name: 'facts', schema, ...(strict && { strict }) } });
  });

  it('goes to the path and with the query of the base URL, and with the key', async () => {
    const server = await ScriptedLlmServer.startAt('/gateway/openai/v1', { content: 'Yes.' });
    await clientOf(server, { baseUrl: `${server.baseUrl}/?api-version=7` }).complete(ASKED);
    const { path, headers } = server.request(0);
    expect(path).toBe('/gateway/openai/v1/chat/completions?api-version=7');
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    await server.close();
  });

  it('has no key where none was given, and nothing from the environment or about the machine', async () => {
    const server = await scripted({ content: 'Yes.' });
    const foreign = {
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_API_KEY: 'sk-foreign',
      OPENAI_ADMIN_KEY: 'sk-admin',
      OPENAI_ORG_ID: 'org-foreign',
      OPENAI_PROJECT_ID: 'foreign',
      OPENAI_CUSTOM_HEADERS: 'x-foreign: yes',
      OPENAI_LOG: 'debug',
    };
    Object.assign(process.env, foreign);
    try {
      await new OpenAiLlmClient({ model: 'm', baseUrl: server.baseUrl }).complete(ASKED);
    } finally {
      for (const name of Object.keys(foreign)) delete process.env[name];
    }
    const { headers } = server.request(0);
    expect(headers.authorization).toBeUndefined();
    expect(Object.keys(headers).filter((name) => /^(?:x-|openai-)/.test(name))).toEqual([]);
    expect(JSON.stringify(headers)).not.toContain('foreign');
  });
});

describe('an answer', () => {
  it('is its text, why it ended, and what it cost', async () => {
    const server = await scripted({ content: 'Ghent.', usage: [31, 4] });
    expect(await clientOf(server).complete(ASKED)).toEqual({
      text: 'Ghent.',
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 31, outputTokens: 4 },
    });
  });

  it.each<[string, ScriptedReply, object]>([
    ['without usage has none, not 0', { content: 'a', usage: null }, { usage: undefined }],
    [
      'with half a usage has none',
      { body: '{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":3}}' },
      { usage: undefined },
    ],
    ['that is cut says so', { content: 'a', finishReason: 'length' }, { text: 'a', finishReason: 'length' }],
    ['may be nothing', raw({ content: null }, { finish_reason: 'stop' }), { text: '', finishReason: 'stop' }],
    ['may lack its content altogether', raw({}, { finish_reason: 'stop' }), { text: '' }],
    [
      'that gives no reason ended for another',
      raw({ content: 'a' }, { finish_reason: null }),
      { finishReason: 'other' },
    ],
    [
      'may come in parts',
      raw({ content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, null] }),
      { text: 'ab' },
    ],
    ['that refuses says how', { refusal: 'No.' }, { text: '', refusal: 'No.', finishReason: 'refusal' }],
    [
      'may refuse in a part',
      raw({ content: [{ type: 'refusal', refusal: 'No.' }] }),
      { refusal: 'No.', finishReason: 'refusal' },
    ],
    ['may be stopped by a filter', { content: '', finishReason: 'content_filter' }, { finishReason: 'refusal' }],
    ['whose bytes come one by one is whole', slowDrip({ content: '안녕 👋' }), { text: '안녕 👋' }],
  ])('%s', async (_name, reply, expected) => {
    const { text, finishReason, refusal, usage } = await clientOf(await scripted(reply)).complete(ASKED);
    expect({ text, finishReason, refusal, usage }).toMatchObject(expected);
  });

  it.each<[string, ScriptedReply, RegExp]>([
    ['without choices', emptyChoices(), /holds no choice/],
    ['with null for choices', { body: '{"choices":null}' }, /holds no choice/],
    ['that is null', { body: 'null' }, /no chat completion/],
    ['that is no JSON', { body: 'Yes.' }, /no JSON/],
    ['that is empty', { body: '' }, /no JSON/],
    ['that is no UTF-8, which replaced would read as if it had been said', invalidUtf8(), /no UTF-8/],
    [
      'that calls a tool without a name',
      raw({ tool_calls: [{ id: 'a', function: { arguments: '{}' } }] }),
      /without naming it/,
    ],
  ])('%s is unusable', async (_name, reply, message) => {
    const error = await failureOf(clientOf(await scripted(reply)).complete(ASKED));
    expect(error).toBeInstanceOf(LlmAnswerError);
    expect(error.message).toMatch(message);
  });

  it('past the most bytes is cut off', async () => {
    const server = await scripted({ content: 'x'.repeat(2000) });
    const error = await failureOf(clientOf(server, { maxResponseBytes: 1000 }).complete(ASKED));
    expect(error).toBeInstanceOf(LlmAnswerError);
    expect(error.message).toMatch(/more than 1000 bytes/);
  });

  it('that is a web page means that something else stands there', async () => {
    const error = await failureOf(clientOf(await scripted(htmlPage())).complete(ASKED));
    expect(error).toBeInstanceOf(LlmUnavailableError);
    expect(error.message).toMatch(/web page.*aimon\.memory\.llm\.base-url/);
  });
});

describe('tool calls', () => {
  it('come as the model wrote them, broken arguments too', async () => {
    const server = await scripted({
      toolCalls: [
        { id: 'a', name: 'search', arguments: '{"q": "VPN"}' },
        { id: 'b', name: 'no_such_tool', arguments: '{"q": ' },
        { id: 'c', name: 'list', arguments: '' },
      ],
    });
    expect(await clientOf(server).complete(ASKED)).toMatchObject({
      finishReason: 'tool-calls',
      toolCalls: [
        { id: 'a', name: 'search', argumentsJson: '{"q": "VPN"}' },
        { id: 'b', name: 'no_such_tool', argumentsJson: '{"q": ' },
        { id: 'c', name: 'list', argumentsJson: '{}' },
      ],
    });
  });

  it('have ids of their own where the server gave none, or one twice', async () => {
    const call = { type: 'function', function: { name: 't', arguments: '{}' } };
    const server = await scripted(
      raw({ tool_calls: [call, { ...call, id: '' }, { ...call, id: 'x' }, { ...call, id: 'x' }] }),
    );
    const { toolCalls } = await clientOf(server).complete(ASKED);
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(4);
    expect(toolCalls.every(({ id }) => id !== '')).toBe(true);
  });

  it.each([
    ['the server says it stopped', { tool_calls: [{ id: 'x', function: { name: 't', arguments: '{}' } }] }, '{}'],
    ['it calls in the older form', { function_call: { name: 't', arguments: '{"a":1}' } }, '{"a":1}'],
    ['the arguments are an object', { tool_calls: [{ function: { name: 't', arguments: { a: 1 } } }] }, '{"a":1}'],
    ['one call beside it has no name', { tool_calls: [{ function: {} }, { function: { name: 't' } }, 7] }, '{}'],
  ])('are taken where %s', async (_name, message, argumentsJson) => {
    const server = await scripted(raw(message, { finish_reason: 'stop' }));
    const { toolCalls, finishReason } = await clientOf(server).complete(ASKED);
    expect(toolCalls).toEqual([{ id: expect.any(String), name: 't', argumentsJson }]);
    expect(finishReason).toBe('tool-calls');
  });

  it('that were cut say so', async () => {
    const server = await scripted({ toolCalls: [{ name: 't', arguments: '{"a' }], finishReason: 'length' });
    expect(await clientOf(server).complete(ASKED)).toMatchObject({ finishReason: 'length' });
  });
});

describe('a client', () => {
  const options = { model: 'm', baseUrl: 'http://localhost:1/v1' };

  it.each([
    ['no model', { ...options, model: ' ' }, /OpenAiLlmClientOptions\.model is blank/],
    ['a base URL that is none', { ...options, baseUrl: 'localhost:1' }, /baseUrl is no such address; it takes an http/],
    ['a base URL with a password', { ...options, baseUrl: `http://me:${KEY}@host/v1` }, /holds a user or a password/],
    ['neither key nor base URL', { model: 'm' }, /apiKey is missing/],
    ['a key that no header can carry', { ...options, apiKey: `${KEY}\n` }, /apiKey is empty or holds what no header/],
    ['an empty key', { ...options, apiKey: '' }, /apiKey is empty/],
    ['no time', { ...options, timeoutMs: 0 }, /timeoutMs is 0/],
    ['no pause', { ...options, idleTimeoutMs: 0.5 }, /idleTimeoutMs is 0\.5/],
    ['no answer', { ...options, maxResponseBytes: -1 }, /maxResponseBytes is -1/],
  ])('with %s is refused, without showing a secret', (_name, given, message) => {
    const make = (): unknown => new OpenAiLlmClient(given);
    expect(make).toThrow(message);
    expect(make).not.toThrow(KEY);
  });

  it('refuses a question without messages, or without room for an answer', async () => {
    const client = new OpenAiLlmClient(options);
    await expect(client.complete({ messages: [] })).rejects.toThrow('LlmRequest.messages is empty');
    await expect(client.stream({ ...ASKED, maxOutputTokens: 0 }, () => undefined)).rejects.toThrow(
      'maxOutputTokens is 0',
    );
  });

  it('says which package to install where it is missing, and finds it once it is there', async () => {
    const missing = await failureOf(loadOpenAiPackage(() => Promise.reject(new Error('Cannot find package'))));
    expect(missing).toMatchObject({ outage: 'not-installed' });
    expect(missing.message).toMatch(/npm install openai@6/);
    expect(await loadOpenAiPackage()).toHaveProperty('OpenAI');
  });
});
