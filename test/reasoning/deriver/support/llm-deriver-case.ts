import { LlmDeriver, type LlmDeriverOptions, type LlmRequest } from '@aimon/nestjs-memory';
import { ScriptedLlmClient } from '../../../support/scripted-llm-client.js';
import { blocksIn } from '../../dialectic/support/prompt-blocks.js';
import { type DerivationMemory, derivationMemory, SAID_AT } from './derivation-memory.js';

/** A deriver of one call for each batch, over a memory of its own and a scripted model. */
export interface LlmDeriverCase {
  readonly deriver: LlmDeriver;
  readonly llm: ScriptedLlmClient;
  readonly memory: DerivationMemory;
}

export function deriverWith(
  turns: ConstructorParameters<typeof ScriptedLlmClient>[0],
  options: Partial<LlmDeriverOptions> = {},
): LlmDeriverCase {
  const memory = derivationMemory();
  const llm = new ScriptedLlmClient(turns);
  const { recorder, searcher } = memory;
  return { deriver: new LlmDeriver({ llm, recorder, searcher, clock: () => SAID_AT, ...options }), llm, memory };
}

/** The blocks of data in a request. */
export const promptAt = ({ llm }: Pick<LlmDeriverCase, 'llm'>, index: number): ReturnType<typeof blocksIn> =>
  blocksIn(llm.requests[index]?.messages[1]?.content ?? '');
/** The records of messages in a request. */
export const shown = (one: LlmDeriverCase, index = 0): readonly unknown[] => promptAt(one, index).get('messages') ?? [];
export const lastText = ({ messages }: LlmRequest): string => messages.at(-1)?.content ?? '';
