import { abortable } from '../../lib/domain/abortable.js';
import type {
  LlmClient,
  LlmFinishReason,
  LlmRequest,
  LlmResponse,
  LlmTextSink,
  LlmToolCall,
} from '../../lib/ports/llm-client.js';
import type { Gate } from './scripted-llm-server/gate.js';

/** What the model says to one request. */
export interface ScriptedReply {
  /** Default: the pieces, or nothing. */
  readonly text?: string;
  /** How the text is cut when it is streamed, with gates wherever the test wants to hold it. Default: at its spaces. */
  readonly pieces?: readonly (string | Gate)[];
  /** Arguments that are no text are written as JSON. */
  readonly calls?: readonly { readonly name: string; readonly arguments?: unknown }[];
  /** Default: `tool-calls` with calls, else `stop`. */
  readonly finishReason?: LlmFinishReason;
  /** Tokens in and out; default 100 and 10. `null`: the server does not say. */
  readonly usage?: readonly [number, number] | null;
}

/** A reply, a failure, or what makes one out of the request. */
export type ScriptedTurn = ScriptedReply | Error | ((request: LlmRequest) => ScriptedReply | Error);

/** A language model that plays a script, one turn for each request, and keeps what it was asked. */
export class ScriptedLlmClient implements LlmClient {
  readonly requests: LlmRequest[] = [];
  /** How each request came. */
  readonly ways: ('complete' | 'stream')[] = [];
  readonly #turns: readonly ScriptedTurn[] | ((request: LlmRequest) => ScriptedReply | Error);
  #calls = 0;

  /** Turns to be played in their order, or one that is played to every request. */
  constructor(turns: readonly ScriptedTurn[] | ((request: LlmRequest) => ScriptedReply | Error)) {
    this.#turns = turns;
  }

  async complete(request: LlmRequest, signal?: AbortSignal): Promise<LlmResponse> {
    const reply = this.#replyTo(request, 'complete');
    signal?.throwIfAborted();
    for (const piece of reply.pieces ?? []) if (typeof piece !== 'string') await abortable(piece.pass(), signal);
    return this.#response(reply);
  }

  async stream(request: LlmRequest, sink: LlmTextSink, signal?: AbortSignal): Promise<LlmResponse> {
    const reply = this.#replyTo(request, 'stream');
    for (const piece of reply.pieces ?? textOf(reply).split(/(?<=\s)/u)) {
      signal?.throwIfAborted();
      if (typeof piece !== 'string') await abortable(piece.pass(), signal);
      else if (piece !== '') await sink(piece);
    }
    signal?.throwIfAborted();
    return this.#response(reply);
  }

  #replyTo(request: LlmRequest, way: 'complete' | 'stream'): ScriptedReply {
    this.ways.push(way);
    const turn = typeof this.#turns === 'function' ? this.#turns : this.#turns[this.requests.length];
    this.requests.push(request);
    if (turn === undefined) throw new Error(`The script ends after ${this.requests.length - 1} requests.`);
    const reply = typeof turn === 'function' ? turn(request) : turn;
    if (reply instanceof Error) throw reply;
    return reply;
  }

  #response(reply: ScriptedReply): LlmResponse {
    const { calls = [], usage = [100, 10] } = reply;
    const toolCalls: LlmToolCall[] = calls.map(({ name, arguments: given = {} }) => ({
      id: `call_${++this.#calls}`,
      name,
      argumentsJson: typeof given === 'string' ? given : JSON.stringify(given),
    }));
    return {
      text: textOf(reply),
      toolCalls,
      finishReason: reply.finishReason ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
      ...(usage !== null && { usage: { inputTokens: usage[0], outputTokens: usage[1] } }),
    };
  }
}

const textOf = ({ text, pieces = [] }: ScriptedReply): string =>
  text ?? pieces.filter((piece) => typeof piece === 'string').join('');
