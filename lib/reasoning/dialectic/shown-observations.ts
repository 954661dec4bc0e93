import type { ObservationId } from '../../domain/observation-id.js';
import type { Observation } from '../../domain/observation.js';
import { spokenText, STATEMENT_METADATA } from '../../domain/statement.js';
import type { MemoryHit } from '../../spi/search.js';
import { dayAndTime, quotedData } from '../prompts/quoted-data.js';
import { shortened } from './shortened.js';

/**
 * The observations that a model has been shown, each under an alias that it cites them by: ids of a store are long, and a
 * model that copies them makes mistakes.
 */
export class ShownObservations {
  readonly #aliases = new Map<string, string>();
  readonly #ids = new Map<string, ObservationId>();

  /** How many have been shown. */
  get count(): number {
    return this.#ids.size;
  }

  /** All of them, in the order in which they were shown. */
  get ids(): readonly ObservationId[] {
    return [...this.#ids.values()];
  }

  /** The one that an alias means; `undefined` where a model made it up. */
  idOf(alias: string): ObservationId | undefined {
    return this.#ids.get(alias);
  }

  /** Hits as a block of a prompt, those of the session that is preferred first. One that was shown before is only named. */
  block({ preferred, others }: Readonly<Record<'preferred' | 'others', readonly MemoryHit[]>>): string {
    return quotedData('observations', [
      ...preferred.map((hit) => this.#record(hit, true)),
      ...others.map((hit) => this.#record(hit, false)),
    ]);
  }

  #record({ observation, confidenceAvailable }: MemoryHit, preferred: boolean): object {
    const key = observation.id.toString();
    const before = this.#aliases.get(key);
    if (before !== undefined) return { id: before, already_shown: true };
    const alias = `k${this.#ids.size + 1}`;
    this.#aliases.set(key, alias);
    this.#ids.set(alias, observation.id);
    const text = spokenText(observation);
    return {
      id: alias,
      // What stands in front of a statement says who and when; so does this, with the day of the week.
      ...(text !== observation.content && {
        speaker: shortened(observation.metadata[STATEMENT_METADATA.SPEAKER] ?? ''),
      }),
      text: shortened(text),
      ...timeOf(observation, text),
      type: observation.type,
      ...(confidenceAvailable && { confidence: observation.confidence }),
      ...(preferred && { this_session: true }),
    };
  }
}

function timeOf(observation: Observation, text: string): object {
  const said =
    text === observation.content
      ? observation.occurredAt
      : new Date(observation.metadata[STATEMENT_METADATA.OCCURRED_AT] ?? observation.createdAt);
  return said === undefined ? { recorded_at: dayAndTime(observation.createdAt) } : { said_at: dayAndTime(said) };
}
