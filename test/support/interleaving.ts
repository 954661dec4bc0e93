/** Lets some parties move one at a time, in an order that is chosen beforehand, whatever the machine does. */
export class Interleaving {
  readonly #choices: readonly number[];
  readonly #waiting: (() => void)[] = [];
  #moves = 0;
  #parties: number;

  /** @param choices which of those who wait moves next, each counted round; from the start again when they are used up */
  constructor(parties: number, choices: readonly number[]) {
    this.#parties = parties;
    this.#choices = choices;
  }

  /** To be awaited by a party between two steps; it goes on when everybody waits and the choice falls on it. */
  pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#move();
    });
  }

  /** To be called by a party that pauses no more. */
  leave(): void {
    this.#parties -= 1;
    this.#move();
  }

  #move(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#parties) return;
    const choice = this.#choices[this.#moves++ % this.#choices.length] ?? 0;
    this.#waiting.splice(choice % this.#waiting.length, 1)[0]?.();
  }
}
