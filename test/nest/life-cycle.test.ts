import { Injectable, Module } from '@nestjs/common';
import { AgentMemory, IngestOutcomes, MemoryModule, MemoryTeardown } from '@aimon/nestjs-memory';
import { boot, bootFailure, bootModules } from '../support/boot.js';

const REMEMBERING = {
  backend: 'in-memory',
  workspaceId: 'ops',
  peerId: 'alice',
  deriver: 'extractive',
  ingest: 'session-end',
  env: {},
} as const;

describe('the shutdown of an application', () => {
  it('hands over and derives what open sessions hold, also when nobody closed them', async () => {
    const app = await boot(REMEMBERING);
    const outcomes = app.get(IngestOutcomes);
    const session = await app.get(AgentMemory).session('open');
    await session.execution(
      (transcript) => void transcript.append({ role: 'user', content: 'The backup runs at two.' }),
    );
    expect(outcomes.counts().stored).toBe(0);
    await app.close();
    expect(outcomes.counts()).toEqual({ stored: 1, nothingFound: 0, accepted: 0, failed: 0, skipped: 0 });
  });

  it('keeps the memory for the application until its own hooks have run', async () => {
    @Injectable()
    class Farewell {
      constructor(private readonly memory: AgentMemory) {}

      async onModuleDestroy(): Promise<void> {
        const session = await this.memory.session('farewell');
        await session.execution(
          (transcript) => void transcript.append({ role: 'user', content: 'We shut down for the move.' }),
        );
      }
    }

    @Module({ imports: [MemoryModule.forRoot(REMEMBERING)], providers: [Farewell] })
    class ApplicationModule {}

    const app = await bootModules({ imports: [ApplicationModule] });
    const outcomes = app.get(IngestOutcomes);
    await app.close();
    expect(outcomes.counts().stored).toBe(1);
  });

  it('runs the phases in their order, with work that the application registered', async () => {
    const app = await boot(REMEMBERING);
    const ran: string[] = [];
    const teardown = app.get(MemoryTeardown);
    for (const phase of ['MEMORY_BACKEND', 'MEMORY_QUEUE', 'CHECKPOINTS', 'SESSIONS'] as const)
      teardown.register(phase, 'mine', () => void ran.push(phase));
    await app.close();
    await app.close();
    expect(ran).toEqual(['SESSIONS', 'CHECKPOINTS', 'MEMORY_QUEUE', 'MEMORY_BACKEND']);
  });

  it('does not wait longer than its deadline for work that hangs', async () => {
    const app = await boot({ ...REMEMBERING, shutdownTimeout: '20ms' });
    const teardown = app.get(MemoryTeardown);
    teardown.register('CHECKPOINTS', 'hanging', () => new Promise(() => undefined));
    await app.close();
    expect((await teardown.run()).unfinished).toEqual([
      'CHECKPOINTS hanging: not finished within aimon.memory.shutdown-timeout (20 ms)',
    ]);
  });

  it('refuses a session after it, in a sentence', async () => {
    const app = await boot(REMEMBERING);
    const memory = app.get(AgentMemory);
    await app.close();
    await expect(memory.session('late')).rejects.toThrow('AgentMemory.session was called after the memory was closed.');
  });
});

describe('two memories in one application', () => {
  const forRoot = (peerId: string) => MemoryModule.forRoot({ ...REMEMBERING, peerId });

  it('are refused, also when only one of them is global', async () => {
    const start = () => bootModules({ imports: [forRoot('alice'), forRoot('bob')] });
    expect(await bootFailure(start)).toContain(
      'MemoryModule.forRoot or forRootAsync was called 2 times in one application',
    );
    const mixed = () =>
      bootModules({ imports: [forRoot('alice'), MemoryModule.forRoot({ ...REMEMBERING, isGlobal: false })] });
    expect(await bootFailure(mixed)).toContain('was called 2 times');
  });

  it('are one when the same registration is imported twice, and are no matter of other applications in the process', async () => {
    const registration = forRoot('alice');

    @Module({ imports: [registration] })
    class FeatureModule {}

    const one = await bootModules({ imports: [registration, FeatureModule] });
    const other = await bootModules({ imports: [forRoot('bob')] });
    await Promise.all([one.close(), other.close()]);
  });
});
