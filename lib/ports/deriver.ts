import type { NormalisedMessage } from '../domain/memory-message.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Workspace } from '../domain/workspace.js';

/** Draws observations from messages and records them. */
export interface Deriver {
  /** @throws when nothing of the batch could be done; what was done for single messages is in the result. */
  derive(context: DerivationContext): Promise<DerivationResult>;
}

export interface DerivationContext {
  readonly workspace: Workspace;
  readonly sessionId: string;
  readonly subject: PeerView;
  readonly observer: PeerView;
  readonly messages: readonly NormalisedMessage[];
  /** The most tokens that deriving may spend. */
  readonly tokenBudget: number;
  readonly signal?: AbortSignal;
}

export interface DerivationResult {
  readonly created: readonly Observation[];
  /** Those that were there and were made stronger. */
  readonly updated: readonly Observation[];
  /** Tokens spent on a language model. */
  readonly tokensUsed: number;
  readonly failures: readonly DerivationFailure[];
  /** The observations that rest on each message, by its id. A message that is not there had nothing to remember. */
  readonly byMessage: ReadonlyMap<string, readonly Observation[]>;
}

/** A message of which nothing could be derived; the queue tries it again, apart from those that went well. */
export interface DerivationFailure {
  readonly messageId: string;
  /** A few words that do not vary with the message. */
  readonly reason: string;
  /** What was thrown, for the log. */
  readonly cause?: unknown;
}
