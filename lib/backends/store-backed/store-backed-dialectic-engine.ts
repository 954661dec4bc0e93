import type { DialecticEngine, DialecticQuery, DialecticResponse, DialecticSink } from '../../spi/chat.js';
import type { MemoryLifetime } from './memory-lifetime.js';

/** CHAT by an engine, for as long as the memory is open. */
export class StoreBackedDialecticEngine implements DialecticEngine {
  constructor(
    private readonly engine: DialecticEngine,
    private readonly lifetime: MemoryLifetime,
  ) {}

  async query(query: DialecticQuery): Promise<DialecticResponse> {
    this.lifetime.requireOpen();
    return this.engine.query(query);
  }

  async queryStream(query: DialecticQuery, sink: DialecticSink): Promise<DialecticResponse> {
    this.lifetime.requireOpen();
    return this.engine.queryStream(query, sink);
  }
}
