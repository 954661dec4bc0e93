import { ContentRedactor } from './content-redactor.js';
import type { RedactionBudget } from './redaction-budget.js';
import type { RedactionPolicy } from './redaction-policy.js';
import { recordRedaction, textMap } from './redaction-record.js';

/** What an observation says, beside who and when. */
export interface ObservationText {
  readonly content: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The same, masked, and the category of each match that was masked now. */
export interface MaskedObservationText extends ObservationText {
  readonly categories: readonly string[];
}

/** Masks an observation: its content, and each value of its metadata together with its key. */
export class ObservationRedactor {
  readonly #contents: ContentRedactor;

  constructor(policy: RedactionPolicy) {
    this.#contents = new ContentRedactor(policy);
  }

  /** @throws RedactionError when the policy fails or the deadline passes; the signal's reason when it aborts */
  async mask(text: ObservationText, budget: RedactionBudget): Promise<MaskedObservationText> {
    const { content, categories } = await this.#contents.redact(text.content, budget);
    const masked = [...categories];
    const entries: [string, string][] = [];
    for (const [key, value] of Object.entries(text.metadata ?? {})) {
      const maskedKey = await this.#contents.redact(key, budget);
      const maskedValue = await this.#contents.redactValue(key, value, budget);
      masked.push(...maskedKey.categories, ...maskedValue.categories);
      entries.push([maskedKey.content, maskedValue.content]);
    }
    const metadata = recordRedaction(Object.freeze(textMap(entries)), masked, content);
    const hasNone = text.metadata === undefined && Object.keys(metadata).length === 0;
    return { content, categories: masked, ...(hasNone ? {} : { metadata }) };
  }
}
