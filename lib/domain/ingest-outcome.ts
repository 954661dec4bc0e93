import type { ObservationId } from './observation-id.js';

/**
 * What became of a message:
 * - `stored`: observations rest on it;
 * - `nothing-found`: it was read and holds nothing to remember;
 * - `accepted`: a backend took it that derives elsewhere and does not report;
 * - `failed`: it was lost, for `reason`;
 * - `skipped`: it was left out on purpose, for `reason`.
 */
export const INGEST_OUTCOMES = ['stored', 'nothing-found', 'accepted', 'failed', 'skipped'] as const;
/** One of {@link INGEST_OUTCOMES}, which say what each means. */
export type IngestOutcomeKind = (typeof INGEST_OUTCOMES)[number];

/** What became of one message that was said; each has exactly one. */
export interface IngestOutcome {
  /** The id of the message, as it was given or assigned. */
  readonly messageId: string;
  /** The session that it was said in. */
  readonly sessionId: string;
  /** What became of it. */
  readonly outcome: IngestOutcomeKind;
  /** Why, in a few words that do not vary with the message; always there for `failed` and `skipped`. */
  readonly reason?: string;
  /** The observations that rest on the message; empty unless `stored`. */
  readonly observationIds: readonly ObservationId[];
}
