import { SILENT_LOGGER, type MemoryLogger } from '../domain/memory-logger.js';
import type { MemoryCapability } from '../spi/peer-memory.js';

/** The keys of the degradations that this library raises. */
export const DegradationKey = Object.freeze({
  /** A choice: without SNAPSHOT prompts do not start with what is known, and there is no `MemoryRecall`. */
  SNAPSHOT: 'memory-snapshot',
  /** A choice: without SEARCH nothing can be looked up, and there is no `MemorySearch`. */
  SEARCH: 'memory-search',
  /** A choice: without CHAT no question is answered in words, and there is no `MemoryChat`. */
  CHAT: 'memory-chat',
  /** A choice: without OBSERVE no single fact can be recorded, and there is no `Observe`. */
  OBSERVE: 'memory-observe',
  /**
   * A choice: conversations are not taken in, without INGEST or with `ingest` off; in caller mode those that name
   * nobody.
   */
  INGEST: 'memory-ingest',
  /** A choice: in caller mode there are no tools for the whole application, only those of a session. */
  TOOLS: 'memory-tools',
  /** A fault, logged as an error: the memory is written to and nothing is masked. */
  REDACTION: 'memory-redaction',
  /** A choice: the observation store deletes at once what is retired, so that there is nothing to audit. */
  AUDIT_WINDOW: 'memory-audit-window',
  /** A fault: the derivation queue takes no more messages. It passes when nothing waits any more. */
  QUEUE_FULL: 'memory-queue-full',
  /** A fault: messages were given up after the last attempt to derive from them. It passes once they were tried again. */
  DEAD_LETTERS: 'memory-dead-letters',
  /** A fault: what deriving needs, a model or a store, is away. It passes when that answers again; nothing is lost. */
  DERIVATION_PAUSED: 'memory-derivation-paused',
  /** A fault: a prompt went without memory, which was slow or failed. It passes when the memory answers in time. */
  CONTEXT: 'memory-context',
  /** A fault: a maintenance cycle failed. It passes with one that goes well. */
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

  /** @param logger where a degradation is logged when it is raised and when it has passed; default: nowhere */
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

  /** Takes a fault back that has passed, and logs that. Nothing happens when none of its key is raised. */
  lift(key: string): void {
    if (this.#raised.delete(key)) this.#logger.log(`${key}: this has passed.`);
  }
}
