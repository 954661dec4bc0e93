import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type HttpReply, type NoReply, writeReply } from './http-reply.js';
import type { RecordedRequest, SentBody } from './recorded-request.js';
import { answering, type ScriptedAnswer } from './scripted-answer.js';
import { digested } from './scripted-embeddings.js';

/** What the model says, a response word for word, no response, or any of these by what was asked. */
export type ScriptedReply = ScriptedAnswer | HttpReply | NoReply | ((request: RecordedRequest) => ScriptedReply);

/** A reply that stays: everything from here on is answered with it. */
export interface LastingReply {
  readonly always: ScriptedReply;
}

/** The reply to every request from here on. */
export const forever = (always: ScriptedReply): LastingReply => ({ always });

/**
 * A server on loopback that plays an OpenAI-compatible API by script, one reply after another, and records what it is asked.
 * Chat completions and embeddings have a script each; without one, embeddings are answered with vectors made of the texts.
 */
export class ScriptedLlmServer {
  /** Everything that was asked of it, in the order in which it arrived. */
  readonly requests: RecordedRequest[] = [];
  /** Settles at the first request. */
  readonly asked: Promise<void>;
  /** Settles when the first caller hangs up before its reply was complete. */
  readonly abandoned: Promise<void>;
  readonly #server: Server;
  readonly #basePath: string;
  readonly #chat: (ScriptedReply | LastingReply)[];
  readonly #embeddings: (ScriptedReply | LastingReply)[] = [];
  #onAsked = (): void => undefined;
  #onAbandoned = (): void => undefined;

  private constructor(basePath: string, replies: readonly (ScriptedReply | LastingReply)[]) {
    this.#basePath = basePath;
    this.#chat = [...replies];
    this.asked = new Promise((resolve) => (this.#onAsked = resolve));
    this.abandoned = new Promise((resolve) => (this.#onAbandoned = resolve));
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** A server whose chat completions are answered with these. */
  static start(...replies: readonly (ScriptedReply | LastingReply)[]): Promise<ScriptedLlmServer> {
    return ScriptedLlmServer.startAt('/v1', ...replies);
  }

  /** As {@link start}, under another path than `/v1`. */
  static async startAt(
    basePath: string,
    ...replies: readonly (ScriptedReply | LastingReply)[]
  ): Promise<ScriptedLlmServer> {
    const server = new ScriptedLlmServer(basePath, replies);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#basePath}`;
  }

  /** Adds to the script of the chat completions. */
  reply(...replies: readonly (ScriptedReply | LastingReply)[]): this {
    this.#chat.push(...replies);
    return this;
  }

  /** Adds to the script of the embeddings. */
  embed(...replies: readonly (ScriptedReply | LastingReply)[]): this {
    this.#embeddings.push(...replies);
    return this;
  }

  /** The request at `index`; negative counts from the end. */
  request(index: number): RecordedRequest {
    const request = this.requests.at(index);
    if (request === undefined) throw new Error(`The server was asked ${this.requests.length} times.`);
    return request;
  }

  /** Hangs up on everybody, also on whoever still waits for a gate. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once('close', () => {
      if (!response.writableFinished) this.#onAbandoned();
    });
    const chunks: Buffer[] = [];
    request.on('data', (piece: Buffer) => chunks.push(piece));
    // Whoever hangs up before the request was complete has nothing to be answered.
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const recorded: RecordedRequest = {
        path: request.url ?? '',
        headers: request.headers,
        body: (text === '' ? {} : JSON.parse(text)) as SentBody,
      };
      this.requests.push(recorded);
      this.#onAsked();
      void writeReply(response, this.#replyTo(recorded));
    });
  }

  #replyTo(request: RecordedRequest): HttpReply | NoReply {
    const [path] = request.path.split('?');
    if (path === `${this.#basePath}/models`) {
      return { body: JSON.stringify({ object: 'list', data: [{ id: 'scripted', object: 'model' }] }) };
    }
    if (path === `${this.#basePath}/chat/completions`) return played(next(this.#chat, OUT_OF_REPLIES), request);
    if (path === `${this.#basePath}/embeddings`) {
      return played(
        next(this.#embeddings, ({ body }) => digested(body)),
        request,
      );
    }
    return { status: 404, body: JSON.stringify({ error: { message: `There is nothing at ${request.path}.` } }) };
  }
}

// No status of an outage: whoever waits for one to end would wait for ever.
const OUT_OF_REPLIES: HttpReply = { status: 418, body: 'The script has no reply left.' };

function next(script: (ScriptedReply | LastingReply)[], otherwise: ScriptedReply): ScriptedReply {
  const [first] = script;
  if (first === undefined) return otherwise;
  if (typeof first === 'object' && 'always' in first) return first.always;
  script.shift();
  return first;
}

function played(reply: ScriptedReply, request: RecordedRequest): HttpReply | NoReply {
  if (typeof reply === 'function') return played(reply(request), request);
  return typeof reply === 'object' && !('body' in reply) ? answering(reply, request.body) : reply;
}
