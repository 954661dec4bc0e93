/** Counts the tokens of a text. */
export interface TokenCounter {
  count(text: string): number;
  /** Whether `count` is an estimate, not a tokeniser's count. */
  readonly estimated: boolean;
}
