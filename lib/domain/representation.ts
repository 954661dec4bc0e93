import { requireDate, requireIdentity, requireText, requireWholeNumber, shown } from './checks.js';
import { InvalidArgumentError } from './errors.js';
import { Observation } from './observation.js';
import { PeerView } from './peer-view.js';

/** What {@link Representation.of} takes. */
export interface RepresentationInit {
  /** Whom it is about. */
  readonly subject: PeerView;
  /** Whose view it is; absent: GLOBAL, the view of nobody in particular. */
  readonly observer?: PeerView;
  /** The session that it is of; 1 to 256 characters. Absent: across sessions. */
  readonly sessionId?: string;
  /** What it was made of; default none. */
  readonly observations?: readonly Observation[];
  /** The view, in words. */
  readonly summary: string;
  /** When it was made. */
  readonly generatedAt: Date;
  /** The size of the summary and the observations, in tokens. */
  readonly tokenCount: number;
}

/** What was known about a peer at one moment. Append-only: a newer one takes its place, none is changed. */
export class Representation {
  /** Whom it is about. */
  readonly subject: PeerView;
  /** Whose view it is; absent: GLOBAL. */
  readonly observer: PeerView | undefined;
  /** The session that it is of; absent: across sessions. */
  readonly sessionId: string | undefined;
  /** What it was made of, as that was then. */
  readonly observations: readonly Observation[];
  /** The view, in words. */
  readonly summary: string;
  /** The size of the summary, in tokens. */
  readonly tokenCount: number;
  readonly #generatedAt: number;

  private constructor(init: RepresentationInit) {
    if (!(init.subject instanceof PeerView))
      throw new InvalidArgumentError('Representation.subject is not a PeerView.');
    this.subject = init.subject;
    this.observer = init.observer;
    if (init.observer !== undefined) init.subject.requireSameWorkspace(init.observer, 'Representation.observer');
    this.sessionId =
      init.sessionId === undefined ? undefined : requireIdentity('Representation.sessionId', init.sessionId);
    this.observations = Object.freeze([...(init.observations ?? [])]);
    for (const observation of this.observations) {
      if (!(observation instanceof Observation) || !observation.subject.equals(init.subject)) {
        throw new InvalidArgumentError(
          `Representation.observations holds ${observation instanceof Observation ? 'an observation about another peer' : shown(observation)}; it takes observations about its subject.`,
        );
      }
    }
    this.summary = requireText('Representation.summary', init.summary);
    this.#generatedAt = requireDate('Representation.generatedAt', init.generatedAt).getTime();
    this.tokenCount = requireWholeNumber('Representation.tokenCount', init.tokenCount, 0);
    Object.freeze(this);
  }

  /**
   * A representation of those fields; what may be left out has its default.
   * @throws InvalidArgumentError naming the field, what was given and what is accepted.
   */
  static of(init: RepresentationInit): Representation {
    return new Representation(init);
  }

  /** As JSON has it: every field, the time in ISO 8601, peers as their keys. */
  toJSON(): object {
    const { subject, observer, generatedAt } = this;
    return { ...this, subject: subject.key(), observer: observer?.key(), generatedAt: generatedAt.toISOString() };
  }

  /** When it was made; a copy. */
  get generatedAt(): Date {
    return new Date(this.#generatedAt);
  }

  /** Whether it is the view of nobody in particular. */
  get isGlobal(): boolean {
    return this.observer === undefined;
  }
}
