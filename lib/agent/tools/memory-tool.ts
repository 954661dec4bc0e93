import type { MemoryToolContext } from './memory-tool-context.js';
import type { ToolInputSchema } from './tool-input-schema.js';
import type { ToolResult } from './tool-result.js';

/** What a call may carry besides its input. */
export interface MemoryToolCallOptions {
  /** Ends the call early; it then answers with an error. */
  readonly signal?: AbortSignal;
}

/** Something a model can call, in no framework's form. Whose memory it is about comes from the context alone. */
export interface MemoryTool {
  /** What a model calls it by. */
  readonly name: string;
  /** For the model: what it does and when to call it. */
  readonly description: string;
  /** What it takes, as JSON Schema. */
  readonly inputSchema: ToolInputSchema;

  /**
   * Never throws and never rejects: bad input and failures are answers that the model can act on.
   *
   * @param input what the model sent, already parsed: an object. Optional properties may be `null`.
   * @param context whose memory it is; see `MemoryToolContextKeys`
   */
  execute(input: unknown, context: MemoryToolContext, options?: MemoryToolCallOptions): Promise<ToolResult>;
}
