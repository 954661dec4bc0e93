import { INGEST_OUTCOMES, type IngestOutcome, type IngestOutcomeKind } from '../../domain/ingest-outcome.js';
import { joinKey } from '../../domain/joined-key.js';
import type { MemoryLogger } from '../../domain/memory-logger.js';
import { abortable } from '../../domain/abortable.js';
import { OnceLog } from '../../domain/once-log.js';
import { requireObject } from '../require-object.js';

/** How many messages ended how, since the start. */
export interface IngestCounts {
  /** Messages on which observations rest. */
  readonly stored: number;
  /** Messages that held nothing to remember. */
  readonly nothingFound: number;
  /** Messages that a backend took which does not report. */
  readonly accepted: number;
  /** Messages that were lost. */
  readonly failed: number;
  /** Messages that were left out on purpose. */
  readonly skipped: number;
}

/** Messages whose outcome is still to come. */
export interface ExpectedOutcomes {
  /** Gives the same outcome, and the same `reason`, to every message that has none yet. */
  settleRest(outcome: IngestOutcomeKind, reason?: string): void;
}

interface AwaitedMessage {
  readonly sessionId: string;
  readonly messageId: string;
  /** It is waited for by one who hands it on, and nobody further down has taken that over. */
  announced: boolean;
  /** The backend gives its outcome itself. */
  reported: boolean;
  settled: boolean;
}

/**
 * What became of each message that was to be taken in: the place where "it was said, and it is not remembered" can be
 * looked up. Holds counts and the messages that still wait, nothing else.
 */
export class IngestOutcomes {
  readonly #counts = new Map<IngestOutcomeKind, number>(INGEST_OUTCOMES.map((kind) => [kind, 0]));
  readonly #listeners = new Set<(outcome: IngestOutcome) => void>();
  // By session and message; the same message may wait more than once when it was handed in more than once.
  readonly #pending = new Map<string, AwaitedMessage[]>();
  readonly #log: OnceLog;
  #holds = 0;
  #settling: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  /**
   * @param options.logger where lost messages are warned of, once for each reason; default: nowhere
   * @throws InvalidArgumentError when `options` is no object
   */
  constructor(options: { readonly logger?: MemoryLogger } = {}) {
    requireObject('IngestOutcomes options', options);
    this.#log = new OnceLog(options.logger);
  }

  /** How many messages ended how, since the start. */
  counts(): IngestCounts {
    const of = (kind: IngestOutcomeKind): number => this.#counts.get(kind) ?? 0;
    return Object.freeze({
      stored: of('stored'),
      nothingFound: of('nothing-found'),
      accepted: of('accepted'),
      failed: of('failed'),
      skipped: of('skipped'),
    });
  }

  /** How many messages a backend has whose outcome is still to come. */
  get pending(): number {
    let pending = 0;
    for (const waiting of this.#pending.values()) pending += waiting.length;
    return pending;
  }

  /** Calls `listener` once for each outcome; what it throws harms nobody. The answer unsubscribes. */
  onOutcome(listener: (outcome: IngestOutcome) => void): () => void {
    // Wrapped, so that one function subscribed twice is two subscriptions.
    const subscription = (outcome: IngestOutcome): void => listener(outcome);
    this.#listeners.add(subscription);
    return () => void this.#listeners.delete(subscription);
  }

  /** Counts an outcome and tells the listeners. One that nobody expected is counted all the same. */
  record(outcome: IngestOutcome): void {
    const { messageId, sessionId, reason } = outcome;
    const key = joinKey([sessionId, messageId]);
    const waiting = this.#pending.get(key);
    const first = waiting?.shift();
    if (first !== undefined) first.settled = true;
    if (waiting?.length === 0) this.#pending.delete(key);
    this.#counts.set(outcome.outcome, (this.#counts.get(outcome.outcome) ?? 0) + 1);
    if (outcome.outcome === 'failed') {
      const why = reason ?? 'no reason given';
      this.#log.warn(why, `A message was not taken into memory: ${why}.`);
    }
    for (const listener of this.#listeners) tell(listener, outcome);
    this.#checkSettled();
  }

  /**
   * Waits for the outcome of each of the messages, which are about to be handed to a backend. Those that were announced
   * by somebody further out, and that nobody has taken over since, are taken over and not waited for twice.
   *
   * @param init.sessionId the session in which they were said
   * @param init.messageIds their ids; one that stands there twice is waited for once
   * @param init.reported whether the backend gives the outcomes itself; who has announced them then leaves them to it.
   *   Default false
   */
  expect(init: {
    readonly sessionId: string;
    readonly messageIds: readonly string[];
    readonly reported?: boolean;
  }): ExpectedOutcomes {
    const { sessionId, messageIds, reported = false } = init;
    const expected = [...new Set(messageIds)].map((messageId) => {
      const announced = this.#pending.get(joinKey([sessionId, messageId]))?.find(({ announced }) => announced);
      const message = announced ?? this.#await(sessionId, messageId);
      message.announced = false;
      message.reported = reported;
      return message;
    });
    return this.#expected(expected, ({ settled }) => !settled);
  }

  /**
   * The {@link expect} of one who hands messages on through others, of whom any may refuse them and any may record what
   * becomes of them. Settling the rest leaves out what a backend reports itself.
   *
   * @param init.sessionId the session in which they were said
   * @param init.messageIds their ids; one that stands there twice is waited for once
   */
  announce(init: { readonly sessionId: string; readonly messageIds: readonly string[] }): ExpectedOutcomes {
    const announced = [...new Set(init.messageIds)].map((messageId) => {
      const message = this.#await(init.sessionId, messageId);
      message.announced = true;
      return message;
    });
    return this.#expected(announced, ({ settled, reported }) => !settled && !reported);
  }

  /** Keeps {@link settled} waiting while something is on its way to a backend, until the answer is called. */
  hold(): () => void {
    this.#holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      this.#checkSettled();
    };
  }

  /**
   * Settles when everything that was handed over has an outcome; at once when nothing waits. What a session has not
   * handed over yet is not waited for. Rejects when `signal` aborts, with its reason.
   */
  settled(signal?: AbortSignal): Promise<void> {
    if (this.#isSettled()) return abortable(Promise.resolve(), signal);
    if (this.#settling === undefined) {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((done) => (resolve = done));
      this.#settling = { promise, resolve };
    }
    return abortable(this.#settling.promise, signal);
  }

  #await(sessionId: string, messageId: string): AwaitedMessage {
    const message = { sessionId, messageId, announced: false, reported: false, settled: false };
    const key = joinKey([sessionId, messageId]);
    const others = this.#pending.get(key);
    if (others === undefined) this.#pending.set(key, [message]);
    else others.push(message);
    return message;
  }

  #expected(messages: readonly AwaitedMessage[], isRest: (message: AwaitedMessage) => boolean): ExpectedOutcomes {
    return Object.freeze({
      settleRest: (outcome: IngestOutcomeKind, reason?: string) => {
        for (const message of messages) {
          if (!isRest(message)) continue;
          const { messageId, sessionId } = message;
          // Ours, not one that the same message is waited for by somebody else.
          this.#moveToFront(message);
          this.record({ messageId, sessionId, outcome, reason, observationIds: [] });
        }
      },
    });
  }

  #moveToFront(message: AwaitedMessage): void {
    const waiting = this.#pending.get(joinKey([message.sessionId, message.messageId]));
    const at = waiting?.indexOf(message) ?? -1;
    if (waiting === undefined || at <= 0) return;
    waiting.splice(at, 1);
    waiting.unshift(message);
  }

  #isSettled(): boolean {
    return this.#holds === 0 && this.#pending.size === 0;
  }

  #checkSettled(): void {
    if (this.#settling === undefined || !this.#isSettled()) return;
    const { resolve } = this.#settling;
    this.#settling = undefined;
    resolve();
  }
}

function tell(listener: (outcome: IngestOutcome) => unknown, outcome: IngestOutcome): void {
  try {
    // An async listener is one too; its rejection must not end the process.
    void Promise.resolve(listener(outcome)).catch(() => undefined);
  } catch {
    // A listener's fault is not the message's.
  }
}
