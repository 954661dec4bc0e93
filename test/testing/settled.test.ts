import { jest } from '@jest/globals';
import { Test, type TestingModule } from '@nestjs/testing';

import {
  AgentMemory,
  IngestOutcomes,
  MEMORY_INGESTOR,
  type MemoryIngestor,
  type MemorySession,
  PeerView,
  Principal,
  SILENT_LOGGER,
  Workspace,
} from '@aimon/nestjs-memory';
import { MemoryTesting, MemoryTestingModule, type MemoryTestingOptions, TestClock } from '@aimon/nestjs-memory/testing';
import { deferred } from '../agent/support/deferred.js';

const open: TestingModule[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function start(options?: MemoryTestingOptions) {
  const module = await Test.createTestingModule({ imports: [MemoryTestingModule.forRoot(options)] })
    .setLogger(SILENT_LOGGER)
    .compile();
  open.push(module);
  await module.init();
  return {
    memory: module.get(AgentMemory),
    testing: module.get(MemoryTesting),
    clock: module.get(TestClock),
    outcomes: module.get(IngestOutcomes),
    ingestor: module.get<MemoryIngestor>(MEMORY_INGESTOR),
  };
}

const say = (session: MemorySession, ...texts: string[]): Promise<void> =>
  session.execution((transcript) => {
    for (const content of texts) transcript.append({ role: 'user', content });
  });

describe('settled()', () => {
  it('settles at once where nothing was said', async () => {
    const { testing } = await start();
    await testing.settled({ within: 0 });
  });

  it('settles when what was said is remembered, however much it is and wherever it came from', async () => {
    const { testing, memory, ingestor, outcomes } = await start();
    const texts = Array.from({ length: 500 }, (_, at) => `Ticket ${at} is assigned to queue ${at * 7}.`);
    const session = await memory.session('chat');
    await say(session, ...texts);
    const tester = PeerView.of(Workspace.of({ id: 'test' }), Principal.user('tester'));
    await ingestor.ingest({
      ...{ subject: tester, observer: tester, sessionId: 'import' },
      messages: [{ role: 'user', content: 'The vault opens at nine.' }],
    });
    await testing.settled();
    expect(new Set(await testing.remembered())).toEqual(new Set([...texts, 'The vault opens at nine.']));
    expect(outcomes.counts().stored).toBe(501);
  });

  it('waits for an execution that runs, which nobody else awaits', async () => {
    const { testing, memory } = await start();
    const session = await memory.session('chat');
    const answered = deferred();
    const running = session.execution(async (transcript) => {
      transcript.append({ role: 'user', content: 'My desk is by the window.' });
      await answered.promise;
    });
    const settled = testing.settled();
    setImmediate(() => answered.resolve());
    await settled;
    expect(await testing.remembered()).toEqual(['My desk is by the window.']);
    await running;
  });

  it('waits in session-end for sessions to be closed, by hand or by the clock', async () => {
    const { testing, memory, clock } = await start({ ingest: 'session-end', session: { idleTimeout: '5m' } });
    const first = await memory.session('first');
    const second = await memory.session('second');
    await say(first, 'The first fact is here.');
    await say(second, 'The second fact is there.');
    await expect(testing.settled({ within: 10 })).rejects.toThrow(
      'Not everything that was said had settled within 10 ms. Still open: 1 message that the session "first" of test:USER:tester has not handed over; close it, or advance the clock past its idle timeout. 1 message that the session "second" of test:USER:tester has not handed over; close it, or advance the clock past its idle timeout.',
    );
    await first.close();
    await clock.advance('5m');
    await testing.settled();
    expect(new Set(await testing.remembered())).toEqual(
      new Set(['The first fact is here.', 'The second fact is there.']),
    );
  });

  it('does not hang for a derivation that does, and says what is still open', async () => {
    const { testing, memory } = await start();
    const end = testing.outage('OBSERVE', { hangs: true });
    await say(await memory.session('chat'), 'The lamp is green.', 'The door is blue.');
    let failure: { readonly message?: string } = {};
    // On a busy machine 20 ms may be over before the derivation has begun.
    while (failure.message?.includes('being derived') !== true) {
      failure = (await testing.settled({ within: '20ms' }).catch((error: Error) => error)) as Error;
    }
    expect(failure).toMatchObject({
      code: 'MEMORY_NOT_SETTLED',
      message:
        'Not everything that was said had settled within 20 ms. Still open: 2 messages without an outcome. 2 messages being derived.',
    });
    end();
    await testing.settled();
    expect(await testing.remembered()).toHaveLength(2);
  });

  it('names an execution that does not end', async () => {
    const { testing, memory } = await start();
    const never = deferred();
    const running = (await memory.session('chat')).execution(() => never.promise);
    await expect(testing.settled({ within: 5 })).rejects.toThrow(
      'Still open: A call that runs in the session "chat" of test:USER:tester.',
    );
    never.resolve();
    await running;
  });

  it('says that the clock has to be moved where a derivation failed and is to be tried again', async () => {
    const { testing, memory, clock } = await start({ queue: { pollInterval: '500ms' } });
    const end = testing.outage('OBSERVE');
    await say(await memory.session('chat'), 'The lamp is green.');
    await clock.advance('200ms');
    await expect(testing.settled({ within: 10 })).rejects.toThrow(
      'Still open: 1 message without an outcome. 1 message waiting to be derived, where that has failed for the next attempt: advance the clock (its next task is due in 300 ms).',
    );
    end();
    await clock.advance('300ms');
    await testing.settled();
    expect(await testing.remembered()).toEqual(['The lamp is green.']);
  });

  it('ends with the reason of its signal, before it begins or while it waits', async () => {
    const { testing, memory } = await start();
    await expect(testing.settled({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    const end = testing.outage('OBSERVE', { hangs: true });
    await say(await memory.session('chat'), 'The lamp is green.');
    const giveUp = new AbortController();
    const waiting = testing.settled({ signal: giveUp.signal, within: '1h' });
    setImmediate(() => giveUp.abort(new Error('enough')));
    await expect(waiting).rejects.toThrow('enough');
    end();
    await testing.settled();
  });

  it('settles, and gives up, also where a test runner fakes the timers of the process', async () => {
    const { testing, memory, clock } = await start({ session: { idleTimeout: '5m' } });
    jest.useFakeTimers();
    try {
      const session = await memory.session('chat');
      await say(session, 'The lamp is green.');
      await testing.settled();
      expect(await testing.remembered()).toEqual(['The lamp is green.']);
      await clock.advance('5m');
      expect(session.closed).toBe(true);
      const end = testing.outage('OBSERVE', { hangs: true });
      await say(await memory.session('chat'), 'The door is blue.');
      await expect(testing.settled({ within: 5 })).rejects.toThrow('within 5 ms');
      end();
    } finally {
      jest.useRealTimers();
    }
  });

  it('is refused a time that is none', async () => {
    const { testing } = await start();
    await expect(testing.settled({ within: 'soon' })).rejects.toThrow(
      'MemoryTesting.settled within is "soon"; it takes a number of milliseconds of at least 0, or a duration such as 300ms, 10s, 30m, 6h or 2d.',
    );
  });
});
