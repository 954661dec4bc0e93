import { SILENT_LOGGER, type MemoryLogger } from '../domain/memory-logger.js';
import type { MemoryCapability } from '../spi/peer-memory.js';

/** The keys of the degradations that this library raises. */
export const DegradationKey = Object.freeze({
  SNAPSHOT: 'memory-snapshot',
  SEARCH: 'memory-search',
  CHAT: 'memory-chat',
  OBSERVE: 'memory-observe',
  INGEST: 'memory-ingest',
  TOOLS: 'memory-tools',
  REDACTION: 'memory-redaction',
  AUDIT_WINDOW: 'memory-audit-window',
  QUEUE_FULL: 'memory-queue-full',
  DEAD_LETTERS: 'memory-dead-letters',
  DERIVATION_PAUSED: 'memory-derivation-paused',
  CONTEXT: 'memory-context',
  MAINTENANCE: 'memory-maintenance',
});

/** Something that the memory does not do, with what that means and what would change it. */
export interface Degradation {
  /** One of {@link DegradationKey}, or an application's own. */
  readonly key: string;
  /** `choice`: it follows from what was configured or supplied. `fault`: something configured does not work. */
  readonly kind: 'choice' | 'fault';
  /** The capability that is missing, where it is one. */
  readonly capability?: MemoryCapability;
  /** The memory that it is about. */
  readonly backendId: string;
  /** What the application will and will not see. */
  readonly consequence: string;
  /** The setting or provider that would lift it. */
  readonly remedy: string;
}

/** What the memory does not do now. Choices are there from the start; faults come and go. Each is logged once when raised. */
export class Degradations {
  readonly #raised = new Map<string, Degradation>();
  readonly #logger: MemoryLogger;

  constructor(logger: MemoryLogger = SILENT_LOGGER) {
    this.#logger = logger;
  }

  /** Whether the degradation of that key is there now. */
  has(key: string): boolean {
    return this.#raised.has(key);
  }

  /** All that are raised, by key. */
  all(): readonly Degradation[] {
    return [...this.#raised.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Raises it and logs it, unless one of its key is raised already: then the newer text takes its place unlogged. */
  raise(degradation: Degradation): void {
    const known = this.#raised.has(degradation.key);
    this.#raised.set(degradation.key, Object.freeze({ ...degradation }));
    if (known) return;
    const line = `${degradation.key}: ${degradation.consequence} ${degradation.remedy}`;
    if (degradation.key === DegradationKey.REDACTION) this.#logger.error(line);
    else this.#logger.warn(line);
  }

  /** Takes a fault back that has passed. */
  lift(key: string): void {
    if (this.#raised.delete(key)) this.#logger.log(`${key}: this has passed.`);
  }
}
