import { StoreError } from '../../domain/errors.js';
import type { IngestOutcome } from '../../domain/ingest-outcome.js';

/** Why a message was lost on its way; constants, so that they can be counted and alerted on. */
export const DERIVATION_FAILURES = Object.freeze({
  /** As many messages waited already as the queue holds. */
  QUEUE_FULL: 'queue full',
  /** The queue was stopped before its turn came, or while it was worked on. */
  STOPPED: 'stopped before it was derived',
  /** Its batch failed at the last attempt. A message that failed by itself has the reason that the deriver gave. */
  DEAD_LETTERED: 'derivation failed',
  /** Its peer or workspace was erased while it waited; the message is `skipped`, not `failed`. */
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
