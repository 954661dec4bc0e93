import { Gate } from './gate.js';
import { CUT, type HttpReply } from './http-reply.js';
import type { SentBody } from './recorded-request.js';
import { answering, chunk, event, streamOf, type ScriptedAnswer } from './scripted-answer.js';
import type { ScriptedReply } from './scripted-llm-server.js';

/** An error as the API words it. */
export function apiError(
  status: number,
  error: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  return { status, headers, body: JSON.stringify({ error }) };
}

/** Asked too often; with headers such as `retry-after`, or without. */
export const tooManyRequests = (headers: Readonly<Record<string, string>> = {}): HttpReply =>
  apiError(429, { message: 'Slow down.', type: 'requests', code: 'rate_limit_exceeded' }, headers);

/** The account has nothing left to spend. */
export const nothingLeftToSpend = (): HttpReply =>
  apiError(429, { message: 'You exceeded your quota.', type: 'insufficient_quota', code: 'insufficient_quota' });

/** The server failed. */
export const serverError = (status = 500): HttpReply => apiError(status, { message: 'Oops.', type: 'server_error' });

/** The page of a proxy in front of the server. */
export const htmlPage = (status = 200): HttpReply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><body><h1>Bad gateway</h1></body></html>',
});

/** The request is longer than the model can read. */
export const contextTooLong = (): HttpReply =>
  apiError(400, {
    message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  });

/** Refuses `parameter` wherever it is sent, and else answers. */
export function refusing(parameter: keyof SentBody, answer: ScriptedAnswer, error?: object): ScriptedReply {
  return refusingWhen(
    (body) => body[parameter] !== undefined,
    error ?? {
      message: `Unsupported parameter: '${parameter}' is not supported with this model.`,
      type: 'invalid_request_error',
      param: parameter,
      code: 'unsupported_parameter',
    },
    answer,
  );
}

/** Refuses with `error` what `refused` says, and else answers. */
export function refusingWhen(
  refused: (body: SentBody) => boolean,
  error: object,
  answer: ScriptedAnswer,
  status = 400,
): ScriptedReply {
  return ({ body }) => (refused(body) ? apiError(status, { ...error }) : answering(answer, body));
}

/** An answer without choices. */
export const emptyChoices = (): HttpReply => ({ body: JSON.stringify({ object: 'chat.completion', choices: [] }) });

/** An error in a response that says that all is well. */
export const errorInSuccess = (error: unknown): HttpReply => ({ body: JSON.stringify({ error }) });

/** Says something, then in the middle of the stream that it failed. */
export const errorInStream = (error: unknown): HttpReply => streamOf(chunk({ content: 'Hel' }), event({ error }));

/** Bytes that are no UTF-8 in the middle of the answer. */
export const invalidUtf8 = (): ScriptedReply => {
  const bad = Uint8Array.of(0xff, 0xfe);
  return ({ body }) =>
    body.stream === true
      ? streamOf(chunk({ content: 'Hel' }), 'data: {"choices":[{"delta":{"content":"', bad, '"}}]}\n\n')
      : { body: ['{"choices":[{"message":{"content":"Hel', bad, '"},"finish_reason":"stop"}]}'] };
};

/** The connection breaks in the middle of a whole answer. */
export const cutInBody = (): HttpReply => ({
  body: ['{"choices":[{"message":{"content":"Hel', CUT],
});

/** The connection breaks in the middle of a stream. */
export const cutInStream = (): HttpReply => streamOf(chunk({ content: 'Hel' }), CUT);

/** The stream ends as if all were well, before the answer does. */
export const endedInStream = (): HttpReply => streamOf(chunk({ content: 'Hel' }));

/** A stream that comes to a stop; the gate is where. */
export function stalledInStream(gate = new Gate()): HttpReply {
  return streamOf(chunk({ content: 'Hel' }), gate, chunk({ content: 'lo' }, 'stop'), event('[DONE]'));
}

/** An answer whose bytes come one by one. */
export function slowDrip(answer: ScriptedAnswer): ScriptedReply {
  return ({ body }) => {
    const { body: steps, ...reply } = answering(answer, body);
    const bytes = Buffer.from(typeof steps === 'string' ? steps : steps.filter(isText).join(''));
    return { ...reply, body: Array.from(bytes, (byte) => Uint8Array.of(byte)) };
  };
}

const isText = (step: unknown): step is string => typeof step === 'string';
