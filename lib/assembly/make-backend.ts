import { StoreBackedObservationRecorder } from '../backends/store-backed/store-backed-observation-recorder.js';
import { StoreBackedPeerMemory } from '../backends/store-backed/store-backed-peer-memory.js';
import type { Clock } from '../domain/clock.js';
import type { DerivationQueue } from '../ports/derivation-queue.js';
import { isSearchable, type ObservationStore } from '../ports/observation-store.js';
import type { WorkspaceStore } from '../ports/workspace-store.js';
import { LexicalIndex } from '../search-index/lexical-index.js';
import type { PeerMemory } from '../spi/peer-memory.js';
import { InMemoryWorkspaceStore } from '../stores/in-memory/in-memory-workspace-store.js';
import { IndexedObservationStore } from '../stores/indexed-observation-store.js';
import type { MaintenanceParts } from './memory-maintenance.js';
import type { BuiltMemorySpec, DefaultBackendParts } from './memory-spec.js';

/** A backend as it was given or made, not yet checked and masked. */
export interface MadeBackend {
  readonly backend: PeerMemory;
  /** Whether the assembly made it, and so closes it. */
  readonly made: boolean;
  readonly derivationQueue?: DerivationQueue;
  /** Whether the queue was made for this memory, and so is stopped with it. */
  readonly madeQueue: boolean;
  readonly workspaceStore?: WorkspaceStore;
  readonly maintenance: MaintenanceParts;
}

/** The given backend, or the default one from its parts. `protect` is what the deriver's own view of it is wrapped in. */
export function makeBackend(
  { peerMemory, parts }: BuiltMemorySpec,
  protect: (backend: PeerMemory) => PeerMemory,
  clock: Clock,
): MadeBackend {
  if (peerMemory !== undefined) {
    return { backend: peerMemory, made: false, madeQueue: false, maintenance: { backendId: peerMemory.backendId } };
  }
  const { backendId, representationStore, dialecticEngine, derivationQueue } = parts;
  const observationStore = searchable(parts);
  const backend = new StoreBackedPeerMemory({
    ...{ backendId, representationStore, observationStore },
    dialecticEngine:
      typeof dialecticEngine === 'function' ? (memory) => dialecticEngine(protect(memory)) : dialecticEngine,
    clock: () => clock.now(),
    derivationQueue:
      typeof derivationQueue === 'function' ? (memory) => derivationQueue(protect(memory)) : derivationQueue,
  });
  const workspaceStore = parts.workspaceStore ?? new InMemoryWorkspaceStore();
  const { observationRecorder: recorder } = backend;
  return {
    backend,
    made: true,
    derivationQueue: backend.derivationQueue,
    madeQueue: typeof derivationQueue === 'function',
    workspaceStore,
    maintenance: {
      ...{ backendId: backend.backendId, workspaceStore, observationStore, representationStore },
      derivationQueue: backend.derivationQueue,
      recorder: recorder instanceof StoreBackedObservationRecorder ? recorder : undefined,
    },
  };
}

function searchable({ observationStore, observationIndex }: DefaultBackendParts): ObservationStore | undefined {
  if (observationStore === undefined || isSearchable(observationStore)) return observationStore;
  return new IndexedObservationStore(observationStore, observationIndex ?? new LexicalIndex());
}
