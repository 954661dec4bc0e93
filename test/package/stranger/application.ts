/** A small application, compiled and run as an ES module and as CommonJS against the packed library. */
import 'reflect-metadata';

import assert from 'node:assert/strict';

import {
  type MemoryHit,
  MemoryModule,
  PEER_MEMORY,
  type PeerMemory,
  PeerView,
  Principal,
  requireTier,
  Workspace,
} from '@aimon/nestjs-memory';
import { Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const alice = PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('alice'));

@Injectable()
class Notebook {
  constructor(@Inject(PEER_MEMORY) private readonly memory: PeerMemory) {}

  async note(content: string): Promise<void> {
    const recorder = requireTier(this.memory, 'OBSERVE');
    await recorder.observe({ subject: alice, content, type: 'EXPLICIT' });
  }

  async find(query: string): Promise<readonly MemoryHit[]> {
    return requireTier(this.memory, 'SEARCH').search({ subject: alice, query, topK: 3 });
  }
}

@Module({
  imports: [MemoryModule.forRoot({ backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' })],
  providers: [Notebook],
})
class ApplicationModule {}

async function main(): Promise<void> {
  const application = await NestFactory.createApplicationContext(ApplicationModule, { logger: false });
  const notebook = application.get(Notebook);
  await notebook.note('The staging database is restarted on Mondays.');
  await notebook.note('Alice prefers tea.');
  const [best] = await notebook.find('when is the database restarted');
  assert.equal(best?.observation.content, 'The staging database is restarted on Mondays.');
  assert.equal(best.observation.subject.key(), alice.key());
  await application.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
