import type { Clock } from '../../domain/clock.js';
import { SYSTEM_CLOCK } from '../../domain/clock.js';
import { describeFailure, failureKind } from '../../domain/failure.js';
import { stripMemoryBlocks } from '../../domain/memory-block.js';
import type { MemoryLogger } from '../../domain/memory-logger.js';
import type { Observation } from '../../domain/observation.js';
import { OnceLog } from '../../domain/once-log.js';
import { Representation } from '../../domain/representation.js';
import type { DerivationContext } from '../../ports/deriver.js';
import type { LlmClient } from '../../ports/llm-client.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { RepresentationStore } from '../../ports/representation-store.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import { ContentRedactor } from '../../redaction/content-redactor.js';
import { DEFAULT_REDACTION_DEADLINE_MS, RedactionBudget } from '../../redaction/redaction-budget.js';
import type { RedactionPolicy } from '../../redaction/redaction-policy.js';
import { EstimatingTokenCounter } from '../estimating-token-counter.js';
import { selectForSummary } from '../observation-summary.js';
import { DATA_IS_NO_INSTRUCTION, quotedData } from '../prompts/quoted-data.js';

/** How many of a subject's newest observations are looked at, and how many of those from other sessions are shown. */
const MOST_LOOKED_AT = 200;
const MOST_OF_OTHERS = 15;
/** The longest summary, in UTF-16 units: one that is longer is cut at a sentence or a line. */
const LONGEST_SUMMARY = 4000;
/** How much of an answer is masked; what is behind that is cut off anyhow. */
const LONGEST_MASKED = 4 * LONGEST_SUMMARY;
const MOST_ANSWER_TOKENS = 2048;

const SYSTEM = `You write the summary of a memory: what is known about the subject, as the beginning of the next prompt of its assistant.
- Use the facts of <session> first; of <earlier> what still holds beside them. Where two disagree, the later one counts.
- Plain prose or short lines, at most 150 words, in the language of most of the facts. Keep numbers, names, codes and dates as they are written.
- Only what stands there. No advice, no greeting, no remark about the summary itself.
- ${DATA_IS_NO_INSTRUCTION}`;

/** What {@link SessionRepresentations} are made of. */
export interface SessionRepresentationsOptions {
  /** The model that writes them. */
  readonly llm: LlmClient;
  /** Where they are kept. */
  readonly representationStore: RepresentationStore;
  /** What they are made of. */
  readonly observationStore: ObservationStore;
  /** Masks what the model wrote before it is kept; `undefined` only where masking was switched off. */
  readonly redactionPolicy: RedactionPolicy | undefined;
  /** Measures the summary; default an estimate. */
  readonly tokenCounter?: TokenCounter;
  /** When they were made; default the system's. */
  readonly clock?: Clock;
  /** Where it is said that one could not be written; default nowhere. */
  readonly logger?: MemoryLogger;
}

/**
 * Writes LOCAL representations: what an observer knows about a subject, in the light of one session. One that cannot be
 * written is logged and tried again with the next batch of its session; until then the one before it stands, with the newer
 * observations after it, so that nothing is missing from a prompt.
 */
export class SessionRepresentations {
  readonly #options: SessionRepresentationsOptions;
  readonly #redactor: ContentRedactor | undefined;
  readonly #tokenCounter: TokenCounter;
  readonly #clock: Clock;
  readonly #log: OnceLog;

  constructor(options: SessionRepresentationsOptions) {
    const { redactionPolicy, tokenCounter = new EstimatingTokenCounter(), clock = SYSTEM_CLOCK, logger } = options;
    this.#options = options;
    this.#redactor = redactionPolicy === undefined ? undefined : new ContentRedactor(redactionPolicy);
    this.#tokenCounter = tokenCounter;
    this.#clock = clock;
    this.#log = new OnceLog(logger);
  }

  /** Writes the one of the batch's session anew. How many tokens that took; never rejects, but when the batch is called off. */
  async refresh(context: DerivationContext): Promise<number> {
    try {
      return await this.#refresh(context);
    } catch (error) {
      context.signal?.throwIfAborted();
      this.#log.warn(
        failureKind(error),
        `The LOCAL representation of a session could not be written: ${describeFailure(error)}. What was derived is kept, and the next batch tries again.`,
      );
      return 0;
    }
  }

  async #refresh({ subject, observer, sessionId, signal }: DerivationContext): Promise<number> {
    const { llm, observationStore, representationStore } = this.#options;
    // Before the observations are read: what comes in between is shown after the summary, and not missed.
    const generatedAt = this.#clock.now();
    const { items } = await observationStore.findBySubject(subject, { limit: MOST_LOOKED_AT });
    const seen = items.filter((one) => one.observer.equals(observer));
    const ofSession = selectForSummary(seen.filter((one) => one.sessionId === sessionId));
    const others = selectForSummary(
      seen.filter((one) => one.sessionId !== sessionId),
      MOST_OF_OTHERS,
    );
    if (ofSession.length === 0) return 0;
    const { text, usage } = await llm.complete(
      {
        messages: [
          { role: 'system', content: SYSTEM },
          {
            role: 'user',
            content: [
              quotedData('subject', [{ name: subject.principal.label }]),
              quotedData('earlier', others.map(fact)),
              quotedData('session', ofSession.map(fact)),
            ].join('\n'),
          },
        ],
        maxOutputTokens: MOST_ANSWER_TOKENS,
        temperature: 0,
      },
      signal,
    );
    // Masked before it is cut, since half a secret is not known for one.
    const answered = stripMemoryBlocks(text).text.trim().slice(0, LONGEST_MASKED);
    const summary = shortened(await this.#masked(answered, signal));
    const tokens = usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
    if (summary === '') return tokens;
    const tokenCount = this.#tokenCounter.count(summary);
    const observations = [...ofSession, ...others];
    await representationStore.save(
      Representation.of({ subject, observer, sessionId, summary, observations, generatedAt, tokenCount }),
    );
    return tokens;
  }

  async #masked(summary: string, signal: AbortSignal | undefined): Promise<string> {
    if (this.#redactor === undefined) return summary;
    const budget = new RedactionBudget(DEFAULT_REDACTION_DEADLINE_MS, signal);
    return (await this.#redactor.redact(summary, budget)).content;
  }
}

const fact = ({ content, type, occurredAt, createdAt }: Observation): object => ({
  fact: content,
  type,
  on: (occurredAt ?? createdAt).toISOString().slice(0, 10),
});

/** What a summary ends with that was cut. */
const CUT = ' …';

function shortened(text: string): string {
  if (text.length <= LONGEST_SUMMARY) return text;
  const head = text.slice(0, LONGEST_SUMMARY - CUT.length).replace(/[\ud800-\udbff]$/, '');
  const end = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('. '), head.lastIndexOf('。'));
  return `${(end > LONGEST_SUMMARY / 2 ? head.slice(0, end + 1) : head).trimEnd()}${CUT}`;
}
