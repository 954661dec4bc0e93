import { Test, type TestingModule } from '@nestjs/testing';

import {
  AgentMemory,
  Degradations,
  IngestOutcomes,
  MemoryHealth,
  type MemorySession,
  PEER_MEMORY,
  type PeerMemory,
  SILENT_LOGGER,
} from '@aimon/nestjs-memory';
import { MemoryTesting, MemoryTestingModule, type MemoryTestingOptions, TestClock } from '@aimon/nestjs-memory/testing';

let app: TestingModule | undefined;
afterEach(() => app?.close());

async function start(options?: MemoryTestingOptions) {
  app = await Test.createTestingModule({ imports: [MemoryTestingModule.forRoot(options)] })
    .setLogger(SILENT_LOGGER)
    .compile();
  await app.init();
  const memory = app.get(AgentMemory);
  return {
    app,
    memory,
    session: await memory.session('chat'),
    testing: app.get(MemoryTesting),
    clock: app.get(TestClock),
  };
}

const say = (session: MemorySession, content: string): Promise<void> =>
  session.execution((transcript) => void transcript.append({ role: 'user', content }));

const callTool = async (session: MemorySession, name: string, input: object) =>
  session
    .tools()
    .find((tool) => tool.name === name)
    ?.execute(input);

describe('an outage', () => {
  it('leaves prompts without what is known, and takes nothing away', async () => {
    const { session, testing, app } = await start();
    await say(session, 'The lamp is green.');
    await testing.settled();
    const end = testing.outage('SNAPSHOT');
    expect(await session.systemPrompt('You help.')).toBe('You help.');
    expect(app.get(Degradations).has('memory-context')).toBe(true);
    expect(await testing.remembered()).toEqual(['The lamp is green.']);
    end();
    expect(await session.systemPrompt('You help.')).toContain('The lamp is green.');
    expect(app.get(Degradations).has('memory-context')).toBe(false);
  });

  it('that hangs keeps a prompt waiting until the clock has passed its deadline', async () => {
    const { session, testing, clock } = await start({ contextTimeout: '300ms' });
    await say(session, 'The lamp is green.');
    await testing.settled();
    testing.outage('SNAPSHOT', { hangs: true });
    const prompt = session.systemPrompt('You help.');
    await clock.advance('299ms');
    expect(await Promise.race([prompt, Promise.resolve('waits')])).toBe('waits');
    await clock.advance('1ms');
    expect(await prompt).toBe('You help.');
  });

  it('that hangs lets its calls go on when it ends', async () => {
    const { session, testing } = await start();
    const end = testing.outage('OBSERVE', { hangs: true });
    const observed = callTool(session, 'Observe', { content: 'Tea is preferred.' });
    end();
    expect((await observed)?.isError).toBe(false);
    expect(await testing.remembered()).toEqual(['Tea is preferred.']);
  });

  it('shows in the tools as the failure of a backend does', async () => {
    const { session, testing } = await start();
    testing.outage('SEARCH');
    testing.outage('OBSERVE');
    const failure = 'failed: the memory could not be reached. Go on without it; one later try may help.';
    expect((await callTool(session, 'MemorySearch', { query: 'lamp' }))?.content).toBe(`MemorySearch ${failure}`);
    expect((await callTool(session, 'Observe', { content: 'Tea.' }))?.content).toBe(`Observe ${failure}`);
    expect((await callTool(session, 'MemoryRecall', {}))?.isError).toBe(false);
  });

  it('of OBSERVE gives a message up after its last attempt, which the clock brings about', async () => {
    const { session, testing, clock, app } = await start({ queue: { maxAttempts: 3, pollInterval: '500ms' } });
    testing.outage('OBSERVE');
    await say(session, 'The lamp is green.');
    await clock.advance('1500ms');
    await testing.settled();
    expect(app.get(IngestOutcomes).counts()).toMatchObject({ failed: 1, stored: 0 });
    expect(app.get(Degradations).has('memory-dead-letters')).toBe(true);
  });

  it('of INGEST loses what is said, and says so', async () => {
    const { session, testing, app } = await start();
    const end = testing.outage('INGEST');
    await say(session, 'The lamp is green.');
    await testing.settled();
    expect(app.get(IngestOutcomes).counts()).toMatchObject({ failed: 1, stored: 0 });
    end();
    await say(session, 'The door is blue.');
    await testing.settled();
    expect(await testing.remembered()).toEqual(['The door is blue.']);
  });

  it('of PING takes health down, and lets it come up again', async () => {
    const { testing, app } = await start();
    const health = app.get(MemoryHealth);
    expect((await health.check()).status).toBe('up');
    const end = testing.outage('PING');
    expect((await health.check()).status).toBe('down');
    end();
    expect((await health.check()).status).toBe('up');
    await app.get<PeerMemory>(PEER_MEMORY).ping?.();
  });

  it('is refused for what is out already, what the memory has not, and what is none', async () => {
    const { testing } = await start();
    const end = testing.outage('SEARCH');
    expect(() => testing.outage('SEARCH')).toThrow(
      'SEARCH is out of order already; end that outage before another begins.',
    );
    end();
    end();
    const again = testing.outage('SEARCH');
    end();
    expect(() => testing.outage('SEARCH')).toThrow('SEARCH is out of order already');
    again();
    expect(() => testing.outage('CHAT')).toThrow(
      'The memory under test has no CHAT, so that it cannot be out of order.',
    );
    expect(() => testing.outage('search' as never)).toThrow(
      'What MemoryTesting.outage was given is "search"; it takes one of SNAPSHOT, SEARCH, CHAT, OBSERVE, INGEST, PING.',
    );
  });

  it('does not hold up a shutdown, and what hangs is handed on before', async () => {
    const { session, testing, app: closing } = await start({ shutdownTimeout: '1h' });
    testing.outage('OBSERVE', { hangs: true });
    await say(session, 'The lamp is green.');
    const outcomes = closing.get(IngestOutcomes);
    await closing.close();
    expect(outcomes.counts()).toMatchObject({ stored: 1, failed: 0 });
  });
});
