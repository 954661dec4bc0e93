import { CapabilityMissingError } from '../domain/errors.js';
import type { DialecticEngine } from './chat.js';
import type { MemoryIngestor } from './ingest.js';
import type { ObservationRecorder } from './observe.js';
import type { MemorySearcher } from './search.js';
import type { MemorySnapshotReader } from './snapshot.js';

/**
 * A memory of peers, in up to five tiers. What it can do is which tiers are there ({@link memoryCapabilities}); nothing
 * else declares it, so a backend cannot claim what it cannot do. This is the place where memory is swapped.
 */
export interface PeerMemory {
  /** A short name for diagnostics, such as `in-memory` or `remote`. */
  readonly backendId: string;
  /** SNAPSHOT: what is known about a peer, ready to stand in a prompt; absent where the memory has no such tier. */
  readonly snapshotReader?: MemorySnapshotReader;
  /** SEARCH: the observations about a peer that matter to a query; absent where the memory has no such tier. */
  readonly searcher?: MemorySearcher;
  /** CHAT: an answer in words to a question about a peer; absent where the memory has no such tier. */
  readonly dialecticEngine?: DialecticEngine;
  /** OBSERVE: records single observations; absent where the memory has no such tier. */
  readonly observationRecorder?: ObservationRecorder;
  /** INGEST: takes in conversations; absent where the memory has no such tier. */
  readonly ingestor?: MemoryIngestor;

  /** Settles when the backend can answer now, and rejects when it cannot; for health. Not a tier. */
  ping?(signal?: AbortSignal): Promise<void>;

  /** Lets go of what the backend holds; harmless when called again. Whoever made the backend closes it. */
  close?(): Promise<void>;
}

/** The five abilities that a memory may have, in the order in which they are listed everywhere. */
export const MEMORY_CAPABILITIES = ['SNAPSHOT', 'SEARCH', 'CHAT', 'OBSERVE', 'INGEST'] as const;
/** One of {@link MEMORY_CAPABILITIES}; which of them a memory has is {@link memoryCapabilities}. */
export type MemoryCapability = (typeof MEMORY_CAPABILITIES)[number];

const ACCESSOR = {
  SNAPSHOT: 'snapshotReader',
  SEARCH: 'searcher',
  CHAT: 'dialecticEngine',
  OBSERVE: 'observationRecorder',
  INGEST: 'ingestor',
} as const satisfies Record<MemoryCapability, keyof PeerMemory>;

/** The tier behind each capability. */
export interface MemoryTiers {
  /** What is known about a peer, ready to stand in a prompt. */
  readonly SNAPSHOT: MemorySnapshotReader;
  /** The observations about a peer that matter to a query. */
  readonly SEARCH: MemorySearcher;
  /** An answer in words to a question about a peer. */
  readonly CHAT: DialecticEngine;
  /** Records single observations. */
  readonly OBSERVE: ObservationRecorder;
  /** Takes in conversations, from which the backend derives observations. */
  readonly INGEST: MemoryIngestor;
}

/** What `backend` can do: computed from the tiers that are there, never declared. In the order of the tiers. */
export function memoryCapabilities(backend: PeerMemory): ReadonlySet<MemoryCapability> {
  return new Set(MEMORY_CAPABILITIES.filter((capability) => backend[ACCESSOR[capability]] != null));
}

/**
 * The tier, or an error that says which backend lacks it and which setting chooses another.
 * @throws CapabilityMissingError when the tier, or the memory as a whole, is not there
 */
export function requireTier<C extends MemoryCapability>(memory: PeerMemory | undefined, capability: C): MemoryTiers[C] {
  const tier = memory?.[ACCESSOR[capability]];
  if (tier != null) return tier as unknown as MemoryTiers[C];
  throw new CapabilityMissingError(
    memory === undefined
      ? `There is no memory, so no ${capability}: the setting aimon.memory.backend is "none". Choose a backend with it.`
      : `The memory backend "${memory.backendId}" has no ${capability} tier. ` +
          'Choose a backend that has it with the setting aimon.memory.backend, or see the degradations for what would add it.',
  );
}
