/**
 * When a session's conversation is taken in: never, after each execution what it added, or all of it once when the
 * session closes.
 */
export const INGEST_MODES = ['off', 'execution-end', 'session-end'] as const;
/** When a session hands over what was said; one of {@link INGEST_MODES}. */
export type IngestMode = (typeof INGEST_MODES)[number];
