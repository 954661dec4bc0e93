import fc from 'fast-check';

import { ChatStream } from '../../../lib/reasoning/llm/chat-stream.js';
import { serverSentEvents, type ServerSentEvent } from '../../../lib/reasoning/llm/server-sent-events.js';
import { chunk, event } from '../../support/scripted-llm-server/scripted-answer.js';

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  for (const [index, place] of [...places, bytes.length].entries()) yield bytes.subarray(places[index - 1] ?? 0, place);
}

async function eventsIn(text: string, cuts: readonly number[] = []): Promise<readonly ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const one of serverSentEvents(inPieces(Buffer.from(text), cuts), () => new Error('no UTF-8')))
    events.push(one);
  return events;
}

const label = { name: 'The model', settings: 'aimon.memory.llm' };
const cuts = fc.array(fc.nat(), { maxLength: 40 });
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

describe('the events of a stream', () => {
  it('do not depend on where its bytes are cut, nor on how its lines end', async () => {
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(texts, cuts, lineEnd, async (said, places, end) => {
        const stream = said.map((text) => event({ text })).join('') + ': comment\n\nevent: last\ndata: a\ndata: b\n\n';
        const expected = [
          ...said.map((text) => ({ event: '', data: JSON.stringify({ text }) })),
          { event: 'last', data: 'a\nb' },
        ];
        expect(await eventsIn(stream.replaceAll('\n', end), places)).toEqual(expected);
      }),
    );
  });

  it('make the same response, however the bytes are cut', async () => {
    const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(pieces, cuts, async (said, places) => {
        const stream = [
          ...said.map((content) => chunk({ content })),
          chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 't', arguments: '{"a":' } }] }),
          chunk(
            { tool_calls: [{ index: 0, function: { arguments: JSON.stringify(said.join('')) + '}' } }] },
            'tool_calls',
          ),
          event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
          event('[DONE]'),
        ].join('');
        const answer = new ChatStream(label);
        for (const one of await eventsIn(stream, places)) answer.take(one);
        expect(answer.end()).toEqual({
          text: said.join(''),
          toolCalls: [{ id: 'c', name: 't', argumentsJson: JSON.stringify({ a: said.join('') }) }],
          finishReason: 'tool-calls',
          usage: { inputTokens: 1, outputTokens: 2 },
        });
      }),
    );
  });

  it.each([
    ['a field without a colon', 'data\n\n', [{ event: '', data: '' }]],
    ['no space after the colon', 'data:x\n\n', [{ event: '', data: 'x' }]],
    ['a byte order mark', '\ufeffdata: x\n\n', [{ event: '', data: 'x' }]],
    ['no empty line at the end', 'data: x', [{ event: '', data: 'x' }]],
    ['nothing', '', []],
  ])('are read with %s', async (_what, text, expected) => {
    expect(await eventsIn(text)).toEqual(expected);
  });

  it('are refused where the bytes are no UTF-8, also when they end in the middle of a character', async () => {
    const read = async (bytes: Uint8Array): Promise<void> => {
      for await (const _one of serverSentEvents(inPieces(bytes, []), () => new Error('no UTF-8')));
    };
    await expect(read(Uint8Array.of(0xff))).rejects.toThrow('no UTF-8');
    await expect(read(Buffer.from('data: é').subarray(0, -1))).rejects.toThrow('no UTF-8');
  });
});
