import {
  requireDate,
  requireFilledText,
  requireIdentity,
  requireOneOf,
  requireTextList,
  requireTextMap,
  requireUnitInterval,
} from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';
import { OBSERVATION_TYPES, type ObservationType } from '../domain/observation-type.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import { requirePeers, requireRequest } from './request-checks.js';

/** The longest content of an observation, in UTF-16 units. */
export const MAX_CONTENT_LENGTH = 262_144;

/** OBSERVE: records one fact. */
export interface ObservationRecorder {
  /**
   * Records a fact. The observation as it is kept: a new one, or the one that said the same already, now stronger.
   *
   * @throws InvalidArgumentError for a field that is not what it takes
   * @throws RedactionError when the draft could not be masked; nothing was recorded
   * @throws StoreError when the backend fails, or was closed
   */
  observe(draft: ObservationDraft): Promise<Observation>;

  /** Whether a draft's `confidence` is kept. When false, a stored observation's confidence says nothing. */
  readonly storesConfidence: boolean;

  /** Whether a draft's `type` is kept. When false, everything is recorded as `EXPLICIT`. */
  readonly storesType: boolean;
}

/** A fact to record. The workspace is the subject's. */
export interface ObservationDraft {
  /** Whom or what the fact is about. */
  readonly subject: PeerView;
  /** Who records it; default: the subject. */
  readonly observer?: PeerView;
  /** The session in which it was told; 1 to 256 characters. Default: none. */
  readonly sessionId?: string;
  /** The fact, in words; not blank, at most {@link MAX_CONTENT_LENGTH} characters. */
  readonly content: string;
  /** How it is known; one of {@link OBSERVATION_TYPES}. */
  readonly type: ObservationType;
  /** In [0, 1]; absent: the type's base confidence. */
  readonly confidence?: number;
  /** When the source was said: what "yesterday" is resolved against. Absent: not known. */
  readonly occurredAt?: Date;
  /** The messages that it rests on; default none. */
  readonly sourceMessageIds?: readonly string[];
  /** Anything else, as text; default nothing. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The same draft sent again with the same key, for the same subject, is recorded once. 1 to 256 characters. */
  readonly idempotencyKey?: string;
  /** Aborts the call before anything was written; a write that has begun is done to its end. */
  readonly signal?: AbortSignal;
}

/** A draft with every default filled in: what a backend receives. `confidence` stays absent where none was given. */
export type NormalisedObservationDraft = Readonly<
  Required<Pick<ObservationDraft, 'subject' | 'observer' | 'content' | 'type' | 'sourceMessageIds' | 'metadata'>>
> &
  Pick<ObservationDraft, 'sessionId' | 'confidence' | 'occurredAt' | 'idempotencyKey' | 'signal'>;

/** Validates a draft and fills in its defaults; never changes its input. @throws InvalidArgumentError */
export function normaliseObservationDraft(input: ObservationDraft): NormalisedObservationDraft {
  requireRequest('ObservationDraft', input);
  const { subject, observer = subject, sessionId, content, type, confidence, idempotencyKey, signal } = input;
  requirePeers('ObservationDraft', { subject, observer });
  if (sessionId !== undefined) requireIdentity('ObservationDraft.sessionId', sessionId);
  requireFilledText('ObservationDraft.content', content, 'a fact in words');
  if (content.length > MAX_CONTENT_LENGTH) {
    throw new InvalidArgumentError(
      `ObservationDraft.content is ${content.length} characters long; it takes at most ${MAX_CONTENT_LENGTH}. A fact is short; a conversation goes to INGEST.`,
    );
  }
  requireOneOf('ObservationDraft.type', type, OBSERVATION_TYPES);
  if (confidence !== undefined) requireUnitInterval('ObservationDraft.confidence', confidence);
  const occurredAt =
    input.occurredAt === undefined ? undefined : requireDate('ObservationDraft.occurredAt', input.occurredAt);
  const sourceMessageIds = requireTextList('ObservationDraft.sourceMessageIds', input.sourceMessageIds ?? []);
  const metadata = requireTextMap('ObservationDraft.metadata', input.metadata ?? {});
  if (idempotencyKey !== undefined) requireIdentity('ObservationDraft.idempotencyKey', idempotencyKey);
  return Object.freeze({
    ...{ subject, observer, sessionId, content, type, confidence },
    ...{ occurredAt, sourceMessageIds, metadata, idempotencyKey, signal },
  });
}
