import type { MemoryTool, MemoryToolCallOptions } from './memory-tool.js';
import type { MemoryToolContext } from './memory-tool-context.js';
import type { ToolResult } from './tool-result.js';

/** A tool that knows whose memory it is about, so that a call takes nothing but the model's input. */
export interface BoundMemoryTool extends Pick<MemoryTool, 'name' | 'description' | 'inputSchema'> {
  /** Never throws and never rejects; see {@link MemoryTool.execute}. */
  execute(input: unknown, options?: MemoryToolCallOptions): Promise<ToolResult>;
}

/** The tools, each bound to `context`. */
export function bindMemoryTools(tools: readonly MemoryTool[], context: MemoryToolContext): readonly BoundMemoryTool[] {
  return Object.freeze(
    tools.map((tool) =>
      Object.freeze({
        name: tool.name,
        description: tool.description,
        inputSchema: tool.inputSchema,
        execute: (input: unknown, options?: MemoryToolCallOptions) => tool.execute(input, context, options),
      }),
    ),
  );
}
