import { abortable } from '../../domain/abortable.js';
import { shown } from '../../domain/checks.js';
import { InvalidArgumentError } from '../../domain/errors.js';
import type { LlmClient } from '../../ports/llm-client.js';
import type { TranscriptReader } from '../../ports/transcript-reader.js';
import {
  normaliseDialecticQuery,
  type DialecticEngine,
  type DialecticQuery,
  type DialecticResponse,
  type DialecticSink,
} from '../../spi/chat.js';
import type { MemorySearcher } from '../../spi/search.js';
import { DialecticRun, type DialecticRunParts } from './dialectic-run.js';

/** What a {@link LlmDialecticEngine} is made of. */
export interface LlmDialecticEngineOptions {
  /** Who answers. */
  readonly llm: LlmClient;
  /** Where what is remembered is looked up. */
  readonly searcher: MemorySearcher;
  /** Lets the model read what was said last in the session of a question, where it has one. Default: it cannot. */
  readonly transcriptReader?: TranscriptReader;
  /** The present time, from which "yesterday" in a question is reckoned. Default: the system's. */
  readonly clock?: () => Date;
}

/**
 * CHAT by a language model. The question is looked up first (10, 20 or 30 observations at `FAST`, `BALANCED` and `DEEP`); then
 * the model may look for more, in at most 2, 4 or 8 rounds, the last of which is the answer. A question's `maxTokens`, or 512,
 * 1024 or 2048, bounds what the model writes in a round; an answer that is longer ends there.
 *
 * Everything that is remembered counts, whatever its session. What is of the session of the question comes first, and where
 * the searcher can narrow a search up to half of what the question is looked up with is the session's own.
 *
 * `observationsConsidered` are the observations that the answer cites, or all that the model was shown where it cites none;
 * the citations themselves are taken out of the text. Where nothing at all was found, neither in the memory nor in the
 * conversation, the answer is a fixed sentence in the language of the question that says so, and nothing of what the model
 * may have written instead; at `FAST` it is not even asked then, unless there is a conversation to read.
 *
 * What the model writes in a round in which it looks something up is a paragraph of the answer, since a stream has told it.
 *
 * Names, questions, observations and messages reach the model as quoted data. A lookup that the model asked for and that
 * fails is told the model, which goes on; when the first one fails the question fails, for then nobody knows what is known.
 */
export class LlmDialecticEngine implements DialecticEngine {
  readonly #parts: DialecticRunParts;

  /** @throws InvalidArgumentError when the model or the searcher is missing */
  constructor({ llm, searcher, transcriptReader, clock = () => new Date() }: LlmDialecticEngineOptions) {
    requirePart('llm', llm, ['complete', 'stream']);
    requirePart('searcher', searcher, ['search']);
    if (transcriptReader !== undefined) requirePart('transcriptReader', transcriptReader, ['recentMessages']);
    this.#parts = { llm, searcher, transcriptReader, clock };
  }

  /**
   * Answers a question.
   * @throws LlmAnswerError when the model refuses, or answers with nothing
   * @throws LlmError as the model's client does
   * @throws what the searcher throws when the question itself is looked up
   */
  async query(query: DialecticQuery): Promise<DialecticResponse> {
    return this.#answer(query, undefined);
  }

  /**
   * As {@link query}; the text reaches `sink` as the model writes it, as soon as the model has been shown anything to answer
   * from. What was told the sink before a failure stays told.
   * @throws what the sink throws
   */
  async queryStream(query: DialecticQuery, sink: DialecticSink): Promise<DialecticResponse> {
    return this.#answer(query, sink);
  }

  async #answer(query: DialecticQuery, sink: DialecticSink | undefined): Promise<DialecticResponse> {
    const asked = normaliseDialecticQuery(query);
    return abortable(new DialecticRun(this.#parts, asked, sink).answered(), asked.signal);
  }
}

function requirePart(name: string, part: unknown, methods: readonly string[]): void {
  const given = part as Readonly<Record<string, unknown>> | null | undefined;
  if (methods.every((method) => typeof given?.[method] === 'function')) return;
  throw new InvalidArgumentError(
    `LlmDialecticEngineOptions.${name} is ${shown(part)}; it takes an object with ${methods.join(' and ')}.`,
  );
}
