/** What a tool answers: one text for the model, and whether it tells of a failure. */
export interface ToolResult {
  /** What the model is shown. */
  readonly content: string;
  /** Whether the call failed; `content` says why. */
  readonly isError: boolean;
}

/** Makes results: `ToolResult.ok(text)` and `ToolResult.error(sentence)`. */
export const ToolResult = Object.freeze({
  ok: (content: string): ToolResult => Object.freeze({ content, isError: false }),

  /** `message` is a sentence that the model can act on. */
  error: (message: string): ToolResult => Object.freeze({ content: message, isError: true }),
});
