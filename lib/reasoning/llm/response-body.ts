import { LlmAnswerError, LlmUnavailableError } from '../../domain/errors.js';
import type { ServerLabel } from './server-label.js';

/** What bounds the reading of a body. */
export interface BodyLimits {
  /** The most bytes, after decompression. */
  readonly maxBytes: number;
  /** Told when a piece is waited for, and when it has come. */
  readonly waiting?: (waits: boolean) => void;
}

/**
 * The bytes of a response as they come.
 * @throws LlmUnavailableError when the connection breaks
 * @throws LlmAnswerError past the most bytes
 */
export async function* bytesOf(response: Response, label: ServerLabel, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let read = 0;
  for (;;) {
    let next: { readonly done: boolean; readonly value?: Uint8Array };
    limits.waiting?.(true);
    try {
      next = await reader.read();
    } catch (error) {
      throw brokenConnection(error, label, 'broke off in the middle of an answer');
    } finally {
      limits.waiting?.(false);
    }
    if (next.value === undefined) return;
    read += next.value.byteLength;
    if (read > limits.maxBytes) {
      throw new LlmAnswerError(`${label.name} answered with more than ${limits.maxBytes} bytes, and was cut off.`);
    }
    yield next.value;
  }
}

/** The text of a whole body. @throws LlmAnswerError when it is no UTF-8: replaced characters would be taken for what was said */
export async function textOf(response: Response, label: ServerLabel, limits: BodyLimits): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytesOf(response, label, limits)) pieces.push(piece);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw notUtf8(label);
  }
}

/**
 * The JSON of a whole body.
 * @throws LlmUnavailableError when a web page came: what answers is not the server
 * @throws LlmAnswerError when it is no JSON
 */
export async function jsonOf(response: Response, label: ServerLabel, limits: BodyLimits): Promise<unknown> {
  const text = await textOf(response, label, limits);
  try {
    return JSON.parse(text);
  } catch {
    if (!/^\s*<(?:!doctype|html)/i.test(text)) throw new LlmAnswerError(`${label.name} answered with what is no JSON.`);
    throw new LlmUnavailableError(
      `${label.name} answered with a web page: something else stands at the address, or in between; check ${label.settings}.base-url.`,
      { outage: 'not-found' },
    );
  }
}

export const notUtf8 = (label: ServerLabel): LlmAnswerError =>
  new LlmAnswerError(`${label.name} answered with bytes that are no UTF-8.`);

/** What `fetch` failed with, by its code alone: its words may hold headers. */
export function brokenConnection(error: unknown, label: ServerLabel, what: string): LlmUnavailableError {
  const code = codeBehind(error);
  const outage = code !== undefined && /TIMEOUT|ETIMEDOUT/.test(code) ? 'timeout' : 'unreachable';
  return new LlmUnavailableError(`${label.name} ${what}${code === undefined ? '' : ` (${code})`}.`, { outage });
}

function codeBehind(error: unknown): string | undefined {
  for (let cause = error, depth = 0; depth < 5; depth++) {
    if (typeof cause !== 'object' || cause === null) return undefined;
    const { code, cause: deeper, errors } = cause as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code;
    cause = deeper ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return undefined;
}
