import { LlmAnswerError, LlmContextLengthError } from '../../domain/errors.js';
import { OnceLog } from '../../domain/once-log.js';
import type { DerivationContext, DerivationResult, Deriver } from '../../ports/deriver.js';
import type { LlmMessage, LlmResponse } from '../../ports/llm-client.js';
import { DERIVATION_SCHEMA, readDerivationAnswer, type DerivationAnswer } from './derivation-answer.js';
import { DERIVATION_RULES, derivationPrompt } from './derivation-prompt.js';
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

const SYSTEM = `${DERIVATION_RULES}
Answer with one JSON object and nothing else:
{"observations":[{"content":"…","type":"EXPLICIT","sources":["m1"],"repeats":null}]}
For a known fact that is said once more: {"content":"","type":"EXPLICIT","sources":["m2"],"repeats":"k1"}
Where there is nothing to remember: {"observations":[]}`;

/**
 * Derives with a language model: one call for each batch, with what is known beside it, and a second one for the session's
 * LOCAL representation where there is somewhere to keep it. Nothing but small talk costs no call.
 *
 * An answer that cannot be used is asked for once more, with what is wrong with it. A second one of that kind is an
 * `LlmAnswerError`, unless a part of it can be used: that is recorded, and the rest logged. An answer that was cut at the
 * most tokens twice is an `LlmContextLengthError`, so that the queue comes again with less.
 */
export class LlmDeriver implements Deriver {
  readonly #options: LlmDeriverOptions;
  readonly #derivation: ModelDerivation;
  readonly #log: OnceLog;

  constructor(options: LlmDeriverOptions) {
    this.#options = options;
    this.#derivation = new ModelDerivation(options, 'llm');
    this.#log = new OnceLog(options.logger);
  }

  derive(context: DerivationContext): Promise<DerivationResult> {
    return this.#derivation.derive(context, (statements) => this.#ask(context, statements));
  }

  async #ask(context: DerivationContext, statements: readonly SpokenMessage[]): Promise<ModelFindings> {
    const hits = await knownFor(context, statements, this.#options.searcher);
    const prompt = derivationPrompt(context, statements, hits, this.#derivation.clock());
    const messages: LlmMessage[] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: prompt.data },
    ];
    const first = await this.#complete(messages, context);
    const answer = readAnswer(first, (text) => readDerivationAnswer(text, prompt));
    if (answer.fault === undefined) return { facts: answer.facts, tokensUsed: tokensOf(first) };
    const mend = `${answer.fault} Answer once more, in full, with the JSON object alone.`;
    const second = await this.#complete(
      [...messages, { role: 'assistant', content: echoed(first) }, { role: 'user', content: mend }],
      context,
    );
    const better = readAnswer(second, (text) => readDerivationAnswer(text, prompt));
    const whole = better.fault === undefined && better.facts.length > 0;
    const best = whole || better.facts.length >= answer.facts.length ? better : answer;
    if (better.fault !== undefined && best.facts.length === 0) throw unusable(second, better.fault);
    if (best.fault !== undefined) this.#log.warn(PARTLY_UNUSABLE, partlyUnusable(best.fault));
    return { facts: best.facts, tokensUsed: tokensOf(first) + tokensOf(second) };
  }

  #complete(messages: readonly LlmMessage[], context: DerivationContext): Promise<LlmResponse> {
    const request = {
      messages,
      responseSchema: DERIVATION_SCHEMA,
      maxOutputTokens: answerTokens(context),
      temperature: 0,
    };
    return this.#options.llm.complete(request, context.signal);
  }
}

/** Reads the answer where it is one. A refusal is not read: it may hold the facts that the model would not write down. */
function readAnswer(response: LlmResponse, read: (text: string) => DerivationAnswer): DerivationAnswer {
  if (response.finishReason === 'refusal') return { facts: [], fault: 'The answer was a refusal.' };
  if (response.finishReason === 'length') {
    return { facts: [], fault: 'The answer was cut because it was too long. Write fewer and shorter observations.' };
  }
  return read(response.text);
}

function unusable({ finishReason }: LlmResponse, fault: string): Error {
  return finishReason === 'length'
    ? new LlmContextLengthError('A language model could not write down what it found in a batch: its answers were cut.')
    : new LlmAnswerError(`A language model gave two answers that cannot be used. ${fault}`);
}
