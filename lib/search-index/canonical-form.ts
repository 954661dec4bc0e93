import { createHash } from 'node:crypto';

import { spokenText, STATEMENT_METADATA } from '../domain/statement.js';
import { canonicalText } from './canonical-text.js';
import { timeReference } from './relative-time.js';

/** What of a fact says whether it is another one: an observation or a draft of one. */
export interface ComparedFact {
  /** What the fact says. */
  readonly content: string;
  /** What it was recorded with, such as the speaker of a statement: see {@link STATEMENT_METADATA}. */
  readonly metadata: Readonly<Record<string, string>>;
  /** When it was said; where it is absent, the time in a statement's metadata, and last when it was recorded. */
  readonly occurredAt?: Date;
  /** When it was recorded; a writer gives a draft the present time. */
  readonly createdAt?: Date;
}

/**
 * The key of what a fact says: two facts of the same subject and observer are the same exactly when their keys are equal.
 * The text is compared as {@link canonicalText} has it and without a statement's front, the speaker as written, and
 * the time only where the text is relative to it ("tomorrow", 내일). There is no measure of likeness.
 *
 * `undefined` for what equals nothing, not even itself told again: a text with a `[REDACTED:…]` marker, since two secrets
 * are masked alike, and a relative text of unknown time. At most about 300 characters.
 */
export function canonicalForm(fact: ComparedFact): string | undefined {
  const speaker = fact.metadata[STATEMENT_METADATA.SPEAKER];
  if (MASKED.test(fact.content) || (speaker !== undefined && MASKED.test(speaker))) return undefined;
  const text = canonicalText(spokenText(fact));
  const time = comparedTime(fact, text);
  if (time === undefined) return undefined;
  const form = JSON.stringify([text, time, speaker?.normalize('NFC') ?? null]);
  return form.length <= LONGEST_FORM ? form : `sha256:${createHash('sha256').update(form).digest('base64url')}`;
}

/** Whether two facts of the same subject and observer are one, by {@link canonicalForm}. */
export function sameFact(a: ComparedFact, b: ComparedFact): boolean {
  const form = canonicalForm(a);
  return form !== undefined && form === canonicalForm(b);
}

// Also what only looks like a marker: a policy of somebody else's may write its own.
const MASKED = /\[REDACTED/i;
const LONGEST_FORM = 300;

// Midnight falls on a quarter of an hour in every time zone, so what was said in the same quarter was said on the same
// day for everybody.
const QUARTER_OF_AN_HOUR = 15 * 60_000;

function comparedTime(fact: ComparedFact, text: string): number | undefined {
  const reference = timeReference(text);
  if (reference === 'none') return 0;
  const written = fact.metadata[STATEMENT_METADATA.OCCURRED_AT];
  const time =
    fact.occurredAt?.getTime() ?? (written === undefined ? fact.createdAt?.getTime() : Date.parse(written)) ?? NaN;
  if (Number.isNaN(time)) return undefined;
  // Shifted by a half so that a day never equals an instant, nor either the 0 of what is not relative.
  return reference === 'instant' ? time : Math.floor(time / QUARTER_OF_AN_HOUR) + 0.5;
}
