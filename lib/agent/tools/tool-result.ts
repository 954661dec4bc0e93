/** What a tool answers: one text for the model, and whether it tells of a failure. */
export interface ToolResult {
  /** What the model is shown. */
  readonly content: string;
  /** Whether the call failed; `content` says why. */
  readonly isError: boolean;
}

/** Makes results: `ToolResult.ok(text)` and `ToolResult.error(sentence)`. */
export const ToolResult = Object.freeze({
  /** The answer of a call that went well; `content` is what the model is shown. */
  ok: (content: string): ToolResult => Object.freeze({ content, isError: false }),

  /** The answer of a call that failed; `message` is a sentence that the model can act on. */
  error: (message: string): ToolResult => Object.freeze({ content: message, isError: true }),
});
