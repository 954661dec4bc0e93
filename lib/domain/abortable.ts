/**
 * `work`, or a rejection with the signal's reason as soon as `signal` aborts. The work goes on unless it listens to the
 * signal itself; what it answers later, a failure too, is dropped.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(reasonOf(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Why `signal` was aborted: the reason that was given, which an AbortController makes an error where none was. */
export function reasonOf(signal: AbortSignal): Error {
  return signal.reason as Error;
}
