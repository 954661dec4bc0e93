import type { ReasoningLevel } from '../../spi/chat.js';

/** What an answer at a level may cost. */
export interface LevelBudget {
  /** How many observations the question itself is looked up with. */
  readonly prefetched: number;
  /** How often the model is asked at most, the answer included. */
  readonly rounds: number;
  /** The most tokens that the model may write at a time. */
  readonly answerTokens: number;
}

export const LEVEL_BUDGETS: Readonly<Record<ReasoningLevel, LevelBudget>> = Object.freeze({
  FAST: Object.freeze({ prefetched: 10, rounds: 2, answerTokens: 512 }),
  BALANCED: Object.freeze({ prefetched: 20, rounds: 4, answerTokens: 1024 }),
  DEEP: Object.freeze({ prefetched: 30, rounds: 8, answerTokens: 2048 }),
});
