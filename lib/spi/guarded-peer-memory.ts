import { InvalidArgumentError, StoreError } from '../domain/errors.js';
import { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import {
  normaliseDialecticQuery,
  type DialecticEngine,
  type DialecticQuery,
  type DialecticResponse,
  type DialecticSink,
} from './chat.js';
import {
  normaliseIngestRequest,
  type MemoryIngestor,
  type MemoryIngestReceipt,
  type MemoryIngestRequest,
} from './ingest.js';
import { normaliseObservationDraft, type ObservationDraft, type ObservationRecorder } from './observe.js';
import type { PeerMemory } from './peer-memory.js';
import { closedMemory, requireAnswerable } from './refusals.js';
import { normaliseSearchQuery, type MemoryHit, type MemorySearcher, type MemorySearchQuery } from './search.js';
import {
  normaliseSnapshotQuery,
  type MemorySnapshot,
  type MemorySnapshotQuery,
  type MemorySnapshotReader,
} from './snapshot.js';

/**
 * The outermost wrapper of every backend. It checks and completes each request, so that a backend receives complete
 * requests only and no check is written twice; it refuses what a tier's signals say it cannot do; and it refuses an answer
 * that holds an observation about another peer. A tier that the backend lacks is lacking here.
 */
export class GuardedPeerMemory implements PeerMemory {
  readonly backendId: string;
  readonly snapshotReader?: MemorySnapshotReader;
  readonly searcher?: MemorySearcher;
  readonly dialecticEngine?: DialecticEngine;
  readonly observationRecorder?: ObservationRecorder;
  readonly ingestor?: MemoryIngestor;
  readonly ping?: (signal?: AbortSignal) => Promise<void>;
  readonly close?: () => Promise<void>;

  /** @param delegate the memory inside, whose tiers are read once, here; closed with this one */
  constructor(delegate: PeerMemory) {
    this.backendId = delegate.backendId;
    const gate = new Gate(delegate.backendId);
    const { snapshotReader, searcher, dialecticEngine, observationRecorder, ingestor } = delegate;
    if (snapshotReader != null) this.snapshotReader = new GuardedSnapshotReader(snapshotReader, gate);
    if (searcher != null) this.searcher = new GuardedSearcher(searcher, gate);
    if (dialecticEngine != null) this.dialecticEngine = new GuardedDialecticEngine(dialecticEngine, gate);
    if (observationRecorder != null)
      this.observationRecorder = new GuardedObservationRecorder(observationRecorder, gate);
    if (ingestor != null) this.ingestor = new GuardedIngestor(ingestor, gate);
    if (typeof delegate.ping === 'function') {
      this.ping = (signal) => gate.read(signal, async () => delegate.ping?.(signal));
    }
    if (typeof delegate.close === 'function') this.close = () => gate.close(async () => delegate.close?.());
  }
}

/** What all tiers of one memory share: whether it is closed, and how a call passes. */
class Gate {
  #closing: Promise<void> | undefined;

  constructor(readonly backendId: string) {}

  /** A call that changes something: once begun it is left to its end, since nobody could tell how far it had come. */
  async write<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw closedMemory(this.backendId);
    signal?.throwIfAborted();
    return call();
  }

  /** A call that only reads: it is let go of as soon as its signal aborts, also by a backend that does not listen. */
  async read<T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
    if (signal === undefined) return this.write(signal, call);
    let abort: (() => void) | undefined;
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
    });
    try {
      return await Promise.race([this.write(signal, call), aborted]);
    } finally {
      if (abort !== undefined) signal.removeEventListener('abort', abort);
    }
  }

  close(close: () => Promise<void>): Promise<void> {
    this.#closing ??= close();
    return this.#closing;
  }

  /** The error for an answer that is none. */
  malformed(capability: string, expected: string): StoreError {
    return new StoreError(
      `The memory "${this.backendId}" gave an answer to ${capability} that is not ${expected}. This is a fault of that backend.`,
    );
  }

  /** @throws StoreError when a backend answers with somebody else's memory; none of the answer is handed on. */
  requireAbout(subject: PeerView, observations: readonly Observation[]): void {
    if (observations.every((observation) => observation.subject.equals(subject))) return;
    throw new StoreError(
      `The memory "${this.backendId}" answered a request about one peer with an observation about another; the answer was withheld. ` +
        'This is a fault of that backend.',
    );
  }
}

class GuardedSnapshotReader implements MemorySnapshotReader {
  constructor(
    private readonly delegate: MemorySnapshotReader,
    private readonly gate: Gate,
  ) {}

  async read(input: MemorySnapshotQuery): Promise<MemorySnapshot | undefined> {
    const query = normaliseSnapshotQuery(input);
    const snapshot = await this.gate.read(query.signal, () => this.delegate.read(query));
    if (snapshot == null) return undefined;
    const observations: readonly Observation[] | undefined = snapshot.observationsAvailable
      ? snapshot.observations
      : [];
    if (typeof snapshot.renderedText !== 'string' || !Array.isArray(observations)) {
      throw this.gate.malformed('SNAPSHOT', 'a snapshot with a renderedText and a list of observations, or undefined');
    }
    this.gate.requireAbout(query.subject, observations);
    return observations === snapshot.observations ? snapshot : Object.freeze({ ...snapshot, observations });
  }
}

class GuardedSearcher implements MemorySearcher {
  constructor(
    private readonly delegate: MemorySearcher,
    private readonly gate: Gate,
  ) {}

  get ranksByScore(): boolean {
    return this.delegate.ranksByScore;
  }

  get narrowsBySession(): boolean {
    return this.delegate.narrowsBySession;
  }

  async search(input: MemorySearchQuery): Promise<readonly MemoryHit[]> {
    const query = normaliseSearchQuery(input);
    requireAnswerable(query, this, this.gate.backendId);
    const hits = await this.gate.read(query.signal, () => this.delegate.search(query));
    if (
      !Array.isArray(hits) ||
      hits.some((hit: Partial<MemoryHit> | null) => !(hit?.observation instanceof Observation))
    ) {
      throw this.gate.malformed('SEARCH', 'a list of hits, each with an Observation');
    }
    if (this.ranksByScore && hits.some(({ score }: MemoryHit) => !(score >= 0 && score <= 1))) {
      throw this.gate.malformed('SEARCH', 'hits with a score from 0 to 1, since it ranks by score');
    }
    const answer = (hits as readonly MemoryHit[]).slice(0, query.topK);
    this.gate.requireAbout(
      query.subject,
      answer.map(({ observation }) => observation),
    );
    return Object.freeze(answer);
  }
}

class GuardedDialecticEngine implements DialecticEngine {
  constructor(
    private readonly delegate: DialecticEngine,
    private readonly gate: Gate,
  ) {}

  async query(input: DialecticQuery): Promise<DialecticResponse> {
    const query = normaliseDialecticQuery(input);
    return this.gate.read(query.signal, () => this.delegate.query(query));
  }

  async queryStream(input: DialecticQuery, sink: DialecticSink): Promise<DialecticResponse> {
    if (typeof sink !== 'function')
      throw new InvalidArgumentError('DialecticEngine.queryStream takes a function as its sink.');
    const query = normaliseDialecticQuery(input);
    // Whoever gave up has been told so, and hears no more.
    const heard: DialecticSink = (text) => (query.signal?.aborted === true ? undefined : sink(text));
    return this.gate.read(query.signal, () => this.delegate.queryStream(query, heard));
  }
}

class GuardedObservationRecorder implements ObservationRecorder {
  constructor(
    private readonly delegate: ObservationRecorder,
    private readonly gate: Gate,
  ) {}

  get storesConfidence(): boolean {
    return this.delegate.storesConfidence;
  }

  get storesType(): boolean {
    return this.delegate.storesType;
  }

  async observe(input: ObservationDraft): Promise<Observation> {
    const draft = normaliseObservationDraft(input);
    const observation = await this.gate.write(draft.signal, () => this.delegate.observe(draft));
    if (!(observation instanceof Observation)) throw this.gate.malformed('OBSERVE', 'the Observation as it is kept');
    this.gate.requireAbout(draft.subject, [observation]);
    return observation;
  }
}

class GuardedIngestor implements MemoryIngestor {
  constructor(
    private readonly delegate: MemoryIngestor,
    private readonly gate: Gate,
  ) {}

  async ingest(input: MemoryIngestRequest): Promise<MemoryIngestReceipt> {
    const request = normaliseIngestRequest(input);
    const receipt = await this.gate.write(request.signal, () => this.delegate.ingest(request));
    if (!Number.isSafeInteger(receipt?.accepted))
      throw this.gate.malformed('INGEST', 'a receipt with the number accepted');
    return receipt;
  }
}
