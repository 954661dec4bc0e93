import type { IngestOutcome } from '../domain/ingest-outcome.js';
import type { NormalisedMessage } from '../domain/memory-message.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Workspace } from '../domain/workspace.js';

/** A piece of conversation from which observations are to be derived. */
export interface DerivationTask {
  /** Whom the messages tell about. */
  readonly subject: PeerView;
  /** Who heard them. */
  readonly observer: PeerView;
  /** Where they were said. */
  readonly sessionId: string;
  /** What was said, in its order; masked when the queue takes it. */
  readonly messages: readonly NormalisedMessage[];
}

/** What is worked on by one worker at a time, in order: a session, as one observer sees it. */
export interface DerivationWorkUnit {
  /** Who heard what is said. */
  readonly observer: PeerView;
  /** Where it is said. */
  readonly sessionId: string;
}

/** How much a queue has to do; counts at this moment. */
export interface DerivationQueueStats {
  /** Messages that wait for their turn. */
  readonly pending: number;
  /** Messages that are being worked on. */
  readonly inFlight: number;
  /** Batches given up after the last attempt that can still be tried again; see {@link DerivationQueue.retryDeadLettered}. */
  readonly deadLettered: number;
  /** Why nothing is worked on now; absent while the queue works. */
  readonly outage?: DerivationOutage;
}

/** A service that a deriver needs, such as a language model or a database, is away; what waits goes on waiting. */
export interface DerivationOutage {
  /** Why, in a word or two that do not vary with the call, such as `rate-limited` or `ECONNREFUSED`. */
  readonly reason: string;
  /** Since when. */
  readonly since: Date;
}

/** What a queue could not finish before it stopped. */
export interface DerivationStopReport {
  /** How many messages were not derived; 0 when all were. */
  readonly unfinishedMessages: number;
}

/** Turns conversations into observations, in the background. */
export interface DerivationQueue {
  /**
   * Masks the task and takes it. How many messages were taken: fewer than given when the queue is full, and each that
   * was not has the outcome `failed`.
   * @throws RedactionError when masking fails; nothing was taken
   * @throws StoreError when the queue was stopped; nothing was taken
   */
  enqueue(task: DerivationTask): Promise<number>;

  /** Starts the workers; before that tasks only wait. Harmless when called again. */
  start(): void;

  /**
   * Takes no more, and lets what is queued finish within `drainMs` milliseconds; 0: nothing more is begun. What is not done
   * by then is in the report. Harmless when called again.
   */
  stop(options: { readonly drainMs: number }): Promise<DerivationStopReport>;

  /** How much there is to do now. */
  stats(): DerivationQueueStats;

  /** Settles when the unit, or without one the whole queue, has nothing left to do. Rejects when `signal` aborts. */
  whenIdle(unit?: DerivationWorkUnit, signal?: AbortSignal): Promise<void>;

  /** Calls `listener` once for each message, when its outcome is known. The answer unsubscribes. */
  onOutcome(listener: (outcome: IngestOutcome) => void): () => void;

  /**
   * Calls `listener` with the outage when one begins, and with nothing when it has passed. The answer unsubscribes. While one
   * is on, one batch at a time tries the service; no attempt of any batch is used up by it.
   */
  onOutage(listener: (outage: DerivationOutage | undefined) => void): () => void;

  /**
   * Puts what was given up after the last attempt back, each task at the tail of its unit, with all its attempts before it.
   * How many messages were put back; their outcome is told once more.
   * @throws StoreError when the queue was stopped
   */
  retryDeadLettered(): Promise<number>;

  /**
   * Drops what waits for or about the peer, or in the workspace, what was given up of it too, and settles when nothing of it
   * is being worked on.
   */
  erase(what: PeerView | Workspace): Promise<void>;
}
