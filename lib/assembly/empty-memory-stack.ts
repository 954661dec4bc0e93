import { AgentMemory } from '../agent/agent-memory.js';
import { IngestOutcomes } from '../agent/ingest/ingest-outcomes.js';
import { Degradations } from './degradations.js';
import { MemoryHealth } from './memory-health.js';
import { MemoryMaintenance } from './memory-maintenance.js';
import type { MemoryStack } from './memory-stack.js';
import { MemoryTeardown } from './teardown.js';

/** No memory, in the shape of one: sessions work and remember nothing, prompts stay as they are, and nothing is missing. */
export function emptyMemoryStack(): MemoryStack {
  const teardown = new MemoryTeardown();
  return Object.freeze({
    peerMemory: undefined,
    capabilities: new Set<never>(),
    tools: Object.freeze([]),
    contextProvider: { provide: async () => undefined },
    executionSink: { afterExecution: () => undefined },
    agentMemory: new AgentMemory({ memory: undefined, ingest: 'off' }),
    outcomes: new IngestOutcomes(),
    derivationQueue: undefined,
    degradations: new Degradations(),
    health: new MemoryHealth(),
    maintenance: new MemoryMaintenance({ backendId: 'none' }),
    maintenanceCycle: undefined,
    teardown,
    close: () => teardown.run(),
  });
}
