import type { StoreBackedObservationRecorder } from '../backends/store-backed/store-backed-observation-recorder.js';
import { CapabilityMissingError, InvalidConfigurationError } from '../domain/errors.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Workspace } from '../domain/workspace.js';
import type { DerivationQueue } from '../ports/derivation-queue.js';
import type { ObservationHistoryEntry, ObservationStore, Page, PageRequest } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import type { WorkspaceStore } from '../ports/workspace-store.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import type { MaintenanceCycle, MaintenanceReport } from './maintenance-cycle.js';
import { StoredRedaction, type RedactStoredOptions, type RedactStoredReport } from './stored-redaction.js';

/** What an erasure removed. */
export interface ErasureReport {
  /** How many observations were removed, live and retired. */
  readonly observations: number;
  /** How many representations were removed. */
  readonly representations: number;
}

/** What maintenance works on: the parts of the default backend. A supplied backend has none that it could reach. */
export interface MaintenanceParts {
  readonly backendId: string;
  readonly workspaceStore?: WorkspaceStore;
  readonly observationStore?: ObservationStore;
  readonly representationStore?: RepresentationStore;
  readonly derivationQueue?: DerivationQueue;
  /** The writer of observations, which knows what it wrote. */
  readonly recorder?: StoreBackedObservationRecorder;
  /** What {@link MemoryMaintenance.redactStored} masks by; absent where nothing is masked. */
  readonly redactionPolicy?: RedactionPolicy;
  /** Absent where the stores are the application's. */
  readonly cycle?: MaintenanceCycle;
  /** Drops what live sessions of the peer hold and have not handed over. */
  readonly discardSessions?: (belongsTo: (peer: PeerView) => boolean) => Promise<void>;
}

/**
 * What operators and auditors do with a memory: erase, export, look at its history, purge. It works on the default
 * backend; a supplied backend is maintained by who supplied it, and every method says so with `CapabilityMissingError`.
 */
export class MemoryMaintenance {
  /** @internal */
  constructor(private readonly parts: MaintenanceParts) {}

  /**
   * Removes every trace of a peer, as subject and as observer: what waits to be derived, what live sessions hold,
   * observations with their audit window, index entries and representations. Settles when it is done.
   *
   * @throws CapabilityMissingError where the memory has no stores that it could reach
   */
  async erasePeer(peer: PeerView): Promise<ErasureReport> {
    const { observationStore, representationStore, derivationQueue, recorder, discardSessions } =
      this.#requireStores('erasePeer');
    await discardSessions?.((other) => other.equals(peer));
    await derivationQueue?.erase(peer);
    const erase = async (): Promise<ErasureReport> => {
      const report = await observationStore?.eraseSubject(peer);
      recorder?.forget([peer, ...(report?.alsoAbout ?? [])]);
      return {
        observations: report?.observations ?? 0,
        representations: (await representationStore?.eraseSubject(peer)) ?? 0,
      };
    };
    return recorder === undefined ? erase() : recorder.exclusively(peer, erase);
  }

  /**
   * Erases everything in a workspace, and the workspace itself.
   *
   * @throws CapabilityMissingError where the memory has no stores that it could reach
   */
  async eraseWorkspace(workspace: Workspace): Promise<ErasureReport> {
    const parts = this.#requireStores('eraseWorkspace');
    await parts.discardSessions?.((peer) => peer.workspace.equals(workspace));
    await parts.derivationQueue?.erase(workspace);
    const observations = (await parts.observationStore?.eraseWorkspace(workspace)) ?? 0;
    const representations = (await parts.representationStore?.eraseWorkspace(workspace)) ?? 0;
    parts.recorder?.forget(workspace);
    await parts.workspaceStore?.delete(workspace);
    return { observations, representations };
  }

  /**
   * Masks what was stored in a workspace before a redaction policy was on, or before it got stricter: observations, retired
   * ones included, and representations, in their place. The search index follows. What is written meanwhile is masked by
   * the gate, and not missed. A message that waits to be derived was masked when it was taken in.
   *
   * @param options.dryRun counts what would be masked and changes nothing
   * @throws CapabilityMissingError where the memory has no stores that it could reach
   * @throws InvalidConfigurationError when `redaction` is `none`, so that there is nothing to mask by
   */
  async redactStored(workspace: Workspace, options: RedactStoredOptions = {}): Promise<RedactStoredReport> {
    const { observationStore, representationStore, recorder, redactionPolicy } = this.#requireStores('redactStored');
    if (redactionPolicy === undefined) {
      throw new InvalidConfigurationError([
        'MemoryMaintenance.redactStored was called, but aimon.memory.redaction is none, so there is no policy to mask by; set it to default.',
      ]);
    }
    const sweep = new StoredRedaction(
      {
        ...{ policy: redactionPolicy, observationStore, representationStore },
        exclusively: recorder === undefined ? undefined : (peer, work) => recorder.exclusively(peer, work),
      },
      options,
    );
    try {
      return await sweep.run(workspace);
    } finally {
      if (sweep.rewritten.length > 0) recorder?.reread(workspace, sweep.rewritten);
    }
  }

  /**
   * Has what was given up after the last attempt derived once more, each batch after what waits of its session. How many
   * messages that are; each of them has a second outcome in `IngestOutcomes`. Does not wait until they are derived.
   *
   * @throws CapabilityMissingError where the memory has no derivation queue
   * @throws StoreError when the queue has been stopped
   */
  async retryDeadLettered(): Promise<number> {
    const { derivationQueue } = this.parts;
    if (derivationQueue !== undefined) return derivationQueue.retryDeadLettered();
    throw this.#missing('retryDeadLettered', 'a derivation queue');
  }

  /**
   * Everything that is kept about a peer, retired observations included, oldest first.
   *
   * @throws CapabilityMissingError where the memory has no observation store that it could reach
   */
  exportPeer(peer: PeerView): AsyncIterable<ObservationHistoryEntry> {
    return this.#requireObservations('exportPeer').exportSubject(peer);
  }

  /**
   * Live and retired observations about a peer, newest first.
   *
   * @param page which part, and how many of them at most; default: the first, as long as the store likes, 100 in memory
   * @throws CapabilityMissingError where the memory has no observation store that it could reach
   */
  history(peer: PeerView, page?: Partial<PageRequest>): Promise<Page<ObservationHistoryEntry>> {
    return this.#requireObservations('history').history(peer, page);
  }

  /**
   * How many live observations there are about a peer.
   *
   * @throws CapabilityMissingError where the memory has no observation store that it could reach
   */
  count(peer: PeerView): Promise<number> {
    return this.#requireObservations('count').count(peer);
  }

  /**
   * Removes for good what was retired before `cutoff`; how many. 0 where the store keeps no audit window.
   *
   * @throws CapabilityMissingError where the memory has no observation store that it could reach
   */
  async purgeRetired(workspace: Workspace, cutoff: Date): Promise<number> {
    return (await this.#requireObservations('purgeRetired').purgeSoftDeletedBefore?.(workspace, cutoff)) ?? 0;
  }

  /**
   * Runs a maintenance cycle now, beside those that run by themselves every `aimon.memory.maintenance.interval`: removes,
   * in every workspace, observations retired longer ago than the audit window, and representations past their retention.
   * It waits for a cycle that runs.
   *
   * @param options.signal ends the waiting at once, and the cycle between two workspaces; it rejects with its reason
   * @throws CapabilityMissingError where the stores are not the memory's own
   * @throws StoreError when it failed in any workspace, after the others had their turn
   * @throws AimonError with code `MEMORY_CLOSED` when the memory was closed
   */
  async runCycle(options: { readonly signal?: AbortSignal } = {}): Promise<MaintenanceReport> {
    const { backendId, cycle } = this.parts;
    if (cycle !== undefined) return cycle.run(options.signal);
    if (backendId === 'none') throw this.#missing('runCycle', 'stores');
    throw new CapabilityMissingError(
      `MemoryMaintenance.runCycle goes through stores that the memory made for itself, and the memory "${backendId}" was given its own. ` +
        'Set aimon.memory.backend to in-memory, or purge a store of your own with purgeRetired(workspace, cutoff) and deleteOlderThan(workspace, cutoff).',
    );
  }

  #requireObservations(method: string): ObservationStore {
    const { observationStore } = this.#requireStores(method);
    if (observationStore !== undefined) return observationStore;
    throw this.#missing(method, 'an observation store');
  }

  #requireStores(method: string): MaintenanceParts {
    const { observationStore, representationStore } = this.parts;
    if (observationStore === undefined && representationStore === undefined) throw this.#missing(method, 'stores');
    return this.parts;
  }

  #missing(method: string, what: string): CapabilityMissingError {
    if (this.parts.backendId === 'none') {
      return new CapabilityMissingError(
        `MemoryMaintenance.${method} has nothing to work on: aimon.memory.backend is none. Choose a backend with it.`,
      );
    }
    return new CapabilityMissingError(
      `MemoryMaintenance.${method} needs ${what} of the default backend, and the memory "${this.parts.backendId}" has none that it could reach. ` +
        'Set aimon.memory.backend to in-memory, or do it with the backend that you supplied.',
    );
  }
}
