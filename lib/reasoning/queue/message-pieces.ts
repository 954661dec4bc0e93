import { stripMemoryBlocks } from '../../domain/memory-block.js';
import { textOf, type NormalisedMessage } from '../../domain/memory-message.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import { splitSentences } from '../sentences.js';

/** A message, or a part of one, with its size. */
export interface MessagePiece {
  readonly message: NormalisedMessage;
  readonly tokens: number;
}

/**
 * A message as it is or, above `maxTokens`, in pieces that end at sentences. A sentence that is too long by itself is cut
 * between characters: nothing is dropped.
 */
export function piecesOf(
  message: NormalisedMessage,
  maxTokens: number,
  counter: TokenCounter,
): readonly MessagePiece[] {
  const tokens = counter.count(textOf(message));
  if (tokens <= maxTokens) return [{ message, tokens }];
  // Cut in two, a block of memory would no longer be known for one.
  const { text } = stripMemoryBlocks(textOf(message));
  if (text === '') return [{ message: Object.freeze({ ...message, content: '' }), tokens: 0 }];
  const parts = splitSentences(text).flatMap((sentence) => cut(sentence, maxTokens, counter));
  const pieces: MessagePiece[] = [];
  let content = '';
  let size = 0;
  for (const part of parts) {
    const more = counter.count(part);
    if (content !== '' && size + more > maxTokens) {
      pieces.push({ message: Object.freeze({ ...message, content }), tokens: size });
      content = '';
      size = 0;
    }
    content += part;
    size += more;
  }
  if (content !== '') pieces.push({ message: Object.freeze({ ...message, content }), tokens: size });
  return pieces;
}

function cut(sentence: string, maxTokens: number, counter: TokenCounter): readonly string[] {
  if (counter.count(sentence) <= maxTokens) return [sentence];
  const parts: string[] = [];
  let part = '';
  let size = 0;
  for (const word of sentence.match(/\S{1,64}\s*|\s+/gu) ?? []) {
    const more = counter.count(word);
    if (part !== '' && size + more > maxTokens) {
      parts.push(part);
      part = '';
      size = 0;
    }
    part += word;
    size += more;
  }
  return part === '' ? parts : [...parts, part];
}
