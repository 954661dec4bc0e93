import { StoreError } from '../../domain/errors.js';
import type { IngestOutcome } from '../../domain/ingest-outcome.js';

/** Why a message was lost on its way; constants, so that they can be counted and alerted on. */
export const DERIVATION_FAILURES = Object.freeze({
  QUEUE_FULL: 'queue full',
  STOPPED: 'stopped before it was derived',
  DEAD_LETTERED: 'derivation failed',
  ERASED: 'erased',
});

/** The outcome of a message that a full queue did not take. */
export const refusedByFullQueue = (messageId: string, sessionId: string): IngestOutcome => ({
  messageId,
  sessionId,
  outcome: 'failed',
  reason: DERIVATION_FAILURES.QUEUE_FULL,
  observationIds: Object.freeze([]),
});

// With a code of its own, so that the outcome of a message that came too late says so and blames no store.
export const queueStopped = (): StoreError =>
  new StoreError(
    'The derivation queue has been stopped; it takes no more messages. Nothing was taken.',
    undefined,
    'QUEUE_STOPPED',
  );
