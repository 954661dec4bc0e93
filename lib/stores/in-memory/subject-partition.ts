import type { Observation } from '../../domain/observation.js';
import type { PeerView } from '../../domain/peer-view.js';

/** An observation with its place in time, and when it was retired. */
export interface StoredObservation {
  readonly observation: Observation;
  readonly createdAt: number;
  readonly retiredAt?: number;
}

/** A place between stored observations: just behind the one of this time and id. */
export interface Position {
  readonly createdAt: number;
  readonly localId: string;
}

/** The observations about one subject, live and retired, in order. */
export class SubjectPartition {
  // Oldest first, so that the usual insertion, of something new, is at the end.
  readonly #entries: StoredObservation[] = [];
  #live = 0;

  constructor(readonly subject: PeerView) {}

  get size(): number {
    return this.#entries.length;
  }

  get live(): number {
    return this.#live;
  }

  add(entry: StoredObservation): void {
    this.#entries.splice(this.#place(positionOf(entry)), 0, entry);
    if (entry.retiredAt === undefined) this.#live++;
  }

  /** Puts `entry` in the place of `kept`, which stands at the same position. Whether it did. */
  replace(kept: StoredObservation, entry: StoredObservation): boolean {
    const at = this.#place(positionOf(kept));
    if (this.#entries[at] !== kept || kept.createdAt !== entry.createdAt) return false;
    this.#entries[at] = entry;
    this.#live += Number(entry.retiredAt === undefined) - Number(kept.retiredAt === undefined);
    return true;
  }

  remove(entry: StoredObservation): void {
    const at = this.#place(positionOf(entry));
    if (this.#entries[at] !== entry) return;
    this.#entries.splice(at, 1);
    if (entry.retiredAt === undefined) this.#live--;
  }

  /** Newest first, of one instant by id; from behind `after` where that is given. */
  *newestFirst(after?: Position): Generator<StoredObservation> {
    for (let at = (after === undefined ? this.#entries.length : this.#place(after)) - 1; at >= 0; at--) {
      yield this.#entries[at] as StoredObservation;
    }
  }

  /** As they are, oldest first. A copy, so that what happens meanwhile is not seen. */
  all(): readonly StoredObservation[] {
    return [...this.#entries];
  }

  /** The first place whose entry does not come before `position` in this array's order. */
  #place(position: Position): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isOlder(positionOf(this.#entries[middle] as StoredObservation), position)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function positionOf({ createdAt, observation }: StoredObservation): Position {
  return { createdAt, localId: observation.id.localId };
}

// "Newest first, then by id" read backwards: older times first, and of one time the greater id first.
function isOlder(a: Position, b: Position): boolean {
  return a.createdAt !== b.createdAt ? a.createdAt < b.createdAt : a.localId > b.localId;
}
