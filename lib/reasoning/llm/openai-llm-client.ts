import { requireWholeNumber } from '../../domain/checks.js';
import { InvalidArgumentError, LlmUnavailableError } from '../../domain/errors.js';
import type { LlmClient, LlmRequest, LlmResponse, LlmTextSink } from '../../ports/llm-client.js';
import type { CallDeadline } from './call-deadline.js';
import { chatAnswer } from './chat-answer.js';
import { chatRequest } from './chat-request.js';
import { ChatStream } from './chat-stream.js';
import { OpenAiServer, type SendRequest } from './openai-server.js';
import type { OpenAiServerOptions } from './openai-server-options.js';
import { bytesOf, jsonOf, notUtf8 } from './response-body.js';
import { ServerDialect } from './server-dialect.js';
import { serverSentEvents } from './server-sent-events.js';

/** What an OpenAI-compatible language model is asked with. */
export interface OpenAiLlmClientOptions extends OpenAiServerOptions {
  /**
   * How long a stream may pause once it has begun, in milliseconds; at least 1, default 30 000. What the model thinks before
   * its first piece is bounded by `timeoutMs` alone.
   */
  readonly idleTimeoutMs?: number;
  /** The most bytes of an answer; a longer one is cut off and unusable. At least 1, default 8 388 608. */
  readonly maxResponseBytes?: number;
}

/**
 * A language model behind the chat-completions API of OpenAI or of any server that speaks it. Asks in the API's own way first;
 * what a server refuses, such as `response_format`, `max_tokens` or a temperature, is left out or said in words from then on.
 *
 * Needs the package `openai`, which the first call loads. Its errors hold neither the key nor anything that was asked: of what
 * a server says they repeat the status and a plain code.
 */
export class OpenAiLlmClient implements LlmClient {
  readonly #model: string;
  readonly #server: OpenAiServer;
  readonly #idleTimeoutMs: number;
  readonly #maxResponseBytes: number;
  readonly #dialect = new ServerDialect();

  /** @throws InvalidArgumentError */
  constructor(options: OpenAiLlmClientOptions) {
    const owner = 'OpenAiLlmClientOptions';
    const { model, idleTimeoutMs = 30_000, maxResponseBytes = 8 * 1024 * 1024 } = options;
    const settings = 'aimon.memory.llm';
    const names = { owner, kind: 'The language model', settings, timeoutName: `${settings}.timeout` };
    this.#server = new OpenAiServer(names, options);
    this.#model = model;
    this.#idleTimeoutMs = requireWholeNumber(`${owner}.idleTimeoutMs`, idleTimeoutMs, 1);
    this.#maxResponseBytes = requireWholeNumber(`${owner}.maxResponseBytes`, maxResponseBytes, 1);
  }

  async complete(request: LlmRequest, signal?: AbortSignal): Promise<LlmResponse> {
    requireRequest(request);
    return this.#server.call(
      (send) =>
        this.#dialect.speak(request, async (unsupported) => {
          const body = chatRequest(this.#model, request, unsupported);
          const response = await send((client, options) => client.chat.completions.create(body, options).asResponse());
          return this.#wholeAnswer(response);
        }),
      signal,
    );
  }

  async stream(request: LlmRequest, sink: LlmTextSink, signal?: AbortSignal): Promise<LlmResponse> {
    requireRequest(request);
    return this.#server.call(async (send, deadline) => {
      const response = await this.#openStream(request, send);
      const type = response.headers.get('content-type') ?? '';
      if (!/json|html/i.test(type)) return this.#streamedAnswer(response, sink, deadline);
      // A server that does not stream.
      const answer = await this.#wholeAnswer(response);
      if (answer.text !== '') await sink(answer.text);
      return answer;
    }, signal);
  }

  // What is refused is refused before anything is streamed, so nothing reaches the sink twice.
  #openStream(request: LlmRequest, send: SendRequest): Promise<Response> {
    return this.#dialect.speak(request, (unsupported) => {
      const body = {
        ...chatRequest(this.#model, request, unsupported),
        stream: true as const,
        ...(!unsupported.has('stream_options') && { stream_options: { include_usage: true } }),
      };
      return send((client, options) => client.chat.completions.create(body, options).asResponse());
    });
  }

  async #streamedAnswer(response: Response, sink: LlmTextSink, deadline: CallDeadline): Promise<LlmResponse> {
    const { label } = this.#server;
    const answer = new ChatStream(label);
    const bytes = bytesOf(response, label, {
      maxBytes: this.#maxResponseBytes,
      waiting: (waits) => {
        if (waits && answer.begun) deadline.wait(this.#idleTimeoutMs, () => this.#stalled());
        else deadline.arrived();
      },
    });
    const events = serverSentEvents(bytes, () => notUtf8(label));
    while (!answer.done) {
      const next = await events.next();
      if (next.done === true) break;
      const text = answer.take(next.value);
      if (text !== '') await sink(text);
      // Nobody listens any more.
      deadline.signal.throwIfAborted();
    }
    return answer.end();
  }

  async #wholeAnswer(response: Response): Promise<LlmResponse> {
    const { label } = this.#server;
    const body = await jsonOf(response, label, { maxBytes: this.#maxResponseBytes });
    return chatAnswer(body, label);
  }

  #stalled(): LlmUnavailableError {
    return new LlmUnavailableError(
      `${this.#server.label.name} has sent nothing for ${this.#idleTimeoutMs} ms in the middle of an answer.`,
      { outage: 'timeout' },
    );
  }
}

function requireRequest({ messages, maxOutputTokens }: LlmRequest): void {
  if (messages.length === 0) {
    throw new InvalidArgumentError('LlmRequest.messages is empty; it takes the conversation to be answered.');
  }
  if (maxOutputTokens !== undefined) requireWholeNumber('LlmRequest.maxOutputTokens', maxOutputTokens, 1);
}
