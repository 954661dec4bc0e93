import { LlmAnswerError, LlmContextLengthError } from '../../domain/errors.js';
import { OnceLog } from '../../domain/once-log.js';
import type { DerivationContext, DerivationResult, Deriver } from '../../ports/deriver.js';
import type { LlmMessage, LlmResponse } from '../../ports/llm-client.js';
import { DERIVATION_SCHEMA, readDerivationAnswer, type DerivationAnswer } from './derivation-answer.js';
import { DERIVATION_RULES, derivationPrompt } from './derivation-prompt.js';
import type { DerivedFact } from './derived-fact.js';
import { FactRecording } from './fact-recording.js';
import type { LlmDeriverOptions } from './llm-deriver-options.js';
import type { SpokenMessage } from './spoken-messages.js';
import { knownFor, statementsOf } from './statements-of-batch.js';

/** The fewest tokens that an answer may have: a model that thinks first spends some of them on that. */
const FEWEST_ANSWER_TOKENS = 2048;

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
  readonly #agentNames: ReadonlySet<string>;
  readonly #clock: () => Date;
  readonly #recording: FactRecording;
  readonly #log: OnceLog;

  constructor(options: LlmDeriverOptions) {
    const { recorder, agentNames, clock = () => new Date(), logger } = options;
    this.#options = options;
    this.#agentNames = new Set(agentNames);
    this.#clock = clock;
    this.#recording = new FactRecording({ recorder, deriver: 'llm', clock });
    this.#log = new OnceLog(logger);
  }

  async derive(context: DerivationContext): Promise<DerivationResult> {
    const statements = statementsOf(context, this.#agentNames);
    const unrecorded = statements.flatMap((one) => this.#recording.unrecorded(context, one) ?? []);
    const toAsk = statements.filter((one) => this.#recording.unrecorded(context, one) === undefined);
    const { facts, tokensUsed } = toAsk.length === 0 ? NOTHING : await this.#ask(context, toAsk);
    const result = await this.#recording.record(
      context,
      statements,
      [...new Set([...unrecorded, ...facts])],
      tokensUsed,
    );
    if (result.created.length + result.updated.length === 0) return result;
    const spent = (await this.#options.representations?.refresh(context)) ?? 0;
    return { ...result, tokensUsed: result.tokensUsed + spent };
  }

  async #ask(context: DerivationContext, statements: readonly SpokenMessage[]): Promise<Asked> {
    const hits = await knownFor(context, statements, this.#options.searcher);
    const prompt = derivationPrompt(context, statements, hits, this.#clock());
    const messages: LlmMessage[] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: prompt.data },
    ];
    const first = await this.#complete(messages, context);
    const answer = readAnswer(first, (text) => readDerivationAnswer(text, prompt));
    if (answer.fault === undefined) return { facts: answer.facts, tokensUsed: tokensOf(first) };
    messages.push(
      { role: 'assistant', content: first.text },
      { role: 'user', content: `${answer.fault} Answer once more, in full, with the JSON object alone.` },
    );
    const second = await this.#complete(messages, context);
    const better = readAnswer(second, (text) => readDerivationAnswer(text, prompt));
    const best = better.facts.length >= answer.facts.length ? better : answer;
    if (better.fault !== undefined && best.facts.length === 0) throw unusable(second, better.fault);
    if (best.fault !== undefined)
      this.#log.warn(best.fault, `A part of what a model answered could not be used: ${best.fault}`);
    return { facts: best.facts, tokensUsed: tokensOf(first) + tokensOf(second) };
  }

  #complete(messages: readonly LlmMessage[], { tokenBudget, signal }: DerivationContext): Promise<LlmResponse> {
    const request = {
      messages,
      responseSchema: DERIVATION_SCHEMA,
      maxOutputTokens: Math.max(FEWEST_ANSWER_TOKENS, tokenBudget),
      temperature: 0,
    };
    return this.#options.llm.complete(request, signal);
  }
}

interface Asked {
  readonly facts: readonly DerivedFact[];
  readonly tokensUsed: number;
}
const NOTHING: Asked = { facts: [], tokensUsed: 0 };

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

/** What a call cost; 0 where the server does not say. */
export const tokensOf = ({ usage }: LlmResponse): number =>
  usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
