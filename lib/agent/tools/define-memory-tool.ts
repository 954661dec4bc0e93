import { AimonError } from '../../domain/errors.js';
import { defuse, formatMemoryBlock } from '../../domain/memory-block.js';
import { abortable } from '../../domain/abortable.js';
import { describeFailure, failureKind } from '../../domain/failure.js';
import type { OnceLog } from '../../domain/once-log.js';
import type { MemoryTool } from './memory-tool.js';
import type { MemoryToolName } from './memory-tool-names.js';
import { ToolInputError, readToolInput, type ToolInput } from './tool-input.js';
import type { ToolInputSchema } from './tool-input-schema.js';
import { ToolContextError, readToolPeers, type ToolPeers } from './tool-peers.js';
import { ToolResult } from './tool-result.js';

export interface MemoryToolDefinition {
  readonly name: MemoryToolName;
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  /** Where failures of the backend are said to the operator. */
  readonly log: OnceLog;
  /** The answer's text; whatever it throws becomes an error result. */
  run(input: ToolInput, peers: ToolPeers, signal: AbortSignal | undefined): Promise<string>;
}

/**
 * A tool out of what it does. Input and context are checked before, nothing is thrown after, and the answer stands in a
 * memory block: it cannot close one, and whatever takes conversations in knows it for remembered text.
 */
export function defineMemoryTool(definition: MemoryToolDefinition): MemoryTool {
  const { name, description, inputSchema, log } = definition;
  const answer = async (...[input, context, options]: Parameters<MemoryTool['execute']>): Promise<ToolResult> => {
    const signal = options?.signal;
    try {
      // Context first: without it no input would do, and the model should not go on correcting its own.
      const peers = readToolPeers(name, context);
      const checked = readToolInput(name, inputSchema, input);
      if (signal?.aborted) return cancelled(name);
      const body = await abortable(definition.run(checked, peers, signal), signal);
      return ToolResult.ok(formatMemoryBlock({ attributes: { tool: name }, body }));
    } catch (error) {
      if (signal?.aborted) return cancelled(name);
      if (error instanceof ToolInputError || error instanceof ToolContextError) {
        return ToolResult.error(defuse(error.message));
      }
      log.warn(`${name} ${failureKind(error)}`, `The tool ${name} failed with ${describeFailure(error)}.`);
      return ToolResult.error(failure(name, error));
    }
  };
  return Object.freeze({
    name,
    description,
    inputSchema,
    // What even the handling of a failure trips over, such as a signal or an error whose getters throw.
    execute: (...call: Parameters<MemoryTool['execute']>) =>
      answer(...call).catch(() => ToolResult.error(failure(name, undefined))),
  });
}

const cancelled = (tool: string): ToolResult => ToolResult.error(`${tool} was cancelled before it had an answer.`);

// Only what the model can act on. Errors' own messages are for operators and may hold addresses and credentials.
const ADVICE: Readonly<Record<string, string>> = Object.freeze({
  INVALID_ARGUMENT: 'the memory did not accept the request. Put it differently, or go on without it',
  REDACTION_FAILED: 'the text could not be checked for secrets, so nothing was sent or recorded. Go on without it',
  REMOTE_MEMORY_FAILED: 'the memory service did not answer as it should. Go on without it; one later try may help',
  LLM_FAILED: 'the model behind the memory did not answer. Go on without it; one later try may help',
  CAPABILITY_MISSING: 'the memory cannot do that. Do not call it again',
});

function failure(tool: string, error: unknown): string {
  const advice = error instanceof AimonError ? ADVICE[error.code] : undefined;
  return `${tool} failed: ${advice ?? 'the memory could not be reached. Go on without it; one later try may help'}.`;
}
