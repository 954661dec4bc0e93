import { LlmAnswerError, LlmUnavailableError } from '../../domain/errors.js';
import type { LlmResponse } from '../../ports/llm-client.js';
import { refusalOf, responseOf, textOf, throwIfError } from './chat-answer.js';
import { isObject } from './json-value.js';
import { errorDetail } from './server-error-detail.js';
import { failureInSuccess } from './server-failures.js';
import type { ServerLabel } from './server-label.js';
import type { ServerSentEvent } from './server-sent-events.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Puts a streamed answer together. */
export class ChatStream {
  #text = '';
  #refusal = '';
  #finish: unknown;
  #usage: unknown;
  #answered = false;
  #done = false;
  readonly #calls: CallInPieces[] = [];

  constructor(private readonly label: ServerLabel) {}

  /** Whether any of the answer has come. */
  get begun(): boolean {
    return this.#text !== '' || this.#refusal !== '' || this.#calls.length > 0;
  }

  /** Whether the server has said that nothing more will come. */
  get done(): boolean {
    return this.#done;
  }

  /** Takes the next event, and answers the text that it adds. @throws LlmError when it is an error or no JSON */
  take({ event, data }: ServerSentEvent): string {
    if (data.trim() === '[DONE]') {
      this.#done = true;
      return '';
    }
    const chunk = this.#parsed(data);
    throwIfError(chunk, this.label);
    if (event === 'error') throw failureInSuccess(errorDetail(chunk), this.label);
    if (isObject(chunk.usage)) this.#usage = chunk.usage;
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isObject(choice)) return '';
    this.#answered = true;
    this.#finish = choice.finish_reason ?? this.#finish;
    if (!isObject(choice.delta)) return '';
    const { tool_calls: calls, function_call: call } = choice.delta;
    const text = textOf(choice.delta);
    this.#text += text;
    this.#refusal += refusalOf(choice.delta);
    if (Array.isArray(calls)) for (const piece of calls) if (isObject(piece)) this.#addCall(piece);
    if (isObject(call)) this.#addCall({ function: call });
    return text;
  }

  /**
   * The whole answer, once the stream has ended.
   * @throws LlmUnavailableError when the answer had not
   * @throws LlmAnswerError when there is none
   */
  end(): LlmResponse {
    // A connection without a length that is cut looks like one that has ended.
    if (!this.#done && (this.#finish === undefined || this.#finish === null)) {
      throw new LlmUnavailableError(`${this.label.name} broke off in the middle of an answer.`, {
        outage: 'unreachable',
      });
    }
    if (!this.#answered) throw new LlmAnswerError(`${this.label.name} streamed an answer that holds no choice.`);
    const message = {
      content: this.#text,
      refusal: this.#refusal,
      tool_calls: this.#calls.map(({ id, name, pieces }) => ({ id, function: { name, arguments: pieces.join('') } })),
    };
    return responseOf(message, this.#finish, this.#usage, this.label);
  }

  #parsed(data: string): JsonObject {
    try {
      const chunk: unknown = JSON.parse(data);
      if (isObject(chunk)) return chunk;
    } catch {
      // Said below, in words that hold nothing of it.
    }
    throw new LlmAnswerError(`${this.label.name} streamed an event that is no JSON object.`);
  }

  #addCall({ index, id, function: called }: JsonObject): void {
    const call = this.#callFor(index, typeof id === 'string' && id !== '' ? id : undefined);
    if (!isObject(called)) return;
    const { name, arguments: more } = called;
    if (typeof name === 'string' && name !== '') call.name = name;
    if (typeof more === 'string') call.pieces.push(more);
    else if (isObject(more)) call.pieces.push(JSON.stringify(more));
  }

  // By the index; but some servers give none, and some give every call the same one and an id of its own.
  #callFor(index: unknown, id: string | undefined): CallInPieces {
    const known =
      index === undefined || index === null
        ? this.#calls.findLast((call) => id === undefined || call.id === id)
        : this.#calls.findLast((call) => call.index === index);
    if (known !== undefined && (id === undefined || known.id === undefined || known.id === id)) {
      known.id ??= id;
      return known;
    }
    const call: CallInPieces = { index, id, name: '', pieces: [] };
    this.#calls.push(call);
    return call;
  }
}

interface CallInPieces {
  readonly index: unknown;
  id: string | undefined;
  name: string;
  readonly pieces: string[];
}
