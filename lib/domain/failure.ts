import { AimonError } from './errors.js';

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/;
const NAME = /^\w{1,64}$/;

/** A short, stable name of what went wrong: an error's code, else its class. Does not vary with the call. */
export function failureKind(error: unknown): string {
  const { code, name } = partsOf(error);
  if (code !== undefined && CODE.test(code)) return code;
  return name !== undefined && NAME.test(name) ? name : 'a thrown value that is no error';
}

/**
 * What went wrong, for an operator's log. Of an error that is not ours the message is left out, since drivers and
 * services put connection strings and content into theirs; where it was thrown is said instead. Without a full stop at its
 * end, since it stands inside of a sentence.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof AimonError) return `${error.code}: ${error.message.replace(/\.$/, '')}`;
  const frame = /^\s*at (.{1,200})$/m.exec(partsOf(error).stack ?? '')?.[1];
  return frame === undefined ? failureKind(error) : `${failureKind(error)} at ${frame}`;
}

const SHUT_DOWN = 'SHUT_DOWN';

/** The reason of a message that still waited to be handed over when the memory had to close. */
export const SHUT_DOWN_REASON = 'shut down before hand-over';

/** What work is aborted with when the time of a shutdown is up. Says the same as `why`, and blames nobody for it. */
export function shutDown(why: unknown): AimonError {
  return new AimonError(SHUT_DOWN, why instanceof Error ? why.message : 'The memory shuts down.', { cause: why });
}

/** {@link failureKind} in the words of an outcome's reason: `STORE_FAILED` reads `store failed`. */
export function failureReason(error: unknown): string {
  if (error instanceof AimonError && error.code === SHUT_DOWN) return SHUT_DOWN_REASON;
  if (error instanceof AimonError) return error.code.toLowerCase().replaceAll('_', ' ');
  const { name } = partsOf(error);
  if (name === 'AbortError') return 'cancelled';
  return name === 'TimeoutError' ? 'timed out' : 'backend failed';
}

// By its parts and not by its class: an error may come from another realm. Anything can be thrown, also something that
// throws when it is looked at, and what reports a failure must not fail itself.
function partsOf(error: unknown): { readonly code?: string; readonly name?: string; readonly stack?: string } {
  try {
    if (typeof error !== 'object' || error === null) return {};
    const { code, name, stack } = error as Record<string, unknown>;
    return { code: textOr(code), name: textOr(name), stack: textOr(stack) };
  } catch {
    return {};
  }
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
