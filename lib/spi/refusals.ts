import { InvalidArgumentError, StoreError, type AimonError } from '../domain/errors.js';
import type { MemorySearcher, NormalisedSearchQuery } from './search.js';

/** The error of a call that comes after the memory was closed. */
export function closedMemory(backendId: string): AimonError {
  return new StoreError(`The memory "${backendId}" has been closed; it answers no more calls.`);
}

/** @throws InvalidArgumentError when the query asks for what the searcher's signals say that it cannot do */
export function requireAnswerable(
  query: NormalisedSearchQuery,
  { ranksByScore, narrowsBySession }: Pick<MemorySearcher, 'ranksByScore' | 'narrowsBySession'>,
  backendId: string,
): void {
  if (query.minScore > 0 && !ranksByScore) {
    throw new InvalidArgumentError(
      `MemorySearchQuery.minScore is ${query.minScore}, but the memory "${backendId}" does not rank by score (ranksByScore is false); leave minScore out.`,
    );
  }
  if (query.sessionId !== undefined && !narrowsBySession) {
    throw new InvalidArgumentError(
      `MemorySearchQuery.sessionId is given, but the memory "${backendId}" cannot narrow a search to a session (narrowsBySession is false); leave sessionId out.`,
    );
  }
}
