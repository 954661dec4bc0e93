/** Where the library writes what an operator should know. Nest's `Logger` is one; `console` is one. */
export interface MemoryLogger {
  log(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Writes nowhere. */
export const SILENT_LOGGER: MemoryLogger = Object.freeze({
  log: () => undefined,
  warn: () => undefined,
  error: () => undefined,
});
