import { LlmError, LlmUnavailableError, RedactionError, RemoteMemoryError } from './errors.js';
import { failureKind } from './failure.js';

/** What an error says of a service that is away. */
export interface Outage {
  /** Why, in a word or two that do not vary with the call. */
  readonly reason: string;
  /** How long the service asks to be left alone, in milliseconds; `undefined` when it does not say. */
  readonly retryAfterMs: number | undefined;
}

// What Node and its HTTP client say when there is no connection, or no more of one.
const CONNECTION_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_SOCKET'],
]);
// SQLSTATE: connection exceptions, a server that shuts down or starts, too many connections.
const DATABASE_CODES = /^(?:08[0-9A-Z]{3}|57P0[1-4]|53300)$/;

const DEEPEST_CAUSE = 8;

/**
 * Whether an error says that a service is away, and not that something is wrong with what it was asked: no connection, a
 * time that ran out, 429, 5xx. A driver's error is looked for among the causes. `undefined` when it does not say so.
 */
export function outageIn(error: unknown): Outage | undefined {
  try {
    let one: unknown = error;
    for (let depth = 0; depth < DEEPEST_CAUSE && typeof one === 'object' && one !== null; depth++) {
      if (one instanceof LlmUnavailableError) return { reason: one.outage, retryAfterMs: one.retryAfterMs };
      // An answer that came, and a policy that failed, were not away, whatever caused them.
      if (one instanceof LlmError || one instanceof RedactionError) return undefined;
      if (one instanceof RemoteMemoryError)
        return one.retryable ? { reason: 'unreachable', retryAfterMs: undefined } : undefined;
      const { code, name, cause } = one as { code?: unknown; name?: unknown; cause?: unknown };
      const away =
        name === 'TimeoutError' ||
        (typeof code === 'string' && (CONNECTION_CODES.has(code) || DATABASE_CODES.test(code)));
      if (away) return { reason: failureKind(one), retryAfterMs: undefined };
      one = cause;
    }
  } catch {
    // Something that throws when it is looked at says nothing.
  }
  return undefined;
}
