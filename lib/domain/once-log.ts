import { SILENT_LOGGER, type MemoryLogger } from './memory-logger.js';

// Kinds are few by design; a kind that varies with the call must not fill the memory all the same.
const MOST_KINDS = 200;

/** Writes a warning the first time that its kind comes up, and is silent about it from then on. */
export class OnceLog {
  readonly #logger: MemoryLogger;
  readonly #seen = new Set<string>();

  constructor(logger: MemoryLogger = SILENT_LOGGER) {
    this.#logger = logger;
  }

  /** A logger that throws harms nobody. */
  warn(kind: string, message: string): void {
    if (this.#seen.has(kind) || this.#seen.size >= MOST_KINDS) return;
    this.#seen.add(kind);
    try {
      this.#logger.warn(`${message} Further cases of this kind are counted, not logged.`);
    } catch {
      // There is nowhere left to say it.
    }
  }
}
