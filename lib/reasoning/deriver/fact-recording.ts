import { failureReason } from '../../domain/failure.js';
import type { Observation } from '../../domain/observation.js';
import type { DerivationContext, DerivationFailure, DerivationResult } from '../../ports/deriver.js';
import type { ObservationRecorder } from '../../spi/observe.js';
import { draftOf, type DerivedFact } from './derived-fact.js';
import { statementKey } from './derivation-prompt.js';
import type { SpokenMessage } from './spoken-messages.js';

/** How many statements are kept whose facts could not all be recorded; of more, the oldest are asked about once more. */
const MOST_UNRECORDED = 10_000;

/**
 * Records what a model found. A store that fails does not cost a second call of the model, which would put the same facts
 * into other words: what could not be recorded is kept, by its statement, until the statement comes again.
 */
export class FactRecording {
  readonly #unrecorded = new Map<string, readonly DerivedFact[]>();

  constructor(
    private readonly parts: {
      readonly recorder: ObservationRecorder;
      /** What the observations say that they come from. */
      readonly deriver: string;
      readonly clock: () => Date;
    },
  ) {}

  /** What was found in a statement and could not be recorded; `undefined` for one that has to be asked about. */
  unrecorded(context: DerivationContext, statement: SpokenMessage): readonly DerivedFact[] | undefined {
    return this.#unrecorded.get(statementKey(context.observer, context.sessionId, statement));
  }

  /** Records the facts, one by one; one that cannot be recorded is not the fault of the others. */
  async record(
    context: DerivationContext,
    statements: readonly SpokenMessage[],
    facts: readonly DerivedFact[],
    tokensUsed: number,
  ): Promise<DerivationResult> {
    const created: Observation[] = [];
    const updated: Observation[] = [];
    const byMessage = new Map<string, Observation[]>();
    const failures = new Map<string, DerivationFailure>();
    const failed = new Set<DerivedFact>();
    for (const fact of facts) {
      try {
        const observation = await this.parts.recorder.observe(
          draftOf(fact, context, this.parts.deriver, this.parts.clock()),
        );
        (observation.corroborations === 0 ? created : updated).push(observation);
        for (const { message } of fact.sources)
          byMessage.set(message.id, [...(byMessage.get(message.id) ?? []), observation]);
      } catch (cause) {
        if (context.signal?.aborted === true) throw cause;
        failed.add(fact);
        for (const { message } of fact.sources)
          failures.set(message.id, { messageId: message.id, reason: failureReason(cause), cause });
      }
    }
    this.#note(context, statements, facts, failed);
    return { created, updated, tokensUsed, failures: [...failures.values()], byMessage };
  }

  #note(
    context: DerivationContext,
    statements: readonly SpokenMessage[],
    facts: readonly DerivedFact[],
    failed: ReadonlySet<DerivedFact>,
  ): void {
    for (const statement of statements) {
      const key = statementKey(context.observer, context.sessionId, statement);
      const mine = facts.filter(({ sources }) => sources.includes(statement));
      this.#unrecorded.delete(key);
      // All of them: those that were recorded are known by their key when they come again.
      if (mine.some((fact) => failed.has(fact))) this.#unrecorded.set(key, mine);
    }
    while (this.#unrecorded.size > MOST_UNRECORDED) {
      this.#unrecorded.delete(this.#unrecorded.keys().next().value as string);
    }
  }
}
