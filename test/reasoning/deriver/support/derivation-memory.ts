import {
  type DerivationContext,
  IndexedObservationStore,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  LexicalIndex,
  type MemoryLogger,
  type MemoryMessage,
  type MemorySearcher,
  type MemorySnapshotReader,
  type NormalisedMessage,
  normaliseMessage,
  type Observation,
  type ObservationRecorder,
  type ObservationStore,
  type PeerView,
  type RepresentationStore,
  requireTier,
  StoreBackedPeerMemory,
} from '@aimon/nestjs-memory';
import { alice, ops } from '../../../support/peers.js';

/** When everything is said that names no other time: a Monday. */
export const SAID_AT = new Date('2026-03-02T09:30:00Z');

/** A memory of stores, and what a deriver takes of it. */
export interface DerivationMemory {
  readonly observationStore: ObservationStore;
  readonly representationStore: RepresentationStore;
  readonly recorder: ObservationRecorder;
  readonly searcher: MemorySearcher;
  readonly snapshotReader: MemorySnapshotReader;
  /** What is stored about a peer, oldest first; default about Alice. */
  stored(subject?: PeerView): Promise<readonly Observation[]>;
  /** As {@link stored}, the words alone, sorted. */
  contents(): Promise<readonly string[]>;
}

/** @param clock when things are recorded; default a millisecond after each other, so that their order is known */
export function derivationMemory(clock: () => Date = ticking()): DerivationMemory {
  const observationStore = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());
  const representationStore = new InMemoryRepresentationStore();
  const memory = new StoreBackedPeerMemory({ observationStore, representationStore, clock });
  const stored = async (subject = alice): Promise<readonly Observation[]> =>
    [...(await observationStore.findBySubject(subject, { limit: 1000 })).items].reverse();
  return {
    ...{ observationStore, representationStore, stored },
    recorder: requireTier(memory, 'OBSERVE'),
    searcher: requireTier(memory, 'SEARCH'),
    snapshotReader: requireTier(memory, 'SNAPSHOT'),
    contents: async () => (await stored()).map(({ content }) => content).sort(),
  };
}

/** What Alice says; ids count from `m1` where none is given. */
export function says(...messages: readonly (string | Partial<MemoryMessage>)[]): readonly NormalisedMessage[] {
  return messages.map((one, index) =>
    normaliseMessage({
      ...{ role: 'user', id: `m${index + 1}`, createdAt: SAID_AT },
      ...(typeof one === 'string' ? { content: one } : one),
    }),
  );
}

/** A batch of Alice's. */
export function batch(
  messages: readonly NormalisedMessage[],
  change: Partial<DerivationContext> = {},
): DerivationContext {
  return {
    ...{ workspace: ops, sessionId: 's', subject: alice, observer: alice, tokenBudget: 8000 },
    messages,
    ...change,
  };
}

/** A model's answer that holds these observations. */
export const found = (...observations: readonly object[]): { readonly text: string } => ({
  text: JSON.stringify({ observations }),
});

/** One new fact of a model's answer. */
export const fact = (content: string, sources: readonly string[] = ['m1'], type = 'EXPLICIT'): object => ({
  ...{ content, type, sources, repeats: null },
});

/** A logger, and what it was told. */
export function warnings(): { readonly logger: MemoryLogger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const keep = (message: string): void => void lines.push(message);
  return { logger: { log: keep, warn: keep, error: keep }, lines };
}

function ticking(): () => Date {
  let ticks = 0;
  return () => new Date(SAID_AT.getTime() + ++ticks);
}
