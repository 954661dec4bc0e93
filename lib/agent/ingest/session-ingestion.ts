import type { NormalisedMessage } from '../../domain/memory-message.js';
import type { IngestMode } from './ingest-mode.js';
import type { IngestOutcomes } from './ingest-outcomes.js';
import { SKIP_REASONS } from './ingest-reasons.js';
import type { TranscriptBuffer } from './transcript-buffer.js';

export interface SessionIngestionOptions {
  readonly mode: IngestMode;
  readonly transcript: TranscriptBuffer;
  /** The session's id, as outcomes name it. */
  readonly sessionId: string;
  readonly outcomes: IngestOutcomes;
  /** Takes the messages over and sees to their outcomes; absent: there is nobody to take them. */
  readonly handOver?: (messages: readonly NormalisedMessage[]) => void;
}

/**
 * Decides which messages of a transcript are taken in, and when. Every message that ever stood in the transcript is
 * either handed over once or recorded as skipped once, whatever compactions did to it.
 */
export class SessionIngestion {
  readonly #options: SessionIngestionOptions;
  // Messages that were neither handed over nor recorded, in the order in which they came in.
  readonly #open = new Set<string>();

  constructor(options: SessionIngestionOptions) {
    this.#options = options;
    options.transcript.markIngestPoint();
  }

  /** How many messages came in and were neither handed over nor recorded. */
  get held(): number {
    return this.#open.size + this.#options.transcript.entered;
  }

  /** To be called when an execution has ended, however it ended: what was said was said. */
  afterExecution(): void {
    this.#settle(this.#options.mode === 'session-end' ? 'rewritten' : 'added');
  }

  /** To be called when the session closes. The transcript takes nothing after it. */
  finish(): void {
    this.#options.transcript.end();
    this.#settle(this.#options.mode === 'session-end' ? 'whole' : 'added');
  }

  /** Empties the transcript and records what was not handed over as left out, since its peer was erased. */
  discard(): void {
    const { transcript } = this.#options;
    // What has ended has been handed over or recorded.
    if (transcript.ended) return;
    for (const id of transcript.takeEntered()) this.#open.add(id);
    transcript.clear();
    transcript.markIngestPoint();
    this.#skipOpen(() => SKIP_REASONS.ERASED);
  }

  #settle(what: 'added' | 'rewritten' | 'whole'): void {
    const { mode, transcript, handOver } = this.#options;
    for (const id of transcript.takeEntered()) this.#open.add(id);
    if (mode === 'off') return this.#skipOpen(() => SKIP_REASONS.OFF);
    if (handOver === undefined) return this.#skipOpen(() => SKIP_REASONS.NO_INGEST_TIER);
    // A rewritten execution has lost its mark, and sends nothing: what of its history is new can no longer be told.
    const added = transcript.messagesSinceIngestMark();
    const due = what === 'added' ? (added ?? []) : transcript.messages;
    // Set here and not when the next execution begins: what is appended in between, late, is then in its delta.
    transcript.markIngestPoint();
    if (added === undefined) {
      const standing = new Set(due.map(({ id }) => id));
      this.#skipOpen((id) => (standing.has(id) ? undefined : this.#reasonOfAbsence(id)));
    }
    if (what === 'rewritten') return;
    this.#skipOpen((id) => (transcript.isSummary(id) ? SKIP_REASONS.COMPACTION_SUMMARY : undefined));
    const messages = due.filter(({ id }) => this.#open.delete(id));
    if (messages.length > 0) handOver(messages);
  }

  #reasonOfAbsence(id: string): string {
    return this.#options.transcript.isSummary(id) ? SKIP_REASONS.COMPACTION_SUMMARY : SKIP_REASONS.REWRITTEN;
  }

  #skipOpen(reasonFor: (id: string) => string | undefined): void {
    const { sessionId, outcomes } = this.#options;
    for (const messageId of [...this.#open]) {
      const reason = reasonFor(messageId);
      if (reason === undefined) continue;
      this.#open.delete(messageId);
      outcomes.record({ messageId, sessionId, outcome: 'skipped', reason, observationIds: [] });
    }
  }
}
