import { MAX_QUESTION_LENGTH, REASONING_LEVELS, type DialecticEngine, type ReasoningLevel } from '../../spi/chat.js';
import type { OnceLog } from '../../domain/once-log.js';
import { peerLabel } from '../peer-label.js';
import { defineMemoryTool } from './define-memory-tool.js';
import type { MemoryTool } from './memory-tool.js';
import { toolInputSchema } from './tool-input-schema.js';

const INPUT = toolInputSchema(
  {
    question: {
      type: 'string',
      description: 'A question in words, such as "What does this person prefer to be called?".',
      minLength: 1,
      maxLength: MAX_QUESTION_LENGTH,
    },
    level: {
      type: 'string',
      description: 'How much thinking the answer may cost; default BALANCED.',
      enum: REASONING_LEVELS,
      default: 'BALANCED',
    },
  },
  ['question'],
);

/** `MemoryChat`: one answer in words, put together from what is remembered. */
export function memoryChatTool(engine: DialecticEngine, { log }: { log: OnceLog }): MemoryTool {
  return defineMemoryTool({
    name: 'MemoryChat',
    description:
      'Answers a question about the person or system that this conversation is with, from what is remembered of ' +
      'earlier conversations. Costs a model call; for single facts MemorySearch is cheaper where it is offered.',
    inputSchema: INPUT,
    log,
    run: async (input, { subject, observer, sessionId }, signal) => {
      const question = input.text('question');
      const level = input.text('level') as ReasoningLevel;
      const response = await engine.query({ subject, observer: observer(), sessionId, question, level, signal });
      const considered = response.observationsConsidered;
      const rests =
        considered === undefined
          ? ''
          : ` It rests on ${considered.length} ${considered.length === 1 ? 'observation' : 'observations'}.`;
      return `An answer from the memory of ${peerLabel(subject)}.${rests}\n${response.answer.trim()}`;
    },
  });
}
