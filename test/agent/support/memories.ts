import type { DialecticEngine } from '../../../lib/spi/chat.js';
import type { MemoryIngestor } from '../../../lib/spi/ingest.js';
import type { ObservationRecorder } from '../../../lib/spi/observe.js';
import type { MemorySearcher } from '../../../lib/spi/search.js';
import type { MemorySnapshotReader } from '../../../lib/spi/snapshot.js';
import { observationOf, snapshotOf } from './peers.js';

/** Tiers that answer something; each takes what should be different. */
export const reader = (change: Partial<MemorySnapshotReader> = {}): MemorySnapshotReader => ({
  read: async () => snapshotOf('Alice likes tea.'),
  ...change,
});

export const searcher = (change: Partial<MemorySearcher> = {}): MemorySearcher => ({
  ranksByScore: true,
  narrowsBySession: true,
  search: async () => [
    { observation: observationOf('Alice likes tea.'), score: 0.5, confidenceAvailable: true, signals: {} },
  ],
  ...change,
});

export const engine = (change: Partial<DialecticEngine> = {}): DialecticEngine => ({
  query: async () => ({ answer: 'Tea.' }),
  queryStream: async () => ({ answer: 'Tea.' }),
  ...change,
});

export const recorder = (change: Partial<ObservationRecorder> = {}): ObservationRecorder => ({
  storesConfidence: true,
  storesType: true,
  observe: async ({ content, type, confidence = 0.6 }) => observationOf(content, { type, confidence }),
  ...change,
});

export const ingestor = (change: Partial<MemoryIngestor> = {}): MemoryIngestor => ({
  ingest: async ({ messages }) => ({ accepted: messages.length, derived: false }),
  ...change,
});
