/** Counts the tokens of a text. */
export interface TokenCounter {
  /** How many tokens `text` has, at least 0. */
  count(text: string): number;
  /** Whether `count` is an estimate, not a tokeniser's count. */
  readonly estimated: boolean;
}
