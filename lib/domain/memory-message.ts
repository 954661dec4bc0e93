import { nanoid } from 'nanoid';

import { requireIdentity, shown } from './checks.js';
import { InvalidArgumentError } from './errors.js';

/** A call of a tool that the model asked for. */
export interface MemoryToolCall {
  /** What the answer to the call names it by. */
  readonly id: string;
  /** Always `function`; any other is refused. */
  readonly type: 'function';
  /** Which tool, by its `name`, and with what. */
  readonly function: {
    /** What the tool is called. */
    readonly name: string;
    /** The arguments as the model wrote them: JSON, or what it took for JSON. */
    readonly arguments: string;
  };
}

/** A piece of a message's content, as the OpenAI chat-completions API has them. */
export type MemoryMessagePart =
  | {
      /** A piece of text. */
      readonly type: 'text';
      /** What was said; the only part from which observations are derived. */
      readonly text: string;
    }
  | {
      /** A refusal of the model. */
      readonly type: 'refusal';
      /** Why the model would not answer; masked as text is. */
      readonly refusal: string;
    }
  | {
      /** A picture. */
      readonly type: 'image_url';
      /**
       * The picture: its `url`, masked as text is unless it is a `data:` URI, and the `detail` it is looked at in, such
       * as `low`.
       */
      readonly image_url: { readonly url: string; readonly detail?: string };
    }
  | {
      /** A recording. */
      readonly type: 'input_audio';
      /** The recording: its `data` in base64, which is not masked, and its `format`, such as `wav`. */
      readonly input_audio: { readonly data: string; readonly format: string };
    }
  | {
      /** A file. */
      readonly type: 'file';
      /**
       * The file: its content as `file_data`, in base64 or as a `data:` URI, masked where it is text; or the `file_id` of one
       * that was uploaded; and its `filename`, which is masked.
       */
      readonly file: { readonly file_data?: string; readonly file_id?: string; readonly filename?: string };
    };

/** The roles of the OpenAI chat-completions API; any other is refused by its name. */
export const MESSAGE_ROLES = ['developer', 'system', 'user', 'assistant', 'tool', 'function'] as const;
/** Who a message is from; one of {@link MESSAGE_ROLES}. */
export type MemoryMessageRole = (typeof MESSAGE_ROLES)[number];

const PART_TYPES = ['text', 'refusal', 'image_url', 'input_audio', 'file'] as const;

/**
 * One message of a conversation: exactly an OpenAI chat-completions message, so that an application hands over the array
 * that it sends to its model, plus an `id` and the time at which it was said. A plain object.
 */
export interface MemoryMessage {
  /** Who it is from. */
  readonly role: MemoryMessageRole;
  /** Absent or `null` where an assistant only calls tools. */
  readonly content?: string | readonly MemoryMessagePart[] | null;
  /** Who speaks, where several people share a role. */
  readonly name?: string;
  /** The tools that an assistant called. */
  readonly tool_calls?: readonly MemoryToolCall[];
  /** Which call a `tool` message answers: the `id` of that call. */
  readonly tool_call_id?: string;
  /** Why an assistant would not answer; absent or `null` where it did. */
  readonly refusal?: string | null;
  /** The one call of the older function-calling form: the `name` of the function, and its `arguments` as JSON. */
  readonly function_call?: { readonly name: string; readonly arguments: string } | null;
  /** What observations cite; 1 to 256 characters. Assigned when absent. */
  readonly id?: string;
  /** When it was said: a Date, or ISO 8601 with a zone. */
  readonly createdAt?: Date | string;
}

/** A message that was checked: it has an id, its time is a Date, and it is frozen to the last part. */
export interface NormalisedMessage extends MemoryMessage {
  /** What observations cite; 1 to 256 characters. */
  readonly id: string;
  /** When it was said; absent where that is not known. */
  readonly createdAt?: Date;
}

/**
 * Checks a message, assigns an id when it has none, and answers a frozen copy; its input is left alone. Members that
 * are not listed in {@link MemoryMessage} (annotations, vendor fields) are no conversation and are left out.
 *
 * @param field what the message is called in an error, such as `MemoryIngestRequest.messages[3]`
 * @throws InvalidArgumentError naming an unknown role or part, or a member of the wrong kind
 */
export function normaliseMessage(message: MemoryMessage, field = 'MemoryMessage'): NormalisedMessage {
  if (message === null || typeof message !== 'object') {
    throw new InvalidArgumentError(`${field} is ${shown(message)}; it takes a chat-completions message.`);
  }
  const { role, content, name, tool_calls, tool_call_id, refusal, function_call, id, createdAt } = message;
  if (!MESSAGE_ROLES.includes(role)) {
    throw new InvalidArgumentError(`${field}.role is ${shown(role)}; it takes one of ${MESSAGE_ROLES.join(', ')}.`);
  }
  const normalised: { -readonly [K in keyof NormalisedMessage]: NormalisedMessage[K] } = {
    role,
    content: normaliseContent(content, `${field}.content`),
    id: id === undefined || id === null ? nanoid() : requireIdentity(`${field}.id`, id),
  };
  if (name !== undefined && name !== null) normalised.name = text(name, `${field}.name`);
  if (tool_calls !== undefined && tool_calls !== null)
    normalised.tool_calls = normaliseToolCalls(tool_calls, `${field}.tool_calls`);
  if (tool_call_id !== undefined && tool_call_id !== null)
    normalised.tool_call_id = text(tool_call_id, `${field}.tool_call_id`);
  if (refusal !== undefined && refusal !== null) normalised.refusal = text(refusal, `${field}.refusal`);
  if (function_call !== undefined && function_call !== null) {
    normalised.function_call = normaliseCall(function_call, `${field}.function_call`);
  }
  if (createdAt !== undefined && createdAt !== null)
    normalised.createdAt = normaliseTime(createdAt, `${field}.createdAt`);
  return Object.freeze(normalised);
}

/** A message as a model takes it: without the `id` and `createdAt` that only memory knows. */
export type ChatMessage = Omit<MemoryMessage, 'id' | 'createdAt'>;

/** `message` as a chat-completions API takes it. */
export function toChatMessage({ id: _id, createdAt: _createdAt, ...message }: MemoryMessage): ChatMessage {
  return message;
}

/** The words of a message: its text parts, joined by line breaks. Images, audio and files have none. */
export function textOf(message: MemoryMessage): string {
  const { content } = message;
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function normaliseContent(content: MemoryMessage['content'], field: string): MemoryMessage['content'] {
  if (content === undefined || content === null) return null;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) {
    throw new InvalidArgumentError(`${field} is ${shown(content)}; it takes text, an array of parts, or null.`);
  }
  return Object.freeze(
    (content as readonly MemoryMessagePart[]).map((part, index) => normalisePart(part, `${field}[${index}]`)),
  );
}

function normalisePart(part: MemoryMessagePart, field: string): MemoryMessagePart {
  switch (part?.type) {
    case 'text':
      return Object.freeze({ type: 'text', text: text(part.text, `${field}.text`) });
    case 'refusal':
      return Object.freeze({ type: 'refusal', refusal: text(part.refusal, `${field}.refusal`) });
    case 'image_url':
      return Object.freeze({ type: 'image_url', image_url: frozenTexts(part.image_url, `${field}.image_url`) });
    case 'input_audio':
      return Object.freeze({ type: 'input_audio', input_audio: frozenTexts(part.input_audio, `${field}.input_audio`) });
    case 'file':
      return Object.freeze({ type: 'file', file: frozenTexts(part.file, `${field}.file`) });
    default:
      throw new InvalidArgumentError(
        `${field}.type is ${shown((part as { type?: unknown } | undefined)?.type)}; it takes one of ${PART_TYPES.join(', ')}.`,
      );
  }
}

function normaliseToolCalls(calls: readonly MemoryToolCall[], field: string): readonly MemoryToolCall[] {
  if (!Array.isArray(calls))
    throw new InvalidArgumentError(`${field} is ${shown(calls)}; it takes an array of tool calls.`);
  return Object.freeze(
    (calls as readonly MemoryToolCall[]).map((call, index) => {
      const at = `${field}[${index}]`;
      if (call?.type !== 'function') {
        throw new InvalidArgumentError(
          `${at}.type is ${shown((call as { type?: unknown } | undefined)?.type)}; it takes "function".`,
        );
      }
      return Object.freeze({
        id: text(call.id, `${at}.id`),
        type: call.type,
        function: normaliseCall(call.function, `${at}.function`),
      });
    }),
  );
}

function normaliseCall(
  call: { readonly name: string; readonly arguments: string },
  field: string,
): { readonly name: string; readonly arguments: string } {
  return Object.freeze({
    name: text(call?.name, `${field}.name`),
    arguments: text(call?.arguments, `${field}.arguments`),
  });
}

function frozenTexts<T extends object>(part: T, field: string): T {
  if (part === null || typeof part !== 'object')
    throw new InvalidArgumentError(`${field} is ${shown(part)}; it takes an object.`);
  for (const [key, value] of Object.entries(part)) {
    if (value !== undefined && value !== null) text(value, `${field}.${key}`);
  }
  return Object.freeze({ ...part });
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes text.`);
  return value;
}

const ISO_WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;

function normaliseTime(value: Date | string, field: string): Date {
  const accepted = 'it takes a Date, or ISO 8601 with a zone such as "2026-03-02T02:00:00+09:00"';
  if (typeof value === 'string' && !ISO_WITH_ZONE.test(value)) {
    throw new InvalidArgumentError(`${field} is ${shown(value)}; ${accepted}.`);
  }
  const time = typeof value === 'string' ? new Date(value.replace(',', '.')) : value;
  if (!(time instanceof Date) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError(`${field} is ${shown(value)}; ${accepted}.`);
  }
  return new Date(time.getTime());
}
