import { failureReason } from '../../domain/failure.js';
import type { NormalisedMessage } from '../../domain/memory-message.js';
import type { Observation } from '../../domain/observation.js';
import type { DerivationContext, DerivationFailure, DerivationResult } from '../../ports/deriver.js';
import type { ObservationRecorder } from '../../spi/observe.js';
import { draftOf, type DerivedFact } from './derived-fact.js';
import type { SpokenMessage } from './spoken-messages.js';

/**
 * Records what a model found. A store that fails does not cost a second call of the model, which would put the same facts
 * into other words: what could not be recorded is kept, by its statement, until the statement comes again.
 */
export class FactRecording {
  // By the message itself, so that nothing is kept of one that never comes again: it may have been erased.
  readonly #unrecorded = new WeakMap<NormalisedMessage, readonly DerivedFact[]>();

  constructor(
    private readonly parts: {
      readonly recorder: ObservationRecorder;
      /** What the observations say that they come from. */
      readonly deriver: string;
      readonly clock: () => Date;
    },
  ) {}

  /** What was found in a statement and could not be recorded; `undefined` for one that has to be asked about. */
  unrecorded({ message }: SpokenMessage): readonly DerivedFact[] | undefined {
    return this.#unrecorded.get(message);
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
    this.#note(statements, facts, failed);
    return { created, updated, tokensUsed, failures: [...failures.values()], byMessage };
  }

  #note(statements: readonly SpokenMessage[], facts: readonly DerivedFact[], failed: ReadonlySet<DerivedFact>): void {
    for (const statement of statements) {
      const mine = facts.filter(({ sources }) => sources.includes(statement));
      this.#unrecorded.delete(statement.message);
      // All of them: those that were recorded are known by their key when they come again.
      if (mine.some((fact) => failed.has(fact))) this.#unrecorded.set(statement.message, mine);
    }
  }
}
