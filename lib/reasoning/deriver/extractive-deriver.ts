import { EventLoopTurns } from '../../domain/event-loop-turns.js';
import { failureReason } from '../../domain/failure.js';
import type { Observation } from '../../domain/observation.js';
import { REDACTION_METADATA, redactionCategoriesIn } from '../../domain/redaction-marker.js';
import { formatStatement, STATEMENT_METADATA } from '../../domain/statement.js';
import { textDigest } from '../../domain/text-digest.js';
import type { DerivationContext, DerivationFailure, DerivationResult, Deriver } from '../../ports/deriver.js';
import type { ObservationRecorder } from '../../spi/observe.js';
import { isSmallTalk } from './small-talk.js';
import { spokenMessages, type SpokenMessage } from './spoken-messages.js';

/**
 * Derives without a language model: one EXPLICIT observation for each message, its text as it was said, the speaker and
 * the time in front. A message is left out only where nothing but greetings, questions and fillers would remain: cutting
 * single sentences out of messages costs 4 points of recall (LoCoMo, recall@10).
 */
export class ExtractiveDeriver implements Deriver {
  readonly #recorder: ObservationRecorder;
  readonly #agentNames: ReadonlySet<string>;
  readonly #clock: () => Date;

  /**
   * @param options.recorder where observations go; the one that masks
   * @param options.agentNames the names under which the agent speaks in messages of role `assistant`; default none
   * @param options.clock the time of a message that has none; default the system's
   */
  constructor(options: {
    readonly recorder: ObservationRecorder;
    readonly agentNames?: readonly string[];
    readonly clock?: () => Date;
  }) {
    this.#recorder = options.recorder;
    this.#agentNames = new Set(options.agentNames);
    this.#clock = options.clock ?? (() => new Date());
  }

  async derive(context: DerivationContext): Promise<DerivationResult> {
    const created: Observation[] = [];
    const updated: Observation[] = [];
    const failures: DerivationFailure[] = [];
    const byMessage = new Map<string, Observation[]>();
    const turns = new EventLoopTurns();
    for (const spoken of spokenMessages(context.messages, this.#agentNames)) {
      await turns.pause();
      if (isSmallTalk(spoken.text)) continue;
      context.signal?.throwIfAborted();
      const { id } = spoken.message;
      try {
        const observation = await this.#record(spoken, context);
        (observation.corroborations === 0 ? created : updated).push(observation);
        byMessage.set(id, [...(byMessage.get(id) ?? []), observation]);
      } catch (error) {
        // One message that cannot be recorded is not the fault of the others.
        failures.push({ messageId: id, reason: failureReason(error), cause: error });
      }
    }
    return { created, updated, tokensUsed: 0, failures, byMessage };
  }

  #record({ message, speaker: name, text }: SpokenMessage, context: DerivationContext): Promise<Observation> {
    const { subject, observer, sessionId, signal } = context;
    const saidAt = message.createdAt ?? this.#clock();
    const speaker = name ?? subject.principal.label;
    const categories = redactionCategoriesIn(text);
    return this.#recorder.observe({
      subject,
      observer,
      sessionId,
      content: formatStatement({ speaker, saidAt, text }),
      type: 'EXPLICIT',
      occurredAt: saidAt,
      sourceMessageIds: [message.id],
      metadata: {
        [STATEMENT_METADATA.DERIVER]: 'extractive',
        [STATEMENT_METADATA.SPEAKER]: speaker,
        [STATEMENT_METADATA.OCCURRED_AT]: saidAt.toISOString(),
        ...(categories.length > 0 && {
          [REDACTION_METADATA.REDACTED]: 'true',
          [REDACTION_METADATA.CATEGORIES]: categories.join(','),
        }),
      },
      // The same words under the same id are the same message, however often it is handed in.
      idempotencyKey: textDigest(sessionId, message.id, text),
      signal,
    });
  }
}
