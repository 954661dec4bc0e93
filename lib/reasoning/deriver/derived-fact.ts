import { redactionCategoriesIn, REDACTION_METADATA } from '../../domain/redaction-marker.js';
import type { Observation } from '../../domain/observation.js';
import type { ObservationType } from '../../domain/observation-type.js';
import { STATEMENT_METADATA } from '../../domain/statement.js';
import { textDigest } from '../../domain/text-digest.js';
import type { DerivationContext } from '../../ports/deriver.js';
import type { ObservationDraft } from '../../spi/observe.js';
import type { SpokenMessage } from './spoken-messages.js';

/** What a model found in statements: something new, or something that is known already. */
export interface DerivedFact {
  /** The fact in words; of one that is known, as it is known. */
  readonly content: string;
  /** How it is known. */
  readonly type: ObservationType;
  /** What it rests on, at least one. */
  readonly sources: readonly SpokenMessage[];
  /** What says it already. */
  readonly repeats?: Observation;
}

/** A fact as it is to be recorded. It carries what was masked in its sources, whether or not that stands in its words. */
export function draftOf(fact: DerivedFact, context: DerivationContext, deriver: string, now: Date): ObservationDraft {
  const { subject, observer, sessionId, signal } = context;
  const { content, type, sources, repeats } = fact;
  const sourceMessageIds = [...new Set(sources.map(({ message }) => message.id))];
  const digest = textDigest(sessionId, repeats?.id.toString() ?? content, ...sourceMessageIds);
  const common = { subject, observer, sessionId, content, type, sourceMessageIds, idempotencyKey: digest, signal };
  // As it is known, to the letter and the time, so that it is found to be the same.
  if (repeats !== undefined) return { ...common, occurredAt: timeOf(repeats), metadata: repeats.metadata };
  const times = sources.map(({ message }) => message.createdAt?.getTime() ?? now.getTime());
  const categories = [...new Set(sources.flatMap(({ text }) => redactionCategoriesIn(text)))].sort();
  return {
    ...common,
    occurredAt: new Date(Math.max(...times)),
    metadata: {
      [STATEMENT_METADATA.DERIVER]: deriver,
      ...(categories.length > 0 && {
        [REDACTION_METADATA.REDACTED]: 'true',
        [REDACTION_METADATA.CATEGORIES]: categories.join(','),
      }),
    },
  };
}

/** When a known fact was said; where nothing says so, when it was recorded, which is what a "yesterday" in it is taken from. */
function timeOf({ occurredAt, metadata, createdAt }: Observation): Date | undefined {
  return occurredAt ?? (metadata[STATEMENT_METADATA.OCCURRED_AT] === undefined ? createdAt : undefined);
}
