import { closedMemory } from '../../spi/refusals.js';

/** What the tiers of one memory know of its end. */
export class MemoryLifetime {
  #closed = false;

  /** @param backendId shown in the errors of calls that come too late */
  constructor(readonly backendId: string) {}

  close(): void {
    this.#closed = true;
  }

  /** @throws StoreError when the memory has been closed */
  requireOpen(): void {
    if (this.#closed) throw closedMemory(this.backendId);
  }
}
