import { AgentMemory } from '../agent/agent-memory.js';
import { boundCallerResolver } from '../agent/context/bound-caller-resolver.js';
import type { MemoryContextProvider } from '../agent/context/memory-context-provider.js';
import { MemoryPeerResolver } from '../agent/context/memory-peer-resolver.js';
import { SnapshotMemoryContextProvider } from '../agent/context/snapshot-memory-context-provider.js';
import { IngestOutcomes } from '../agent/ingest/ingest-outcomes.js';
import { IngestingExecutionMemorySink } from '../agent/ingest/ingesting-execution-memory-sink.js';
import { createMemoryTools } from '../agent/tools/create-memory-tools.js';
import { LONGEST_TIMER_MS, SYSTEM_CLOCK, type Clock } from '../domain/clock.js';
import { StoreError } from '../domain/errors.js';
import { SILENT_LOGGER, type MemoryLogger } from '../domain/memory-logger.js';
import { RedactingPeerMemory } from '../redaction/redacting-peer-memory.js';
import { GuardedPeerMemory } from '../spi/guarded-peer-memory.js';
import { memoryCapabilities, type PeerMemory } from '../spi/peer-memory.js';
import { applicationTools } from './application-tools.js';
import { assemblyDegradations } from './assembly-degradations.js';
import { DegradationKey, Degradations } from './degradations.js';
import { makeBackend, type MadeBackend } from './make-backend.js';
import { MaintenanceCycle } from './maintenance-cycle.js';
import { MemoryHealth, type MemoryHealthOptions } from './memory-health.js';
import { MemoryMaintenance } from './memory-maintenance.js';
import type { BuiltMemorySpec } from './memory-spec.js';
import type { MemoryStack } from './memory-stack.js';
import { withRecordedOutcomes } from './outcome-recording-peer-memory.js';
import { contextFault, watchQueue } from './runtime-faults.js';
import { MemoryTeardown, type TeardownTime } from './teardown.js';

/** What surrounds a memory, and is not a part of it. */
export interface AssemblySurroundings {
  /** Where the memory writes what an operator should know. Default: nowhere. */
  readonly logger?: MemoryLogger;
  /** Whose memory a call is about. Default: the one of the spec's peer mode. */
  readonly resolver?: MemoryPeerResolver;
  /**
   * The time of what is said and observed, and what idle sessions, prompts and maintenance wait by. Default: the system's.
   * The deadline of the teardown is real time, whatever the clock: a process that is told to end ends.
   */
  readonly clock?: Clock;
  /** Stands between the gate and the backend, for whatever reaches it: a test has it fail there. Default: nothing does. */
  readonly around?: (backend: PeerMemory) => PeerMemory;
  /** What the health of the memory is judged by. Default: faults alone degrade it. */
  readonly health?: MemoryHealthOptions;
}

/**
 * Puts a memory together: the backend, given or made of parts; the gate that masks and the guard that checks around it;
 * and from the capabilities that are then there, and from them alone, the tools, the prompt's block, the sink and the
 * degradations. There is no path to the backend that leads around the gate.
 *
 * @throws StoreError when the workspace cannot be created; nothing is left running
 */
export async function assembleMemory(
  spec: BuiltMemorySpec,
  surroundings: AssemblySurroundings = {},
): Promise<MemoryStack> {
  const { logger = SILENT_LOGGER, clock = SYSTEM_CLOCK } = surroundings;
  const { peerMode, redactionPolicy, ingest } = spec;
  const outcomes = new IngestOutcomes({ logger });
  const degradations = new Degradations(logger);
  const around = surroundings.around ?? ((backend: PeerMemory): PeerMemory => backend);
  const masked = (backend: PeerMemory): PeerMemory =>
    redactionPolicy === undefined
      ? around(backend)
      : new RedactingPeerMemory(around(backend), redactionPolicy, { logger });
  const made = makeBackend(spec, (backend) => new GuardedPeerMemory(masked(backend)), clock);
  const { backend, derivationQueue } = made;
  const peerMemory = new GuardedPeerMemory(
    withRecordedOutcomes(masked(backend), outcomes, derivationQueue !== undefined),
  );
  const capabilities = memoryCapabilities(peerMemory);
  const perCaller = peerMode.mode === 'caller';
  const resolver = perCaller
    ? boundCallerResolver(surroundings.resolver ?? MemoryPeerResolver.caller(peerMode))
    : (surroundings.resolver ?? MemoryPeerResolver.fixed(peerMode.peer));
  const contextProvider = provider(spec, peerMemory, resolver, { degradations, logger, clock });
  const sink =
    peerMemory.ingestor === undefined || ingest === 'off'
      ? undefined
      : new IngestingExecutionMemorySink({
          ingestor: peerMemory.ingestor,
          resolver,
          outcomes,
          ingestForks: spec.ingestForks,
          logger,
        });
  const agentMemory = new AgentMemory({
    ...{ memory: peerMemory, contextProvider, resolver, sink, outcomes, ingest, logger, clock },
    peer: peerMode.mode === 'fixed' ? peerMode.peer : undefined,
    idleTimeoutMs: spec.sessionIdleTimeoutMs,
  });
  const shape = {
    backendId: peerMemory.backendId,
    supplied: !made.made,
    masked: redactionPolicy !== undefined,
    capabilities,
    ingest,
    perCaller,
    auditWindow:
      made.maintenance.observationStore?.softDelete !== undefined || made.maintenance.observationStore === undefined,
  };
  const maintenanceCycle = maintenanceCycleOf(spec, made, { degradations, logger, clock });
  // Read before anything runs: a backend that throws when it is asked refuses the start.
  const ping = pingOf(around(backend));
  const teardown = registerTeardown(spec, { made, peerMemory, agentMemory, sink, maintenanceCycle, logger });
  try {
    await ensureWorkspace(spec, made);
  } catch (error) {
    await teardown.run();
    throw error;
  }
  logger.log(`The memory "${peerMemory.backendId}" can do ${[...capabilities].join(', ') || 'nothing'}.`);
  for (const degradation of assemblyDegradations(shape)) degradations.raise(degradation);
  if (derivationQueue !== undefined) {
    derivationQueue.onOutcome((outcome) => outcomes.record(outcome));
    watchQueue(derivationQueue, backend.backendId, degradations);
    derivationQueue.start();
  }
  return Object.freeze({
    ...{ peerMemory, capabilities, contextProvider, agentMemory, outcomes, degradations, maintenanceCycle, teardown },
    derivationQueue,
    // The deadline of a ping is real time, whatever the clock: a probe is answered.
    health: new MemoryHealth({
      ...{ ...surroundings.health, backendId: backend.backendId, capabilities, degradations, outcomes, logger },
      queue: derivationQueue,
      ping,
      closed: () => teardown.begun,
    }),
    executionSink: sink ?? { afterExecution: () => undefined },
    tools:
      peerMode.mode === 'caller'
        ? Object.freeze([])
        : applicationTools(createMemoryTools(peerMemory, { logger }), peerMode.peer),
    maintenance: new MemoryMaintenance({
      ...made.maintenance,
      redactionPolicy,
      cycle: maintenanceCycle,
      discardSessions: (belongsTo) => agentMemory.discard(belongsTo),
    }),
    close: () => teardown.run(),
  });
}

// The backend's own and not the guard's, which lets go of a ping that is aborted, so that nobody would know that it runs.
function pingOf(backend: PeerMemory): ((signal: AbortSignal) => Promise<void> | undefined) | undefined {
  return typeof backend.ping === 'function' ? (signal) => backend.ping?.(signal) : undefined;
}

/** The configured workspace is there from the start; a workspace that each session names is its owner's to create. */
async function ensureWorkspace({ peerMode }: BuiltMemorySpec, { workspaceStore }: MadeBackend): Promise<void> {
  const { workspace } = peerMode;
  if (workspace === undefined || workspaceStore === undefined) return;
  if ((await workspaceStore.findById(workspace.id)) !== undefined) return;
  try {
    await workspaceStore.create(workspace);
  } catch (error) {
    // Somebody else was faster; that is as good.
    if ((await workspaceStore.findById(workspace.id)) === undefined) throw error;
  }
}

function maintenanceCycleOf(
  { maintenance: times }: BuiltMemorySpec,
  { backend, maintenance }: MadeBackend,
  around: { readonly degradations: Degradations; readonly logger: MemoryLogger; readonly clock: Clock },
): MaintenanceCycle | undefined {
  if (times === undefined) return undefined;
  const { observationStore, representationStore } = maintenance;
  return new MaintenanceCycle({
    backendId: backend.backendId,
    times,
    observationStore,
    representationStore,
    ...around,
  });
}

function provider(
  spec: BuiltMemorySpec,
  { backendId, snapshotReader }: PeerMemory,
  resolver: MemoryPeerResolver,
  around: { readonly degradations: Degradations; readonly logger: MemoryLogger; readonly clock: Clock },
): MemoryContextProvider {
  const { degradations, logger, clock } = around;
  if (snapshotReader === undefined) return { provide: async () => undefined };
  return new SnapshotMemoryContextProvider({
    ...{ reader: snapshotReader, resolver, logger, clock },
    mode: spec.injectionMode,
    maxTokens: spec.maxTokens,
    timeoutMs: spec.contextTimeoutMs,
    onMiss: (miss) => degradations.raise(contextFault(backendId, miss)),
    onAnswer: () => degradations.lift(DegradationKey.CONTEXT),
  });
}

/** Aborts when half of the time that is left has passed, so that one that hangs leaves something for those after it. */
function halfOf({ signal, remainingMs }: TeardownTime, what: string): AbortSignal {
  const half = new AbortController();
  const abort = (): void => half.abort(new StoreError(`${what} when half of the time had passed`));
  if (remainingMs === 0) {
    // Who has nothing to do is done before that.
    setImmediate(abort);
    return half.signal;
  }
  const timer = setTimeout(abort, Math.min(remainingMs / 2, LONGEST_TIMER_MS));
  signal.addEventListener('abort', () => half.abort(signal.reason), { once: true });
  timer.unref();
  return half.signal;
}

function registerTeardown(
  { shutdownTimeoutMs }: BuiltMemorySpec,
  stack: {
    readonly made: MadeBackend;
    readonly peerMemory: PeerMemory;
    readonly agentMemory: AgentMemory;
    readonly sink: IngestingExecutionMemorySink | undefined;
    readonly maintenanceCycle: MaintenanceCycle | undefined;
    readonly logger: MemoryLogger;
  },
): MemoryTeardown {
  const { made, peerMemory, agentMemory, sink, maintenanceCycle, logger } = stack;
  const teardown = new MemoryTeardown({ deadlineMs: shutdownTimeoutMs, logger });
  teardown.register('SESSIONS', 'sessions', async (time) => {
    await agentMemory.drain({ signal: halfOf(time, 'executions were still running') });
  });
  teardown.register('MEMORY_FINAL_DERIVATION', 'sessions', async (time) => {
    const signal = halfOf(time, 'not all that sessions held had been taken in');
    try {
      await agentMemory.close({ signal });
    } finally {
      // Also when time ran out: what still waits is then recorded as lost, not left without a word.
      await sink?.close(signal);
    }
  });
  const { derivationQueue } = made;
  if (derivationQueue !== undefined) {
    teardown.register('MEMORY_QUEUE', 'derivation queue', async ({ remainingMs, signal }) => {
      // A queue of the application's own may serve others, too: it is waited for, and stopped by who made it.
      if (!made.madeQueue) return derivationQueue.whenIdle(undefined, signal);
      // A little less than is left, so that the queue itself says what it could not do.
      const { unfinishedMessages } = await derivationQueue.stop({ drainMs: Math.floor(remainingMs * 0.9) });
      return unfinishedMessages === 0 ? undefined : `${unfinishedMessages} messages were taken in and not derived`;
    });
  }
  if (maintenanceCycle !== undefined) {
    teardown.register('SESSIONS', 'maintenance cycle', () => maintenanceCycle.stop());
    teardown.register('MEMORY_MAINTENANCE', 'maintenance cycle', () => maintenanceCycle.abort());
  }
  // What the application made the application closes.
  if (made.made && peerMemory.close !== undefined) {
    teardown.register('MEMORY_BACKEND', made.backend.backendId, () => peerMemory.close?.());
  }
  return teardown;
}
