import type { Clock } from '../../domain/clock.js';
import type { MemoryLogger } from '../../domain/memory-logger.js';
import type { Deriver } from '../../ports/deriver.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import type { RedactionPolicy } from '../../redaction/redaction-policy.js';

/** What an in-memory derivation queue is made of. */
export interface InMemoryDerivationQueueOptions {
  /** Draws observations from the messages of each batch, and records them. */
  readonly deriver: Deriver;
  /** Masks every message before it is queued; `undefined` only where masking was switched off. */
  readonly redactionPolicy: RedactionPolicy | undefined;
  /** How many units are worked on at once; at least 1, default 4. */
  readonly workerCount?: number;
  /** The most tokens of one batch; at least 1, default 8000. A longer message is split at sentences. */
  readonly batchMaxTokens?: number;
  /** How often a batch is tried before its messages are given up; at least 1, default 5. */
  readonly maxAttempts?: number;
  /** How many messages may wait; at least 1, default 100 000. */
  readonly maxPending?: number;
  /**
   * How long a batch that failed waits before its second attempt, in milliseconds, then twice as long each time, up to a minute;
   * as long waits the first try of a service that is away. At least 0, default 500.
   */
  readonly retryDelayMs?: number;
  /** What the retry delay is waited for by; stopping has its own deadline, in real time. Default: the system's. */
  readonly clock?: Clock;
  /** What batches and messages are measured by; default {@link EstimatingTokenCounter}. */
  readonly tokenCounter?: TokenCounter;
  /** Where failures to derive are warned of, once for each kind. Default: nowhere. */
  readonly logger?: MemoryLogger;
}
