import { DefaultRedactionPolicy } from '../redaction/default-redaction-policy.js';
import type { Degradation } from './degradations.js';

/** A degradation as it is shown. */
export type ShownDegradation = Pick<Degradation, 'key' | 'consequence' | 'remedy'>;

// What a policy takes at once, and what is shown of it: these are sentences, not documents.
const LONGEST_READ = 65_536;
const LONGEST_SHOWN = 2000;

const WITHHELD = '[withheld]';

/**
 * What an application wrote that is shown to whoever may ask for the health: an id, or the sentences of a degradation that
 * it raised itself, into which it may have put an error's message. Masked with the default rules, whatever the memory is
 * masked with.
 */
export class MemoryHealthTexts {
  readonly #policy = new DefaultRedactionPolicy();
  readonly #degradations = new WeakMap<Degradation, ShownDegradation>();

  /** `text` masked; what is no text, or cannot be masked, is withheld. */
  masked(text: unknown): string {
    if (typeof text !== 'string') return WITHHELD;
    try {
      const shown = this.#policy.redact(text.slice(0, LONGEST_READ)).redactedContent;
      return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
    } catch {
      return WITHHELD;
    }
  }

  /** The degradation as it is shown. Masked once, since it is asked for with every probe. */
  degradation(degradation: Degradation): ShownDegradation {
    const known = this.#degradations.get(degradation);
    if (known !== undefined) return known;
    const { key, consequence, remedy } = degradation;
    const shown = Object.freeze({
      key: this.masked(key),
      consequence: this.masked(consequence),
      remedy: this.masked(remedy),
    });
    this.#degradations.set(degradation, shown);
    return shown;
  }
}
