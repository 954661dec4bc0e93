import {
  AgentMemory,
  type DialecticEngine,
  type DialecticResponse,
  IngestOutcomes,
  MEMORY_DIALECTIC_ENGINE,
  MEMORY_SEARCHER,
  MemoryMaintenance,
  type MemoryHit,
  type MemorySearcher,
  type ObservationHistoryEntry,
} from '@aimon/nestjs-memory';
import type { INestApplicationContext } from '@nestjs/common';

import { AgentService, type AgentReply } from './agent.service.js';
import type { ChatClient } from './chat-client.js';
import { DEMO_QUERY, DEMO_QUESTION, FIRST_SESSION, SECOND_SESSION, type DemoSession } from './demo-conversation.js';
import type { MemoryStatus } from './memory.controller.js';

/** A message and what was answered to it. */
export interface Exchange {
  readonly said: string;
  readonly answered: AgentReply;
}

/** Everything that happened in the demo. */
export interface DemoResult {
  readonly first: readonly Exchange[];
  readonly remembered: readonly ObservationHistoryEntry[];
  /** The system prompt with which the second session starts. */
  readonly secondPrompt: string;
  readonly second: readonly Exchange[];
  readonly hits: readonly MemoryHit[];
  /** What the memory answers in words; absent where it has no model to do so. */
  readonly answer?: DialecticResponse;
  readonly status: MemoryStatus;
}

// A model on a laptop takes its time.
const LONGEST_WAIT_MS = 180_000;

/** Plays both sessions over HTTP, and looks into the application in between. */
export async function playDemo(application: INestApplicationContext, chat: ChatClient): Promise<DemoResult> {
  const first = await play(chat, FIRST_SESSION);
  // Memory is fed in the background: a reply does not wait for it, but the next session of this demo does.
  await application.get(IngestOutcomes).settled(AbortSignal.timeout(LONGEST_WAIT_MS));
  const { peer } = await application.get(AgentMemory).session(FIRST_SESSION.id);
  if (peer === undefined) throw new Error('The application has no memory.');
  const remembered = await collect(application.get(MemoryMaintenance).exportPeer(peer));
  const secondPrompt = await application.get(AgentService).systemPrompt(SECOND_SESSION.id);
  const second = await play(chat, SECOND_SESSION);
  const searcher = application.get<MemorySearcher>(MEMORY_SEARCHER);
  const hits = await searcher.search({ subject: peer, query: DEMO_QUERY, topK: 2 });
  const engine = application.get<DialecticEngine | undefined>(MEMORY_DIALECTIC_ENGINE);
  const answer = await engine?.query({ subject: peer, question: DEMO_QUESTION });
  await application.get(IngestOutcomes).settled(AbortSignal.timeout(LONGEST_WAIT_MS));
  return { first, remembered, secondPrompt, second, hits, answer, status: await chat.memory() };
}

async function play(chat: ChatClient, { id, messages }: DemoSession): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const said of messages) exchanges.push({ said, answered: await chat.say(id, said) });
  return exchanges;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
