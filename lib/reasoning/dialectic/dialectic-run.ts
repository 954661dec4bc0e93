import { LlmAnswerError } from '../../domain/errors.js';
import type { LlmClient, LlmMessage, LlmRequest, LlmResponse, LlmTokenUsage } from '../../ports/llm-client.js';
import type { TranscriptReader } from '../../ports/transcript-reader.js';
import type { DialecticResponse, DialecticSink, NormalisedDialecticQuery } from '../../spi/chat.js';
import type { MemorySearcher } from '../../spi/search.js';
import { AnswerText } from './answer-text.js';
import { dialecticPrompt } from './dialectic-prompt.js';
import { HistoryLookup } from './history-lookup.js';
import { LEVEL_BUDGETS, type LevelBudget } from './level-budgets.js';
import { LookupCalls } from './lookup-calls.js';
import { MemoryLookup } from './memory-lookup.js';
import { nothingKnown } from './nothing-known.js';
import { ShownObservations } from './shown-observations.js';

/** What answers come from. */
export interface DialecticRunParts {
  readonly llm: LlmClient;
  readonly searcher: MemorySearcher;
  readonly transcriptReader: TranscriptReader | undefined;
  readonly clock: () => Date;
}

/** One question on its way to its answer. */
export class DialecticRun {
  readonly #shown = new ShownObservations();
  readonly #memory: MemoryLookup;
  readonly #history: HistoryLookup | undefined;
  readonly #calls: LookupCalls;
  readonly #answer: AnswerText;
  readonly #budget: LevelBudget;
  readonly #usages: (LlmTokenUsage | undefined)[] = [];

  /** With a `sink` the model is asked to stream. */
  constructor(
    private readonly parts: DialecticRunParts,
    private readonly query: NormalisedDialecticQuery,
    private readonly sink: DialecticSink | undefined,
  ) {
    const { sessionId, level, signal } = query;
    const { searcher, transcriptReader } = parts;
    this.#budget = LEVEL_BUDGETS[level];
    this.#memory = new MemoryLookup(searcher, query, this.#shown, this.#budget.prefetched);
    this.#history =
      transcriptReader === undefined || sessionId === undefined
        ? undefined
        : new HistoryLookup(transcriptReader, query, sessionId);
    this.#calls = new LookupCalls([this.#memory, ...(this.#history === undefined ? [] : [this.#history])], signal);
    this.#answer = new AnswerText({ idOf: (alias) => this.#shown.idOf(alias), sink, signal });
  }

  async answered(): Promise<DialecticResponse> {
    const { query } = this;
    query.signal?.throwIfAborted();
    const found = await this.#memory.prefetch();
    query.signal?.throwIfAborted();
    // Quickest of all is not to ask where there is nothing to answer from.
    if (this.#knowsSomething || query.level !== 'FAST' || this.#history !== undefined) {
      await this.#converse([...dialecticPrompt(query, found, this.parts.clock())]);
    }
    if (!this.#knowsSomething) {
      await this.#answer.take(nothingKnown(query.question));
      await this.#answer.endRound({ isCut: false });
    }
    return this.#response();
  }

  /** Whether the model has been shown anything that an answer can rest on. */
  get #knowsSomething(): boolean {
    return this.#shown.count > 0 || this.#history?.hasContent === true;
  }

  /** Lets the model look things up until it answers. What it says before it was shown anything is made up, and dropped. */
  async #converse(messages: LlmMessage[]): Promise<void> {
    let isLast = false;
    for (let round = 1; ; round++) {
      isLast ||= round === this.#budget.rounds;
      const knows = this.#knowsSomething;
      if (isLast && !knows) return;
      const { text, toolCalls, finishReason } = await this.#asked(messages, { mayCall: !isLast, tells: knows });
      if (finishReason === 'refusal') {
        throw new LlmAnswerError('The language model refused to answer the question, or a content filter did.');
      }
      const isCut = finishReason === 'length';
      if (knows) await this.#answer.endRound({ isCut });
      if (isLast || toolCalls.length === 0) {
        if (knows) this.#requireAnswer(isCut);
        return;
      }
      messages.push(...(await this.#calls.answered(knows ? text : '', toolCalls)));
      // Where the budget does not even hold the calls, there is no use in more of them.
      isLast ||= isCut;
    }
  }

  async #asked(
    messages: readonly LlmMessage[],
    { mayCall, tells }: { readonly mayCall: boolean; readonly tells: boolean },
  ): Promise<LlmResponse> {
    const { llm } = this.parts;
    const { signal, maxTokens = this.#budget.answerTokens } = this.query;
    signal?.throwIfAborted();
    const request: LlmRequest = {
      messages: [...messages],
      // Also where it may call none: servers refuse a conversation with calls of tools that they are not told of.
      tools: this.#calls.definitions,
      toolChoice: mayCall ? 'auto' : 'none',
      maxOutputTokens: maxTokens,
    };
    const take = (piece: string): void | Promise<void> => (tells ? this.#answer.take(piece) : undefined);
    const response = await (this.sink === undefined
      ? llm.complete(request, signal)
      : llm.stream(request, take, signal));
    if (this.sink === undefined) await take(response.text);
    signal?.throwIfAborted();
    this.#usages.push(response.usage);
    return response;
  }

  #requireAnswer(isCut: boolean): void {
    if (this.#answer.text !== '') return;
    throw new LlmAnswerError(
      isCut
        ? `The language model used up ${this.query.maxTokens ?? this.#budget.answerTokens} tokens before it answered; ask with a higher maxTokens or level.`
        : 'The language model answered a question with nothing.',
    );
  }

  #response(): DialecticResponse {
    const { cited, text } = this.#answer;
    const tokenUsage = sumOf(this.#usages);
    return Object.freeze({
      answer: text,
      observationsConsidered: Object.freeze(cited.length > 0 ? cited : this.#shown.ids),
      ...(tokenUsage !== undefined && { tokenUsage }),
      toolCalls: this.#calls.count,
    });
  }
}

/** What all rounds cost; `undefined` where one does not say. */
function sumOf(usages: readonly (LlmTokenUsage | undefined)[]): LlmTokenUsage | undefined {
  let inputTokens = 0;
  let outputTokens = 0;
  for (const usage of usages) {
    if (usage === undefined) return undefined;
    inputTokens += usage.inputTokens;
    outputTokens += usage.outputTokens;
  }
  return Object.freeze({ inputTokens, outputTokens });
}
