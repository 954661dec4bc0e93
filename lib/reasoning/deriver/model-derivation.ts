import type { DerivationContext, DerivationResult } from '../../ports/deriver.js';
import type { LlmResponse } from '../../ports/llm-client.js';
import type { DerivedFact } from './derived-fact.js';
import { FactRecording } from './fact-recording.js';
import type { LlmDeriverOptions } from './llm-deriver-options.js';
import type { SpokenMessage } from './spoken-messages.js';
import { statementsOf } from './statements-of-batch.js';

/** What a model found in statements, and what that cost. */
export interface ModelFindings {
  readonly facts: readonly DerivedFact[];
  readonly tokensUsed: number;
}

const NOTHING: ModelFindings = { facts: [], tokensUsed: 0 };

/** The fewest tokens that an answer may have, since a model that thinks first spends some of them on that, and the most. */
const FEWEST_ANSWER_TOKENS = 2048;
const MOST_ANSWER_TOKENS = 8192;

/** What derivers that ask a model have in common, from a batch to what is recorded of it, but for how the model is asked. */
export class ModelDerivation {
  readonly clock: () => Date;
  readonly #options: LlmDeriverOptions;
  readonly #agentNames: ReadonlySet<string>;
  readonly #recording: FactRecording;

  /** @param deriver what the observations say that they come from */
  constructor(options: LlmDeriverOptions, deriver: string) {
    const { recorder, agentNames, clock = () => new Date() } = options;
    this.clock = clock;
    this.#options = options;
    this.#agentNames = new Set(agentNames);
    this.#recording = new FactRecording({ recorder, deriver, clock });
  }

  /** @param ask finds the facts in statements; not called where there are none to ask about */
  async derive(
    context: DerivationContext,
    ask: (statements: readonly SpokenMessage[]) => Promise<ModelFindings>,
  ): Promise<DerivationResult> {
    const statements = statementsOf(context, this.#agentNames);
    const unrecorded = statements.flatMap((one) => this.#recording.unrecorded(context, one) ?? []);
    const toAsk = statements.filter((one) => this.#recording.unrecorded(context, one) === undefined);
    const { facts, tokensUsed } = toAsk.length === 0 ? NOTHING : await ask(toAsk);
    const all = [...new Set([...unrecorded, ...facts])];
    const result = await this.#recording.record(context, statements, all, tokensUsed);
    if (result.created.length + result.updated.length === 0) return result;
    const spent = (await this.#options.representations?.refresh(context)) ?? 0;
    return { ...result, tokensUsed: result.tokensUsed + spent };
  }
}

/** How many tokens an answer about a batch may have: a quarter of what may be spent on it. */
export const answerTokens = ({ tokenBudget }: DerivationContext): number =>
  Math.min(MOST_ANSWER_TOKENS, Math.max(FEWEST_ANSWER_TOKENS, Math.floor(tokenBudget / 4)));

/** What a call cost; 0 where the server does not say. */
export const tokensOf = ({ usage }: LlmResponse): number =>
  usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;

/** How much of an answer a model is shown when it is asked once more, in UTF-16 units. */
const LONGEST_ECHO = 8000;

/** An answer as a model is shown it when it is asked once more: what it wrote without end is not sent back to it. */
export function echoed({ text }: LlmResponse): string {
  return text.length <= LONGEST_ECHO ? text : `${text.slice(0, LONGEST_ECHO).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The kind of what {@link partlyUnusable} says, for a log that says each kind once. */
export const PARTLY_UNUSABLE = 'partly unusable';

/** Says that some of an answer was kept and some was not, and why. */
export const partlyUnusable = (fault: string): string => `A part of what a model answered could not be used: ${fault}`;
