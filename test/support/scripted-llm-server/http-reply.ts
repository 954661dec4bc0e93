import type { ServerResponse } from 'node:http';

import { Gate } from './gate.js';

/** In a body: the connection breaks here. */
export const CUT: unique symbol = Symbol('cut the connection');

/** What is written to the body, one after another: text or bytes; a gate that holds; or the end of the connection. */
export type BodyStep = string | Uint8Array | Gate | typeof CUT;

/** A response word for word. */
export interface HttpReply {
  /** Default 200. */
  readonly status?: number;
  /** Default: `content-type: application/json`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | readonly BodyStep[];
  /** Holds everything, the headers too. */
  readonly heldBy?: Gate;
}

/** No response at all: `silence` never answers, `hang up` closes the connection before any header. */
export type NoReply = 'silence' | 'hang up';

/** Writes the reply. Whoever hangs up meanwhile is not waited for. */
export async function writeReply(response: ServerResponse, reply: HttpReply | NoReply): Promise<void> {
  if (reply === 'silence') return;
  if (reply === 'hang up') {
    response.destroy();
    return;
  }
  await reply.heldBy?.pass();
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
  const steps = typeof reply.body === 'string' ? [reply.body] : reply.body;
  for (const step of steps) {
    if (response.destroyed) return;
    if (step instanceof Gate) {
      response.flushHeaders();
      await step.pass();
    } else if (step === CUT) {
      response.flushHeaders();
      // What was written has to leave first, or the client would see no part of it.
      await new Promise<void>((resolve) => response.write(' ', () => resolve()));
      response.destroy();
      return;
    } else if (step.length > 0) {
      await new Promise<void>((resolve) => response.write(step, () => resolve()));
    }
  }
  response.end();
}
