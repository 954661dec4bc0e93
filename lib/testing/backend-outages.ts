import { abortable } from '../domain/abortable.js';
import { InvalidArgumentError, StoreError } from '../domain/errors.js';
import type { MemoryCapability, PeerMemory } from '../spi/peer-memory.js';

/** What can be out of order: a tier, or the `ping` that health asks. */
export type OutagePart = MemoryCapability | 'PING';

interface Outage {
  readonly hangs: boolean;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Puts parts of a backend out of order on demand, behind the gate and the guard, where a real backend fails. */
export class BackendOutages {
  readonly #outages = new Map<OutagePart, Outage>();

  /**
   * Until the answer is called every call of the part fails with a `StoreError`, or hangs; one that hangs goes on then, or
   * is rejected when its signal aborts.
   * @throws InvalidArgumentError when it is out of order already
   */
  begin(part: OutagePart, hangs: boolean): () => void {
    if (this.#outages.has(part)) {
      throw new InvalidArgumentError(`${part} is out of order already; end that outage before another begins.`);
    }
    let resolve = (): void => undefined;
    const ended = new Promise<void>((done) => (resolve = done));
    const end = (): void => {
      if (this.#outages.get(part)?.end === end) this.#outages.delete(part);
      resolve();
    };
    this.#outages.set(part, { hangs, ended, end });
    return end;
  }

  /** Ends all that there are. */
  endAll(): void {
    for (const { end } of [...this.#outages.values()]) end();
  }

  /** `backend`, which is asked only where nothing is out of order. */
  around(backend: PeerMemory): PeerMemory {
    const { backendId, snapshotReader, searcher, dialecticEngine, observationRecorder, ingestor } = backend;
    return {
      backendId,
      snapshotReader: snapshotReader && {
        read: async (query) => {
          await this.#pass('SNAPSHOT', query.signal);
          return snapshotReader.read(query);
        },
      },
      searcher: searcher && {
        ranksByScore: searcher.ranksByScore,
        narrowsBySession: searcher.narrowsBySession,
        search: async (query) => {
          await this.#pass('SEARCH', query.signal);
          return searcher.search(query);
        },
      },
      dialecticEngine: dialecticEngine && {
        query: async (query) => {
          await this.#pass('CHAT', query.signal);
          return dialecticEngine.query(query);
        },
        queryStream: async (query, sink) => {
          await this.#pass('CHAT', query.signal);
          return dialecticEngine.queryStream(query, sink);
        },
      },
      observationRecorder: observationRecorder && {
        storesConfidence: observationRecorder.storesConfidence,
        storesType: observationRecorder.storesType,
        observe: async (draft) => {
          await this.#pass('OBSERVE', draft.signal);
          return observationRecorder.observe(draft);
        },
      },
      ingestor: ingestor && {
        ingest: async (request) => {
          await this.#pass('INGEST', request.signal);
          return ingestor.ingest(request);
        },
      },
      ping: async (signal) => {
        await this.#pass('PING', signal);
        await backend.ping?.(signal);
      },
      close: async () => backend.close?.(),
    };
  }

  async #pass(part: OutagePart, signal: AbortSignal | undefined): Promise<void> {
    const outage = this.#outages.get(part);
    if (outage === undefined) return;
    if (!outage.hangs) throw new StoreError(`${part} is out of order: the test has it fail.`);
    await abortable(outage.ended, signal);
  }
}
