/** An application that uses every subpath, with the packages that each needs. */
import 'reflect-metadata';

import assert from 'node:assert/strict';

import { AgentMemory, InjectMemory, IngestOutcomes, memorySettingsFrom, MemoryModule } from '@aimon/nestjs-memory';
import { MemoryConfiguration } from '@aimon/nestjs-memory/class-validator';
import { memoryConfig } from '@aimon/nestjs-memory/config';
import { MemoryHealthIndicator, MemoryHealthModule } from '@aimon/nestjs-memory/health';
import { MemoryTestingModule } from '@aimon/nestjs-memory/testing';
import { Injectable, Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { HealthCheckService } from '@nestjs/terminus';
import { SchedulerRegistry, ScheduleModule } from '@nestjs/schedule';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

const settings = { AIMON_MEMORY_BACKEND: 'in-memory', AIMON_MEMORY_WORKSPACE_ID: 'ops', AIMON_MEMORY_PEER_ID: 'alice' };
Object.assign(process.env, settings);

@Injectable()
class Operations {
  constructor(
    readonly memory: AgentMemory,
    @InjectMemory(AgentMemory, 'hr') readonly other: AgentMemory,
  ) {}
}

@Module({
  imports: [
    ConfigModule.forRoot({ ignoreEnvFile: true, load: [memoryConfig] }),
    ScheduleModule.forRoot(),
    MemoryModule.forRoot(),
    MemoryModule.forRoot({
      name: 'hr',
      backend: 'in-memory',
      workspaceId: 'hr',
      peerId: 'bob',
      llm: { model: 'small', baseUrl: 'http://127.0.0.1:9/v1' },
    }),
    MemoryHealthModule,
    MemoryHealthModule.forMemory('hr'),
  ],
  providers: [Operations],
})
class ApplicationModule {}

@Module({ imports: [MemoryTestingModule.forRoot()] })
class TestedModule {}

async function main(): Promise<void> {
  const application = await NestFactory.createApplicationContext(ApplicationModule, { logger: false });
  const { memory, other } = application.get(Operations);
  assert.deepEqual([memory.peer?.principal.id, other.peer?.principal.id], ['alice', 'bob']);
  const indicator = application.get(MemoryHealthIndicator);
  const { status } = await application.get(HealthCheckService).check([() => indicator.check()]);
  assert.equal(status, 'ok');
  assert.deepEqual(application.get(SchedulerRegistry).getIntervals().sort(), [
    'aimon-memory:hr:maintenance',
    'aimon-memory:maintenance',
  ]);
  await application.close();

  const configuration = plainToInstance(MemoryConfiguration, memorySettingsFrom(settings));
  assert.deepEqual(validateSync(configuration), []);

  const tested = await NestFactory.createApplicationContext(TestedModule, { logger: false });
  assert.deepEqual(tested.get(IngestOutcomes).counts().failed, 0);
  await tested.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
