import { createHash } from 'node:crypto';

import type { HttpReply } from './http-reply.js';
import type { SentBody } from './recorded-request.js';

const DIMENSIONS = 8;

/** A response with these vectors, whose index says which text each belongs to. */
export function vectors(...rows: readonly (readonly unknown[])[]): HttpReply {
  return embeddings(rows.map((embedding, index) => ({ index, embedding })));
}

/** A response with exactly this data. */
export function embeddings(data: unknown): HttpReply {
  return { body: JSON.stringify({ object: 'list', data, usage: { prompt_tokens: 3, total_tokens: 3 } }) };
}

/** What the server answers where nothing is scripted: each text has a vector of its own, the same each time. */
export function digested(body: SentBody): HttpReply {
  return vectors(...(body.input ?? []).map((text) => digestVector(text, body.dimensions)));
}

/** The vector of a text; as alike to those of other texts as chance will have it. */
export function digestVector(text: string, dimensions = DIMENSIONS): readonly number[] {
  const digest = createHash('shake256', { outputLength: dimensions }).update(text).digest();
  return [...digest].map((byte) => byte / 127.5 - 1);
}
