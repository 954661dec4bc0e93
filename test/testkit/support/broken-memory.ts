import type {
  DialecticEngine,
  MemoryCapability,
  MemoryIngestor,
  MemorySearcher,
  MemorySnapshotReader,
  ObservationRecorder,
  PeerMemory,
} from '../../../lib/index.js';
import type { PeerMemoryToTest } from '../../../lib/testkit/index.js';

import type { MadeSubject } from '../../../lib/testkit/contract.js';
import { PeerMemoryUnderTest } from '../../../lib/testkit/peer-memory/peer-memory-under-test.js';
import { inMemory, type InMemoryParts } from './in-memory.js';
import type { Mutant } from './mutants.js';

const ALL: readonly MemoryCapability[] = ['SNAPSHOT', 'SEARCH', 'CHAT', 'OBSERVE', 'INGEST'];

/** A memory with every tier as an object of its own, so that one member can be changed. */
export interface OpenMemory extends PeerMemory {
  snapshotReader: MemorySnapshotReader;
  searcher: MemorySearcher;
  dialecticEngine: DialecticEngine;
  observationRecorder: ObservationRecorder;
  ingestor: MemoryIngestor;
  close: () => Promise<void>;
}

/** What a mutant changes: members of the tiers, in the place of the given ones. */
export type Break = (sound: OpenMemory, made: PeerMemoryToTest) => Partial<PeerMemory>;

type MutantMemory = Mutant<PeerMemoryUnderTest>;

/** The in-memory backend with something broken. */
export function brokenMemory(
  name: string,
  caughtBy: readonly string[],
  breaking: Break,
  options: { readonly parts?: () => InMemoryParts; readonly hangs?: boolean } = {},
): MutantMemory {
  return {
    name,
    caughtBy,
    hangs: options.hangs,
    make: async (): Promise<MadeSubject<PeerMemoryUnderTest>> => {
      const made = inMemory(options.parts?.());
      const sound = opened(made.backend);
      const change = breaking(sound, made);
      // With its getters: a mutant may answer another thing each time that it is asked.
      const backend = Object.defineProperties({ ...sound }, Object.getOwnPropertyDescriptors(change)) as PeerMemory;
      const subject = new PeerMemoryUnderTest({ ...made, backend }, ALL);
      return { subject, close: () => subject.close() };
    },
  };
}

function opened(backend: PeerMemory): OpenMemory {
  const { backendId, snapshotReader, searcher, dialecticEngine, observationRecorder, ingestor } = backend as OpenMemory;
  return {
    backendId,
    snapshotReader: { read: (query) => snapshotReader.read(query) },
    searcher: {
      ranksByScore: searcher.ranksByScore,
      narrowsBySession: searcher.narrowsBySession,
      search: (query) => searcher.search(query),
    },
    dialecticEngine: {
      query: (query) => dialecticEngine.query(query),
      queryStream: (query, sink) => dialecticEngine.queryStream(query, sink),
    },
    observationRecorder: {
      storesConfidence: observationRecorder.storesConfidence,
      storesType: observationRecorder.storesType,
      observe: (draft) => observationRecorder.observe(draft),
    },
    ingestor: { ingest: (request) => ingestor.ingest(request) },
    close: async () => backend.close?.(),
  };
}

/** As {@link brokenMemory}, of one tier. */
export const brokenReader = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: MemorySnapshotReader, memory: OpenMemory) => Partial<MemorySnapshotReader>,
): MutantMemory =>
  brokenMemory(name, caughtBy, (memory) => ({
    snapshotReader: { ...memory.snapshotReader, ...breaking(memory.snapshotReader, memory) },
  }));

export const brokenSearcher = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: MemorySearcher, memory: OpenMemory) => Partial<MemorySearcher>,
): MutantMemory =>
  brokenMemory(name, caughtBy, (memory) => ({
    searcher: { ...memory.searcher, ...breaking(memory.searcher, memory) },
  }));

export const brokenEngine = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: DialecticEngine, memory: OpenMemory) => Partial<DialecticEngine>,
): MutantMemory =>
  brokenMemory(name, caughtBy, (memory) => ({
    dialecticEngine: { ...memory.dialecticEngine, ...breaking(memory.dialecticEngine, memory) },
  }));

export const brokenRecorder = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: ObservationRecorder, memory: OpenMemory) => Partial<ObservationRecorder>,
): MutantMemory =>
  brokenMemory(name, caughtBy, (memory) => ({
    observationRecorder: { ...memory.observationRecorder, ...breaking(memory.observationRecorder, memory) },
  }));

export const brokenIngestor = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: MemoryIngestor, memory: OpenMemory) => Partial<MemoryIngestor>,
): MutantMemory =>
  brokenMemory(name, caughtBy, (memory) => ({
    ingestor: { ...memory.ingestor, ...breaking(memory.ingestor, memory) },
  }));
