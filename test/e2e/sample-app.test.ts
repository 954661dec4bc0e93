import { Script } from 'node:vm';

import { IngestOutcomes } from '@aimon/nestjs-memory';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';

import { AppModule } from '../../sample-app/app.module.js';
import { CHAT_MODEL, type ChatModel } from '../../sample-app/chat-model.js';
import { chatModelFrom } from '../../sample-app/chat-model.provider.js';
import { OpenAiCompatibleModel } from '../../sample-app/openai-compatible-model.js';
import { ScriptedLlmServer, type ScriptedReply } from '../support/scripted-llm-server/scripted-llm-server.js';

interface Sample {
  readonly url: string;
  readonly say: (sessionId: string, message: string) => Promise<request.Response>;
  readonly get: (path: string) => Promise<request.Response>;
  readonly post: (body: string | object | undefined) => Promise<request.Response>;
  /** Until everything that was said was taken in. */
  readonly remembered: () => Promise<void>;
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function sample(model: ChatModel = chatModelFrom({})): Promise<Sample> {
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(CHAT_MODEL)
    .useValue(model)
    .compile();
  const application: INestApplication = module.createNestApplication({ logger: false, forceCloseConnections: true });
  opened.push(application);
  await application.listen(0, '127.0.0.1');
  const url = await application.getUrl();
  const post = async (body: string | object | undefined): Promise<request.Response> =>
    request(url).post('/chat').set('content-type', 'application/json').send(body);
  return {
    url,
    post,
    say: (sessionId, message) => post({ sessionId, message }),
    get: async (path) => request(url).get(path),
    remembered: () => application.get(IngestOutcomes).settled(),
  };
}

async function scripted(...answers: readonly ScriptedReply[]): Promise<Sample & { readonly llm: ScriptedLlmServer }> {
  const llm = await ScriptedLlmServer.start(...answers);
  opened.push(llm);
  const environment = { OPENAI_BASE_URL: llm.baseUrl, OPENAI_API_KEY: 'test-key', OPENAI_MODEL: 'scripted' };
  return { ...(await sample(chatModelFrom(environment))), llm };
}

describe('GET /health', () => {
  it('is up, and says what the memory can and cannot do', async () => {
    const { get, say, remembered } = await sample();
    await say('monday', 'The VPN certificate expires on 3 May.');
    await remembered();
    const { status, body } = await get('/health');
    expect(status).toBe(200);
    expect(body.details.memory).toMatchObject({
      ...{ status: 'up', backend: 'in-memory', capabilities: ['SNAPSHOT', 'SEARCH', 'OBSERVE', 'INGEST'] },
      ...{ degradations: [{ key: 'memory-chat' }], queue: { pending: 0, inFlight: 0, deadLettered: 0 } },
    });
    expect(body.details.memory.ingest.stored).toBe(1);
  });
});

describe('POST /chat without a language model', () => {
  it('acknowledges a statement and says that no model answers', async () => {
    const { say } = await sample();
    const { status, body } = await say('monday', 'The VPN certificate expires on 3 May.');
    expect(status).toBe(200);
    expect(body).toEqual({ reply: 'offline responder, no language model: noted.', toolCalls: [] });
  });

  it('answers a question in another session with what memory holds, through one tool call', async () => {
    const { say, remembered } = await sample();
    await say('monday', 'The VPN certificate expires on 3 May.');
    await remembered();
    const { body } = await say('tuesday', 'When does the VPN certificate expire?');
    expect(body.reply).toMatch(
      /^offline responder, no language model: .+\n1\. \[.+ UTC\] Mina: The VPN certificate expires on 3 May\. /,
    );
    expect(body.toolCalls).toEqual([
      {
        name: 'MemorySearch',
        arguments: '{"query":"When does the VPN certificate expire?","top_k":3}',
        result: expect.stringContaining('1 observation about Mina'),
        isError: false,
      },
    ]);
  });

  it('says that nothing is remembered when nothing is', async () => {
    const { say } = await sample();
    const { body } = await say('monday', '서버를 언제 재시작했나요?');
    expect(body.reply).toMatch(/^offline responder, no language model: Nothing remembered about Mina .+ matches\.$/);
  });

  it.each([
    [{}, ['sessionId takes 1 to 256 characters', 'message takes 1 to 10000 characters']],
    [{ sessionId: '   ', message: 'x' }, ['sessionId takes 1 to 256 characters']],
    [{ sessionId: 's'.repeat(257), message: 'x' }, ['sessionId takes 1 to 256 characters']],
    [{ sessionId: 'a\nb', message: 'x' }, ['no control characters']],
    [{ sessionId: 7, message: ['x'] }, ['sessionId takes', 'message takes']],
    [{ sessionId: 's', message: 'x'.repeat(10_001) }, ['message takes 1 to 10000 characters']],
    [{ sessionId: 's', message: 'x', peer: 'root' }, ['peer is not known; leave it out.']],
    [[], ['The body takes a JSON object']],
    ['{"sessionId": ', ['JSON']],
    [undefined, ['sessionId takes', 'message takes']],
  ])('refuses %j with 400 and says what it takes', async (given, sentences) => {
    const { post } = await sample();
    const { status, body } = await post(given);
    expect(status).toBe(400);
    for (const sentence of sentences) expect([body.message].flat().join(' ')).toContain(sentence);
  });
});

describe('GET /memory', () => {
  it('tells what the memory can do, what it cannot, and what became of the messages', async () => {
    const { say, get, remembered } = await sample();
    await say('monday', 'The VPN certificate expires on 3 May.');
    await remembered();
    const { body } = await get('/memory');
    expect(body).toEqual({
      backend: 'in-memory',
      model: 'offline responder, no language model',
      capabilities: ['SNAPSHOT', 'SEARCH', 'OBSERVE', 'INGEST'],
      degradations: [expect.objectContaining({ key: 'memory-chat', kind: 'choice', capability: 'CHAT' })],
      outcomes: { stored: 1, nothingFound: 1, accepted: 0, failed: 0, skipped: 0, pending: 0 },
    });
  });
});

describe('GET /', () => {
  it('is a page that loads nothing from anywhere else and whose script compiles', async () => {
    const { get } = await sample();
    const { text, headers } = await get('/');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).not.toMatch(/\b(?:https?:)?\/\/|@import|<(?:script|link|img)[^>]+(?:src|href)="(?!data:)/);
    const script = /<script>([\s\S]+)<\/script>/.exec(text)?.[1] ?? '';
    expect(script).toContain("fetch('chat'");
    expect(() => new Script(script)).not.toThrow();
  });
});

describe('POST /chat with an OpenAI-compatible model', () => {
  it('starts the prompt of the next session with what was said in the one before', async () => {
    const { say, llm, remembered } = await scripted({ content: 'Noted.' }, { content: 'On 3 May.' });
    await say('monday', 'The VPN certificate expires on 3 May.');
    await remembered();
    const { body } = await say('tuesday', 'When does the VPN certificate expire?');
    expect(body).toEqual({ reply: 'On 3 May.', toolCalls: [] });
    const [before, after] = llm.requests.map(({ body: sent }) => sent.messages[0]);
    expect(before?.role).toBe('system');
    expect(before?.content).not.toContain('aimon-memory');
    expect(after?.content).toMatch(
      /^You are the assistant .+\n\n<aimon-memory>\n(?:.*\n)+- \[.+ UTC\] Mina: The VPN certificate expires on 3 May\.\n<\/aimon-memory>$/,
    );
  });

  it('sends what the API takes and nothing else', async () => {
    const { say, llm } = await scripted({ content: 'Noted.' });
    await say('monday', 'The VPN certificate expires on 3 May.');
    const { path, headers, body } = llm.request(0);
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe('Bearer test-key');
    expect(body.model).toBe('scripted');
    expect(body.messages.slice(1)).toEqual([{ role: 'user', content: 'The VPN certificate expires on 3 May.' }]);
    expect(body.tool_choice).toBe('auto');
    expect(body.tools?.map(({ type, function: { name } }) => [type, name])).toEqual([
      ['function', 'MemoryRecall'],
      ['function', 'MemorySearch'],
      ['function', 'Observe'],
    ]);
  });

  it('makes the tool calls that the model asks for and sends their results back', async () => {
    const { say, llm, remembered } = await scripted(
      { content: 'Noted.' },
      { toolCalls: [{ name: 'MemorySearch', arguments: '{"query": "VPN"}' }] },
      { content: 'On 3 May.' },
    );
    await say('monday', 'The VPN certificate expires on 3 May.');
    await remembered();
    const { body } = await say('tuesday', 'When does the VPN certificate expire?');
    expect(body.reply).toBe('On 3 May.');
    expect(body.toolCalls).toEqual([
      expect.objectContaining({ name: 'MemorySearch', arguments: '{"query": "VPN"}', isError: false }),
    ]);
    const [asked, result] = llm.request(-1).body.messages.slice(-2);
    expect(asked?.tool_calls?.[0]).toMatchObject({ id: 'call_1', function: { name: 'MemorySearch' } });
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
    expect(result?.content).toContain('Mina: The VPN certificate expires on 3 May.');
  });

  it('answers a call that cannot be made with a sentence for the model', async () => {
    const { say } = await scripted(
      {
        toolCalls: [
          { name: 'Shell', arguments: '{}' },
          { name: 'MemorySearch', arguments: 'VPN' },
          { name: 'MemorySearch', arguments: '{}' },
        ],
      },
      { content: 'I could not look.' },
    );
    const { body } = await say('monday', 'When does the VPN certificate expire?');
    expect(body.reply).toBe('I could not look.');
    const calls = body.toolCalls as { isError: boolean; result: string }[];
    expect(calls.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(calls[0]?.result).toBe('There is no tool Shell.');
    expect(calls[1]?.result).toContain('no JSON object');
    expect(calls[2]?.result).toContain('query');
  });

  it('ends a model that only ever asks for tools, having told it to answer', async () => {
    const call: ScriptedReply = { toolCalls: [{ name: 'MemorySearch', arguments: '{"query": "VPN"}' }] };
    const { say, llm } = await scripted(call, call, call, call, call, call);
    const { status, body } = await say('monday', 'When does the VPN certificate expire?');
    expect(status).toBe(502);
    expect(body.message).toMatch(/asked for tools 5 times in a row and gave no answer\.$/);
    expect(llm.requests.map(({ body: sent }) => sent.tool_choice)).toEqual(['auto', 'auto', 'auto', 'auto', 'none']);
  });

  it.each([
    ['an error', { status: 429, body: '{"error": {"message": "Slow down."}}' }, 'answered 429: Slow down.'],
    ['a page', { status: 503, body: '<h1>Gateway</h1>' }, 'answered 503: <h1>Gateway</h1>.'],
    ['nothing', { status: 500, body: '' }, 'answered 500: an empty body.'],
    ['no choices', { status: 200, body: '{"choices": []}' }, 'neither words nor tool calls: {"choices": []}.'],
    ['no JSON', { status: 200, body: 'ok' }, 'neither words nor tool calls: ok.'],
    ['empty words', { content: ' ' }, 'neither words nor tool calls'],
  ])('answers 502 with the reason when the model answers with %s', async (_, answer, reason) => {
    const { say } = await scripted(answer);
    const { status, body } = await say('monday', 'When does the VPN certificate expire?');
    expect(status).toBe(502);
    expect(body.message).toMatch(/^The language model scripted at 127\.0\.0\.1:\d+ /);
    expect(body.message).toContain(reason);
    expect(body.message).not.toContain('test-key');
  });

  it('goes on with a session after the model had failed', async () => {
    const { say, llm } = await scripted({ status: 500, body: '' }, { content: 'Yes.' });
    await say('monday', 'Is the VPN up?');
    const { status, body } = await say('monday', 'Are you there?');
    expect([status, body.reply]).toEqual([200, 'Yes.']);
    expect(
      llm
        .request(1)
        .body.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(['Is the VPN up?', 'Are you there?']);
  });

  it('needs no key where there is a base URL', async () => {
    const llm = await ScriptedLlmServer.start({ content: 'Noted.' });
    opened.push(llm);
    const { say } = await sample(chatModelFrom({ OPENAI_BASE_URL: `${llm.baseUrl}/` }));
    expect((await say('monday', 'The VPN is up.')).status).toBe(200);
    expect(llm.request(0).path).toBe('/v1/chat/completions');
    expect(llm.request(0).headers).not.toHaveProperty('authorization');
  });

  it('gives up on a model that does not answer in time', async () => {
    const llm = await ScriptedLlmServer.start('silence');
    opened.push(llm);
    const { say } = await sample(new OpenAiCompatibleModel({ baseUrl: llm.baseUrl, model: 'slow', timeoutMs: 50 }));
    const { status, body } = await say('monday', 'The VPN is up.');
    expect(status).toBe(502);
    expect(body.message).toMatch(/did not answer within 0\.05 s\.$/);
  });

  it('says so when nobody answers at the address', async () => {
    const gone = await ScriptedLlmServer.start();
    const { baseUrl } = gone;
    await gone.close();
    const { say } = await sample(new OpenAiCompatibleModel({ baseUrl, model: 'gone' }));
    expect((await say('monday', 'The VPN is up.')).body.message).toMatch(/could not be reached: ECONNREFUSED\.$/);
  });

  it('stops asking when whoever asked has gone', async () => {
    const { url, llm } = await scripted('silence');
    const leaving = new AbortController();
    const answer = fetch(`${url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"sessionId": "monday", "message": "The VPN is up."}',
      signal: leaving.signal,
    });
    await llm.asked;
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await llm.abandoned;
  });
});

describe('the model that the environment names', () => {
  it.each([
    [{}, 'offline responder, no language model'],
    [{ OPENAI_API_KEY: '', OPENAI_BASE_URL: '' }, 'offline responder, no language model'],
    [{ OPENAI_API_KEY: 'k' }, 'gpt-4o-mini at api.openai.com'],
    [{ OPENAI_BASE_URL: 'http://localhost:11434/v1', OPENAI_MODEL: 'qwen3' }, 'qwen3 at localhost:11434'],
  ])('of %j is %s', (environment, label) => {
    expect(chatModelFrom(environment).label).toBe(label);
  });

  it.each(['nonsense', 'localhost:11434', 'file:///v1', 'http://'])('is refused at %s', (url) => {
    expect(() => chatModelFrom({ OPENAI_BASE_URL: url })).toThrow(
      `OPENAI_BASE_URL is "${url}"; it takes the address of an OpenAI-compatible server, such as http://localhost:11434/v1.`,
    );
  });
});
