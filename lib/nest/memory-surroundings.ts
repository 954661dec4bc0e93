import type { Clock } from '../domain/clock.js';
import type { MemoryLogger } from '../domain/memory-logger.js';
import type { PeerMemory } from '../spi/peer-memory.js';

/** What a memory under test has around it in the place of the system's time and the application's log and configuration. */
export interface MemorySurroundings {
  readonly clock: Clock;
  readonly logger: MemoryLogger;
  readonly around: (backend: PeerMemory) => PeerMemory;
}

/** The token of {@link MemorySurroundings}; nobody outside of this library can provide it. */
export const MEMORY_SURROUNDINGS = Symbol('MEMORY_SURROUNDINGS');
