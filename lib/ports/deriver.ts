import type { NormalisedMessage } from '../domain/memory-message.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Workspace } from '../domain/workspace.js';

/** Draws observations from messages and records them. */
export interface Deriver {
  /**
   * Works on one batch, and settles when what was found in it is recorded.
   * @throws when nothing of the batch could be done; what was done for single messages is in the result.
   */
  derive(context: DerivationContext): Promise<DerivationResult>;
}

/** What a deriver is given: messages of one session about one subject, as one observer heard them. */
export interface DerivationContext {
  /** The tenant. */
  readonly workspace: Workspace;
  /** Where the messages were said. */
  readonly sessionId: string;
  /** Whom they tell about. */
  readonly subject: PeerView;
  /** Who heard them. */
  readonly observer: PeerView;
  /** Masked, in the order in which they were said. */
  readonly messages: readonly NormalisedMessage[];
  /** The most tokens that deriving may spend in all its calls, reading and writing; at least 1. */
  readonly tokenBudget: number;
  /** Aborts when nobody waits for the result any more. */
  readonly signal?: AbortSignal;
}

/** What a deriver made of a batch, message by message. */
export interface DerivationResult {
  /** Observations that were not known before. */
  readonly created: readonly Observation[];
  /** Those that were there and were made stronger. */
  readonly updated: readonly Observation[];
  /** Tokens spent on a language model. */
  readonly tokensUsed: number;
  /** Messages of which nothing could be derived; the others are done. */
  readonly failures: readonly DerivationFailure[];
  /** The observations that rest on each message, by its id. A message that is not there had nothing to remember. */
  readonly byMessage: ReadonlyMap<string, readonly Observation[]>;
}

/** A message of which nothing could be derived; the queue tries it again, apart from those that went well. */
export interface DerivationFailure {
  /** Which message. */
  readonly messageId: string;
  /** A few words that do not vary with the message. */
  readonly reason: string;
  /** What was thrown, for the log. */
  readonly cause?: unknown;
}
