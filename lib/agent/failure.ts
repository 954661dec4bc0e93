import { AimonError } from '../domain/errors.js';

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;

/** A short, stable name of what went wrong: an error's code, else its class. Does not vary with the call. */
export function failureKind(error: unknown): string {
  if (!(error instanceof Error)) return 'a thrown value that is no error';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && CODE.test(code)) return code;
  return /^\w{1,64}$/.test(error.name) ? error.name : 'Error';
}

/**
 * What went wrong, for an operator's log. Of an error that is not ours the message is left out, since drivers and
 * services put connection strings and content into theirs; where it was thrown is said instead.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof AimonError) return `${error.code}: ${error.message}`;
  const frame = error instanceof Error ? /^\s*at (.{1,200})$/m.exec(error.stack ?? '')?.[1] : undefined;
  return frame === undefined ? failureKind(error) : `${failureKind(error)} at ${frame}`;
}

/** {@link failureKind} in the words of an outcome's reason: `STORE_FAILED` reads `store failed`. */
export function failureReason(error: unknown): string {
  if (error instanceof AimonError) return error.code.toLowerCase().replaceAll('_', ' ');
  if (error instanceof Error && error.name === 'AbortError') return 'cancelled';
  if (error instanceof Error && error.name === 'TimeoutError') return 'timed out';
  return 'backend failed';
}
