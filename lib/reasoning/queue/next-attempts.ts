import { LlmContextLengthError } from '../../domain/errors.js';
import { describeFailure, failureKind } from '../../domain/failure.js';
import type { OnceLog } from '../../domain/once-log.js';
import { outageIn } from '../../domain/outage.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import type { FailedPiece } from './batch-derivation.js';
import type { QueuedPiece } from './derivation-unit.js';
import { piecesOf } from './message-pieces.js';

/** What is to become of the pieces of which nothing was derived. */
export interface NextAttempt {
  /** Those to be tried again, in their order. */
  readonly again: readonly QueuedPiece[];
  /** How often the one that was tried most often was, of those for which that counts; 0 where it counts for none. */
  readonly attempts: number;
  /** Those that were tried often enough. */
  readonly lost: readonly FailedPiece[];
}

// Nothing is cut below this: a model that cannot read as much reads nothing of use.
const FEWEST_TOKENS = 64;
const READINGS = 4;
const INSTRUCTION_TOKENS = 1000;

/** Decides how pieces that failed are tried again. */
export class NextAttempts {
  #batchMaxTokens: number;

  constructor(
    private readonly options: {
      readonly maxAttempts: number;
      readonly batchMaxTokens: number;
      readonly tokenCounter: TokenCounter;
      readonly log: OnceLog;
    },
  ) {
    this.#batchMaxTokens = options.batchMaxTokens;
  }

  /** The most tokens of a batch: what was set, or less where a model could not read as much. */
  get batchMaxTokens(): number {
    return this.#batchMaxTokens;
  }

  /**
   * What deriving a batch may spend: reading all of it four times, each time with instructions, so that a deriver which works
   * in steps is not at its end after the first.
   */
  get tokenBudget(): number {
    return READINGS * (this.#batchMaxTokens + INSTRUCTION_TOKENS);
  }

  /** Decides about all that failed in one batch. */
  after(failed: readonly FailedPiece[]): NextAttempt {
    const again: QueuedPiece[] = [];
    const lost: FailedPiece[] = [];
    let attempts = 0;
    const tokens = failed.reduce((sum, { piece }) => sum + piece.tokens, 0);
    for (const one of failed) {
      const { piece, cause } = one;
      if (piece.origin.settled) continue;
      // A service that is away has not tried, and what was too long is not what will be tried next.
      const uncounted =
        outageIn(cause) !== undefined
          ? [piece]
          : cause instanceof LlmContextLengthError && tokens >= 2 * FEWEST_TOKENS
            ? this.#shorter(piece, failed.length, tokens)
            : undefined;
      if (uncounted !== undefined) {
        again.push(...uncounted);
      } else if (++piece.attempts < this.options.maxAttempts) {
        again.push(piece);
        attempts = Math.max(attempts, piece.attempts);
      } else {
        lost.push(one);
      }
    }
    this.#say(failed[0]?.cause);
    return { again, attempts, lost };
  }

  /** What a model could not read at once, so that it is half as much; `undefined` where it cannot be cut. */
  #shorter(piece: QueuedPiece, batchSize: number, tokens: number): readonly QueuedPiece[] | undefined {
    const half = Math.floor(tokens / 2);
    const pieces = batchSize > 1 ? [piece] : this.#cut(piece, half);
    if (pieces === undefined) return undefined;
    this.#batchMaxTokens = Math.min(this.#batchMaxTokens, half);
    this.options.log.warn(
      'batch too long',
      'The model cannot read as much at once, so batches are made shorter. Lower aimon.memory.queue.batch-max-tokens.',
    );
    return pieces;
  }

  #cut(piece: QueuedPiece, maxTokens: number): readonly QueuedPiece[] | undefined {
    const pieces = piecesOf(piece.message, maxTokens, this.options.tokenCounter);
    if (pieces.length < 2) return undefined;
    piece.origin.cut(pieces.length);
    return pieces.map(({ message, tokens }) => ({ ...piece, message, tokens }));
  }

  #say(cause: unknown): void {
    if (cause === undefined) return;
    const next =
      outageIn(cause) === undefined
        ? `each message is tried ${this.options.maxAttempts} times`
        : 'what waits goes on waiting until it is there again';
    this.options.log.warn(failureKind(cause), `Deriving observations failed with ${describeFailure(cause)}; ${next}.`);
  }
}
