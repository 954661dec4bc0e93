import type { Gate } from './gate.js';
import type { BodyStep, HttpReply } from './http-reply.js';
import type { SentBody } from './recorded-request.js';

/** A tool call of the model's. */
export interface ScriptedToolCall {
  readonly name: string;
  /** As the model writes them. */
  readonly arguments: string;
  /** Default: one that no other call has. */
  readonly id?: string;
}

/** What the model says. It is streamed when the request asks for that. */
export interface ScriptedAnswer {
  /** Default: `null`. */
  readonly content?: string | null;
  readonly toolCalls?: readonly ScriptedToolCall[];
  readonly refusal?: string;
  /** Default: `tool_calls` with calls, else `stop`. */
  readonly finishReason?: string | null;
  /** Prompt and completion tokens; default 11 and 7. `null`: the server does not say. */
  readonly usage?: readonly [number, number] | null;
  /** How the content is cut when it is streamed, with gates wherever the test wants to hold it. Default: at its spaces. */
  readonly pieces?: readonly (string | Gate)[];
}

const DEFAULT_USAGE = [11, 7] as const;
let calls = 0;

/** The response to a request that asked for that answer, streamed or whole. */
export function answering(answer: ScriptedAnswer, body: SentBody): HttpReply {
  return body.stream === true ? streamed(answer, body.stream_options?.include_usage === true) : whole(answer);
}

/** An event of a stream; `data` is JSON, or text as it is. */
export function event(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** A chunk of a streamed answer with this change, and with this end. */
export function chunk(delta: Readonly<Record<string, unknown>>, finishReason: string | null = null): string {
  return event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
}

/** A stream of exactly these events, pieces and gates. */
export function streamOf(...steps: readonly BodyStep[]): HttpReply {
  return { headers: { 'content-type': 'text/event-stream' }, body: steps };
}

function whole(answer: ScriptedAnswer): HttpReply {
  const toolCalls = answer.toolCalls?.map((call) => wireCall(call));
  const message = {
    role: 'assistant',
    content: contentOf(answer),
    ...(toolCalls !== undefined && { tool_calls: toolCalls }),
    ...(answer.refusal !== undefined && { refusal: answer.refusal }),
  };
  const usage = usageOf(answer);
  return {
    body: JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: finishOf(answer), message }],
      ...(usage !== undefined && { usage }),
    }),
  };
}

function streamed(answer: ScriptedAnswer, withUsage: boolean): HttpReply {
  const pieces = answer.pieces ?? (answer.content ?? '').split(/(?<=\s)/u).filter((piece) => piece !== '');
  const usage = usageOf(answer);
  return streamOf(
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((piece) => (typeof piece === 'string' ? chunk({ content: piece }) : piece)),
    ...(answer.refusal === undefined ? [] : [chunk({ refusal: answer.refusal })]),
    ...(answer.toolCalls ?? []).flatMap((call, index) => callInPieces(call, index)),
    chunk({}, finishOf(answer)),
    ...(withUsage && usage !== undefined ? [event({ id: 'chatcmpl-1', choices: [], usage })] : []),
    event('[DONE]'),
  );
}

function callInPieces(call: ScriptedToolCall, index: number): readonly string[] {
  const { id, function: called } = wireCall(call);
  const half = Math.floor(called.arguments.length / 2);
  return [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name: called.name, arguments: '' } }] }),
    chunk({ tool_calls: [{ index, function: { arguments: called.arguments.slice(0, half) } }] }),
    chunk({ tool_calls: [{ index, function: { arguments: called.arguments.slice(half) } }] }),
  ];
}

function wireCall({ name, arguments: text, id = `call_${++calls}` }: ScriptedToolCall): {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
} {
  return { id, type: 'function', function: { name, arguments: text } };
}

const contentOf = ({ content, pieces }: ScriptedAnswer): string | null =>
  content ?? pieces?.filter((piece) => typeof piece === 'string').join('') ?? null;

function finishOf({ finishReason, toolCalls }: ScriptedAnswer): string | null {
  return finishReason === undefined ? (toolCalls === undefined ? 'stop' : 'tool_calls') : finishReason;
}

function usageOf({ usage = DEFAULT_USAGE }: ScriptedAnswer): Readonly<Record<string, number>> | undefined {
  if (usage === null) return undefined;
  const [prompt, completion] = usage;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
