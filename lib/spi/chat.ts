import { requireFilledText, requireIdentity, requireOneOf, requireWholeNumber } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';
import type { ObservationId } from '../domain/observation-id.js';
import type { PeerView } from '../domain/peer-view.js';
import { requirePeers, requireRequest } from './request-checks.js';

/** How much thinking an answer may cost. A level carries one thing, a token budget. */
export const REASONING_LEVELS = ['FAST', 'BALANCED', 'DEEP'] as const;
/** One of {@link REASONING_LEVELS}; default `BALANCED`. */
export type ReasoningLevel = (typeof REASONING_LEVELS)[number];

/** The longest question, in UTF-16 units. */
export const MAX_QUESTION_LENGTH = 10_000;

/** CHAT: an answer in words to a question about a peer. */
export interface DialecticEngine {
  /**
   * Answers a question, and says so where nothing is known. Rejects with the reason of `signal` when that aborts.
   *
   * @throws InvalidArgumentError for a field that is not what it takes
   * @throws RedactionError when the question could not be masked; nothing was asked
   * @throws LlmError when the model cannot be had
   */
  query(query: DialecticQuery): Promise<DialecticResponse>;

  /**
   * As {@link query}; the answer's text also reaches `sink` as the model emits it, piece by piece.
   * @throws InvalidArgumentError also when `sink` is no function
   */
  queryStream(query: DialecticQuery, sink: DialecticSink): Promise<DialecticResponse>;
}

/** Receives the answer's text as it comes. A sink that returns a promise is waited for. */
export type DialecticSink = (text: string) => void | Promise<void>;

/** A question about a peer. The workspace is the subject's. */
export interface DialecticQuery {
  /** Who the question is about. */
  readonly subject: PeerView;
  /** Who asks; default: the subject. */
  readonly observer?: PeerView;
  /** The session whose view is preferred; 1 to 256 characters. Default: none. */
  readonly sessionId?: string;
  /** The question, in any language; 1 to 10 000 characters, not blank. */
  readonly question: string;
  /** How much thinking the answer may cost; default `BALANCED`. */
  readonly level?: ReasoningLevel;
  /** The most tokens of the answer, at least 1; absent: the level's own budget. */
  readonly maxTokens?: number;
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** An answer in words, and as far as the backend says it what it rests on and what it cost. */
export interface DialecticResponse {
  /** The answer; it says so when nothing is known. */
  readonly answer: string;
  /** What the answer rests on; absent where the backend does not say. */
  readonly observationsConsidered?: readonly ObservationId[];
  /** What it cost, as the model reports it: `inputTokens` read and `outputTokens` written. Absent where it does not. */
  readonly tokenUsage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** How many tool calls the answer took. */
  readonly toolCalls?: number;
}

/** A query with every default filled in: what a backend receives. */
export type NormalisedDialecticQuery = Readonly<
  Required<Pick<DialecticQuery, 'subject' | 'observer' | 'question' | 'level'>>
> &
  Pick<DialecticQuery, 'sessionId' | 'maxTokens' | 'signal'>;

/** Validates a query and fills in its defaults; never changes its input. @throws InvalidArgumentError */
export function normaliseDialecticQuery(input: DialecticQuery): NormalisedDialecticQuery {
  requireRequest('DialecticQuery', input);
  const { subject, observer = subject, sessionId, question, level = 'BALANCED', maxTokens, signal } = input;
  requirePeers('DialecticQuery', { subject, observer });
  if (sessionId !== undefined) requireIdentity('DialecticQuery.sessionId', sessionId);
  requireFilledText('DialecticQuery.question', question, 'a question');
  if (question.length > MAX_QUESTION_LENGTH) {
    throw new InvalidArgumentError(
      `DialecticQuery.question is ${question.length} characters long; it takes at most ${MAX_QUESTION_LENGTH}.`,
    );
  }
  requireOneOf('DialecticQuery.level', level, REASONING_LEVELS);
  if (maxTokens !== undefined) requireWholeNumber('DialecticQuery.maxTokens', maxTokens, 1);
  return Object.freeze({ subject, observer, sessionId, question, level, maxTokens, signal });
}
