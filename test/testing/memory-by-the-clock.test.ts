import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { RecordingLogger } from '../agent/support/recording-logger.js';

import {
  AgentMemory,
  MEMORY_OBSERVATION_RECORDER,
  MEMORY_SNAPSHOT_READER,
  MemoryMaintenance,
  type MemorySession,
  type MemorySnapshotReader,
  type ObservationRecorder,
  PeerView,
  Principal,
  SILENT_LOGGER,
  Workspace,
} from '@aimon/nestjs-memory';
import { MemoryTesting, MemoryTestingModule, type MemoryTestingOptions, TestClock } from '@aimon/nestjs-memory/testing';

let app: TestingModule | undefined;
afterEach(() => app?.close());

async function start(options?: MemoryTestingOptions) {
  app = await Test.createTestingModule({ imports: [MemoryTestingModule.forRoot(options)] })
    .setLogger(SILENT_LOGGER)
    .compile();
  await app.init();
  return { app, memory: app.get(AgentMemory), testing: app.get(MemoryTesting), clock: app.get(TestClock) };
}

const say = (session: MemorySession, content: string): Promise<void> =>
  session.execution((transcript) => void transcript.append({ role: 'user', content }));

describe('by the clock of a test', () => {
  it('messages and observations have their time, and a snapshot too', async () => {
    const { app, memory, testing, clock } = await start({ clock: new TestClock(new Date('2030-05-06T07:08:09Z')) });
    await clock.advance('1d');
    await say(await memory.session('chat'), 'The lamp is green.');
    await testing.settled();
    const peer = memory.peer as NonNullable<typeof memory.peer>;
    const { items } = await app.get(MemoryMaintenance).history(peer);
    expect(items[0]?.observation.content).toBe('[2030-05-07 07:08 UTC] tester: The lamp is green.');
    expect(items[0]?.observation.createdAt.toISOString()).toMatch(/^2030-05-07T07:08:09/);
    await clock.advance('2d');
    const snapshot = await app
      .get<MemorySnapshotReader>(MEMORY_SNAPSHOT_READER)
      .read({ subject: peer, observer: peer, scope: 'GLOBAL', mode: 'FULL', maxTokens: 0 });
    expect(snapshot?.generatedAt.toISOString()).toMatch(/^2030-05-09T07:08:09/);
    expect(peer.workspace.createdAt.toISOString()).toMatch(/^2030-05-06T07:08:09/);
  });

  it('a session closes when nobody used it for its idle timeout, and hands over in session-end', async () => {
    const { memory, testing, clock } = await start({ ingest: 'session-end', session: { idleTimeout: '30m' } });
    const session = await memory.session('chat');
    await say(session, 'The lamp is green.');
    await clock.advance('29m');
    expect(session.closed).toBe(false);
    await session.systemPrompt('Still here.');
    await clock.advance('29m');
    expect(session.closed).toBe(false);
    await clock.advance('1m');
    expect(session.closed).toBe(true);
    await testing.settled();
    expect(await testing.remembered()).toEqual(['The lamp is green.']);
  });

  it('maintenance has gone through all that is kept when the clock has moved past it', async () => {
    const logger = new RecordingLogger();
    const { app, clock } = await start({ peerMode: 'caller', workspaceMode: 'caller', logger });
    const recorder = app.get<ObservationRecorder>(MEMORY_OBSERVATION_RECORDER);
    for (let tenant = 0; tenant < 3000; tenant += 1) {
      const subject = PeerView.of(Workspace.of({ id: `tenant ${tenant}` }), Principal.user('kim'));
      await recorder.observe({ subject, content: 'The lamp is green.', type: 'EXPLICIT' });
    }
    await clock.advance('24h');
    expect(logger.lines.filter((line) => line.includes('it was left out'))).toEqual([]);
  });

  it('maintenance goes by the clock beside a registry of jobs too', async () => {
    app = await Test.createTestingModule({ imports: [ScheduleModule.forRoot(), MemoryTestingModule.forRoot()] })
      .setLogger(SILENT_LOGGER)
      .compile();
    await app.init();
    expect(app.get(SchedulerRegistry).getIntervals()).toEqual([]);
    expect(app.get(TestClock).untilNextTask).toBe(6 * 3_600_000);
  });

  it('maintenance comes round at its interval', async () => {
    const { clock } = await start({ maintenance: { interval: '6h' } });
    expect(clock.untilNextTask).toBe(6 * 3_600_000);
    await clock.advance('7h');
    expect(clock.untilNextTask).toBe(5 * 3_600_000);
  });
});
