import { stripMemoryBlocks } from '../../domain/memory-block.js';
import { textOf, type MemoryMessage } from '../../domain/memory-message.js';
import type { LlmTool } from '../../ports/llm-client.js';
import type { TranscriptReader } from '../../ports/transcript-reader.js';
import type { NormalisedDialecticQuery } from '../../spi/chat.js';
import { dayAndTime, quotedData } from '../prompts/quoted-data.js';
import { ALREADY_ASKED, countIn, type LookupTool } from './lookup-tool.js';
import { shortened } from './shortened.js';

const USUAL_MESSAGES = 20;
const MOST_MESSAGES = 50;

/** The tool `recent_history`: what was said last in the session, word by word. */
export class HistoryLookup implements LookupTool {
  readonly definition: LlmTool = {
    name: 'recent_history',
    description:
      'Reads the last messages of the conversation that the question comes from, oldest first. Use it for what was said a moment ago and may not be remembered yet.',
    inputSchema: {
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          description: `How many messages at most; default ${USUAL_MESSAGES}.`,
          minimum: 1,
          maximum: MOST_MESSAGES,
        },
      },
      additionalProperties: false,
    },
  };
  #asked = 0;
  #hasContent = false;

  constructor(
    private readonly reader: TranscriptReader,
    private readonly query: NormalisedDialecticQuery,
    private readonly sessionId: string,
  ) {}

  /** Whether the model has been shown something that was said. */
  get hasContent(): boolean {
    return this.#hasContent;
  }

  async call({ limit: given }: Readonly<Record<string, unknown>>): Promise<string> {
    const limit = countIn(given, { fallback: USUAL_MESSAGES, most: MOST_MESSAGES });
    if (limit === undefined) {
      return `Nothing was read: limit has to be a whole number from 1 to ${MOST_MESSAGES}, or be left out. Call recent_history again.`;
    }
    if (limit <= this.#asked) return ALREADY_ASKED;
    const { subject, observer, signal } = this.query;
    const read = await this.reader.recentMessages({ subject, observer, sessionId: this.sessionId, limit, signal });
    this.#asked = limit;
    const records = read.slice(-limit).flatMap(recordOf);
    this.#hasContent ||= records.length > 0;
    return quotedData('messages', records);
  }
}

/** What a person or an agent said. Tools' results, instructions and memory that stands in a prompt were not said by anybody. */
function recordOf(message: MemoryMessage): readonly object[] {
  const { role, name, createdAt } = message;
  const text = stripMemoryBlocks(textOf(message)).text.trim();
  if ((role !== 'user' && role !== 'assistant') || text === '') return [];
  const saidAt = createdAt === undefined ? undefined : new Date(createdAt);
  return [
    {
      role,
      ...(name !== undefined && { speaker: shortened(name) }),
      text: shortened(text),
      ...(saidAt !== undefined && !Number.isNaN(saidAt.getTime()) && { said_at: dayAndTime(saidAt) }),
    },
  ];
}
