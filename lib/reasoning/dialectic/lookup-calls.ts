import type { LlmMessage, LlmTool, LlmToolCall } from '../../ports/llm-client.js';
import type { LookupTool } from './lookup-tool.js';

/** The most calls of one round that are answered by a lookup. */
const MOST_CALLS = 8;

/** Answers the model's calls. Whatever it calls, it gets a result that it can go on with. */
export class LookupCalls {
  #count = 0;

  constructor(
    private readonly tools: readonly LookupTool[],
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** What the model is told that it may call. */
  get definitions(): readonly LlmTool[] {
    return this.tools.map(({ definition }) => definition);
  }

  /** How many calls were answered. */
  get count(): number {
    return this.#count;
  }

  /**
   * The round as it goes on in the conversation: what the model said and called, and a result for each call, looked up one
   * after the other. @throws the signal's reason
   */
  async answered(text: string, calls: readonly LlmToolCall[]): Promise<readonly LlmMessage[]> {
    const results: LlmMessage[] = [];
    for (const [index, call] of calls.entries()) {
      const content = index < MOST_CALLS ? await this.#resultOf(call) : TOO_MANY;
      this.signal?.throwIfAborted();
      results.push({ role: 'tool', toolCallId: call.id, content });
    }
    this.#count += calls.length;
    return [{ role: 'assistant', content: text, toolCalls: calls.map(presentable) }, ...results];
  }

  async #resultOf({ name, argumentsJson }: LlmToolCall): Promise<string> {
    const tool = this.tools.find(({ definition }) => definition.name === name);
    if (tool === undefined) {
      return `There is no tool of that name. Call one of: ${this.definitions.map((one) => one.name).join(', ')}.`;
    }
    const input = objectIn(argumentsJson);
    if (input === undefined) {
      return `The arguments are no JSON object. Call ${tool.definition.name} again with a complete JSON object.`;
    }
    try {
      return await tool.call(input);
    } catch {
      // What a store or a service says of its failure is for an operator, and may hold anything.
      return FAILED;
    }
  }
}

const FAILED =
  'The lookup failed. Try it once more; if it fails again, answer from what stands above and say that not everything could be looked up.';
const TOO_MANY = `Not looked up: only ${MOST_CALLS} calls at a time are answered. Call again if it is still needed.`;

function objectIn(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

// Servers read the calls of a conversation again, and refuse one whose arguments or name are broken.
function presentable({ id, name, argumentsJson }: LlmToolCall): LlmToolCall {
  return {
    id,
    name: /^[\w-]{1,64}$/.test(name) ? name : 'unknown_tool',
    argumentsJson: objectIn(argumentsJson) === undefined ? '{}' : argumentsJson,
  };
}
