import { setMaxListeners } from 'node:events';

import { requireIdentity, requireWholeNumber } from '../../domain/checks.js';
import { joinKey } from '../../domain/joined-key.js';
import type { MemoryLogger } from '../../domain/memory-logger.js';
import { normaliseMessage, type NormalisedMessage } from '../../domain/memory-message.js';
import { PeerView } from '../../domain/peer-view.js';
import { Principal } from '../../domain/principal.js';
import { Workspace } from '../../domain/workspace.js';
import type { MemoryIngestor } from '../../spi/ingest.js';
import { abortable, reasonOf } from '../../domain/abortable.js';
import { resolvedPeer, type MemoryPeerResolver } from '../context/memory-peer-resolver.js';
import { describeFailure, failureKind, failureReason, shutDown } from '../../domain/failure.js';
import { OnceLog } from '../../domain/once-log.js';
import { requireObject } from '../require-object.js';
import type { ExecutionMemorySink, ExecutionMemoryUpdate } from './execution-memory-sink.js';
import { ingestibleMessages } from './ingestible-messages.js';
import type { IngestOutcomes } from './ingest-outcomes.js';
import { FAILURE_REASONS, SKIP_REASONS } from './ingest-reasons.js';

/** What an {@link IngestingExecutionMemorySink} is made of; the assembly makes it. */
export interface IngestingExecutionMemorySinkOptions {
  /**
   * Records what becomes of the messages it is given, as the ingestor of an assembled memory does. What it takes and
   * records nothing about ends as `accepted`; what it refuses before it records anything, as `failed`.
   */
  readonly ingestor: MemoryIngestor;
  /** The resolver of the read side, so that what is said is remembered about whom it is read for. */
  readonly resolver: MemoryPeerResolver;
  /** Where the messages that are left out or cannot be handed on are recorded. */
  readonly outcomes: IngestOutcomes;
  /** Whether what a fork says is taken in, under the invoking session's id. Default false. */
  readonly ingestForks?: boolean;
  /**
   * How many messages may wait to be handed on; an update that does not fit is lost and counted as such. At least 1;
   * default: any number, since the backend's queue has a limit of its own.
   */
  readonly maxPending?: number;
  /** Where lost messages are warned of, once for each reason. Default: nowhere. */
  readonly logger?: MemoryLogger;
}

type Resolution =
  | { readonly kind: 'found'; readonly peer: PeerView }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** How many messages one request to the ingestor holds at most. */
const SLICE = 1_000;

/**
 * Hands what was said to an ingestor: one update of a session after the other, in their order and in slices of at most
 * 1000 messages, sessions side by side, and nobody waits. It records the messages that it leaves out or cannot hand on;
 * of the others the ingestor does.
 */
export class IngestingExecutionMemorySink implements ExecutionMemorySink {
  readonly #options: IngestingExecutionMemorySinkOptions;
  readonly #maxPending: number;
  readonly #log: OnceLog;
  // The last hand-over of each session that has any; the next one waits for it.
  readonly #tails = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #pending = 0;
  #failed = 0;
  #closed = false;

  /** @throws InvalidArgumentError naming the option */
  constructor(options: IngestingExecutionMemorySinkOptions) {
    requireObject('IngestingExecutionMemorySink options', options, 'an object of options');
    const { maxPending = Infinity } = options;
    if (maxPending !== Infinity) requireWholeNumber('IngestingExecutionMemorySink.maxPending', maxPending, 1);
    this.#options = options;
    this.#maxPending = maxPending;
    // Every session that hands over listens to it, however many there are.
    setMaxListeners(Infinity, this.#stopping.signal);
    this.#log = new OnceLog(options.logger);
  }

  /** How many messages could not be handed on. */
  get failed(): number {
    return this.#failed;
  }

  /** How many messages wait to be handed on. */
  get pending(): number {
    return this.#pending;
  }

  /**
   * Never throws, whatever it is given.
   * @returns a promise that never rejects and settles when the messages were handed on or recorded
   */
  afterExecution(update: ExecutionMemoryUpdate): Promise<void> {
    try {
      return this.#take(requireObject('ExecutionMemoryUpdate', update, 'an object'));
    } catch (error) {
      this.#log.warn('update', `What was said in a session was not taken into memory: ${describeFailure(error)}.`);
      return Promise.resolve();
    }
  }

  #take(update: ExecutionMemoryUpdate): Promise<void> {
    const sessionId = update.sessionId ?? (this.#options.ingestForks === true ? update.invokingSessionId : undefined);
    const given = sessionId ?? update.invokingSessionId;
    const named = typeof given === 'string' ? given : '';
    const messages = this.#checked(named, update.messages);
    if (messages.length === 0) return Promise.resolve();
    if (this.#closed) return this.#skip(named, messages, SKIP_REASONS.CLOSED);
    if (sessionId === undefined) return this.#skip(named, messages, SKIP_REASONS.FORK);
    if (!isIdentity(sessionId)) return this.#fail(named, messages, FAILURE_REASONS.INVALID_SESSION);
    if (this.#pending + messages.length > this.#maxPending) {
      return this.#fail(sessionId, messages, FAILURE_REASONS.QUEUE_FULL);
    }
    // Now, not when its turn has come: a resolver may look at who is calling.
    return this.#enqueue(sessionId, messages, update, this.#resolve(update, sessionId));
  }

  async flush(signal?: AbortSignal): Promise<void> {
    await abortable(Promise.all(this.#tails.values()), signal);
  }

  /**
   * Takes no more and settles when everything was handed on. When `signal` aborts it rejects with its reason, once what
   * still waited was recorded as failed. Harmless when called again.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closed = true;
    try {
      await this.flush(signal);
    } catch (error) {
      this.#stopping.abort(shutDown(signal === undefined ? error : reasonOf(signal)));
      // What waited is recorded within a turn of the event loop, and who closes may end the process right after.
      await this.flush();
      throw error;
    }
  }

  #enqueue(
    sessionId: string,
    messages: readonly NormalisedMessage[],
    update: ExecutionMemoryUpdate,
    resolution: Promise<Resolution>,
  ): Promise<void> {
    const key = joinKey([sessionId, whoseTail(update)]);
    const release = this.#options.outcomes.hold();
    this.#pending += messages.length;
    const tail = (this.#tails.get(key) ?? Promise.resolve())
      .then(() => this.#handOn(sessionId, messages, resolution))
      .catch((error: unknown) => this.#log.warn(failureKind(error), `A hand-over failed: ${describeFailure(error)}.`))
      .finally(() => {
        this.#pending -= messages.length;
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
        release();
      });
    this.#tails.set(key, tail);
    return tail;
  }

  async #handOn(
    sessionId: string,
    messages: readonly NormalisedMessage[],
    resolution: Promise<Resolution>,
  ): Promise<void> {
    const { signal } = this.#stopping;
    const resolved = await abortable(resolution, signal).catch(
      (error: unknown) => ({ kind: 'failed', error }) as const,
    );
    if (signal.aborted) return this.#fail(sessionId, messages, FAILURE_REASONS.SHUT_DOWN);
    if (resolved.kind === 'nobody') return this.#skip(sessionId, messages, SKIP_REASONS.NO_PEER);
    if (resolved.kind === 'failed') {
      return this.#fail(sessionId, messages, FAILURE_REASONS.NO_RESOLUTION, resolved.error);
    }
    const { messages: kept, skipped } = ingestibleMessages(messages);
    for (const { messageId, reason } of skipped) {
      this.#options.outcomes.record({ messageId, sessionId, outcome: 'skipped', reason, observationIds: [] });
    }
    for (let from = 0; from < kept.length; from += SLICE) {
      await this.#handSlice(sessionId, kept.slice(from, from + SLICE), resolved.peer);
    }
  }

  async #handSlice(sessionId: string, messages: readonly NormalisedMessage[], peer: PeerView): Promise<void> {
    const { ingestor, outcomes } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return this.#fail(sessionId, messages, FAILURE_REASONS.SHUT_DOWN);
    // Whatever stands before the one that records, such as a guard, may refuse the request.
    const announced = outcomes.announce({ sessionId, messageIds: messages.map(({ id }) => id) });
    try {
      const taking = ingestor.ingest({ subject: peer, observer: peer, sessionId, messages, signal });
      // The ingestor hears the signal too; one that does not must not hold up the shutdown.
      await abortable(Promise.resolve(taking), signal);
      announced.settleRest('accepted');
    } catch (error) {
      this.#failed += messages.length;
      this.#log.warn(
        failureKind(error),
        `What was said in a session could not be taken into memory: ${describeFailure(error)}.`,
      );
      // One that hears the signal gets the time to say itself what became of the messages.
      if (signal.aborted) await nextTurn();
      announced.settleRest('failed', signal.aborted ? FAILURE_REASONS.SHUT_DOWN : failureReason(error));
    }
  }

  async #resolve(update: ExecutionMemoryUpdate, sessionId: string): Promise<Resolution> {
    try {
      const { principal, workspace } = update;
      const peer =
        resolvedPeer('ExecutionMemoryUpdate.peer', update.peer) ??
        resolvedPeer(
          'The answer of the MemoryPeerResolver',
          await this.#options.resolver.resolve({ sessionId, principal, workspace }),
        );
      return peer === undefined ? { kind: 'nobody' } : { kind: 'found', peer };
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  // Messages come from the application as they are; one that is none must not take the others with it.
  #checked(sessionId: string, messages: ExecutionMemoryUpdate['messages']): readonly NormalisedMessage[] {
    if (!Array.isArray(messages)) {
      this.#log.warn('messages', 'ExecutionMemoryUpdate.messages is no array; nothing was taken into memory.');
      return [];
    }
    return (messages as ExecutionMemoryUpdate['messages']).flatMap((message, index) => {
      try {
        return [normaliseMessage(message, `ExecutionMemoryUpdate.messages[${index}]`)];
      } catch (error) {
        this.#record(sessionId, idOf(message), FAILURE_REASONS.INVALID_MESSAGE, error);
        return [];
      }
    });
  }

  async #skip(sessionId: string, messages: readonly NormalisedMessage[], reason: string): Promise<void> {
    for (const { id } of messages) {
      this.#options.outcomes.record({ messageId: id, sessionId, outcome: 'skipped', reason, observationIds: [] });
    }
  }

  async #fail(
    sessionId: string,
    messages: readonly NormalisedMessage[],
    reason: string,
    error?: unknown,
  ): Promise<void> {
    for (const { id } of messages) this.#record(sessionId, id, reason, error);
  }

  #record(sessionId: string, messageId: string, reason: string, error?: unknown): void {
    this.#failed += 1;
    const why = error === undefined ? '' : ` (${describeFailure(error)})`;
    this.#log.warn(reason, `What was said in a session was not taken into memory: ${reason}${why}.`);
    this.#options.outcomes.record({ messageId, sessionId, outcome: 'failed', reason, observationIds: [] });
  }
}

// The session's updates that must keep their order: those of one peer, as far as that can be told before it is resolved.
function whoseTail({ peer, principal, workspace }: ExecutionMemoryUpdate): string {
  if (peer instanceof PeerView) return peer.key();
  return joinKey([
    workspace instanceof Workspace ? workspace.id : '',
    ...(principal instanceof Principal ? [principal.type, principal.id] : []),
  ]);
}

// The id of something that is no message, if it has one.
function idOf(message: unknown): string {
  try {
    const { id } = message as { readonly id?: unknown };
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function isIdentity(sessionId: string): boolean {
  try {
    requireIdentity('ExecutionMemoryUpdate.sessionId', sessionId);
    return true;
  } catch {
    return false;
  }
}
