import type { PeerView } from '../../domain/peer-view.js';
import type { QueuedPiece } from './derivation-unit.js';

/** Pieces of one unit that were given up after the last attempt. */
export interface DeadLetter {
  readonly observer: PeerView;
  readonly sessionId: string;
  readonly pieces: readonly QueuedPiece[];
}

/** What was given up, for whoever wants it tried again: as much as fits, the newest. */
export class DeadLetters {
  #letters: DeadLetter[] = [];
  #pieces = 0;

  /** @param most how many pieces are kept */
  constructor(private readonly most: number) {}

  /** How many there are. */
  get count(): number {
    return this.#letters.length;
  }

  /** Keeps one. How many older ones had to make room. */
  add(letter: DeadLetter): number {
    this.#letters.push(letter);
    this.#pieces += letter.pieces.length;
    let dropped = 0;
    while (this.#pieces > this.most && this.#letters.length > 1) {
      this.#pieces -= this.#letters.shift()?.pieces.length ?? 0;
      dropped++;
    }
    return dropped;
  }

  /** All of them, oldest first; none is left. */
  takeAll(): readonly DeadLetter[] {
    const letters = this.#letters;
    this.#letters = [];
    this.#pieces = 0;
    return letters;
  }

  /** Forgets what was heard by, or tells about, a peer that is to be erased. */
  erase(concerns: (peer: PeerView) => boolean): void {
    this.#letters = this.#letters.flatMap((letter) => {
      if (concerns(letter.observer)) return [];
      const pieces = letter.pieces.filter(({ subject }) => !concerns(subject));
      return pieces.length === 0 ? [] : [{ ...letter, pieces }];
    });
    this.#pieces = this.#letters.reduce((sum, { pieces }) => sum + pieces.length, 0);
  }
}
