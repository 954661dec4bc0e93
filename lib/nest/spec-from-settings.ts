import type { MaintenanceTimes } from '../assembly/maintenance-cycle.js';
import { MemorySpec } from '../assembly/memory-spec.js';
import { SYSTEM_CLOCK, type Clock } from '../domain/clock.js';
import type { MemoryLogger } from '../domain/memory-logger.js';
import { Principal } from '../domain/principal.js';
import { Workspace } from '../domain/workspace.js';
import type { DerivationQueue } from '../ports/derivation-queue.js';
import { ExtractiveDeriver } from '../reasoning/deriver/extractive-deriver.js';
import { InMemoryDerivationQueue } from '../reasoning/queue/in-memory-derivation-queue.js';
import { DefaultRedactionPolicy } from '../redaction/default-redaction-policy.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import { StrictRedactionPolicy } from '../redaction/strict-redaction-policy.js';
import { requireTier, type PeerMemory } from '../spi/peer-memory.js';
import { InMemoryObservationStore } from '../stores/in-memory/in-memory-observation-store.js';
import { InMemoryRepresentationStore } from '../stores/in-memory/in-memory-representation-store.js';
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
  const maintained = settings.backend === 'supplied' ? masked : masked.maintenance(maintenanceTimes(settings));
  return maintained.parts({
    backendId: settings.backend === 'supplied' ? 'default' : settings.backend,
    observationStore: observationStore ?? undefined,
    representationStore: representationStore ?? undefined,
    observationIndex: parts.observationIndex ?? undefined,
    derivationQueue:
      settings.deriver === 'none' || observationStore == null
        ? undefined
        : (memory) => queueOf(settings, memory, redactionPolicy, { logger, clock }),
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

function queueOf(
  settings: MemorySettings,
  memory: PeerMemory,
  redactionPolicy: RedactionPolicy | undefined,
  { logger, clock }: { readonly logger: MemoryLogger; readonly clock: Clock },
): DerivationQueue {
  return new InMemoryDerivationQueue({
    deriver: new ExtractiveDeriver({ recorder: requireTier(memory, 'OBSERVE'), clock: () => clock.now() }),
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
