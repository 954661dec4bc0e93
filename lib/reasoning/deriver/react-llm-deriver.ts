import { LlmAnswerError, LlmContextLengthError } from '../../domain/errors.js';
import { OnceLog } from '../../domain/once-log.js';
import type { DerivationContext, DerivationResult, Deriver } from '../../ports/deriver.js';
import type { LlmMessage, LlmResponse } from '../../ports/llm-client.js';
import { readDerivationAnswer } from './derivation-answer.js';
import { DERIVATION_RULES, derivationPrompt, type DerivationPrompt } from './derivation-prompt.js';
import { DeriverTools } from './deriver-tools.js';
import type { DerivedFact } from './derived-fact.js';
import type { LlmDeriverOptions } from './llm-deriver-options.js';
import {
  answerTokens,
  echoed,
  ModelDerivation,
  PARTLY_UNUSABLE,
  partlyUnusable,
  tokensOf,
  type ModelFindings,
} from './model-derivation.js';
import type { SpokenMessage } from './spoken-messages.js';
import { knownFor } from './statements-of-batch.js';

/** How often a model is asked about one batch. */
const MOST_ROUNDS = 6;

const SYSTEM = `${DERIVATION_RULES}
Work with the tools: note each new fact, link what is known already, look up what may be known. When nothing is left to note, answer with the word DONE and call nothing. Where there is nothing to remember, answer DONE at once.`;

const REMINDER =
  'That was neither a call of a tool nor DONE. Note each new fact with a tool, or answer DONE and nothing else.';

/**
 * Derives with a language model that works in steps, with the tools of {@link DERIVER_TOOL_NAMES}: at most six rounds for a
 * batch, and no further one once `tokenBudget` is spent. What it found is recorded when it is done.
 *
 * Ended by the budget before it noted anything, a batch is an `LlmContextLengthError`, so that the queue comes again with
 * less; ended by the rounds, an `LlmAnswerError`. A model that writes down what it found, since it
 * cannot call tools, is read as `LlmDeriver` reads it; one that answers anything else but DONE before it has noted anything is
 * reminded once, and then that is an `LlmAnswerError` too.
 */
export class ReActLlmDeriver implements Deriver {
  readonly #options: LlmDeriverOptions;
  readonly #derivation: ModelDerivation;
  readonly #log: OnceLog;

  constructor(options: LlmDeriverOptions) {
    this.#options = options;
    this.#derivation = new ModelDerivation(options, 'react');
    this.#log = new OnceLog(options.logger);
  }

  derive(context: DerivationContext): Promise<DerivationResult> {
    return this.#derivation.derive(context, (statements) => this.#loop(context, statements));
  }

  async #loop(context: DerivationContext, statements: readonly SpokenMessage[]): Promise<ModelFindings> {
    const { searcher, llm } = this.#options;
    const prompt = derivationPrompt(
      context,
      statements,
      await knownFor(context, statements, searcher),
      this.#derivation.clock(),
    );
    const tools = new DeriverTools(context, prompt, searcher);
    const messages: LlmMessage[] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: prompt.data },
    ];
    let tokensUsed = 0;
    let reminded = false;
    for (let round = 1; ; round++) {
      const response = await llm.complete(
        {
          // A request stays as it was sent, whoever keeps it.
          messages: [...messages],
          tools: tools.offered,
          maxOutputTokens: answerTokens(context),
          temperature: 0,
        },
        context.signal,
      );
      tokensUsed += tokensOf(response);
      if (response.toolCalls.length === 0) {
        const facts = this.#answered(response, tools, prompt);
        if (facts !== undefined) return { facts, tokensUsed };
        if (reminded || round === MOST_ROUNDS)
          throw new LlmAnswerError('A language model neither called a tool nor said that it was done.');
        reminded = true;
        messages.push({ role: 'assistant', content: echoed(response) }, { role: 'user', content: REMINDER });
        continue;
      }
      messages.push({ role: 'assistant', content: response.text, toolCalls: response.toolCalls });
      for (const call of response.toolCalls)
        messages.push({ role: 'tool', toolCallId: call.id, content: await tools.call(call) });
      const spent = tokensUsed >= context.tokenBudget;
      if (round < MOST_ROUNDS && !spent) continue;
      if (tools.facts.length === 0) throw endedEarly(spent && round < MOST_ROUNDS);
      this.#log.warn(
        spent ? 'budget spent' : 'rounds spent',
        `A language model was still at work on a batch when its ${spent ? 'tokens' : 'rounds'} were spent; what it had noted by then is kept.`,
      );
      return { facts: tools.facts, tokensUsed };
    }
  }

  /** What is to be recorded, now that nothing more is called; `undefined` where the answer says neither that nor anything else. */
  #answered(
    response: LlmResponse,
    { facts }: DeriverTools,
    prompt: DerivationPrompt,
  ): readonly DerivedFact[] | undefined {
    if (facts.length > 0) return facts;
    if (response.finishReason === 'refusal')
      throw new LlmAnswerError('A language model refused to derive from a batch.');
    if (response.finishReason === 'length')
      throw new LlmContextLengthError('A language model could not finish its answer about a batch: it was cut.');
    const answer = readDerivationAnswer(response.text, prompt);
    // One that cannot call tools writes down what it has found; DONE may stand behind it, or alone.
    if (answer.fault !== undefined && answer.facts.length === 0)
      return /\bDONE\b/i.test(response.text) ? [] : undefined;
    if (answer.fault !== undefined) this.#log.warn(PARTLY_UNUSABLE, partlyUnusable(answer.fault));
    return answer.facts;
  }
}

function endedEarly(byBudget: boolean): Error {
  return byBudget
    ? new LlmContextLengthError('A language model spent all tokens of a batch before it had noted anything.')
    : new LlmAnswerError(`A language model called tools ${MOST_ROUNDS} times in a row and noted nothing.`);
}
