import {
  requireDate,
  requireFilledText,
  requireIdentity,
  requireOneOf,
  requireTextList,
  requireTextMap,
  requireUnitInterval,
  requireWholeNumber,
} from './checks.js';
import { InvalidArgumentError } from './errors.js';
import { ObservationId } from './observation-id.js';
import { OBSERVATION_TYPES, type ObservationType } from './observation-type.js';
import { PeerView } from './peer-view.js';

/** What {@link Observation.of} takes. */
export interface ObservationInit {
  /** What names it, in the workspace of the subject; see {@link ObservationId.generate}. */
  readonly id: ObservationId;
  /** Whom or what the fact is about. */
  readonly subject: PeerView;
  /** Who recorded it. */
  readonly observer: PeerView;
  /** The fact, in the language of the conversation; not blank. */
  readonly content: string;
  /** How it is known; one of {@link OBSERVATION_TYPES}. */
  readonly type: ObservationType;
  /** The messages that it rests on; default none. */
  readonly sourceMessageIds?: readonly string[];
  /** When it was recorded. */
  readonly createdAt: Date;
  /** When the source message was said: what "yesterday" is resolved against. */
  readonly occurredAt?: Date;
  /** How certain it is, in [0, 1]; see {@link confidenceOf}. */
  readonly confidence: number;
  /** How often the same fact was told again; default 0. */
  readonly corroborations?: number;
  /** Whether something that conflicts with it was found; default false. */
  readonly contradicted?: boolean;
  /** The observation that took its place, when it was retired for another. */
  readonly supersededBy?: ObservationId;
  /** The session in which it was told; 1 to 256 characters. Default: none. */
  readonly sessionId?: string;
  /** Anything else, as text; default nothing. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** One fact about a peer. Immutable: a change is a new value with the same id. */
export class Observation {
  /** Names it in its workspace, for good. */
  readonly id: ObservationId;
  /** Whom or what it is about. */
  readonly subject: PeerView;
  /** Who recorded it. */
  readonly observer: PeerView;
  /** The fact, in words; not blank. */
  readonly content: string;
  /** How it is known; one of {@link OBSERVATION_TYPES}. */
  readonly type: ObservationType;
  /** The ids of the messages that it rests on, in the order in which they were heard. */
  readonly sourceMessageIds: readonly string[];
  /** How certain it is, in [0, 1]; see {@link confidenceOf}. */
  readonly confidence: number;
  /** How often it was told again, 0 at first. */
  readonly corroborations: number;
  /** Whether something that conflicts with it was found. */
  readonly contradicted: boolean;
  /** What took its place, where it was retired for that. */
  readonly supersededBy: ObservationId | undefined;
  /** The session in which it was first told, where it was in one. */
  readonly sessionId: string | undefined;
  /** What else its recorder noted; values are text. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly #createdAt: number;
  readonly #occurredAt: number | undefined;

  private constructor(init: ObservationInit) {
    this.id = init.id;
    this.subject = init.subject;
    this.observer = init.observer;
    requireOneWorkspace(init);
    this.content = requireFilledText('Observation.content', init.content, 'a fact in words');
    this.type = requireOneOf('Observation.type', init.type, OBSERVATION_TYPES);
    this.sourceMessageIds = requireTextList('Observation.sourceMessageIds', init.sourceMessageIds ?? []);
    this.#createdAt = requireDate('Observation.createdAt', init.createdAt).getTime();
    this.#occurredAt =
      init.occurredAt === undefined ? undefined : requireDate('Observation.occurredAt', init.occurredAt).getTime();
    this.confidence = requireUnitInterval('Observation.confidence', init.confidence);
    this.corroborations = requireWholeNumber('Observation.corroborations', init.corroborations ?? 0, 0);
    this.contradicted = init.contradicted ?? false;
    this.supersededBy = init.supersededBy;
    this.sessionId =
      init.sessionId === undefined ? undefined : requireIdentity('Observation.sessionId', init.sessionId);
    this.metadata = requireTextMap('Observation.metadata', init.metadata ?? {});
    Object.freeze(this);
  }

  /**
   * An observation of those fields; what may be left out has its default.
   * @throws InvalidArgumentError naming the field; among others when subject, observer and id are of two workspaces.
   */
  static of(init: ObservationInit): Observation {
    return new Observation(init);
  }

  /** A copy with some fields changed. @throws InvalidArgumentError as {@link of} does. */
  with(change: Partial<ObservationInit>): Observation {
    const { id, subject, observer, content, type, sourceMessageIds, createdAt, occurredAt } = this;
    const { confidence, corroborations, contradicted, supersededBy, sessionId, metadata } = this;
    return new Observation({
      ...{ id, subject, observer, content, type, sourceMessageIds, createdAt, occurredAt },
      ...{ confidence, corroborations, contradicted, supersededBy, sessionId, metadata },
      ...change,
    });
  }

  /** As JSON has it: every field, times in ISO 8601, ids and peers as their texts. */
  toJSON(): object {
    return {
      ...this,
      id: this.id.toString(),
      subject: this.subject.key(),
      observer: this.observer.key(),
      supersededBy: this.supersededBy?.toString(),
      createdAt: this.createdAt.toISOString(),
      occurredAt: this.occurredAt?.toISOString(),
    };
  }

  /** When it was recorded; a copy. */
  get createdAt(): Date {
    return new Date(this.#createdAt);
  }

  /** When its source was said, where that is known; a copy. */
  get occurredAt(): Date | undefined {
    return this.#occurredAt === undefined ? undefined : new Date(this.#occurredAt);
  }
}

function requireOneWorkspace({ id, subject, observer, supersededBy }: ObservationInit): void {
  if (!(id instanceof ObservationId)) throw new InvalidArgumentError('Observation.id is not an ObservationId.');
  if (!(subject instanceof PeerView)) throw new InvalidArgumentError('Observation.subject is not a PeerView.');
  if (!(observer instanceof PeerView)) throw new InvalidArgumentError('Observation.observer is not a PeerView.');
  subject.requireSameWorkspace(observer, 'Observation.observer');
  for (const [field, bound] of [
    ['id', id],
    ['supersededBy', supersededBy],
  ] as const) {
    if (bound !== undefined && bound.workspaceId !== subject.workspace.id) {
      throw new InvalidArgumentError(
        `Observation.${field} is bound to workspace "${bound.workspaceId}", but its subject is a peer of workspace "${subject.workspace.id}".`,
      );
    }
  }
}
