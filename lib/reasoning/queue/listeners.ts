/** Who is to be told of something. What one of them throws harms neither who tells nor the others. */
export class Listeners<Told> {
  readonly #listeners = new Set<(told: Told) => void>();

  /** The answer unsubscribes. */
  add(listener: (told: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(told: Told): void {
    for (const listener of this.#listeners) {
      try {
        listener(told);
      } catch {
        // A listener's fault is its own.
      }
    }
  }
}
