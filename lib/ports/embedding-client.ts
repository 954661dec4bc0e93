/** Turns texts into vectors that lie close together where the texts mean the same. Safe under parallel calls. */
export interface EmbeddingClient {
  /**
   * One vector for each text, in the order of the texts; none for no texts. `signal` aborts the call, which then rejects with
   * the signal's reason.
   * @throws InvalidArgumentError when a text is blank, which has no meaning to lie anywhere
   * @throws LlmUnavailableError when the service is away, refuses whatever it is asked, or has vectors of another size
   *   than {@link dimensions}; nothing is wrong with the texts
   * @throws LlmContextLengthError when a text is longer than the model can read
   * @throws LlmAnswerError when vectors are missing, empty or zero, or hold what is no number
   * @throws LlmError when the service refuses these texts
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>;

  /** How many numbers a vector has; `undefined` until that is known, which it is at the latest after the first `embed`. */
  readonly dimensions: number | undefined;

  /** The model's name. Vectors of different models cannot be compared. */
  readonly model: string;
}
