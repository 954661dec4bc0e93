import type { AgentMemory } from '../agent/agent-memory.js';
import type { MemoryContextProvider } from '../agent/context/memory-context-provider.js';
import type { ExecutionMemorySink } from '../agent/ingest/execution-memory-sink.js';
import type { IngestOutcomes } from '../agent/ingest/ingest-outcomes.js';
import type { MemoryTool } from '../agent/tools/memory-tool.js';
import type { DerivationQueue } from '../ports/derivation-queue.js';
import type { MemoryCapability, PeerMemory } from '../spi/peer-memory.js';
import type { Degradations } from './degradations.js';
import type { MaintenanceCycle } from './maintenance-cycle.js';
import type { MemoryHealth } from './memory-health.js';
import type { MemoryMaintenance } from './memory-maintenance.js';
import type { MemoryTeardown, TeardownReport } from './teardown.js';

/** A memory, assembled: what an application uses of it, part by part. */
export interface MemoryStack {
  /** The backend, checked and masked; `undefined` where there is no memory. */
  readonly peerMemory: PeerMemory | undefined;
  readonly capabilities: ReadonlySet<MemoryCapability>;
  /** The application-wide tools; empty in caller mode. */
  readonly tools: readonly MemoryTool[];
  readonly contextProvider: MemoryContextProvider;
  readonly executionSink: ExecutionMemorySink;
  readonly agentMemory: AgentMemory;
  readonly outcomes: IngestOutcomes;
  /** What derives from conversations; `undefined` where the memory does not, or its backend does by itself. */
  readonly derivationQueue: DerivationQueue | undefined;
  readonly degradations: Degradations;
  readonly health: MemoryHealth;
  readonly maintenance: MemoryMaintenance;
  /** What goes through the memory's own stores at an interval; `undefined` where it has none. Whoever runs the memory starts it. */
  readonly maintenanceCycle: MaintenanceCycle | undefined;
  readonly teardown: MemoryTeardown;

  /** Runs every phase of the teardown; harmless when called again. Never rejects: what was left behind is in the report. */
  close(): Promise<TeardownReport>;
}
