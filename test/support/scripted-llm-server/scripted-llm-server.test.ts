import { Gate } from './gate.js';
import { JSON_MISBEHAVIOURS, UNUSABLE_JSON } from './json-misbehaviours.js';
import { cutInBody, emptyChoices, refusing, slowDrip, tooManyRequests } from './misbehaviours.js';
import { chunk, event, streamOf } from './scripted-answer.js';
import { digestVector } from './scripted-embeddings.js';
import { forever, ScriptedLlmServer } from './scripted-llm-server.js';

let server: ScriptedLlmServer;
afterEach(() => server.close());

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${server.baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
const ask = (body: object = {}): Promise<Response> => post('/chat/completions', { model: 'm', messages: [], ...body });
const said = async (response: Response): Promise<unknown> => ((await response.json()) as any).choices[0]?.message; // eslint-disable-line @typescript-eslint/no-explicit-any

describe('the scripted server', () => {
  it('answers by its script, one reply after another, and records what it was asked', async () => {
    server = await ScriptedLlmServer.start({ content: 'One.' }, emptyChoices(), { content: 'Three.' });
    expect(await said(await ask({ temperature: 0.5 }))).toMatchObject({ content: 'One.' });
    expect(await said(await ask())).toBeUndefined();
    expect(await said(await ask())).toMatchObject({ content: 'Three.' });
    expect(server.requests.map(({ path }) => path)).toEqual(Array(3).fill('/v1/chat/completions'));
    expect(server.request(0).body.temperature).toBe(0.5);
  });

  it('says when its script is at an end, with a status that nobody waits out', async () => {
    server = await ScriptedLlmServer.start();
    expect((await ask()).status).toBe(418);
  });

  it('answers by what it is asked, and gives one reply for ever', async () => {
    server = await ScriptedLlmServer.start(
      refusing('temperature', { content: 'Yes.' }),
      forever(({ body }) => ({ content: body.model })),
    );
    expect((await ask({ temperature: 1 })).status).toBe(400);
    for (const model of ['a', 'b']) expect(await said(await ask({ model }))).toMatchObject({ content: model });
  });

  it('streams what is said when it is asked to, with the usage last if that is asked for', async () => {
    server = await ScriptedLlmServer.start(
      forever({ content: 'Good day.', toolCalls: [{ name: 't', arguments: '{}', id: 'c' }] }),
    );
    const text = await (await ask({ stream: true, stream_options: { include_usage: true } })).text();
    expect(text.match(/"content":"[^"]*"/g)).toEqual(['"content":""', '"content":"Good "', '"content":"day."']);
    expect(text).toMatch(/"choices":\[\],"usage".*\n\ndata: \[DONE\]\n\n$/);
    expect(await (await ask({ stream: true })).text()).not.toContain('usage');
  });

  it('holds a stream at a gate until the test opens it', async () => {
    const gate = new Gate();
    server = await ScriptedLlmServer.start(streamOf(chunk({ content: 'a' }), gate, event('[DONE]')));
    const reader = (await ask({ stream: true })).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"a"');
    await gate.reached;
    const next = reader.read();
    gate.open();
    expect(new TextDecoder().decode((await next).value)).toContain('[DONE]');
  });

  it('misbehaves as it is told to', async () => {
    server = await ScriptedLlmServer.start(tooManyRequests({ 'retry-after': '7' }), cutInBody(), 'hang up');
    expect((await ask()).headers.get('retry-after')).toBe('7');
    await expect(ask().then((response) => response.text())).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
    server.reply(slowDrip({ content: 'byte by byte' }));
    expect(await said(await ask())).toMatchObject({ content: 'byte by byte' });
  });

  it('notices who hangs up, and closes although somebody waits for ever', async () => {
    server = await ScriptedLlmServer.start('silence', 'silence');
    const left = new AbortController();
    const gone = fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body: '{}', signal: left.signal });
    await server.asked;
    left.abort();
    await expect(gone).rejects.toThrow();
    await server.abandoned;
    const waiting = expect(ask()).rejects.toThrow();
    await server.close();
    await waiting;
    server = await ScriptedLlmServer.start();
  });

  it('has vectors of its own for texts, a list of models, and nothing elsewhere', async () => {
    server = await ScriptedLlmServer.startAt('/proxy/v2');
    const { data } = (await (await post('/embeddings', { input: ['a', 'b'] })).json()) as { data: unknown };
    expect(data).toEqual([
      { index: 0, embedding: digestVector('a') },
      { index: 1, embedding: digestVector('b') },
    ]);
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(200);
    expect((await fetch(server.baseUrl.replace('/proxy/v2', '/v1/models'))).status).toBe(404);
  });
});

describe('the misbehaviours of JSON', () => {
  const value = { facts: [{ type: 'Explicit', text: 'Kim lives in Porto.' }] };

  it.each(Object.entries(JSON_MISBEHAVIOURS))('%s holds what is meant', (_how, answer) => {
    const { content } = answer(value);
    expect(content).toMatch(/"type":\s?"explicit"/i);
    expect(content).toContain('Kim lives in Porto.');
  });

  it.each(Object.entries(UNUSABLE_JSON))('%s does not', (_how, answer) => {
    expect(JSON.stringify(answer(value))).not.toMatch(/explicit.*Kim lives in Porto\./i);
  });
});
