import { MemoryModule } from '@aimon/nestjs-memory';
import { MemoryHealthModule } from '@aimon/nestjs-memory/health';
import { Module } from '@nestjs/common';

import { AgentService } from './agent.service.js';
import { ChatController } from './chat.controller.js';
import { chatModelProvider } from './chat-model.provider.js';
import { HealthController } from './health.controller.js';
import { MemoryController } from './memory.controller.js';
import { PageController } from './page.controller.js';

// A model that the environment names is the memory's, and then it draws the facts; else they are what was said. The module
// reads the model's name, address and key from the environment itself.
const deriver = process.env.AIMON_MEMORY_LLM_MODEL ? 'llm' : 'extractive';

/** A chat with one person, Mina, that remembers. The memory lives in the process, and is lost at exit. */
@Module({
  imports: [
    MemoryModule.forRoot({
      backend: 'in-memory',
      workspaceId: 'demo',
      peerId: 'mina',
      peerName: 'Mina',
      deriver,
      ingest: 'execution-end',
    }),
    MemoryHealthModule,
  ],
  controllers: [PageController, ChatController, MemoryController, HealthController],
  providers: [AgentService, chatModelProvider],
})
export class AppModule {}
