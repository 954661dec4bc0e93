import {
  type DerivationQueue,
  ExtractiveDeriver,
  InMemoryDerivationQueue,
  IndexedObservationStore,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  LexicalIndex,
  type ObservationIndex,
  type PeerMemory,
  Representation,
  StoreBackedPeerMemory,
} from '../../../lib/index.js';
import type { PeerMemoryToTest } from '../../../lib/testkit/index.js';

import { SearchingDialecticEngine } from './searching-dialectic-engine.js';

/** What a mutant may put in the place of a part, or around it. */
export interface InMemoryParts {
  readonly index?: ObservationIndex;
  readonly observationStore?: InMemoryObservationStore;
  readonly queue?: (queue: DerivationQueue) => DerivationQueue;
}

/** The default backend with all five tiers, in memory, and nothing around it. */
export function inMemory(parts: InMemoryParts = {}): Required<Omit<PeerMemoryToTest, 'seed'>> {
  const observationStore = new IndexedObservationStore(
    parts.observationStore ?? new InMemoryObservationStore(),
    parts.index ?? new LexicalIndex(),
  );
  const representationStore = new InMemoryRepresentationStore();
  const stores = { observationStore, representationStore };
  const { searcher } = new StoreBackedPeerMemory(stores);
  let queue: DerivationQueue | undefined;
  const backend = new StoreBackedPeerMemory({
    ...stores,
    backendId: 'in-memory',
    dialecticEngine: new SearchingDialecticEngine(searcher as NonNullable<typeof searcher>),
    derivationQueue: (memory: PeerMemory) => {
      const { observationRecorder } = memory;
      queue = new InMemoryDerivationQueue({
        deriver: new ExtractiveDeriver({ recorder: observationRecorder as NonNullable<typeof observationRecorder> }),
        redactionPolicy: undefined,
      });
      return parts.queue?.(queue) ?? queue;
    },
  });
  queue?.start();
  return {
    backend,
    close: async () => {
      await queue?.stop({ drainMs: 0 });
      await backend.close();
    },
    settle: async () => queue?.whenIdle(),
    seedSnapshot: async ({ text, ...view }) => {
      await representationStore.save(
        Representation.of({ ...view, summary: text, generatedAt: new Date(), tokenCount: text.length }),
      );
    },
  };
}
