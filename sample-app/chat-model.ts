import type { ChatMessage, MemoryToolCall, ToolInputSchema } from '@aimon/nestjs-memory';

/** A tool as the chat-completions API takes it. */
export interface FunctionTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: ToolInputSchema };
}

export interface ChatModelRequest {
  /** The system prompt and the conversation so far. */
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly FunctionTool[];
  /** `none`: the model has to answer in words now. */
  readonly toolChoice: 'auto' | 'none';
  readonly signal?: AbortSignal;
}

/** What a model answers: words, or tools that it wants called first. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly MemoryToolCall[];
}

/** Something that goes on with a conversation. */
export interface ChatModel {
  /** What answers here, for people to read. */
  readonly label: string;

  /** @throws ChatModelError when no usable answer came */
  complete(request: ChatModelRequest): Promise<AssistantMessage>;
}

/** The injection token of the {@link ChatModel}. */
export const CHAT_MODEL = Symbol('CHAT_MODEL');

/** The model gave no usable answer; the message says why, for the person who runs the application. */
export class ChatModelError extends Error {
  override readonly name = 'ChatModelError';
}
