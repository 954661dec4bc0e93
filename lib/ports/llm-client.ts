/** A language model, behind whatever serves it. Safe under parallel calls. */
export interface LlmClient {
  /**
   * Asks for an answer, whole. Asks once: who calls decides whether to ask again. `signal` aborts the call, which then
   * rejects with the signal's reason.
   * @throws LlmUnavailableError when the service is away, or refuses whatever it is asked; nothing is wrong with the request
   * @throws LlmContextLengthError when the request is longer than the model can read
   * @throws LlmAnswerError when what came back cannot be used; asked again it may be
   * @throws LlmError when the service refuses this request; with the code `LLM_CONTENT_REFUSED` where a content filter does
   */
  complete(request: LlmRequest, signal?: AbortSignal): Promise<LlmResponse>;

  /**
   * As {@link complete}; the answer's text also reaches `sink` as it comes. The response holds all of it once more. What was
   * told the sink before a failure stays told. What the sink throws ends the call and is thrown as it is.
   */
  stream(request: LlmRequest, sink: LlmTextSink, signal?: AbortSignal): Promise<LlmResponse>;
}

/** Receives the next piece of an answer's text, never empty. A sink that returns a promise is waited for. */
export type LlmTextSink = (delta: string) => void | Promise<void>;

/** What a language model is asked. */
export interface LlmRequest {
  /** The conversation so far, oldest first; at least one. */
  readonly messages: readonly LlmMessage[];
  /** What the model may call; default: nothing. */
  readonly tools?: readonly LlmTool[];
  /** Whether it may, must or must not call. Default `auto`; means nothing without tools. */
  readonly toolChoice?: LlmToolChoice;
  /**
   * The answer's text is to be JSON that fits this schema. A wish: a server that cannot be held to it is asked in words, so
   * whoever reads the answer checks it. Default: prose.
   */
  readonly responseSchema?: LlmResponseSchema;
  /** The most tokens of the answer, at least 1; default: the server's. */
  readonly maxOutputTokens?: number;
  /** How much chance there is in the answer, from 0 to 2; default: the server's. Left out where the model takes none. */
  readonly temperature?: number;
}

/** One message of a conversation with a model. */
export type LlmMessage = LlmSystemMessage | LlmUserMessage | LlmAssistantMessage | LlmToolMessage;

/** What the application tells the model to do. */
export interface LlmSystemMessage {
  /** Says that the application speaks. */
  readonly role: 'system';
  /** The instruction. */
  readonly content: string;
}

/** What a person, or another agent, says to the model. */
export interface LlmUserMessage {
  /** Says that somebody speaks to the model. */
  readonly role: 'user';
  /** What is said. */
  readonly content: string;
}

/** What the model has said or called. */
export interface LlmAssistantMessage {
  /** Says that the model spoke. */
  readonly role: 'assistant';
  /** What it said; empty where it only calls tools. */
  readonly content: string;
  /** What it called; each call has to be answered by a {@link LlmToolMessage}. Default: nothing. */
  readonly toolCalls?: readonly LlmToolCall[];
}

/** What a tool that the model called has answered. */
export interface LlmToolMessage {
  /** Says that a tool answers. */
  readonly role: 'tool';
  /** The {@link LlmToolCall.id} of the call. */
  readonly toolCallId: string;
  /** The result, or what went wrong. */
  readonly content: string;
}

/** A tool that the model may call. */
export interface LlmTool {
  /** 1 to 64 characters out of letters, digits, `_` and `-`. */
  readonly name: string;
  /** For the model: what the tool does and when to call it. */
  readonly description: string;
  /** What it takes: the JSON Schema of an object. */
  readonly inputSchema: JsonSchema;
}

/** A tool that the model wants called. */
export interface LlmToolCall {
  /** Names the call in the answer to it. Differs from every other call of the response, also where the server gave none. */
  readonly id: string;
  /** Which tool; not always one that there is. */
  readonly name: string;
  /** The arguments as the model wrote them: JSON, or what it took for JSON. `{}` where it wrote nothing. */
  readonly argumentsJson: string;
}

/** `auto`: as the model likes; `none`: no call; `required`: at least one call; or a call of that very tool. */
export type LlmToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | {
      /** Which tool. */
      readonly name: string;
    };

/** What JSON the answer is to be. */
export interface LlmResponseSchema {
  /** 1 to 64 characters out of letters, digits, `_` and `-`. */
  readonly name: string;
  /** A JSON Schema. Where each object lists all its properties as required and allows no other, servers that can keep to it exactly. */
  readonly schema: JsonSchema;
}

/** A JSON Schema, as a plain object. */
export type JsonSchema = object;

/** What a language model answered. */
export interface LlmResponse {
  /** What it said; empty where it only calls tools, refuses, or has nothing to say. */
  readonly text: string;
  /** What it wants called, in its order; empty for none. */
  readonly toolCalls: readonly LlmToolCall[];
  /** Why it ended here. */
  readonly finishReason: LlmFinishReason;
  /** The words in which it refused, where it did so in words of their own. */
  readonly refusal?: string;
  /** What the call cost, as the server counts; absent where the server does not say. */
  readonly usage?: LlmTokenUsage;
}

/** Why an answer ended; one of {@link LLM_FINISH_REASONS}. */
export type LlmFinishReason = (typeof LLM_FINISH_REASONS)[number];

/**
 * `stop`: the answer is complete. `length`: cut at the most tokens, possibly in the middle of a call's arguments.
 * `tool-calls`: it waits for tools. `refusal`: the model or a content filter would not answer. `other`: the server gave
 * another reason or none.
 */
export const LLM_FINISH_REASONS = ['stop', 'length', 'tool-calls', 'refusal', 'other'] as const;

/** Tokens, as the server counts them. */
export interface LlmTokenUsage {
  /** Those that the model read. */
  readonly inputTokens: number;
  /** Those that it wrote, its unseen reasoning included. */
  readonly outputTokens: number;
}
