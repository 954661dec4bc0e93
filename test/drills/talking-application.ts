/**
 * An application that is talked to over HTTP, and writes down what was said and what became of it, line by line and at
 * once: what is in the journal was there before the process ended.
 */
import 'reflect-metadata';

import { appendFileSync } from 'node:fs';

import { AgentMemory, IngestOutcomes, type IngestMode, MemoryModule, type MemoryOptions } from '@aimon/nestjs-memory';
import { Controller, Module, type OnModuleDestroy, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const { JOURNAL = '', INGEST, DEADLINE, HOOKS } = process.env;
const write = (line: string): void => appendFileSync(JOURNAL, `${line}\n`);

const LINES = 5;
let said = 0;

@Controller()
class TalkController implements OnModuleDestroy {
  constructor(private readonly memory: AgentMemory) {}

  onModuleDestroy(): void {
    process.stdout.write('closing\n');
  }

  @Post('say/:session')
  async say(@Param('session') id: string): Promise<void> {
    const session = await this.memory.session(id);
    await session.execution(async (transcript) => {
      for (let line = 0; line < LINES; line++) {
        const [message] = transcript.append({ role: 'user', content: `Ticket ${++said} went to queue ${said * 7}.` });
        write(`said ${message?.id ?? ''}`);
        // A model would take its time here, and others have theirs.
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  }

  @Post('hang/:session')
  async hang(@Param('session') id: string): Promise<void> {
    const session = await this.memory.session(id);
    await session.execution((transcript) => {
      const [message] = transcript.append({ role: 'user', content: 'The model of this one never answers.' });
      write(`said ${message?.id ?? ''}`);
      process.stdout.write('hanging\n');
      return new Promise<void>(() => undefined);
    });
  }
}

const memory: MemoryOptions = {
  ...{ backend: 'in-memory', workspaceId: 'ops', peerId: 'alice', deriver: 'extractive' },
  ...{ ingest: INGEST as IngestMode, shutdownTimeout: DEADLINE },
};

@Module({ imports: [MemoryModule.forRoot({ ...memory, env: {} })], controllers: [TalkController] })
class TalkModule {}

const nowhere = (): void => undefined;
const application = await NestFactory.create(TalkModule, {
  forceCloseConnections: true,
  logger: { log: nowhere, warn: nowhere, error: (line: string) => write(`error ${line}`) },
});
application.get(IngestOutcomes).onOutcome(({ messageId, outcome, reason }) => {
  write(`${outcome} ${messageId}${reason === undefined ? '' : ` (${reason})`}`);
});
if (HOOKS === 'enabled') application.enableShutdownHooks();
await application.listen(0, '127.0.0.1');
process.stdout.write(`listening at ${await application.getUrl()}\n`);
