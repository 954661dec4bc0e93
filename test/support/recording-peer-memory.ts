import {
  type DialecticEngine,
  type MemoryIngestor,
  type MemorySearcher,
  type MemorySnapshotReader,
  Observation,
  ObservationId,
  type ObservationRecorder,
  type PeerMemory,
} from '@aimon/nestjs-memory';

/** A memory with all five tiers that keeps every request it is given, and remembers nothing. */
export class RecordingPeerMemory implements PeerMemory {
  readonly backendId = 'recording';
  readonly requests: unknown[] = [];

  readonly snapshotReader: MemorySnapshotReader = {
    read: async (query) => {
      this.requests.push(query);
      return undefined;
    },
  };

  readonly searcher: MemorySearcher = {
    ranksByScore: true,
    narrowsBySession: true,
    search: async (query) => {
      this.requests.push(query);
      return [];
    },
  };

  readonly dialecticEngine: DialecticEngine = {
    query: async (query) => {
      this.requests.push(query);
      return { answer: 'Nothing is known.' };
    },
    queryStream: async (query, sink) => {
      this.requests.push(query);
      await sink('Nothing ');
      await sink('is known.');
      return { answer: 'Nothing is known.' };
    },
  };

  readonly observationRecorder: ObservationRecorder = {
    storesConfidence: true,
    storesType: true,
    observe: async (draft) => {
      this.requests.push(draft);
      const { subject, content, type, metadata } = draft;
      return Observation.of({
        id: ObservationId.generate(subject.workspace.id),
        ...{ subject, observer: draft.observer ?? subject, content, type, metadata },
        createdAt: new Date(),
        confidence: 0.9,
      });
    },
  };

  readonly ingestor: MemoryIngestor = {
    ingest: async (request) => {
      this.requests.push(request);
      return { accepted: request.messages.length, derived: false };
    },
  };

  /** Everything that came in, as text. */
  received(): string {
    return JSON.stringify(this.requests, (key, value: unknown) => (key === 'signal' ? undefined : value));
  }
}
