/**
 * An application that is never closed: it fails to start, at the place that it is told, or starts and is left alone. It
 * says what the process waits for, and does nothing to end it.
 */
import 'reflect-metadata';

import { AgentMemory, MemoryModule } from '@aimon/nestjs-memory';
import { Injectable, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';

const { FAILS_IN, SCHEDULE } = process.env;

async function talk(memory: AgentMemory): Promise<void> {
  const session = await memory.session('early');
  await session.execution((transcript) => void transcript.append({ role: 'user', content: 'The gate code is 4711.' }));
}

@Injectable()
class Talker {
  constructor(private readonly memory: AgentMemory) {}

  async onModuleInit(): Promise<void> {
    await talk(this.memory);
    if (FAILS_IN === 'onModuleInit') throw new Error('This start fails.');
  }

  async onApplicationBootstrap(): Promise<void> {
    await talk(this.memory);
    if (FAILS_IN === 'onApplicationBootstrap') throw new Error('This start fails.');
  }
}

const factory: Provider = {
  provide: 'a provider',
  inject: [AgentMemory],
  useFactory: async (memory: AgentMemory) => {
    await talk(memory);
    if (FAILS_IN === 'a factory') throw new Error('This start fails.');
    return {};
  },
};

const memory = (name?: string): DynamicModule =>
  MemoryModule.forRoot({
    ...{ name, env: {}, backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' },
    ...{ deriver: 'extractive', ingest: 'execution-end' },
  });

@Module({
  imports: [
    memory(),
    memory('ops'),
    ...(FAILS_IN === 'the memory' ? [MemoryModule.forRoot({ env: {} })] : []),
    ...(SCHEDULE === 'yes' ? [ScheduleModule.forRoot()] : []),
  ],
  providers: [Talker, factory],
})
class ApplicationModule {}

try {
  await NestFactory.createApplicationContext(ApplicationModule, { logger: false, abortOnError: false });
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
  process.exitCode = 3;
}
process.stdout.write(`waits for ${JSON.stringify(process.getActiveResourcesInfo())}\n`);
