import { jest } from '@jest/globals';
import { Injectable, Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { Cron, Interval, ScheduleModule, SchedulerRegistry, Timeout } from '@nestjs/schedule';
import {
  AgentMemory,
  getMemoryToken,
  IngestOutcomes,
  InMemoryObservationStore,
  MaintenanceCycle,
  MemoryMaintenance,
  MemoryModule,
  MemoryTeardown,
  OBSERVATION_STORE,
  Principal,
  Workspace,
} from '@aimon/nestjs-memory';
import { boot, bootModules } from '../support/boot.js';
import { until } from '../support/until.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' } as const;
const OFTEN = { maintenance: { interval: '1ms' } } as const;

const memory = (options: object = {}): DynamicModule =>
  MemoryModule.forRoot({ env: {}, ...ALICE, ...OFTEN, ...options });

let ticks: jest.SpiedFunction<MaintenanceCycle['tick']>;
beforeEach(() => {
  ticks = jest.spyOn(MaintenanceCycle.prototype, 'tick');
});
afterEach(() => ticks.mockRestore());

/** Until a timer of the same interval, started later, has ticked some times: whoever is still waiting would have, too. */
async function othersTicked(): Promise<void> {
  let ticked = 0;
  const timer = setInterval(() => ticked++, 1);
  await until(() => ticked > 3);
  clearInterval(timer);
}

const intervalsOf = (app: INestApplicationContext): readonly string[] => app.get(SchedulerRegistry).getIntervals();

@Injectable()
class Jobs {
  readonly ran: string[] = [];

  @Interval('host interval', 1)
  every(): void {
    this.ran.push('interval');
  }

  @Timeout('host timeout', 1)
  once(): void {
    this.ran.push('timeout');
  }

  @Cron('0 0 1 1 *', { name: 'host cron' })
  yearly(): void {
    this.ran.push('cron');
  }
}

@Module({ providers: [Jobs] })
class JobsModule {}

describe('an application with a registry of jobs', () => {
  const orders: readonly (readonly [string, () => DynamicModule[]])[] = [
    ['before the memory', () => [ScheduleModule.forRoot(), memory()]],
    ['after the memory', () => [memory(), ScheduleModule.forRoot()]],
    ['made by a factory', () => [memory(), ScheduleModule.forRootAsync({ useFactory: () => ({}) })]],
  ];

  it.each(orders)('has the maintenance of the memory in it, once, beside its own jobs: %s', async (_, imports) => {
    const app = await bootModules({ imports: [...imports(), JobsModule] });
    const registry = app.get(SchedulerRegistry);
    expect([...registry.getIntervals()].sort()).toEqual(['aimon-memory:maintenance', 'host interval']);
    expect(registry.getTimeouts()).toEqual(['host timeout']);
    expect([...registry.getCronJobs().keys()]).toEqual(['host cron']);
    const { ran } = app.get(Jobs);
    await until(() => ticks.mock.calls.length > 2 && ran.filter((job) => job === 'interval').length > 2);
    await until(() => ran.includes('timeout'));
    expect(ran.filter((job) => job === 'timeout')).toHaveLength(1);
    await app.close();
    await app.close();
    expect(registry.getIntervals()).toEqual([]);
    const [maintained, hosts] = [ticks.mock.calls.length, ran.length];
    await othersTicked();
    expect([ticks.mock.calls.length, ran.length]).toEqual([maintained, hosts]);
  });

  it('has an interval of each memory, by its name', async () => {
    const app = await bootModules({
      imports: [
        memory(),
        memory({ name: 'ops' }),
        MemoryModule.forRoot({ name: 'off', backend: 'none' }),
        ScheduleModule.forRoot(),
      ],
    });
    expect([...intervalsOf(app)].sort()).toEqual(['aimon-memory:maintenance', 'aimon-memory:ops:maintenance']);
    await app.close();
  });

  it('stops the maintenance by deleting the job, and may give its name anew', async () => {
    const app = await bootModules({ imports: [memory(), ScheduleModule.forRoot()] });
    const registry = app.get(SchedulerRegistry);
    await until(() => ticks.mock.calls.length > 0);
    registry.deleteInterval('aimon-memory:maintenance');
    const before = ticks.mock.calls.length;
    let own = 0;
    registry.addInterval(
      'aimon-memory:maintenance',
      setInterval(() => own++, 1),
    );
    await until(() => own > 2);
    expect(ticks.mock.calls.length).toBe(before);
    // The memory is taken down, and what is not its own stays.
    await app.get(MemoryTeardown).run();
    expect(registry.getIntervals()).toEqual(['aimon-memory:maintenance']);
    await app.close();
    expect(registry.getIntervals()).toEqual([]);
  });

  it('has none any more when the memory was taken down by the application itself', async () => {
    const app = await bootModules({ imports: [memory(), ScheduleModule.forRoot()] });
    await app.get(MemoryTeardown).run('SESSIONS');
    expect(intervalsOf(app)).toEqual([]);
    await app.close();
  });

  it('is refused a start in which the name of the job is taken, and the memory is closed', async () => {
    let agent: AgentMemory | undefined;
    @Injectable()
    class Squatter {
      constructor(registry: SchedulerRegistry, memory: AgentMemory) {
        agent = memory;
        registry.addInterval('aimon-memory:maintenance', setInterval(() => undefined, 1_000_000).unref());
      }
    }
    await expect(bootModules({ imports: [memory(), ScheduleModule.forRoot()], providers: [Squatter] })).rejects.toThrow(
      'The application\'s registry of jobs has an interval named "aimon-memory:maintenance" already, which is what the maintenance of the memory is called; give the other one another name.',
    );
    await expect(agent?.session('late')).rejects.toThrow('after the memory was closed');
    await othersTicked();
    expect(ticks).not.toHaveBeenCalled();
  });
});

describe('an application without a registry of jobs', () => {
  it('is maintained all the same, until it is closed', async () => {
    const app = await bootModules({ imports: [memory()] });
    await until(() => ticks.mock.calls.length > 2);
    await app.close();
    const before = ticks.mock.calls.length;
    await othersTicked();
    expect(ticks.mock.calls.length).toBe(before);
  });

  it('starts no maintenance when the memory was taken down while it started', async () => {
    @Injectable()
    class Changed {
      constructor(private readonly teardown: MemoryTeardown) {}
      async onModuleInit(): Promise<void> {
        await this.teardown.run();
      }
    }
    const app = await bootModules({ imports: [memory()], providers: [Changed] });
    await othersTicked();
    expect(ticks).not.toHaveBeenCalled();
    await app.close();
  });

  it('starts none for a supplied store, which is its owner’s to maintain', async () => {
    const app = await boot({
      ...{ ...ALICE, backend: 'supplied' },
      providers: [{ provide: OBSERVATION_STORE, useClass: InMemoryObservationStore }],
    });
    await expect(app.get(MemoryMaintenance).runCycle()).rejects.toThrow(
      'goes through stores that the memory made for itself',
    );
    await app.close();
  });

  it('says under none that there is nothing to maintain', async () => {
    const app = await boot({ backend: 'none' });
    await expect(app.get(MemoryMaintenance).runCycle()).rejects.toThrow(
      'MemoryMaintenance.runCycle has nothing to work on: aimon.memory.backend is none. Choose a backend with it.',
    );
    await app.close();
  });
});

it('on demand, a cycle goes through the workspaces of every caller, and of no other memory', async () => {
  const purges = jest.spyOn(InMemoryObservationStore.prototype, 'purgeSoftDeletedBefore');
  try {
    const perCaller = { backend: 'in-memory', workspaceMode: 'caller', peerMode: 'caller', env: {} } as const;
    const deriving = { ...perCaller, deriver: 'extractive', ingest: 'execution-end' } as const;
    const app = await bootModules({
      imports: [MemoryModule.forRoot(deriving), MemoryModule.forRoot({ ...deriving, name: 'other' })],
    });
    const say = async (name: string | undefined, workspace: string): Promise<void> => {
      const caller = { principal: Principal.user('alice'), workspace: Workspace.of({ id: workspace }) };
      const session = await app.get<AgentMemory>(getMemoryToken(AgentMemory, name)).session('one', caller);
      await session.execution((t) => void t.append({ role: 'user', content: 'The gate code is kept by Ana.' }));
      await app.get<IngestOutcomes>(getMemoryToken(IngestOutcomes, name)).settled();
    };
    for (const workspace of ['sales', 'support']) await say(undefined, workspace);
    await say('other', 'legal');
    const purged = async (name?: string): Promise<string[]> => {
      purges.mockClear();
      await app.get<MemoryMaintenance>(getMemoryToken(MemoryMaintenance, name)).runCycle();
      return purges.mock.calls.map(([{ id }]) => id);
    };
    expect(await purged()).toEqual(['sales', 'support']);
    expect(await purged('other')).toEqual(['legal']);
    await app.close();
  } finally {
    purges.mockRestore();
  }
});
