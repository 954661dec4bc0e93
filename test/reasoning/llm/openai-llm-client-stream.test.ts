import { LlmAnswerError, LlmUnavailableError, type LlmResponse, type LlmTextSink } from '@aimon/nestjs-memory';

import { Gate } from '../../support/scripted-llm-server/gate.js';
import {
  apiError,
  cutInStream,
  endedInStream,
  errorInStream,
  htmlPage,
  invalidUtf8,
  slowDrip,
} from '../../support/scripted-llm-server/misbehaviours.js';
import { chunk, event, streamOf } from '../../support/scripted-llm-server/scripted-answer.js';
import type { ScriptedReply } from '../../support/scripted-llm-server/scripted-llm-server.js';
import { ASKED, clientOf, failureOf, scripted, SECRET } from './clients.js';

const DONE = event('[DONE]');
const ignore: LlmTextSink = () => undefined;

async function streamed(reply: ScriptedReply): Promise<{ deltas: string[]; response: LlmResponse }> {
  const deltas: string[] = [];
  const response = await clientOf(await scripted(reply)).stream(ASKED, (delta) => void deltas.push(delta));
  return { deltas, response };
}

describe('a streamed answer', () => {
  it('reaches the sink as it comes: the first piece before the second was sent', async () => {
    const gate = new Gate();
    const server = await scripted({ pieces: ['Hel', gate, 'lo'], usage: [5, 2] });
    let first = (_delta: string): void => undefined;
    const firstPiece = new Promise<string>((resolve) => (first = resolve));
    const deltas: string[] = [];
    const answer = clientOf(server).stream(ASKED, (delta) => {
      deltas.push(delta);
      first(delta);
    });
    expect(await firstPiece).toBe('Hel');
    gate.open();
    expect(await answer).toEqual({
      text: 'Hello',
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 5, outputTokens: 2 },
    });
    expect(deltas).toEqual(['Hel', 'lo']);
    expect(server.request(0).body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('waits for a sink that is not ready', async () => {
    const server = await scripted({ content: 'one two three' });
    let busy = false;
    await clientOf(server).stream(ASKED, async () => {
      expect(busy).toBe(false);
      busy = true;
      await new Promise((resolve) => setImmediate(resolve));
      busy = false;
    });
  });

  it('ends with what the sink throws, and hangs up', async () => {
    const server = await scripted({ pieces: ['Hel', new Gate(), 'lo'] });
    const full = new Error('The sink is full.');
    const error = await failureOf(
      clientOf(server).stream(ASKED, () => {
        throw full;
      }),
    );
    expect(error).toBe(full);
    await server.abandoned;
  });

  it.each<[string, ScriptedReply, object]>([
    ['has no usage where none came', { content: 'a', usage: null }, { text: 'a', usage: undefined }],
    [
      'takes usage from the chunk of the end',
      streamOf(
        chunk({ content: 'a' }),
        event({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
        DONE,
      ),
      { usage: { inputTokens: 1, outputTokens: 2 } },
    ],
    ['may end without [DONE]', streamOf(chunk({ content: 'a' }, 'stop')), { text: 'a', finishReason: 'stop' }],
    ['may end without a reason', streamOf(chunk({ content: 'a' }), DONE), { text: 'a', finishReason: 'other' }],
    ['may end without an empty line', streamOf(chunk({ content: 'a' }, 'stop').trimEnd()), { text: 'a' }],
    [
      'may hold comments, other fields and empty chunks',
      streamOf(': ping\n\n', 'id: 1\nretry: 5\n\n', event({ choices: [] }), chunk({ content: 'a' }, 'stop'), DONE),
      { text: 'a' },
    ],
    ['is cut at its length', { content: 'a', finishReason: 'length' }, { finishReason: 'length' }],
    ['may refuse', { refusal: 'No.' }, { refusal: 'No.', finishReason: 'refusal' }],
    [
      'may come whole from a server that does not stream',
      { body: '{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}' },
      { text: 'a' },
    ],
    [
      'may have the older form of a call',
      streamOf(
        chunk({ function_call: { name: 't', arguments: '{"a"' } }),
        chunk({ function_call: { arguments: ':1}' } }, 'function_call'),
        DONE,
      ),
      { finishReason: 'tool-calls', toolCalls: [{ name: 't', argumentsJson: '{"a":1}' }] },
    ],
  ])('%s', async (_name, reply, expected) => {
    const { deltas, response } = await streamed(reply);
    expect({ usage: undefined, ...response }).toMatchObject(expected);
    expect(deltas.join('')).toBe(response.text);
  });

  it('is the same whole, in however small pieces it comes', async () => {
    const answer = {
      content: '포르투에 살아요. 👩‍👩‍👧 lives',
      toolCalls: [{ id: 'c', name: 't', arguments: '{"a": "é"}' }],
    };
    const whole = await streamed(answer);
    const dripped = await streamed(slowDrip(answer));
    expect(dripped).toEqual(whole);
  });

  it('joins the pieces of its tool calls, by index, by id, or in order', async () => {
    const call = (more: object): string => chunk({ tool_calls: [more] });
    const end = chunk({}, 'tool_calls');
    const expected = [
      { id: 'a', name: 'one', argumentsJson: '{"x":1}' },
      { id: 'b', name: 'two', argumentsJson: '{}' },
    ];
    const byIndex = streamOf(
      call({ index: 0, id: 'a', function: { name: 'one', arguments: '' } }),
      call({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x"' } }),
      call({ index: 1, id: 'b', function: { name: 'two' } }),
      call({ index: 0, function: { arguments: ':1}' } }),
      end,
    );
    const sameIndex = streamOf(
      call({ index: 0, id: 'a', function: { name: 'one', arguments: '{"x":1}' } }),
      call({ index: 0, id: 'b', function: { name: 'two', arguments: '{}' } }),
      end,
    );
    const noIndex = streamOf(
      call({ id: 'a', function: { name: 'one', arguments: '{"x"' } }),
      call({ function: { arguments: ':1}' } }),
      call({ id: 'b', function: { name: 'two' } }),
      end,
    );
    for (const reply of [byIndex, sameIndex, noIndex]) {
      expect((await streamed(reply)).response.toolCalls).toEqual(expected);
    }
  });

  it.each<[string, ScriptedReply, RegExp]>([
    ['the connection breaks', cutInStream(), /broke off in the middle/],
    ['it just ends', endedInStream(), /broke off in the middle/],
    ['nothing comes at all', streamOf(), /broke off in the middle/],
    ['a web page comes', htmlPage(), /web page/],
    [
      'the server fails',
      errorInStream({ message: SECRET, type: 'server_error' }),
      /answered with 500 \(server_error\)/,
    ],
    [
      'it says so by the name of an event',
      streamOf(chunk({ content: 'a' }), `event: error\n${event({ message: SECRET, code: 503 })}`),
      /answered with 503/,
    ],
  ])('says that the service is away where %s', async (_name, reply, message) => {
    const error = await failureOf(clientOf(await scripted(reply)).stream(ASKED, ignore));
    expect(error).toBeInstanceOf(LlmUnavailableError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(SECRET);
  });

  it.each<[string, ScriptedReply, RegExp]>([
    ['an event is no JSON', streamOf(chunk({ content: 'a' }), event('{"choices"'), DONE), /no JSON object/],
    ['there is no choice in it', streamOf(event({ choices: [] }), DONE), /holds no choice/],
    ['its bytes are no UTF-8', invalidUtf8(), /no UTF-8/],
  ])('is unusable where %s', async (_name, reply, message) => {
    const error = await failureOf(clientOf(await scripted(reply)).stream(ASKED, ignore));
    expect(error).toBeInstanceOf(LlmAnswerError);
    expect(error.message).toMatch(message);
  });

  it('that never ends is cut off at the most bytes', async () => {
    const endless = streamOf(...Array.from({ length: 200 }, () => chunk({ content: 'more and more ' })), new Gate());
    const error = await failureOf(clientOf(await scripted(endless), { maxResponseBytes: 5000 }).stream(ASKED, ignore));
    expect(error).toBeInstanceOf(LlmAnswerError);
    expect(error.message).toMatch(/more than 5000 bytes/);
  });

  it('is asked for without usage where the server refuses to be asked for it', async () => {
    const refused = apiError(400, { message: 'Unknown parameter: stream_options', param: 'stream_options' });
    const server = await scripted(refused, { content: 'a' }, { content: 'b' });
    const client = clientOf(server);
    expect((await client.stream(ASKED, ignore)).text).toBe('a');
    expect((await client.stream(ASKED, ignore)).text).toBe('b');
    expect(server.requests.map(({ body }) => body.stream_options !== undefined)).toEqual([true, false, false]);
  });
});
