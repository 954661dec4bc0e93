import { stripMemoryBlocks } from '../../domain/memory-block.js';
import { textOf, type NormalisedMessage } from '../../domain/memory-message.js';

/** Something that a person said. */
export interface SpokenMessage {
  readonly message: NormalisedMessage;
  /** Who said it, where the message says so. */
  readonly speaker: string | undefined;
  /** The words, without what this library had put among them. */
  readonly text: string;
}

/**
 * The messages that statements may be taken from: those of users, and those of an assistant whose `name` is known not to
 * be the agent's. Everything else (the agent's words, instructions, tool results) is context.
 *
 * @param agentNames the names under which the agent itself speaks; while none is given no assistant's message counts,
 * since nothing tells whether its name is the agent's
 */
export function spokenMessages(
  messages: readonly NormalisedMessage[],
  agentNames: ReadonlySet<string>,
): readonly SpokenMessage[] {
  return messages.flatMap((message) => {
    if (!speaksForAPerson(message, agentNames)) return [];
    const text = stripMemoryBlocks(textOf(message)).text.trim();
    return text === '' ? [] : [{ message, speaker: message.name, text }];
  });
}

function speaksForAPerson({ role, name }: NormalisedMessage, agentNames: ReadonlySet<string>): boolean {
  if (role === 'user') return name === undefined || !agentNames.has(name);
  return role === 'assistant' && name !== undefined && agentNames.size > 0 && !agentNames.has(name);
}
