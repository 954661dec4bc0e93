import { nanoid } from 'nanoid';

import { LlmAnswerError } from '../../domain/errors.js';
import type { LlmFinishReason, LlmResponse, LlmTokenUsage, LlmToolCall } from '../../ports/llm-client.js';
import { isObject } from './json-value.js';
import { errorDetail } from './server-error-detail.js';
import { failureInSuccess } from './server-failures.js';
import type { ServerLabel } from './server-label.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What the whole body of a chat completion says.
 * @throws LlmAnswerError when it says nothing that can be used
 * @throws LlmError when it is an error after all
 */
export function chatAnswer(body: unknown, label: ServerLabel): LlmResponse {
  if (!isObject(body)) throw new LlmAnswerError(`${label.name} answered with JSON that is no chat completion.`);
  throwIfError(body, label);
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isObject(choice) || !isObject(choice.message)) {
    throw new LlmAnswerError(`${label.name} answered with a chat completion that holds no choice.`);
  }
  return responseOf(choice.message, choice.finish_reason, body.usage, label);
}

/** @throws LlmError when the body, or an event of a stream, is an error */
export function throwIfError(body: JsonObject, label: ServerLabel): void {
  const { error } = body;
  const isError = (isObject(error) && Object.keys(error).length > 0) || (typeof error === 'string' && error !== '');
  if (isError || body.object === 'error') throw failureInSuccess(errorDetail(body), label);
}

/** A response out of a message, why it ended, and what it cost. @throws LlmAnswerError when its only calls name no tool */
export function responseOf(message: JsonObject, finish: unknown, usage: unknown, label: ServerLabel): LlmResponse {
  const text = textOf(message);
  const refusal = refusalOf(message);
  const calls = [
    ...(Array.isArray(message.tool_calls) ? (message.tool_calls as readonly unknown[]) : []),
    ...(isObject(message.function_call) ? [{ function: message.function_call }] : []),
  ];
  const toolCalls = toolCallsOf(calls);
  if (calls.length > 0 && toolCalls.length === 0 && text === '') {
    throw new LlmAnswerError(`${label.name} called a tool without naming it.`);
  }
  const cost = usageOf(usage);
  return Object.freeze({
    text,
    toolCalls: Object.freeze(toolCalls),
    finishReason: finishReasonOf(finish, toolCalls.length > 0, refusal !== ''),
    ...(refusal !== '' && { refusal }),
    ...(cost !== undefined && { usage: cost }),
  });
}

/** The words of a message, or of a piece of one, whose content may be text, parts, or nothing. */
export function textOf({ content }: JsonObject): string {
  return typeof content === 'string' ? content : partsOf(content, 'text');
}

/** The words in which a message, or a piece of one, refuses. */
export function refusalOf({ refusal, content }: JsonObject): string {
  return typeof refusal === 'string' ? refusal : partsOf(content, 'refusal');
}

function partsOf(content: unknown, kind: 'text' | 'refusal'): string {
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isObject(part) && typeof part[kind] === 'string' ? part[kind] : '')).join('');
}

function toolCallsOf(calls: readonly unknown[]): readonly LlmToolCall[] {
  const ids = new Set<string>();
  return calls.flatMap((call) => {
    const called = isObject(call) ? call.function : undefined;
    if (!isObject(call) || !isObject(called) || typeof called.name !== 'string' || called.name === '') return [];
    const id = typeof call.id === 'string' && call.id !== '' && !ids.has(call.id) ? call.id : `call_${nanoid()}`;
    ids.add(id);
    return [Object.freeze({ id, name: called.name, argumentsJson: argumentsOf(called.arguments) })];
  });
}

function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value;
  return isObject(value) ? JSON.stringify(value) : '{}';
}

function finishReasonOf(finish: unknown, calls: boolean, refused: boolean): LlmFinishReason {
  if (refused || finish === 'content_filter') return 'refusal';
  if (finish === 'length') return 'length';
  // Many servers say `stop` where they wait for a tool.
  if (calls) return 'tool-calls';
  return finish === 'stop' || finish === 'eos' || finish === 'end_turn' ? 'stop' : 'other';
}

function usageOf(usage: unknown): LlmTokenUsage | undefined {
  if (!isObject(usage)) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  return isCount(inputTokens) && isCount(outputTokens) ? Object.freeze({ inputTokens, outputTokens }) : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
