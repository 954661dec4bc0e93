/**
 * When a session's conversation is taken in: never, after each execution what it added, or all of it once when the
 * session closes.
 */
export const INGEST_MODES = ['off', 'execution-end', 'session-end'] as const;
export type IngestMode = (typeof INGEST_MODES)[number];
