import { stripMemoryBlocks, stripMemoryBlocksAcross } from '../../domain/memory-block.js';
import type { MemoryMessagePart, NormalisedMessage } from '../../domain/memory-message.js';
import { isMemoryToolName } from '../tools/memory-tool-names.js';
import { SKIP_REASONS } from './ingest-reasons.js';

export interface IngestibleMessages {
  /** What was said, in its order, without injected memory and without our own tools. */
  readonly messages: readonly NormalisedMessage[];
  /** What is left out whole, and why. */
  readonly skipped: readonly { readonly messageId: string; readonly reason: string }[];
}

/**
 * Takes out of a conversation what memory itself put there: otherwise remembered facts would be derived again and again,
 * each time counting for more. The input is left alone.
 */
export function ingestibleMessages(messages: readonly NormalisedMessage[]): IngestibleMessages {
  const ownCalls = new Set(
    messages.flatMap(({ tool_calls = [] }) =>
      tool_calls.filter((call) => isMemoryToolName(call.function.name)).map(({ id }) => id),
    ),
  );
  const kept: NormalisedMessage[] = [];
  const skipped: { messageId: string; reason: string }[] = [];
  for (const message of messages) {
    const { rest, reason } = withoutMemory(message, ownCalls);
    if (rest === undefined) skipped.push({ messageId: message.id, reason });
    else kept.push(rest);
  }
  return { messages: kept, skipped };
}

function withoutMemory(
  message: NormalisedMessage,
  ownCalls: ReadonlySet<string>,
): { readonly rest?: NormalisedMessage; readonly reason: string } {
  if (isOwnResult(message, ownCalls)) return { reason: SKIP_REASONS.MEMORY_TOOL };
  const stripped = withoutBlocks(message);
  const rest = withoutOwnCalls(stripped);
  // A message that was empty before anything was taken out is not our doing, and stays.
  if (rest === message || !isEmpty(rest)) return { rest, reason: '' };
  return { reason: rest === stripped ? SKIP_REASONS.INJECTED_MEMORY : SKIP_REASONS.MEMORY_TOOL };
}

function isOwnResult({ role, tool_call_id, name }: NormalisedMessage, ownCalls: ReadonlySet<string>): boolean {
  if (role === 'tool') return (tool_call_id !== undefined && ownCalls.has(tool_call_id)) || isMemoryToolName(name);
  return role === 'function' && isMemoryToolName(name);
}

function withoutBlocks(message: NormalisedMessage): NormalisedMessage {
  const content = withoutBlocksInContent(message.content);
  const refusal = typeof message.refusal === 'string' ? stripMemoryBlocks(message.refusal) : undefined;
  if (!content.found && refusal?.found !== true) return message;
  return Object.freeze({
    ...message,
    content: content.rest,
    ...(refusal === undefined ? {} : { refusal: refusal.text }),
  });
}

// Of parts the words are looked at together, as a model reads them: a block may begin in one and end in another.
function withoutBlocksInContent(content: NormalisedMessage['content']): {
  readonly rest: NormalisedMessage['content'];
  readonly found: boolean;
} {
  if (content === undefined || content === null) return { rest: content, found: false };
  if (typeof content === 'string') {
    const { text, found } = stripMemoryBlocks(content);
    return { rest: text, found };
  }
  const { texts, found } = stripMemoryBlocksAcross(content.flatMap((part) => wordsOf(part) ?? []));
  let next = 0;
  const rest = content.map((part): MemoryMessagePart => {
    if (part.type === 'text') return Object.freeze({ ...part, text: texts[next++] as string });
    return part.type === 'refusal' ? Object.freeze({ ...part, refusal: texts[next++] as string }) : part;
  });
  return { rest: found ? Object.freeze(rest) : content, found };
}

function wordsOf(part: MemoryMessagePart): string | undefined {
  if (part.type === 'text') return part.text;
  return part.type === 'refusal' ? part.refusal : undefined;
}

function withoutOwnCalls(message: NormalisedMessage): NormalisedMessage {
  const { tool_calls, function_call, ...rest } = message;
  const others = tool_calls?.filter((call) => !isMemoryToolName(call.function.name));
  const otherCall = isMemoryToolName(function_call?.name) ? undefined : function_call;
  if (others?.length === tool_calls?.length && otherCall === function_call) return message;
  return Object.freeze({
    ...rest,
    ...(others === undefined || others.length === 0 ? {} : { tool_calls: Object.freeze(others) }),
    ...(otherCall === undefined ? {} : { function_call: otherCall }),
  });
}

function isEmpty({ content, refusal, tool_calls, function_call }: NormalisedMessage): boolean {
  if ((tool_calls?.length ?? 0) > 0 || (function_call ?? undefined) !== undefined) return false;
  if ((refusal ?? '').trim() !== '') return false;
  if (content === null || content === undefined) return true;
  if (typeof content === 'string') return content.trim() === '';
  return content.every(
    (part) =>
      (part.type === 'text' && part.text.trim() === '') || (part.type === 'refusal' && part.refusal.trim() === ''),
  );
}
