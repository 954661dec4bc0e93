import type { IngestCounts } from '../agent/ingest/ingest-outcomes.js';
import type { DerivationQueueStats } from '../ports/derivation-queue.js';
import type { MemoryCapability } from '../spi/peer-memory.js';
import type { Degradation } from './degradations.js';

/**
 * `up`: it does what was configured. `degraded`: it answers, and something that was asked for is not had. `down`: it does
 * not answer.
 */
export type MemoryHealthStatus = 'up' | 'degraded' | 'down';

/** What stands behind a status. Plain JSON, without secrets and without anything that was said. */
export interface MemoryHealthDetail {
  /** The backend's id; `none` where there is no memory, and then nothing else is here. */
  readonly backend: string;
  /** Why it is not up, in words of the library's own, where the degradations alone do not say it. */
  readonly reason?: string;
  /** With a failed ping, the code of its error or the error's class, such as `ECONNREFUSED`; never its message. */
  readonly error?: string;
  /** In the order of the tiers. */
  readonly capabilities?: readonly MemoryCapability[];
  /** Choices and faults, by key. */
  readonly degradations?: readonly Pick<Degradation, 'key' | 'consequence' | 'remedy'>[];
  /** What waits to be derived, where the memory derives by itself. */
  readonly queue?: DerivationQueueStats;
  /** How many messages ended how since the start, where the memory has INGEST. */
  readonly ingest?: IngestCounts;
}

/** How a memory is: its status, and what that rests on. */
export interface MemoryHealthReport {
  /** `up`, `degraded` or `down`. */
  readonly status: MemoryHealthStatus;
  /** What the status rests on; holds no text of an error, no address and no secret. */
  readonly detail: MemoryHealthDetail;
}
