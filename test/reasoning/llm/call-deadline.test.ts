import { LlmUnavailableError } from '@aimon/nestjs-memory';
import { TestClock } from '@aimon/nestjs-memory/testing';

import { Gate } from '../../support/scripted-llm-server/gate.js';
import { stalledInStream, tooManyRequests } from '../../support/scripted-llm-server/misbehaviours.js';
import { chunk, event, streamOf } from '../../support/scripted-llm-server/scripted-answer.js';
import { forever, ScriptedLlmServer } from '../../support/scripted-llm-server/scripted-llm-server.js';
import { ASKED, clientOf, failureOf, scripted } from './clients.js';

const ignore = (): undefined => undefined;

describe('the time of a call', () => {
  it('ends one that is never answered, and hangs up', async () => {
    const clock = new TestClock();
    const server = await scripted('silence');
    const failed = failureOf(clientOf(server, { clock }).complete(ASKED));
    await server.asked;
    await clock.advance(60_000);
    const error = await failed;
    expect(error).toBeInstanceOf(LlmUnavailableError);
    expect(error).toMatchObject({ outage: 'timeout' });
    expect(error.message).toMatch(
      /has not answered within 60000 ms; aimon\.memory\.llm\.timeout is how long it may take/,
    );
    await server.abandoned;
    expect(clock.waiting).toBe(0);
  });

  it('covers the body: one that stops half-way ends too', async () => {
    const clock = new TestClock();
    const gate = new Gate();
    const server = await scripted({ body: ['{"choices":', gate, '[]}'] });
    const failed = failureOf(clientOf(server, { clock, timeoutMs: 500 }).complete(ASKED));
    await gate.reached;
    await clock.advance(500);
    expect(await failed).toMatchObject({ outage: 'timeout' });
  });

  it('covers a stream that goes on for ever, however busy it is', async () => {
    const clock = new TestClock();
    const gates = [new Gate(), new Gate()] as const;
    const server = await scripted(streamOf(chunk({ content: 'a' }), gates[0], chunk({ content: 'b' }), gates[1]));
    let heard = ignore as (delta: string) => void;
    const next = (): Promise<string> => new Promise((resolve) => (heard = resolve));
    const first = next();
    const failed = failureOf(clientOf(server, { clock, timeoutMs: 50_000 }).stream(ASKED, (delta) => heard(delta)));
    await first;
    await clock.advance(29_000);
    const second = next();
    gates[0].open();
    await second;
    await clock.advance(21_000);
    expect(await failed).toMatchObject({ outage: 'timeout', message: expect.stringContaining('within 50000 ms') });
  });

  it('has room for thinking before the first piece, and little for a pause after it', async () => {
    const clock = new TestClock();
    const before = new Gate();
    const server = await scripted(
      streamOf(chunk({ role: 'assistant', content: '' }), before, chunk({ content: 'a' }), new Gate()),
    );
    let heard = ignore as (delta: string) => void;
    const first = new Promise((resolve) => (heard = resolve));
    const failed = failureOf(clientOf(server, { clock, idleTimeoutMs: 1000 }).stream(ASKED, (delta) => heard(delta)));
    await before.reached;
    await clock.advance(30_000);
    before.open();
    await first;
    await clock.advance(1000);
    expect(await failed).toMatchObject({ outage: 'timeout', message: expect.stringContaining('nothing for 1000 ms') });
  });

  it('is not used up by what a sink takes', async () => {
    const clock = new TestClock();
    const server = await scripted(streamOf(chunk({ content: 'a' }), chunk({ content: 'b' }, 'stop'), event('[DONE]')));
    const { text } = await clientOf(server, { clock, idleTimeoutMs: 1000 }).stream(ASKED, async () => {
      await clock.advance(5000);
    });
    expect(text).toBe('ab');
  });

  it('leaves no timer behind, whatever became of the call', async () => {
    const clock = new TestClock();
    const server = await scripted({ content: 'a' }, { content: 'b' }, tooManyRequests(), 'hang up');
    const client = clientOf(server, { clock });
    await client.complete(ASKED);
    await client.stream(ASKED, ignore);
    await failureOf(client.complete(ASKED));
    await failureOf(client.complete(ASKED));
    expect(clock.waiting).toBe(0);
  });
});

describe('a caller who gives up', () => {
  const reason = new Error('The application shuts down.');

  it('before asking asks nothing', async () => {
    const server = await scripted({ content: 'a' });
    expect(await failureOf(clientOf(server).complete(ASKED, AbortSignal.abort(reason)))).toBe(reason);
    expect(await failureOf(clientOf(server).stream(ASKED, ignore, AbortSignal.abort(reason)))).toBe(reason);
    expect(server.requests).toEqual([]);
  });

  it('while nothing has been answered hangs up, and hears the reason', async () => {
    const server = await scripted('silence');
    const giving = new AbortController();
    const failed = failureOf(clientOf(server).complete(ASKED, giving.signal));
    await server.asked;
    giving.abort(reason);
    expect(await failed).toBe(reason);
    await server.abandoned;
  });

  it('in the middle of a stream hears the reason', async () => {
    const gate = new Gate();
    const server = await scripted(stalledInStream(gate));
    const giving = new AbortController();
    const failed = failureOf(clientOf(server).stream(ASKED, () => giving.abort(reason), giving.signal));
    expect(await failed).toBe(reason);
    await server.abandoned;
  });

  it('while the sink is not ready need not wait for it', async () => {
    const server = await scripted({ content: 'a' });
    const giving = new AbortController();
    const never = new Promise<void>(ignore);
    const failed = failureOf(
      clientOf(server).stream(
        ASKED,
        () => {
          setImmediate(() => giving.abort(reason));
          return never;
        },
        giving.signal,
      ),
    );
    expect(await failed).toBe(reason);
  });

  it('may share one signal with many calls, of which Node does not warn', async () => {
    const server: ScriptedLlmServer = await scripted(forever({ content: 'a' }));
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const { signal } = new AbortController();
    const client = clientOf(server);
    await Promise.all(Array.from({ length: 40 }, () => client.complete(ASKED, signal)));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});
