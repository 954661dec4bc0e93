/** Holds a reply at a place of its own until the test has seen what it waits for. */
export class Gate {
  /** Settles when the server has come to the gate: everything before it was written. */
  readonly reached: Promise<void>;
  /** Settles when the gate is open. */
  readonly opened: Promise<void>;
  #reach: () => void = () => undefined;
  #open: () => void = () => undefined;

  constructor() {
    this.reached = new Promise((resolve) => (this.#reach = resolve));
    this.opened = new Promise((resolve) => (this.#open = resolve));
  }

  open(): void {
    this.#open();
  }

  /** The server's side. */
  async pass(): Promise<void> {
    this.#reach();
    await this.opened;
  }
}
