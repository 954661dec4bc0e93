import type { MaintenanceTimes } from '../assembly/maintenance-cycle.js';
import { MemorySpec } from '../assembly/memory-spec.js';
import { SYSTEM_CLOCK, type Clock } from '../domain/clock.js';
import type { MemoryLogger } from '../domain/memory-logger.js';
import { Principal } from '../domain/principal.js';
import { Workspace } from '../domain/workspace.js';
import type { DerivationQueue } from '../ports/derivation-queue.js';
import type { Deriver } from '../ports/deriver.js';
import type { LlmClient } from '../ports/llm-client.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import { LlmDialecticEngine } from '../reasoning/dialectic/llm-dialectic-engine.js';
import { ExtractiveDeriver } from '../reasoning/deriver/extractive-deriver.js';
import { LlmDeriver } from '../reasoning/deriver/llm-deriver.js';
import { ReActLlmDeriver } from '../reasoning/deriver/react-llm-deriver.js';
import { SessionRepresentations } from '../reasoning/deriver/session-representations.js';
import { InMemoryDerivationQueue } from '../reasoning/queue/in-memory-derivation-queue.js';
import { DefaultRedactionPolicy } from '../redaction/default-redaction-policy.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import { StrictRedactionPolicy } from '../redaction/strict-redaction-policy.js';
import { requireTier, type PeerMemory } from '../spi/peer-memory.js';
import { InMemoryObservationStore } from '../stores/in-memory/in-memory-observation-store.js';
import { InMemoryRepresentationStore } from '../stores/in-memory/in-memory-representation-store.js';
import { llmFromSettings } from './llm-from-settings.js';
import type { MemorySettings } from './settings/memory-settings.js';
import type { SuppliedParts } from './supplied-parts.js';

/** The memory that the settings describe, made of the application's parts where it supplies any. */
export function specFromSettings(
  settings: MemorySettings,
  parts: SuppliedParts,
  { logger, clock = SYSTEM_CLOCK }: { readonly logger: MemoryLogger; readonly clock?: Clock },
): MemorySpec {
  const redactionPolicy = policyOf(settings, parts);
  const now = (): Date => clock.now();
  const common = forPeers(settings, now())
    .injectionMode(settings.injectionMode)
    .maxTokens(settings.maxTokens)
    .contextTimeoutMs(settings.contextTimeout)
    .ingest(settings.ingest)
    .ingestForks(settings.ingestForks)
    .sessionIdleTimeoutMs(settings.sessionIdleTimeout)
    .shutdownTimeoutMs(settings.shutdownTimeout);
  const masked = redactionPolicy === undefined ? common.withoutRedaction() : common.redactionPolicy(redactionPolicy);
  if (parts.backend != null) return masked.peerMemory(parts.backend);
  const { observationStore, representationStore } =
    settings.backend === 'supplied'
      ? parts
      : {
          observationStore: new InMemoryObservationStore({ clock: now }),
          representationStore: new InMemoryRepresentationStore(),
        };
  const llm = llmFromSettings(settings, clock);
  const maintained = settings.backend === 'supplied' ? masked : masked.maintenance(maintenanceTimes(settings));
  return maintained.parts({
    backendId: settings.backend === 'supplied' ? 'default' : settings.backend,
    observationStore: observationStore ?? undefined,
    representationStore: representationStore ?? undefined,
    observationIndex: parts.observationIndex ?? undefined,
    dialecticEngine:
      llm === undefined || observationStore == null
        ? undefined
        : (memory) => new LlmDialecticEngine({ llm, searcher: requireTier(memory, 'SEARCH'), clock: now }),
    derivationQueue:
      settings.deriver === 'none' || observationStore == null
        ? undefined
        : (memory) => {
            const stores = { observationStore, representationStore: representationStore ?? undefined };
            const deriver = deriverOf(settings, memory, { ...stores, llm, redactionPolicy, logger, clock });
            return queueOf(settings, deriver, redactionPolicy, { logger, clock });
          },
  });
}

const maintenanceTimes = (settings: MemorySettings): MaintenanceTimes => ({
  intervalMs: settings.maintenanceInterval,
  auditWindowMs: settings.maintenanceAuditWindow,
  representationRetentionMs: settings.maintenanceRepresentationRetention,
});

function forPeers(settings: MemorySettings, createdAt: Date): MemorySpec {
  const { peerMode, workspaceMode, workspaceId, peerId, peerName, peerType } = settings;
  const workspace = workspaceMode === 'caller' ? undefined : Workspace.of({ id: workspaceId as string, createdAt });
  if (peerMode === 'caller' || workspace === undefined) return MemorySpec.perCaller(workspace);
  return MemorySpec.forPeer(workspace, Principal.of({ type: peerType, id: peerId as string, displayName: peerName }));
}

function policyOf({ redaction }: MemorySettings, { redactionPolicy }: SuppliedParts): RedactionPolicy | undefined {
  if (redaction === 'none') return undefined;
  if (redaction === 'supplied') return redactionPolicy;
  return redaction === 'strict' ? new StrictRedactionPolicy() : new DefaultRedactionPolicy();
}

/** What a deriver may need, beside the memory that it records through. */
interface DeriverSurroundings {
  readonly observationStore: ObservationStore;
  readonly representationStore: RepresentationStore | undefined;
  readonly llm: LlmClient | undefined;
  readonly redactionPolicy: RedactionPolicy | undefined;
  readonly logger: MemoryLogger;
  readonly clock: Clock;
}

function deriverOf({ deriver }: MemorySettings, memory: PeerMemory, around: DeriverSurroundings): Deriver {
  const { observationStore, representationStore, llm, redactionPolicy, logger, clock } = around;
  const common = { recorder: requireTier(memory, 'OBSERVE'), clock: () => clock.now() };
  // Without a model the settings are refused, so there is one for these two.
  if (llm === undefined || deriver === 'extractive') return new ExtractiveDeriver(common);
  const representations =
    representationStore === undefined
      ? undefined
      : new SessionRepresentations({ llm, representationStore, observationStore, redactionPolicy, clock, logger });
  const options = { ...common, llm, searcher: requireTier(memory, 'SEARCH'), representations, logger };
  return deriver === 'react' ? new ReActLlmDeriver(options) : new LlmDeriver(options);
}

function queueOf(
  settings: MemorySettings,
  deriver: Deriver,
  redactionPolicy: RedactionPolicy | undefined,
  { logger, clock }: { readonly logger: MemoryLogger; readonly clock: Clock },
): DerivationQueue {
  return new InMemoryDerivationQueue({
    deriver,
    redactionPolicy,
    workerCount: settings.queueWorkerCount,
    batchMaxTokens: settings.queueBatchMaxTokens,
    maxAttempts: settings.queueMaxAttempts,
    maxPending: settings.queueMaxPending,
    retryDelayMs: settings.queuePollInterval,
    logger,
    clock,
  });
}
