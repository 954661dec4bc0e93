import { AimonError, StoreError } from '../../domain/errors.js';

/**
 * Runs `call`; what a store or its driver throws arrives as a `StoreError` with that as its cause. Our own errors and an
 * abort of the caller's pass as they are.
 */
export async function wrappedStoreErrors<T>(
  what: string,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof AimonError || signal?.aborted === true) throw cause;
    throw new StoreError(`${what} failed: a store of this memory could not do it. The cause has its own words.`, {
      cause,
    });
  }
}
