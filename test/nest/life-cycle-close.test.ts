import { Inject, Injectable, Module, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AgentMemory,
  getMemoryToken,
  type IngestOutcome,
  IngestOutcomes,
  type MemoryLogger,
  MemoryModule,
  MemoryTeardown,
  PEER_MEMORY_BACKEND,
  SILENT_LOGGER,
  TEARDOWN_PHASES,
} from '@aimon/nestjs-memory';
import { MemoryLifecycle } from '../../lib/nest/memory-lifecycle.js';
import { boot, bootModules } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const REMEMBERING = {
  backend: 'in-memory',
  workspaceId: 'ops',
  peerId: 'alice',
  deriver: 'extractive',
  ingest: 'session-end',
  env: {},
} as const;

async function say(app: INestApplicationContext, ...lines: readonly string[]): Promise<void> {
  const session = await app.get(AgentMemory).session('open');
  await session.execution((t) => void t.append(...lines.map((content) => ({ role: 'user', content }) as const)));
}

/** An application in which two messages were said and not handed over, with what becomes of them. */
async function withOpenSession() {
  const app = await boot(REMEMBERING);
  const ends: IngestOutcome[] = [];
  app.get(IngestOutcomes).onOutcome((outcome) => void ends.push(outcome));
  const phases: string[] = [];
  for (const phase of TEARDOWN_PHASES) app.get(MemoryTeardown).register(phase, 'mine', () => void phases.push(phase));
  await say(app, 'The backup runs at two.', 'The gate is blue.');
  return { app, ends, phases };
}

describe('a memory is taken down once', () => {
  const ways: readonly (readonly [string, (app: INestApplicationContext) => Promise<unknown>])[] = [
    ['the application is closed twice', async (app) => (await app.close(), app.close())],
    ['the application is closed three times at once', (app) => Promise.all([app.close(), app.close(), app.close()])],
    [
      'the application takes it down itself, and is then closed',
      async (app) => (await app.get(MemoryTeardown).run(), app.close()),
    ],
    ['both happen at once', (app) => Promise.all([app.close(), app.get(MemoryTeardown).run()])],
    [
      'both happen at once, the other way round',
      (app) => Promise.all([app.get(MemoryTeardown).run(), app.close(), app.get(MemoryTeardown).run('SESSIONS')]),
    ],
    [
      'the hooks are called twice',
      async (app) => {
        const lifecycle = app.get(MemoryLifecycle);
        for (let time = 0; time < 2; time++) {
          await lifecycle.onModuleDestroy();
          await Promise.all([lifecycle.beforeApplicationShutdown(), lifecycle.beforeApplicationShutdown()]);
          await Promise.all([lifecycle.onApplicationShutdown(), lifecycle.onApplicationShutdown()]);
        }
      },
    ],
    [
      'the application is closed from an execution of a session',
      async (app) => {
        const session = await app.get(AgentMemory).session('the last');
        await session.execution(() => app.close());
      },
    ],
  ];

  it.each(ways)('when %s', async (_, close) => {
    const { app, ends, phases } = await withOpenSession();
    await close(app);
    expect(phases).toEqual([...TEARDOWN_PHASES]);
    expect(ends.map(({ outcome }) => outcome)).toEqual(['stored', 'stored']);
    expect(await app.get(MemoryTeardown).run()).toEqual({ unfinished: [] });
    expect(app.get(AgentMemory).openSessions).toBe(0);
    await app.close();
    expect(phases).toEqual([...TEARDOWN_PHASES]);
  });

  it('when the application is closed while it starts, after it has started', async () => {
    const module = await Test.createTestingModule({ imports: [MemoryModule.forRoot(REMEMBERING)] })
      .setLogger(SILENT_LOGGER)
      .compile();
    const app = module.createNestApplication({ logger: false });
    await Promise.all([app.init(), app.close()]);
    await expect(app.get(AgentMemory).session('late')).rejects.toThrow('after the memory was closed');
  });
});

describe('a start that fails after the memory was made', () => {
  @Injectable()
  class Failing {
    constructor(private readonly memory: AgentMemory) {}

    async onApplicationBootstrap(): Promise<void> {
      const session = await this.memory.session('early');
      await session.execution((t) => void t.append({ role: 'user', content: 'The start begins at nine.' }));
      throw new Error('The port is taken.');
    }
  }

  it('leaves nothing undone when the application that did not start is closed', async () => {
    const module = await Test.createTestingModule({
      imports: [MemoryModule.forRoot(REMEMBERING)],
      providers: [Failing],
    })
      .setLogger(SILENT_LOGGER)
      .compile();
    const app = module.createNestApplication({ logger: false });
    await expect(app.init()).rejects.toThrow('The port is taken.');
    const outcomes = app.get(IngestOutcomes);
    expect(outcomes.counts().stored).toBe(0);
    await app.close();
    expect(outcomes.counts().stored).toBe(1);
    await expect(app.get(AgentMemory).session('late')).rejects.toThrow('after the memory was closed');
  });

  it('closes every memory where it is the memory that refuses the application', async () => {
    const made: AgentMemory[] = [];
    @Injectable()
    class Collector {
      constructor(@Inject(getMemoryToken(AgentMemory, 'ops')) named: AgentMemory, unnamed: AgentMemory) {
        made.push(named, unnamed);
      }
    }
    const imports = [REMEMBERING, { ...REMEMBERING, peerId: 'bob' }, { ...REMEMBERING, name: 'ops' }].map((options) =>
      MemoryModule.forRoot(options),
    );
    await expect(bootModules({ imports, providers: [Collector] })).rejects.toThrow('was called 2 times');
    expect(made).toHaveLength(2);
    for (const memory of made) await expect(memory.session('late')).rejects.toThrow('after the memory was closed');
  });
});

describe('a shutdown with something that hangs', () => {
  const hangs = (): Promise<never> => new Promise(() => undefined);

  /** What the memory wrote at error. */
  function errorsInto(lines: string[]): MemoryLogger {
    return { ...SILENT_LOGGER, error: (line: string) => void lines.push(line) };
  }

  it('is not held by a supplied backend that takes nothing in: each message is accounted for, and it is reported', async () => {
    class Hanging extends RecordingPeerMemory {
      override readonly ingestor = { ingest: hangs };
    }
    const errors: string[] = [];
    const app = await boot(
      {
        ...{ ...REMEMBERING, backend: 'supplied', deriver: undefined, shutdownTimeout: '40ms' },
        providers: [{ provide: PEER_MEMORY_BACKEND, useClass: Hanging }],
      },
      {},
      errorsInto(errors),
    );
    const ends: (readonly [string, string | undefined])[] = [];
    app.get(IngestOutcomes).onOutcome(({ outcome, reason }) => void ends.push([outcome, reason]));
    const ran: string[] = [];
    app.get(MemoryTeardown).register('MEMORY_BACKEND', 'mine', () => void ran.push('closed'));
    await say(app, 'The backup runs at two.', 'The gate is blue.');
    await app.close();
    expect(ran).toEqual(['closed']);
    expect(ends).toEqual([
      ['failed', 'shut down before hand-over'],
      ['failed', 'shut down before hand-over'],
    ]);
    const { unfinished } = await app.get(MemoryTeardown).run();
    expect(unfinished).toHaveLength(1);
    expect(unfinished[0]).toMatch(/^MEMORY_FINAL_DERIVATION sessions: /);
    expect(errors).toEqual([`Taking the memory down left something behind. ${unfinished[0]}`]);
  });

  it('is not held by a pool that the application closes in a phase of it, whichever phase, and runs the others', async () => {
    for (const phase of TEARDOWN_PHASES) {
      const errors: string[] = [];
      const app = await boot({ ...REMEMBERING, shutdownTimeout: '40ms' }, {}, errorsInto(errors));
      const ran: string[] = [];
      for (const other of TEARDOWN_PHASES) app.get(MemoryTeardown).register(other, 'mine', () => void ran.push(other));
      app.get(MemoryTeardown).register(phase, 'pool', hangs);
      await app.close();
      expect(ran).toEqual([...TEARDOWN_PHASES]);
      const report = `${phase} pool: not finished within aimon.memory.shutdown-timeout (40 ms)`;
      expect(await app.get(MemoryTeardown).run()).toEqual({ unfinished: [report] });
      expect(errors).toContain(`Taking the memory down left something behind. ${report}`);
    }
  });

  it('is reported for each memory by itself', async () => {
    const app = await bootModules({
      imports: [
        MemoryModule.forRoot(REMEMBERING),
        MemoryModule.forRoot({ ...REMEMBERING, name: 'ops', shutdownTimeout: '20ms' }),
      ],
    });
    const [unnamed, named] = [undefined, 'ops'].map((name) =>
      app.get<MemoryTeardown>(getMemoryToken(MemoryTeardown, name)),
    ) as [MemoryTeardown, MemoryTeardown];
    named.register('CHECKPOINTS', 'mine', hangs);
    await app.close();
    expect((await unnamed.run()).unfinished).toEqual([]);
    expect((await named.run()).unfinished).toEqual([
      'CHECKPOINTS mine: not finished within aimon.memory.shutdown-timeout (20 ms)',
    ]);
  });
});

it('a feature module that injects the teardown of its memory may save what it has before the memory derives', async () => {
  const events: string[] = [];
  @Injectable()
  class Checkpoint {
    constructor(@Inject(getMemoryToken(MemoryTeardown, 'ops')) teardown: MemoryTeardown) {
      teardown.register('CHECKPOINTS', 'my checkpoint', async () => {
        await Promise.resolve();
        events.push('saved');
      });
      teardown.register('MEMORY_FINAL_DERIVATION', 'mine', () => void events.push('derived'));
    }
  }
  @Module({ providers: [Checkpoint] })
  class FeatureModule {}
  const app = await bootModules({ imports: [FeatureModule, MemoryModule.forRoot({ ...REMEMBERING, name: 'ops' })] });
  await app.close();
  expect(events).toEqual(['saved', 'derived']);
});
