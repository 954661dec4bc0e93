import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it was sent to the server. */
export interface SentMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
  readonly tool_call_id?: string;
}

/** A request that reached the server. */
export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly SentMessage[];
    readonly tools?: readonly { readonly type: string; readonly function: { readonly name: string } }[];
    readonly tool_choice?: string;
  };
}

/** What the server answers: words, tool calls, a response word for word, or nothing at all. */
export type ScriptedAnswer =
  | { readonly content: string }
  | { readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[] }
  | { readonly status: number; readonly body: string }
  | 'silence';

/** A chat-completions server on loopback that answers by script, one answer after another, and records what it was asked. */
export class ScriptedLlmServer {
  readonly requests: RecordedRequest[] = [];
  /** Settles at the first request. */
  readonly asked: Promise<void>;
  /** Settles when a caller hangs up that is answered with silence. */
  readonly abandoned: Promise<void>;
  readonly #server: Server;
  readonly #answers: ScriptedAnswer[];
  #calls = 0;

  private constructor(answers: readonly ScriptedAnswer[]) {
    this.#answers = [...answers];
    let asked = (): void => undefined;
    let abandoned = (): void => undefined;
    this.asked = new Promise((resolve) => (asked = resolve));
    this.abandoned = new Promise((resolve) => (abandoned = resolve));
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as RecordedRequest['body'];
        this.requests.push({ path: request.url ?? '', headers: request.headers, body });
        const answer = this.#answers.shift() ?? { status: 500, body: 'The script has no answer left.' };
        asked();
        if (answer === 'silence') {
          response.once('close', abandoned);
          return;
        }
        const { status, text } = this.#response(answer);
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      });
    });
  }

  static async start(...answers: readonly ScriptedAnswer[]): Promise<ScriptedLlmServer> {
    const server = new ScriptedLlmServer(answers);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** The request at `index`; negative counts from the end. */
  request(index: number): RecordedRequest {
    const request = this.requests.at(index);
    if (request === undefined) throw new Error(`The server was asked ${this.requests.length} times.`);
    return request;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #response(answer: Exclude<ScriptedAnswer, 'silence'>): { status: number; text: string } {
    if ('status' in answer) return { status: answer.status, text: answer.body };
    const message =
      'content' in answer
        ? { role: 'assistant', content: answer.content }
        : {
            role: 'assistant',
            content: null,
            tool_calls: answer.toolCalls.map((call) => ({
              id: `call_${++this.#calls}`,
              type: 'function',
              function: call,
            })),
          };
    const choice = { index: 0, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop', message };
    return { status: 200, text: JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', choices: [choice] }) };
  }
}
