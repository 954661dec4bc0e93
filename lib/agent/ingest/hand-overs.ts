import { describeFailure, failureKind } from '../../domain/failure.js';
import type { NormalisedMessage } from '../../domain/memory-message.js';
import type { OnceLog } from '../../domain/once-log.js';
import type { ExecutionMemorySink, ExecutionMemoryUpdate } from './execution-memory-sink.js';
import type { IngestOutcomes } from './ingest-outcomes.js';
import { FAILURE_REASONS } from './ingest-reasons.js';

/** Whose messages they are, and where they were said. */
export type HandOverPlace = Omit<ExecutionMemoryUpdate, 'messages'>;

/** Hands the messages of one session to a sink, in the background, and knows what is still on its way. */
export class HandOvers {
  readonly #underWay = new Set<Promise<void>>();

  constructor(
    private readonly parts: {
      readonly sink: ExecutionMemorySink;
      readonly outcomes: IngestOutcomes;
      readonly log: OnceLog;
      /** The session in which the messages have an outcome. */
      readonly sessionId: string;
    },
  ) {}

  /** A sink never fails by contract; one that does all the same must not fail the execution, nor go unnoticed. */
  hand(messages: readonly NormalisedMessage[], place: HandOverPlace): void {
    const { sink, outcomes, log, sessionId } = this.parts;
    const release = outcomes.hold();
    const handed = (async (): Promise<void> => sink.afterExecution({ ...place, messages }))()
      .catch((error: unknown) => {
        log.warn(failureKind(error), `The execution sink failed: ${describeFailure(error)}.`);
        for (const { id } of messages) {
          outcomes.record({
            ...{ messageId: id, sessionId, outcome: 'failed', reason: FAILURE_REASONS.SINK },
            observationIds: [],
          });
        }
      })
      .finally(() => {
        this.#underWay.delete(handed);
        release();
      });
    this.#underWay.add(handed);
  }

  /** Settles when nothing is on its way, or nobody waits any more. */
  async done(isAbandoned: () => boolean): Promise<void> {
    while (this.#underWay.size > 0 && !isAbandoned()) await Promise.all(this.#underWay);
  }
}
