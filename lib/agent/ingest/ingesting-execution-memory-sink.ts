import { requireIdentity, requireWholeNumber } from '../../domain/checks.js';
import { joinKey } from '../../domain/joined-key.js';
import type { MemoryLogger } from '../../domain/memory-logger.js';
import { normaliseMessage, type NormalisedMessage } from '../../domain/memory-message.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { MemoryIngestor } from '../../spi/ingest.js';
import { abortable, reasonOf } from '../abortable.js';
import type { MemoryPeerResolver } from '../context/memory-peer-resolver.js';
import { describeFailure, failureKind } from '../failure.js';
import { OnceLog } from '../once-log.js';
import type { ExecutionMemorySink, ExecutionMemoryUpdate } from './execution-memory-sink.js';
import { ingestibleMessages } from './ingestible-messages.js';
import type { IngestOutcomes } from './ingest-outcomes.js';
import { FAILURE_REASONS, SKIP_REASONS } from './ingest-reasons.js';

export interface IngestingExecutionMemorySinkOptions {
  /** Records what becomes of the messages it is given: an `OutcomeRecordingIngestor` around the backend's. */
  readonly ingestor: MemoryIngestor;
  /** The resolver of the read side, so that what is said is remembered about whom it is read for. */
  readonly resolver: MemoryPeerResolver;
  readonly outcomes: IngestOutcomes;
  /** Whether what a fork says is taken in, under the invoking session's id. Default false. */
  readonly ingestForks?: boolean;
  /** How many messages may wait to be handed on; more are lost and counted as such. At least 1; default 100 000. */
  readonly maxPending?: number;
  readonly logger?: MemoryLogger;
}

type Resolution = PeerView | undefined | { readonly error: unknown };

/**
 * Hands what was said to an ingestor: one update of a session after the other, in their order, sessions side by side,
 * and nobody waits. It records the messages that it leaves out or cannot hand on; of the others the ingestor does.
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
    this.#options = options;
    this.#maxPending = requireWholeNumber('IngestingExecutionMemorySink.maxPending', options.maxPending ?? 100_000, 1);
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

  /** @returns a promise that never rejects and settles when the messages were handed on or recorded */
  afterExecution(update: ExecutionMemoryUpdate): Promise<void> {
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
   * Takes no more and settles when everything was handed on. When `signal` aborts it rejects with its reason, and what
   * still waits is recorded as failed. Harmless when called again.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closed = true;
    try {
      await this.flush(signal);
    } catch (error) {
      this.#stopping.abort(signal === undefined ? error : reasonOf(signal));
      throw error;
    }
  }

  #enqueue(
    sessionId: string,
    messages: readonly NormalisedMessage[],
    update: ExecutionMemoryUpdate,
    resolution: Promise<Resolution>,
  ): Promise<void> {
    const { principal, workspace, peer } = update;
    const who = peer?.key() ?? joinKey([workspace?.id, principal?.type, principal?.id].map(String));
    const key = joinKey([sessionId, who]);
    const release = this.#options.outcomes.hold();
    this.#pending += messages.length;
    const tail = (this.#tails.get(key) ?? Promise.resolve())
      .then(() => this.#handOn(sessionId, messages, resolution))
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
    const peer = await abortable(resolution, signal).catch(() => undefined);
    if (signal.aborted) return this.#fail(sessionId, messages, FAILURE_REASONS.SHUT_DOWN);
    if (peer === undefined) return this.#skip(sessionId, messages, SKIP_REASONS.NO_PEER);
    if ('error' in peer) {
      return this.#fail(sessionId, messages, FAILURE_REASONS.NO_RESOLUTION, peer.error);
    }
    const { messages: kept, skipped } = ingestibleMessages(messages);
    for (const { messageId, reason } of skipped) {
      this.#options.outcomes.record({ messageId, sessionId, outcome: 'skipped', reason, observationIds: [] });
    }
    if (kept.length === 0) return;
    try {
      const taking = this.#options.ingestor.ingest({
        subject: peer,
        observer: peer,
        sessionId,
        messages: kept,
        signal,
      });
      // The ingestor hears the signal too; one that does not must not hold up the shutdown.
      await abortable(taking, signal);
    } catch (error) {
      this.#failed += kept.length;
      this.#log.warn(
        failureKind(error),
        `What was said in a session could not be taken into memory: ${describeFailure(error)}.`,
      );
    }
  }

  async #resolve(update: ExecutionMemoryUpdate, sessionId: string): Promise<Resolution> {
    const { peer, principal, workspace } = update;
    try {
      return peer ?? (await this.#options.resolver.resolve({ sessionId, principal, workspace }));
    } catch (error) {
      return { error };
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
        const id: unknown = message?.id;
        const messageId = typeof id === 'string' ? id : '';
        this.#record(sessionId, messageId, FAILURE_REASONS.INVALID_MESSAGE, error);
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

function isIdentity(sessionId: string): boolean {
  try {
    requireIdentity('ExecutionMemoryUpdate.sessionId', sessionId);
    return true;
  } catch {
    return false;
  }
}
