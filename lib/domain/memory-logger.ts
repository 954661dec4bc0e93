/** Where the library writes what an operator should know. Nest's `Logger` is one; `console` is one. */
export interface MemoryLogger {
  /** What happened as it should. */
  log(message: string): void;
  /** What somebody may want to change. */
  warn(message: string): void;
  /** What somebody has to look after. */
  error(message: string): void;
}

/** Writes nowhere. */
export const SILENT_LOGGER: MemoryLogger = Object.freeze({
  log: () => undefined,
  warn: () => undefined,
  error: () => undefined,
});
