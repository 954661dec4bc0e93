/** Why a message was lost on its way; constants, so that they can be counted and alerted on. */
export const DERIVATION_FAILURES = Object.freeze({
  QUEUE_FULL: 'queue full',
  STOPPED: 'stopped before it was derived',
  DEAD_LETTERED: 'derivation failed',
  ERASED: 'erased',
});
