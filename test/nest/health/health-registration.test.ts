import { Injectable, Module } from '@nestjs/common';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { Test } from '@nestjs/testing';
import {
  AgentMemory,
  getMemoryToken,
  InjectMemory,
  InvalidArgumentError,
  InvalidConfigurationError,
  MemoryHealth,
  MemoryModule,
} from '@aimon/nestjs-memory';
import { MemoryHealthIndicator, MemoryHealthModule } from '@aimon/nestjs-memory/health';
import { bootModules } from '../../support/boot.js';
import { HealthController, serve } from './health-host.js';

const ALICE = { env: {}, backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' } as const;
const NONE = { env: {}, backend: 'none' } as const;
const PREFIX = 'Memory configuration error: ';

type Imports = Parameters<typeof bootModules>[0]['imports'];

async function refusal(imports: Imports): Promise<string> {
  const error: unknown = await bootModules({ imports }).then(
    async (app) => app.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InvalidConfigurationError);
  return (error as Error).message;
}

describe('a health module', () => {
  it('is refused where no memory is registered', async () => {
    expect(await refusal([MemoryHealthModule])).toBe(
      `${PREFIX}MemoryHealthModule is imported, but MemoryModule is registered nowhere in this application, so there is no memory whose health it could tell; import MemoryModule.forRoot(…), or leave MemoryHealthModule out.`,
    );
    expect(await refusal([MemoryHealthModule.forMemory('ops')])).toBe(
      `${PREFIX}MemoryHealthModule.forMemory('ops') is imported, but MemoryModule is registered nowhere in this application, so there is no memory whose health it could tell; import MemoryModule.forRoot({ name: 'ops', … }), or leave MemoryHealthModule.forMemory('ops') out.`,
    );
  });

  it('without a name is refused where every memory has one', async () => {
    const named = ['ops', 'audit'].map((name) => MemoryModule.forRoot({ ...NONE, name }));
    expect(await refusal([...named, MemoryHealthModule])).toBe(
      `${PREFIX}MemoryHealthModule is imported, but no memory without a name is registered; there is "audit", "ops". Import MemoryHealthModule.forMemory('audit'), MemoryHealthModule.forMemory('ops') instead, or register the memory: MemoryModule.forRoot(…).`,
    );
  });

  it('with a name is refused where no memory has it', async () => {
    expect(await refusal([MemoryModule.forRoot(NONE), MemoryHealthModule.forMemory('ops')])).toBe(
      `${PREFIX}MemoryHealthModule.forMemory('ops') is imported, but no memory called "ops" is registered; there is the unnamed one. Import MemoryHealthModule instead, or register the memory: MemoryModule.forRoot({ name: 'ops', … }).`,
    );
  });

  it('that is refused leaves no memory behind', async () => {
    let memory: AgentMemory | undefined;

    @Injectable()
    class Assistant {
      constructor(@InjectMemory(AgentMemory, 'ops') agentMemory: AgentMemory) {
        memory = agentMemory;
      }
    }
    const imports = [MemoryModule.forRoot({ ...ALICE, name: 'ops' }), MemoryHealthModule];
    await expect(bootModules({ imports, providers: [Assistant] })).rejects.toThrow(InvalidConfigurationError);
    await expect(memory?.session('late')).rejects.toThrow('closed');
  });

  it.each([
    ['is ""; it takes', ''],
    ['is "two words"; it takes', 'two words'],
    ['is undefined; it takes', undefined],
    ['is 7; it takes', 7],
  ])('takes no name that %s another', (fault, name) => {
    const register = (): unknown => MemoryHealthModule.forMemory(name as string);
    expect(register).toThrow(InvalidArgumentError);
    expect(register).toThrow(
      `The name that MemoryHealthModule.forMemory was given ${fault} 1 to 64 letters, digits, - and _, beginning with a letter. For the memory without a name import MemoryHealthModule itself.`,
    );
  });

  it('finds a memory that is not global, in the module of a feature', async () => {
    @Module({ imports: [MemoryModule.forRoot({ ...ALICE, isGlobal: false })] })
    class FeatureModule {}

    const host = await serve('Express', {
      imports: [MemoryHealthModule, FeatureModule],
      controllers: [HealthController],
    });
    expect((await host.health()).details).toMatchObject({ memory: { status: 'up', backend: 'in-memory' } });
    await host.close();
  });

  it('finds a memory that is registered asynchronously', async () => {
    const host = await serve('Express', {
      imports: [
        MemoryModule.forRootAsync({ useFactory: async () => ({ ...ALICE, health: { required: ['CHAT'] } }) }),
        MemoryHealthModule,
      ],
      controllers: [HealthController],
    });
    expect((await host.health()).details).toMatchObject({ memory: { status: 'degraded', backend: 'in-memory' } });
    await host.close();
  });

  it('tells of the memory of its own application, when several live in one process', async () => {
    const hosts = await Promise.all(
      [NONE, ALICE, NONE].map((options) =>
        serve('Express', {
          imports: [MemoryModule.forRoot(options), MemoryHealthModule],
          controllers: [HealthController],
        }),
      ),
    );
    const answers = await Promise.all(hosts.map((host) => host.health()));
    expect(answers.map(({ details }) => details.memory?.backend)).toEqual(['none', 'in-memory', 'none']);
    await Promise.all(hosts.map((host) => host.close()));
  });

  it('leaves an application its own TerminusModule.forRoot, where that is imported before', async () => {
    const lines: string[] = [];
    class HostLogger {
      readonly log = (): void => undefined;
      readonly warn = (): void => undefined;
      readonly error = (line: string): void => void lines.push(line);
    }
    const memory = MemoryModule.forRoot({ ...ALICE, health: { required: ['CHAT'], degradedIsDown: true } });
    const terminus = TerminusModule.forRoot({ logger: HostLogger as never });
    const host = await serve('Express', {
      imports: [memory, terminus, MemoryHealthModule],
      controllers: [HealthController],
    });
    expect((await host.health()).httpStatus).toBe(503);
    expect(lines).toHaveLength(1);
    await host.close();
  });
});

describe('the health indicator of a test', () => {
  const compile = (health: object) =>
    Test.createTestingModule({ imports: [MemoryModule.forRoot(ALICE), MemoryHealthModule] })
      .setLogger(false as never)
      .overrideProvider(MemoryHealth)
      .useValue(health)
      .compile();

  it('asks what took the place of the health', async () => {
    const module = await compile({ check: async () => ({ status: 'degraded', detail: { backend: 'replaced' } }) });
    expect(await module.get(MemoryHealthIndicator).check('m')).toEqual({
      m: { status: 'degraded', backend: 'replaced' },
    });
    await module.close();
  });

  it('answers also when that throws', async () => {
    const check = (): never => {
      throw new Error('postgres://memory:word@db.internal/memory');
    };
    const module = await compile({ check });
    expect(await module.get(MemoryHealthIndicator).check()).toEqual({
      memory: { status: 'down', backend: 'unknown', reason: 'the check itself failed' },
    });
    await module.close();
  });

  it('answers down where the application has not been started and has no memory', async () => {
    const module = await Test.createTestingModule({ imports: [MemoryHealthModule.forMemory('ops')] }).compile();
    expect(await module.get<MemoryHealthIndicator>(getMemoryToken(MemoryHealthIndicator, 'ops')).check()).toEqual({
      'memory-ops': { status: 'down', backend: 'none', reason: 'no memory is registered' },
    });
    expect(module.get(HealthCheckService)).toBeDefined();
  });
});
