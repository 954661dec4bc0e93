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
  /** What the memory can do, computed from the tiers that are there. */
  readonly capabilities: ReadonlySet<MemoryCapability>;
  /** The application-wide tools; empty in caller mode. */
  readonly tools: readonly MemoryTool[];
  /** What prompts start with; it gives `undefined` where the memory has no SNAPSHOT. */
  readonly contextProvider: MemoryContextProvider;
  /** Takes in what an execution said; does nothing where `ingest` is off or the memory has no INGEST. */
  readonly executionSink: ExecutionMemorySink;
  /** The memory as an agent uses it: sessions. */
  readonly agentMemory: AgentMemory;
  /** What became of each message that was to be taken in. */
  readonly outcomes: IngestOutcomes;
  /** What derives from conversations; `undefined` where the memory does not, or its backend does by itself. */
  readonly derivationQueue: DerivationQueue | undefined;
  /** What the memory does not do now, with what that means and what would change it. */
  readonly degradations: Degradations;
  /** Whether the memory does what it was configured for. */
  readonly health: MemoryHealth;
  /** Erasing, exporting, history and purging; refused where the backend was supplied as a whole. */
  readonly maintenance: MemoryMaintenance;
  /** What goes through the memory's own stores at an interval; `undefined` where it has none. Whoever runs the memory starts it. */
  readonly maintenanceCycle: MaintenanceCycle | undefined;
  /** Takes the memory down phase by phase; an application may register work of its own. */
  readonly teardown: MemoryTeardown;

  /** Runs every phase of the teardown; harmless when called again. Never rejects: what was left behind is in the report. */
  close(): Promise<TeardownReport>;
}
