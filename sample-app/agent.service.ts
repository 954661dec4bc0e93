import {
  AgentMemory,
  type BoundMemoryTool,
  type MemoryMessage,
  type MemorySession,
  type MemoryToolCall,
  type TranscriptBuffer,
} from '@aimon/nestjs-memory';
import { Inject, Injectable } from '@nestjs/common';

import { CHAT_MODEL, ChatModelError, type ChatModel, type FunctionTool } from './chat-model.js';

const INSTRUCTIONS =
  'You are the assistant of an operations engineer. Be brief. Use what is remembered where it helps, and look details up ' +
  'with the memory tools.';

/** How often a model may ask for tools before it has to answer in words. */
const MOST_TOOL_ROUNDS = 4;

/** A tool call that was made on the way to a reply. */
export interface MadeToolCall {
  readonly name: string;
  /** As the model wrote them: JSON, or what it took for JSON. */
  readonly arguments: string;
  readonly result: string;
  readonly isError: boolean;
}

export interface AgentReply {
  readonly reply: string;
  readonly toolCalls: readonly MadeToolCall[];
}

/** A small agent: a prompt that starts with memory, a loop of tool calls, and a transcript from which memory is fed. */
@Injectable()
export class AgentService {
  constructor(
    private readonly memory: AgentMemory,
    @Inject(CHAT_MODEL) private readonly model: ChatModel,
  ) {}

  /** The system prompt that a session's next message is answered with. */
  async systemPrompt(sessionId: string): Promise<string> {
    const session = await this.memory.session(sessionId);
    return session.systemPrompt(INSTRUCTIONS);
  }

  /**
   * Goes on with a session. What is said becomes memory afterwards, in the background.
   * @throws ChatModelError when the model gave no answer
   */
  async reply(sessionId: string, message: string, signal?: AbortSignal): Promise<AgentReply> {
    const session = await this.memory.session(sessionId, { signal });
    return session.execution((transcript) => this.#converse(session, transcript, message, signal), { signal });
  }

  async #converse(
    session: MemorySession,
    transcript: TranscriptBuffer,
    message: string,
    signal: AbortSignal | undefined,
  ): Promise<AgentReply> {
    const system: MemoryMessage = { role: 'system', content: await session.systemPrompt(INSTRUCTIONS, { signal }) };
    const tools = session.tools();
    const made: MadeToolCall[] = [];
    transcript.append({ role: 'user', content: message });
    for (let round = 0; round <= MOST_TOOL_ROUNDS; round++) {
      const answer = await this.model.complete({
        messages: [system, ...transcript.chatMessages()],
        tools: tools.map(asFunctionTool),
        toolChoice: round < MOST_TOOL_ROUNDS ? 'auto' : 'none',
        signal,
      });
      const calls = answer.tool_calls ?? [];
      if (calls.length === 0) {
        transcript.append(answer);
        return { reply: answer.content ?? '', toolCalls: made };
      }
      const results = await Promise.all(calls.map((call) => callTool(tools, call, signal)));
      made.push(...results);
      // Together: a conversation in which a call has no result is refused by the next model that reads it.
      transcript.append(
        answer,
        ...results.map(({ result }, index): MemoryMessage => {
          return { role: 'tool', tool_call_id: calls[index]?.id, content: result };
        }),
      );
    }
    throw new ChatModelError(
      `The language model ${this.model.label} asked for tools ${MOST_TOOL_ROUNDS + 1} times in a row and gave no answer.`,
    );
  }
}

function asFunctionTool({ name, description, inputSchema }: BoundMemoryTool): FunctionTool {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

async function callTool(
  tools: readonly BoundMemoryTool[],
  { function: { name, arguments: text } }: MemoryToolCall,
  signal: AbortSignal | undefined,
): Promise<MadeToolCall> {
  const made = (result: string, isError: boolean): MadeToolCall => ({ name, arguments: text, result, isError });
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return made(`There is no tool ${name}.`, true);
  const input = inputIn(text);
  if (input === undefined) return made(`The arguments of ${name} are no JSON object; write them as one.`, true);
  const { content, isError } = await tool.execute(input, { signal });
  return made(content, isError);
}

function inputIn(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text) as unknown;
  } catch {
    return undefined;
  }
}
