import type { DerivationQueue } from '../../ports/derivation-queue.js';
import { isSearchable, type ObservationStore } from '../../ports/observation-store.js';
import type { RepresentationStore } from '../../ports/representation-store.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import { EstimatingTokenCounter } from '../../reasoning/estimating-token-counter.js';
import type { DialecticEngine } from '../../spi/chat.js';
import type { MemoryIngestor } from '../../spi/ingest.js';
import type { ObservationRecorder } from '../../spi/observe.js';
import type { PeerMemory } from '../../spi/peer-memory.js';
import type { MemorySearcher } from '../../spi/search.js';
import type { MemorySnapshotReader } from '../../spi/snapshot.js';
import { MemoryLifetime } from './memory-lifetime.js';
import { StoreBackedDialecticEngine } from './store-backed-dialectic-engine.js';
import { StoreBackedIngestor } from './store-backed-ingestor.js';
import { StoreBackedObservationRecorder } from './store-backed-observation-recorder.js';
import { StoreBackedSearcher } from './store-backed-searcher.js';
import { StoreBackedSnapshotReader } from './store-backed-snapshot-reader.js';

/** What a {@link StoreBackedPeerMemory} is made of; each part that is not there leaves its tiers out. */
export interface StoreBackedParts {
  /** Shown in diagnostics; default `default`. */
  readonly backendId?: string;
  /** SNAPSHOT; with an observation store beside it, also what is computed on read. */
  readonly representationStore?: RepresentationStore;
  /** OBSERVE, and SEARCH where the store can search. */
  readonly observationStore?: ObservationStore;
  /**
   * CHAT: an engine, or a function that makes one. The function is given this memory, with the tiers that are there without
   * it, for the engine to search. Absent: questions are not answered in words.
   */
  readonly dialecticEngine?: DialecticEngine | ((memory: PeerMemory) => DialecticEngine);
  /**
   * INGEST: a queue, or a function that makes one. The function is given this memory, with the tiers that are there
   * without it, for the deriver to read and record through.
   */
  readonly derivationQueue?: DerivationQueue | ((memory: PeerMemory) => DerivationQueue);
  /** What snapshots are measured by; default {@link EstimatingTokenCounter}. */
  readonly tokenCounter?: TokenCounter;
  /** The time of what is observed and read; default: the system's. */
  readonly clock?: () => Date;
}

/** The default backend: the five tiers over stores, an index, a queue and an engine. */
export class StoreBackedPeerMemory implements PeerMemory {
  readonly backendId: string;
  readonly snapshotReader?: MemorySnapshotReader;
  readonly searcher?: MemorySearcher;
  readonly dialecticEngine?: DialecticEngine;
  readonly observationRecorder?: ObservationRecorder;
  readonly ingestor?: MemoryIngestor;
  /** The queue behind INGEST; whoever made this memory starts and stops it. */
  readonly derivationQueue?: DerivationQueue;

  readonly #lifetime: MemoryLifetime;

  /** @param parts what it stands on; a function in the place of the engine or the queue is called here */
  constructor(parts: StoreBackedParts) {
    const { representationStore, observationStore, clock, tokenCounter = new EstimatingTokenCounter() } = parts;
    this.backendId = parts.backendId ?? 'default';
    const lifetime = new MemoryLifetime(this.backendId);
    this.#lifetime = lifetime;
    if (representationStore !== undefined) {
      this.snapshotReader = new StoreBackedSnapshotReader({
        representationStore,
        observationStore,
        tokenCounter,
        lifetime,
        clock,
      });
    }
    if (observationStore !== undefined) {
      this.observationRecorder = new StoreBackedObservationRecorder(observationStore, lifetime, clock);
      if (isSearchable(observationStore)) this.searcher = new StoreBackedSearcher(observationStore, lifetime);
    }
    if (parts.dialecticEngine !== undefined) {
      const engine = typeof parts.dialecticEngine === 'function' ? parts.dialecticEngine(this) : parts.dialecticEngine;
      this.dialecticEngine = new StoreBackedDialecticEngine(engine, lifetime);
    }
    this.derivationQueue =
      typeof parts.derivationQueue === 'function' ? parts.derivationQueue(this) : parts.derivationQueue;
    if (this.derivationQueue !== undefined) this.ingestor = new StoreBackedIngestor(this.derivationQueue, lifetime);
  }

  /** Refuses calls from here. Nothing of its own is left to let go of: its parts are closed by who made them. */
  async close(): Promise<void> {
    this.#lifetime.close();
  }
}
