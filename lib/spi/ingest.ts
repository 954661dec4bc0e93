import { requireIdentity, shown } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';
import { normaliseMessage, type MemoryMessage, type NormalisedMessage } from '../domain/memory-message.js';
import type { PeerView } from '../domain/peer-view.js';
import { requirePeers, requireRequest } from './request-checks.js';

/** INGEST: takes in a conversation, from which the backend derives observations. */
export interface MemoryIngestor {
  /**
   * Takes all messages or, failing, says so; more than a backend takes at once is split by it, in order.
   *
   * @throws InvalidArgumentError for a field or a message that is not what it takes; nothing was taken
   * @throws RedactionError when a message could not be masked; nothing was taken
   * @throws StoreError when the backend fails, or was closed
   */
  ingest(request: MemoryIngestRequest): Promise<MemoryIngestReceipt>;
}

/** A piece of conversation to remember. The workspace is the observer's. */
export interface MemoryIngestRequest {
  /** Whom the conversation tells about; default: the observer. */
  readonly subject?: PeerView;
  /** Who listens, and remembers; its workspace is that of the request. */
  readonly observer: PeerView;
  /** The conversation that the messages belong to; 1 to 256 characters. */
  readonly sessionId: string;
  /** At least one, in the order in which they were said. */
  readonly messages: readonly MemoryMessage[];
  /** Wait until observations were derived; default false. Whether it was honoured is {@link MemoryIngestReceipt.derived}. */
  readonly waitForDerivation?: boolean;
  /** The same request sent again with the same key is taken once. 1 to 256 characters. */
  readonly idempotencyKey?: string;
  /** Aborts the call before anything was taken; what was taken is kept. */
  readonly signal?: AbortSignal;
}

/** What was taken in; what became of each message is told later, by its {@link IngestOutcome}. */
export interface MemoryIngestReceipt {
  /**
   * How many messages were taken in; fewer than were given where the rest had no room, or were taken before under the
   * same key.
   */
  readonly accepted: number;
  /** Whether observations were derived before this answer; true only where that was asked for and honoured. */
  readonly derived: boolean;
}

/** A request with every default filled in and an id on each message: what a backend receives. */
export type NormalisedIngestRequest = Readonly<
  Required<Pick<MemoryIngestRequest, 'subject' | 'observer' | 'sessionId' | 'waitForDerivation'>>
> &
  Pick<MemoryIngestRequest, 'idempotencyKey' | 'signal'> & {
    /** At least one, in the order in which they were said, each checked and with an id. */
    readonly messages: readonly NormalisedMessage[];
  };

/** Validates a request, fills in its defaults and assigns missing message ids; never changes its input. @throws InvalidArgumentError */
export function normaliseIngestRequest(input: MemoryIngestRequest): NormalisedIngestRequest {
  requireRequest('MemoryIngestRequest', input);
  const {
    observer,
    subject = observer,
    sessionId,
    messages,
    waitForDerivation = false,
    idempotencyKey,
    signal,
  } = input;
  requirePeers('MemoryIngestRequest', { subject, observer });
  requireIdentity('MemoryIngestRequest.sessionId', sessionId);
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new InvalidArgumentError(
      `MemoryIngestRequest.messages is ${Array.isArray(messages) ? 'empty' : shown(messages)}; it takes at least one message.`,
    );
  }
  if (typeof waitForDerivation !== 'boolean') {
    throw new InvalidArgumentError(
      `MemoryIngestRequest.waitForDerivation is ${shown(waitForDerivation)}; it takes true or false.`,
    );
  }
  if (idempotencyKey !== undefined) requireIdentity('MemoryIngestRequest.idempotencyKey', idempotencyKey);
  const checked = (messages as readonly MemoryMessage[]).map((message, index) =>
    normaliseMessage(message, `MemoryIngestRequest.messages[${index}]`),
  );
  return Object.freeze({
    subject,
    observer,
    sessionId,
    messages: Object.freeze(checked),
    waitForDerivation,
    idempotencyKey,
    signal,
  });
}
