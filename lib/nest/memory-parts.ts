import type { FactoryProvider, InjectionToken } from '@nestjs/common';

import { AgentMemory } from '../agent/agent-memory.js';
import { IngestOutcomes } from '../agent/ingest/ingest-outcomes.js';
import { Degradations } from '../assembly/degradations.js';
import { MemoryHealth } from '../assembly/memory-health.js';
import { MemoryMaintenance } from '../assembly/memory-maintenance.js';
import type { MemoryStack } from '../assembly/memory-stack.js';
import { MemoryTeardown } from '../assembly/teardown.js';
import { getMemoryToken } from './memory-name.js';
import { MEMORY_STACK, type AssembledMemory } from './memory-stack-provider.js';
import {
  MEMORY_CONTEXT_PROVIDER,
  MEMORY_DIALECTIC_ENGINE,
  MEMORY_EXECUTION_SINK,
  MEMORY_INGESTOR,
  MEMORY_OBSERVATION_RECORDER,
  MEMORY_SEARCHER,
  MEMORY_SNAPSHOT_READER,
  MEMORY_TOOLS,
  PEER_MEMORY,
} from './memory-tokens.js';

const part = <T>(provide: InjectionToken, of: (stack: MemoryStack) => T): FactoryProvider<T> => ({
  provide,
  inject: [MEMORY_STACK],
  useFactory: ({ stack }: AssembledMemory) => of(stack),
});

/** What the application injects: the parts of the assembled memory, under the tokens of the unnamed one. */
export const MEMORY_PARTS: readonly FactoryProvider[] = [
  part(PEER_MEMORY, (stack) => stack.peerMemory),
  part(MEMORY_SNAPSHOT_READER, (stack) => stack.peerMemory?.snapshotReader),
  part(MEMORY_SEARCHER, (stack) => stack.peerMemory?.searcher),
  part(MEMORY_DIALECTIC_ENGINE, (stack) => stack.peerMemory?.dialecticEngine),
  part(MEMORY_OBSERVATION_RECORDER, (stack) => stack.peerMemory?.observationRecorder),
  part(MEMORY_INGESTOR, (stack) => stack.peerMemory?.ingestor),
  part(MEMORY_TOOLS, (stack) => stack.tools),
  part(MEMORY_CONTEXT_PROVIDER, (stack) => stack.contextProvider),
  part(MEMORY_EXECUTION_SINK, (stack) => stack.executionSink),
  part(AgentMemory, (stack) => stack.agentMemory),
  part(IngestOutcomes, (stack) => stack.outcomes),
  part(Degradations, (stack) => stack.degradations),
  part(MemoryHealth, (stack) => stack.health),
  part(MemoryMaintenance, (stack) => stack.maintenance),
  part(MemoryTeardown, (stack) => stack.teardown),
];

/** The parts of the memory of this name. */
export function memoryPartsOf(name: string | undefined): readonly FactoryProvider[] {
  return MEMORY_PARTS.map((part) => ({ ...part, provide: getMemoryToken(part.provide, name) }));
}
