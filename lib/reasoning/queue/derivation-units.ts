import type { PeerView } from '../../domain/peer-view.js';
import type { DerivationWorkUnit } from '../../ports/derivation-queue.js';
import { DerivationUnit, unitKey, type QueuedPiece } from './derivation-unit.js';

/** The work units that have something to do, and in which order they are worked on. */
export class DerivationUnits {
  readonly #units = new Map<string, DerivationUnit>();
  // In the order in which they got something to do; one that is being worked on, or rests, is not among them.
  readonly #ready = new Set<DerivationUnit>();

  /** All of them, as they are now. */
  all(): readonly DerivationUnit[] {
    return [...this.#units.values()];
  }

  /** The one of that observer and session, if it has something to do. */
  find(unit: DerivationWorkUnit): DerivationUnit | undefined {
    return this.#units.get(unitKey(unit));
  }

  /** As {@link find}; made where there is none. To be handed to {@link offer} once it has something to do. */
  of({ observer, sessionId }: DerivationWorkUnit): DerivationUnit {
    const key = unitKey({ observer, sessionId });
    let unit = this.#units.get(key);
    if (unit === undefined) this.#units.set(key, (unit = new DerivationUnit(observer, sessionId)));
    return unit;
  }

  /** The unit is to be worked on if it has something to do and nobody is at it; without anything to do it goes. */
  offer(unit: DerivationUnit): void {
    if (unit.isIdle && !unit.busy) {
      this.#ready.delete(unit);
      this.#units.delete(unitKey(unit));
    } else if (!unit.isIdle && !unit.busy && !unit.resting) {
      this.#ready.add(unit);
    }
  }

  /** Whether a unit is to be worked on. */
  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** The unit that has waited longest to be worked on; it is somebody's from here. */
  next(): DerivationUnit | undefined {
    const [unit] = this.#ready;
    if (unit === undefined) return undefined;
    this.#ready.delete(unit);
    unit.busy = true;
    return unit;
  }

  /** Nothing is to be worked on any more. */
  stop(): void {
    this.#ready.clear();
  }

  /**
   * Takes out what waits and was heard by, or tells about, a peer that is to be erased. Also which units have more of that,
   * in a worker's hands.
   */
  takeOut(concerns: (peer: PeerView) => boolean): {
    readonly doomed: readonly QueuedPiece[];
    readonly concerned: readonly DerivationUnit[];
  } {
    const doomed: QueuedPiece[] = [];
    const concerned: DerivationUnit[] = [];
    for (const unit of this.all()) {
      const mine = concerns(unit.observer);
      const taken = new Set(unit.waiting.filter((piece) => mine || concerns(piece.subject)));
      doomed.push(...taken);
      unit.waiting = unit.waiting.filter((piece) => !taken.has(piece));
      if (mine || unit.inFlight.some((piece) => concerns(piece.subject))) concerned.push(unit);
      this.offer(unit);
      if (unit.isIdle) unit.idle.release();
    }
    return { doomed, concerned };
  }
}
