import { Inject, type InjectionToken } from '@nestjs/common';

import { getMemoryToken } from './memory-name.js';
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

/** Injects any part, by its token or class, of the unnamed memory, or of the one of this name. */
export const InjectMemory = (token: InjectionToken, name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(token, name));

/** Injects {@link PEER_MEMORY} of the unnamed memory, or of the one of this name: `PeerMemory | undefined`. */
export const InjectPeerMemory = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(PEER_MEMORY, name));
/** Injects {@link MEMORY_SNAPSHOT_READER} of the unnamed memory, or of the one of this name: `MemorySnapshotReader | undefined`. */
export const InjectMemorySnapshotReader = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(MEMORY_SNAPSHOT_READER, name));
/** Injects {@link MEMORY_SEARCHER} of the unnamed memory, or of the one of this name: `MemorySearcher | undefined`. */
export const InjectMemorySearcher = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(MEMORY_SEARCHER, name));
/** Injects {@link MEMORY_DIALECTIC_ENGINE} of the unnamed memory, or of the one of this name: `DialecticEngine | undefined`. */
export const InjectMemoryDialecticEngine = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(MEMORY_DIALECTIC_ENGINE, name));
/** Injects {@link MEMORY_OBSERVATION_RECORDER} of the unnamed memory, or of the one of this name: `ObservationRecorder | undefined`. */
export const InjectMemoryObservationRecorder = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(MEMORY_OBSERVATION_RECORDER, name));
/** Injects {@link MEMORY_INGESTOR} of the unnamed memory, or of the one of this name: `MemoryIngestor | undefined`. */
export const InjectMemoryIngestor = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(MEMORY_INGESTOR, name));
/** Injects {@link MEMORY_TOOLS} of the unnamed memory, or of the one of this name: `readonly MemoryTool[]`. */
export const InjectMemoryTools = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(MEMORY_TOOLS, name));
/** Injects {@link MEMORY_CONTEXT_PROVIDER} of the unnamed memory, or of the one of this name: `MemoryContextProvider`. */
export const InjectMemoryContextProvider = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(MEMORY_CONTEXT_PROVIDER, name));
/** Injects {@link MEMORY_EXECUTION_SINK} of the unnamed memory, or of the one of this name: `ExecutionMemorySink`. */
export const InjectMemoryExecutionSink = (name?: string): PropertyDecorator & ParameterDecorator =>
  Inject(getMemoryToken(MEMORY_EXECUTION_SINK, name));
