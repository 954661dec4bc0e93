import { failureReason } from '../../domain/failure.js';
import { joinKey } from '../../domain/joined-key.js';
import type { NormalisedMessage } from '../../domain/memory-message.js';
import type { Observation } from '../../domain/observation.js';
import type { DerivationContext, DerivationFailure, DerivationResult } from '../../ports/deriver.js';
import { canonicalForm } from '../../search-index/canonical-form.js';
import type { ObservationRecorder } from '../../spi/observe.js';
import { draftOf, type DerivedFact } from './derived-fact.js';
import type { SpokenMessage } from './spoken-messages.js';

/**
 * Records what a model found. A store that fails does not cost a second call of the model, which would put the same facts
 * into other words: what could not be recorded is kept, by its statement, until the statement comes again.
 */
export class FactRecording {
  // By the message itself, so that nothing is kept of one that never comes again: it may have been erased.
  readonly #unrecorded = new WeakMap<NormalisedMessage, Map<string, readonly DerivedFact[]>>();

  constructor(
    private readonly parts: {
      readonly recorder: ObservationRecorder;
      /** What the observations say that they come from. */
      readonly deriver: string;
      readonly clock: () => Date;
    },
  ) {}

  /** What was found in a statement and could not be recorded; `undefined` for one that has to be asked about. */
  unrecorded(context: DerivationContext, { message }: SpokenMessage): readonly DerivedFact[] | undefined {
    return this.#unrecorded.get(message)?.get(viewOf(context));
  }

  /** Records the facts, one by one; one that cannot be recorded is not the fault of the others. */
  async record(
    context: DerivationContext,
    statements: readonly SpokenMessage[],
    facts: readonly DerivedFact[],
    tokensUsed: number,
  ): Promise<DerivationResult> {
    const touched = new Map<string, { readonly observation: Observation; readonly isNew: boolean }>();
    const byMessage = new Map<string, Map<string, Observation>>();
    const failures = new Map<string, DerivationFailure>();
    const failed = new Set<DerivedFact>();
    for (const fact of facts) {
      try {
        const told = cannotBeStrengthened(fact) ? fact.repeats : undefined;
        const observation = told ?? (await this.#observe(fact, context));
        const id = observation.id.toString();
        // What is found twice in a batch was not known before because of the first time.
        const isNew = touched.get(id)?.isNew ?? observation.corroborations === 0;
        if (told === undefined) touched.set(id, { observation, isNew });
        for (const { message } of fact.sources)
          byMessage.set(message.id, new Map([...(byMessage.get(message.id) ?? []), [id, observation]]));
      } catch (cause) {
        if (context.signal?.aborted === true) throw cause;
        failed.add(fact);
        for (const { message } of fact.sources)
          failures.set(message.id, { messageId: message.id, reason: failureReason(cause), cause });
      }
    }
    this.#note(viewOf(context), statements, facts, failed);
    const recorded = [...touched.values()];
    return {
      created: recorded.filter(({ isNew }) => isNew).map(({ observation }) => observation),
      updated: recorded.filter(({ isNew }) => !isNew).map(({ observation }) => observation),
      tokensUsed,
      failures: [...failures.values()],
      byMessage: new Map([...byMessage].map(([id, observations]) => [id, [...observations.values()]])),
    };
  }

  #observe(fact: DerivedFact, context: DerivationContext): Promise<Observation> {
    const { recorder, deriver, clock } = this.parts;
    return recorder.observe(draftOf(fact, context, deriver, clock()));
  }

  #note(
    view: string,
    statements: readonly SpokenMessage[],
    facts: readonly DerivedFact[],
    failed: ReadonlySet<DerivedFact>,
  ): void {
    for (const statement of statements) {
      // By its message: a statement that comes again is another object than the one that its facts were found in.
      const mine = facts.filter(({ sources }) => sources.some(({ message }) => message === statement.message));
      this.#unrecorded.get(statement.message)?.delete(view);
      // All of them: those that were recorded are known by their key when they come again.
      if (!mine.some((fact) => failed.has(fact))) continue;
      const views = this.#unrecorded.get(statement.message) ?? new Map<string, readonly DerivedFact[]>();
      this.#unrecorded.set(statement.message, views.set(view, mine));
    }
  }
}

/** What a message is derived for: the same one says something else about another subject, or to another observer. */
function viewOf({ subject, observer, sessionId }: DerivationContext): string {
  return joinKey([subject.key(), observer.key(), sessionId]);
}

/** Whether a known fact equals nothing, itself told again included, as one does that is masked: recorded it would be a second one. */
function cannotBeStrengthened({ repeats }: DerivedFact): boolean {
  return repeats !== undefined && canonicalForm(repeats) === undefined;
}
