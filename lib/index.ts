// The public surface: what is not exported here can change without notice.

// Values
export * from './domain/errors.js';
export { formatMemoryBlock, stripMemoryBlocks } from './domain/memory-block.js';
export { type MemoryLogger, SILENT_LOGGER } from './domain/memory-logger.js';
export {
  type ChatMessage,
  MESSAGE_ROLES,
  type MemoryMessage,
  type MemoryMessagePart,
  type MemoryMessageRole,
  type MemoryToolCall,
  type NormalisedMessage,
  normaliseMessage,
  textOf,
  toChatMessage,
} from './domain/memory-message.js';
export { INGEST_OUTCOMES, type IngestOutcome, type IngestOutcomeKind } from './domain/ingest-outcome.js';
export { Observation, type ObservationInit } from './domain/observation.js';
export { ObservationId } from './domain/observation-id.js';
export { baseConfidence, confidenceOf, OBSERVATION_TYPES, type ObservationType } from './domain/observation-type.js';
export { PeerView } from './domain/peer-view.js';
export { Principal, type PrincipalInit, PRINCIPAL_TYPES, type PrincipalType } from './domain/principal.js';
export { REDACTION_METADATA, redactionCategoriesIn, redactionMarker } from './domain/redaction-marker.js';
export { Representation, type RepresentationInit } from './domain/representation.js';
export { spokenText, STATEMENT_METADATA } from './domain/statement.js';
export { Workspace, type WorkspaceInit } from './domain/workspace.js';

// The five tiers
export * from './spi/chat.js';
export { GuardedPeerMemory } from './spi/guarded-peer-memory.js';
export * from './spi/ingest.js';
export * from './spi/observe.js';
export * from './spi/peer-memory.js';
export * from './spi/search.js';
export * from './spi/snapshot.js';

// Ports of the default backend
export * from './ports/derivation-queue.js';
export * from './ports/deriver.js';
export * from './ports/embedding-client.js';
export * from './ports/llm-client.js';
export * from './ports/observation-index.js';
export * from './ports/observation-store.js';
export * from './ports/representation-store.js';
export * from './ports/token-counter.js';
export * from './ports/transcript-reader.js';
export * from './ports/workspace-store.js';

// The gate
export { DefaultRedactionPolicy, type DefaultRedactionPolicyOptions } from './redaction/default-redaction-policy.js';
export type { KeyedRedactionPolicy } from './redaction/keyed-redaction-policy.js';
export { MessageRedactor, type MessageRedactorOptions } from './redaction/message-redactor.js';
export { StrictRedactionPolicy } from './redaction/strict-redaction-policy.js';
export type { Hint } from './redaction/hint-index.js';
export { type FoundAt, patternRule, type RedactionRule, type Span, SPECIFICITY } from './redaction/redaction-rule.js';
export { RedactingPeerMemory, type RedactingPeerMemoryOptions } from './redaction/redacting-peer-memory.js';
export type { RedactionMatch, RedactionPolicy, RedactionResult } from './redaction/redaction-policy.js';

// The default backend
export { type StoreBackedParts, StoreBackedPeerMemory } from './backends/store-backed/store-backed-peer-memory.js';
export { EstimatingTokenCounter } from './reasoning/estimating-token-counter.js';
export { ExtractiveDeriver } from './reasoning/deriver/extractive-deriver.js';
export { DERIVER_TOOL_NAMES } from './reasoning/deriver/deriver-tools.js';
export { LlmDeriver } from './reasoning/deriver/llm-deriver.js';
export type { LlmDeriverOptions } from './reasoning/deriver/llm-deriver-options.js';
export { ReActLlmDeriver } from './reasoning/deriver/react-llm-deriver.js';
export {
  SessionRepresentations,
  type SessionRepresentationsOptions,
} from './reasoning/deriver/session-representations.js';
export {
  OpenAiEmbeddingClient,
  type OpenAiEmbeddingClientOptions,
} from './reasoning/embedding/openai-embedding-client.js';
export { OpenAiLlmClient, type OpenAiLlmClientOptions } from './reasoning/llm/openai-llm-client.js';
export type { OpenAiServerOptions } from './reasoning/llm/openai-server-options.js';
export { LlmDialecticEngine, type LlmDialecticEngineOptions } from './reasoning/dialectic/llm-dialectic-engine.js';
export { DERIVATION_FAILURES } from './reasoning/queue/derivation-failures.js';
export { InMemoryDerivationQueue } from './reasoning/queue/in-memory-derivation-queue.js';
export type { InMemoryDerivationQueueOptions } from './reasoning/queue/in-memory-derivation-queue-options.js';
export { canonicalForm, type ComparedFact, sameFact } from './search-index/canonical-form.js';
export { LexicalIndex } from './search-index/lexical-index.js';
export { DefaultWorkspaceAccessPolicy } from './stores/default-workspace-access-policy.js';
export { IndexedObservationStore } from './stores/indexed-observation-store.js';
export { InMemoryObservationStore } from './stores/in-memory/in-memory-observation-store.js';
export { InMemoryRepresentationStore } from './stores/in-memory/in-memory-representation-store.js';
export { InMemoryWorkspaceStore } from './stores/in-memory/in-memory-workspace-store.js';

// What an agent touches
export { AgentMemory, type AgentMemoryOptions, type AgentSessionOptions } from './agent/agent-memory.js';
export { type MemoryCaller, runAsCaller } from './agent/caller-scope.js';
export type { MemoryContextProvider, MemoryContextRequest } from './agent/context/memory-context-provider.js';
export { type MemoryPeerRequest, MemoryPeerResolver } from './agent/context/memory-peer-resolver.js';
export { type Clock, type ScheduleOptions, SYSTEM_CLOCK } from './domain/clock.js';
export {
  type ContextMiss,
  type ContextStats,
  SnapshotMemoryContextProvider,
  type SnapshotMemoryContextProviderOptions,
} from './agent/context/snapshot-memory-context-provider.js';
export type { ExecutionMemorySink, ExecutionMemoryUpdate } from './agent/ingest/execution-memory-sink.js';
export { INGEST_MODES, type IngestMode } from './agent/ingest/ingest-mode.js';
export { type ExpectedOutcomes, type IngestCounts, IngestOutcomes } from './agent/ingest/ingest-outcomes.js';
export { FAILURE_REASONS, SKIP_REASONS } from './agent/ingest/ingest-reasons.js';
export {
  IngestingExecutionMemorySink,
  type IngestingExecutionMemorySinkOptions,
} from './agent/ingest/ingesting-execution-memory-sink.js';
export { TranscriptBuffer } from './agent/ingest/transcript-buffer.js';
export { MemorySession, type MemorySessionCallOptions, type MemorySessionParts } from './agent/memory-session.js';
export {
  OutcomeRecordingIngestor,
  type OutcomeRecordingIngestorOptions,
} from './agent/ingest/outcome-recording-ingestor.js';
export { bindMemoryTools, type BoundMemoryTool } from './agent/tools/bind-memory-tools.js';
export { createMemoryTools } from './agent/tools/create-memory-tools.js';
export {
  type MemoryToolContext,
  type MemoryToolContextKey,
  MemoryToolContextKeys,
} from './agent/tools/memory-tool-context.js';
export { MemoryToolContextEnricher } from './agent/tools/memory-tool-context-enricher.js';
export type { MemoryTool, MemoryToolCallOptions } from './agent/tools/memory-tool.js';
export type { ToolInputProperty, ToolInputSchema } from './agent/tools/tool-input-schema.js';
export { ToolResult } from './agent/tools/tool-result.js';

// Assembly
export { assembleMemory, type AssemblySurroundings } from './assembly/assemble-memory.js';
export { type Degradation, DegradationKey, Degradations } from './assembly/degradations.js';
export {
  MaintenanceCycle,
  type MaintenanceCycleParts,
  type MaintenanceReport,
  type MaintenanceTimes,
} from './assembly/maintenance-cycle.js';
export { MaintenanceCycleTimer } from './assembly/maintenance-cycle-timer.js';
export { MemoryHealth, type MemoryHealthOptions, type MemoryHealthParts } from './assembly/memory-health.js';
export type { MemoryHealthDetail, MemoryHealthReport, MemoryHealthStatus } from './assembly/memory-health-report.js';
export { type ErasureReport, MemoryMaintenance } from './assembly/memory-maintenance.js';
export type { RedactStoredOptions, RedactStoredProgress, RedactStoredReport } from './assembly/stored-redaction.js';
export { type BuiltMemorySpec, type DefaultBackendParts, MemorySpec, type PeerMode } from './assembly/memory-spec.js';
export type { MemoryStack } from './assembly/memory-stack.js';
export {
  MemoryTeardown,
  TEARDOWN_PHASES,
  TeardownPhase,
  type TeardownReport,
  type TeardownTime,
  type TeardownWork,
} from './assembly/teardown.js';

// The Nest module
export * from './nest/memory-decorators.js';
export { type MemoryCallerFunction, MemoryInterceptor } from './nest/memory-interceptor.js';
export { MemoryModule } from './nest/memory-module.js';
export { getMemoryToken } from './nest/memory-name.js';
export type {
  MemoryModuleExtras,
  MemoryModuleOptions,
  MemoryModuleOptionsFactory,
} from './nest/memory-module-options.js';
export * from './nest/memory-tokens.js';
export { loadMemorySettings, memorySettingsFrom } from './nest/settings/load-memory-settings.js';
export type { DurationText, MemoryBackend, MemoryOptions } from './nest/settings/memory-settings.js';
