import type { MemoryToolCall } from '@aimon/nestjs-memory';

import { ChatModelError, type AssistantMessage, type ChatModel, type ChatModelRequest } from './chat-model.js';

export interface OpenAiCompatibleModelOptions {
  /** Up to and with the version, such as `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Servers of one's own often take none. */
  readonly apiKey?: string;
  /** How long one answer may take, in milliseconds; default 60 000. */
  readonly timeoutMs?: number;
}

const LONGEST_DETAIL = 300;

/** A model behind the chat-completions API, over fetch. */
export class OpenAiCompatibleModel implements ChatModel {
  readonly label: string;
  readonly #options: OpenAiCompatibleModelOptions;
  readonly #url: string;
  readonly #timeoutMs: number;

  constructor(options: OpenAiCompatibleModelOptions) {
    this.label = `${options.model} at ${new URL(options.baseUrl).host}`;
    this.#options = options;
    this.#url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`;
    this.#timeoutMs = options.timeoutMs ?? 60_000;
  }

  async complete({ messages, tools, toolChoice, signal }: ChatModelRequest): Promise<AssistantMessage> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const { apiKey, model } = this.#options;
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({
          model,
          messages,
          ...(tools.length === 0 ? {} : { tools, tool_choice: toolChoice }),
        }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const text = await response.text();
      if (!response.ok) throw this.#error(`answered ${response.status}: ${detailOf(text)}`);
      return this.#answerIn(text);
    } catch (error) {
      if (error instanceof ChatModelError) throw error;
      // Whoever gave up knows why; it is no fault of the model's.
      if (signal?.aborted) throw error;
      if (timeout.aborted) throw this.#error(`did not answer within ${this.#timeoutMs / 1000} s`);
      throw this.#error(`could not be reached: ${reasonOf(error)}`);
    }
  }

  #answerIn(text: string): AssistantMessage {
    const message = (parsed(text) as { choices?: { message?: Record<string, unknown> }[] } | undefined)?.choices?.[0]
      ?.message;
    const calls = toolCallsIn(message?.tool_calls);
    const content = typeof message?.content === 'string' ? message.content : null;
    if (calls.length > 0) return { role: 'assistant', content, tool_calls: calls };
    if (content !== null && content.trim() !== '') return { role: 'assistant', content };
    throw this.#error(`answered neither words nor tool calls: ${detailOf(text)}`);
  }

  #error(what: string): ChatModelError {
    return new ChatModelError(`The language model ${this.label} ${what}.`);
  }
}

function toolCallsIn(calls: unknown): readonly MemoryToolCall[] {
  if (!Array.isArray(calls)) return [];
  return (calls as Partial<MemoryToolCall>[]).flatMap(({ id, function: called }, index) =>
    typeof called?.name === 'string'
      ? [
          {
            // Some servers leave the id out; the answer has to name the call that it belongs to.
            id: id || `call_${index}`,
            type: 'function' as const,
            function: { name: called.name, arguments: called.arguments ?? '{}' },
          },
        ]
      : [],
  );
}

function detailOf(body: string): string {
  const { error } = (parsed(body) ?? {}) as { error?: { message?: unknown } | string };
  const detail = typeof error === 'string' ? error : error?.message;
  const text = (typeof detail === 'string' ? detail : body).replace(/\s+/gu, ' ').trim();
  if (text === '') return 'an empty body';
  return text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL)}…` : text.replace(/\.$/, '');
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } };
  const why = cause?.code ?? cause?.message;
  if (typeof why === 'string') return why;
  return error instanceof Error ? error.message : String(error);
}
