import { Inject } from '@nestjs/common';

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

type Injected = PropertyDecorator & ParameterDecorator;

/** Injects {@link PEER_MEMORY}: `PeerMemory | undefined`. */
export const InjectPeerMemory = (): Injected => Inject(PEER_MEMORY);
/** Injects {@link MEMORY_SNAPSHOT_READER}: `MemorySnapshotReader | undefined`. */
export const InjectMemorySnapshotReader = (): Injected => Inject(MEMORY_SNAPSHOT_READER);
/** Injects {@link MEMORY_SEARCHER}: `MemorySearcher | undefined`. */
export const InjectMemorySearcher = (): Injected => Inject(MEMORY_SEARCHER);
/** Injects {@link MEMORY_DIALECTIC_ENGINE}: `DialecticEngine | undefined`. */
export const InjectMemoryDialecticEngine = (): Injected => Inject(MEMORY_DIALECTIC_ENGINE);
/** Injects {@link MEMORY_OBSERVATION_RECORDER}: `ObservationRecorder | undefined`. */
export const InjectMemoryObservationRecorder = (): Injected => Inject(MEMORY_OBSERVATION_RECORDER);
/** Injects {@link MEMORY_INGESTOR}: `MemoryIngestor | undefined`. */
export const InjectMemoryIngestor = (): Injected => Inject(MEMORY_INGESTOR);
/** Injects {@link MEMORY_TOOLS}: `readonly MemoryTool[]`. */
export const InjectMemoryTools = (): Injected => Inject(MEMORY_TOOLS);
/** Injects {@link MEMORY_CONTEXT_PROVIDER}: `MemoryContextProvider`. */
export const InjectMemoryContextProvider = (): Injected => Inject(MEMORY_CONTEXT_PROVIDER);
/** Injects {@link MEMORY_EXECUTION_SINK}: `ExecutionMemorySink`. */
export const InjectMemoryExecutionSink = (): Injected => Inject(MEMORY_EXECUTION_SINK);
