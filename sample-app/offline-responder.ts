import { textOf } from '@aimon/nestjs-memory';

import type { AssistantMessage, ChatModel, ChatModelRequest } from './chat-model.js';

const LABEL = 'offline responder, no language model';
const MOST_HITS = 3;
const QUESTION =
  /[?？]\s*$|^\s*(?:who|whose|what|when|where|which|why|how|do|does|did|is|are|was|were|can|could|should)\b|(?:나요|까요|니까|가요|지요|었죠|았죠|였죠|뭐죠|누구|언제|어디)[.\s]*$/iu;

/**
 * Stands in where no model is configured, so that the application can be tried without a key. It understands nothing: it
 * looks a question up with the MemorySearch tool and quotes what came back, and acknowledges everything else.
 */
export class OfflineResponder implements ChatModel {
  readonly label = LABEL;

  async complete({ messages, tools, toolChoice }: ChatModelRequest): Promise<AssistantMessage> {
    const last = messages.at(-1);
    const said = last === undefined ? '' : textOf(last).trim();
    if (last?.role === 'tool') return answer(quoted(said));
    if (!QUESTION.test(said)) return answer('noted.');
    const canSearch = toolChoice === 'auto' && tools.some((tool) => tool.function.name === 'MemorySearch');
    if (!canSearch) return answer('that is a question, and there is no memory to look it up in.');
    const input = JSON.stringify({ query: said, top_k: MOST_HITS });
    const call = { id: 'call_1', type: 'function', function: { name: 'MemorySearch', arguments: input } } as const;
    return { role: 'assistant', content: null, tool_calls: [call] };
  }
}

function answer(text: string): AssistantMessage {
  return { role: 'assistant', content: `${LABEL}: ${text}` };
}

// A result of a memory tool is a block: a tag, a line that says how many were found, a line for each, and the end tag.
function quoted(result: string): string {
  const [first = '', ...found] = result.split('\n').filter((line) => !/^<\/?aimon-memory\b/.test(line));
  return found.length === 0 ? first : ['this is what memory holds about it.', ...found].join('\n');
}
