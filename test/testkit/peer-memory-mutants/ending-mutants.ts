import { type ObservationDraft, StoreError } from '../../../lib/index.js';

import { brokenIngestor, brokenMemory, brokenRecorder } from '../support/broken-memory.js';

const TIERS = 'has exactly the tiers';
const NAMED = 'has a name for diagnostics';
const SAME = 'has the same tiers';
const PING = 'answers a ping';
const TWICE = 'can be closed twice';
const AFTER = 'answers no call after it was closed';
const ABORTED = 'OBSERVE that is aborted';
const ABORTED_INGEST = 'INGEST that is aborted';
const LOST = 'OBSERVE loses nothing';
const MANY = 'OBSERVE makes one fact of one that is told many times';

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Every tier of it fails with `error` after it was closed, or answers where there is none. */
const closing = (name: string, error: (() => Error) | undefined) =>
  brokenMemory(name, [AFTER], (memory) => {
    let closed = false;
    const unlessClosed =
      <A extends unknown[], T>(call: (...given: A) => Promise<T>, otherwise: T) =>
      async (...given: A): Promise<T> => {
        if (closed && error !== undefined) throw error();
        return closed ? otherwise : call(...given);
      };
    const { snapshotReader, searcher, dialecticEngine, observationRecorder, ingestor } = memory;
    return {
      snapshotReader: { read: unlessClosed((query) => snapshotReader.read(query), undefined) },
      searcher: { ...searcher, search: unlessClosed((query) => searcher.search(query), []) },
      dialecticEngine: {
        query: unlessClosed((query) => dialecticEngine.query(query), { answer: '?' }),
        queryStream: unlessClosed((query, sink) => dialecticEngine.queryStream(query, sink), { answer: '?' }),
      },
      observationRecorder: {
        ...observationRecorder,
        observe: async (draft) => {
          if (closed && error !== undefined) throw error();
          return observationRecorder.observe(draft);
        },
      },
      ingestor: { ingest: unlessClosed((request) => ingestor.ingest(request), { accepted: 1, derived: false }) },
      close: async () => {
        closed = true;
      },
    };
  });

export const ENDING_MUTANTS = [
  brokenMemory('has lost a tier', [TIERS], () => ({ searcher: undefined })),
  brokenMemory('has no name', [NAMED], () => ({ backendId: ' ' })),
  brokenMemory('has a tier the first time only', [SAME], (memory) => {
    let asked = 0;
    return {
      get searcher() {
        return asked++ < 3 ? memory.searcher : undefined;
      },
    };
  }),
  brokenMemory('does not answer a ping', [PING], () => ({
    ping: async () => {
      throw new StoreError('Nobody is there.');
    },
  })),
  brokenMemory('never answers a ping', [PING], () => ({ ping: () => new Promise(() => undefined) }), { hangs: true }),
  brokenMemory('fails when it is closed again', [TWICE], () => {
    let closed = false;
    return {
      close: async () => {
        if (closed) throw new Error('It is closed already.');
        closed = true;
      },
    };
  }),
  brokenMemory('never ends to close', [TWICE], () => ({ close: () => new Promise(() => undefined) }), { hangs: true }),
  closing('answers after it was closed', undefined),
  closing('falls over after it was closed', () => new TypeError("Cannot read properties of null (reading 'get')")),
  closing('does not say why it fails after it was closed', () => new Error('Internal error')),
  brokenMemory(
    'hangs after it was closed',
    [AFTER],
    (memory) => {
      let closed = false;
      return {
        snapshotReader: {
          read: (query) => (closed ? new Promise(() => undefined) : memory.snapshotReader.read(query)),
        },
        close: async () => {
          closed = true;
        },
      };
    },
    { hangs: true },
  ),
  brokenRecorder('writes before it looks whether it was aborted, and notes no key then', [ABORTED], (sound) => ({
    observe: async ({ signal, ...draft }) => {
      if (signal?.aborted === true) {
        await sound.observe({ ...draft, idempotencyKey: undefined, type: 'CONTRADICTION' });
        throw signal.reason;
      }
      return sound.observe(draft);
    },
  })),
  brokenMemory('is aborted between the store and the index', [ABORTED], (memory) => {
    const unindexed = new Set<string>();
    return {
      observationRecorder: {
        ...memory.observationRecorder,
        observe: async (draft) => {
          const kept = await memory.observationRecorder.observe({ ...draft, signal: undefined });
          if (draft.signal?.aborted) {
            unindexed.add(kept.id.toString());
            throw draft.signal.reason;
          }
          return kept;
        },
      },
      searcher: {
        ...memory.searcher,
        search: async (query) =>
          (await memory.searcher.search(query)).filter(({ observation }) => !unindexed.has(observation.id.toString())),
      },
    };
  }),
  brokenRecorder('drops a draft that is aborted and says that it is there', [ABORTED], (sound) => ({
    observe: async ({ signal, ...draft }) =>
      signal?.aborted === true ? sound.observe({ ...draft, content: 'Nothing.' }) : sound.observe(draft),
  })),
  brokenRecorder('notes the key of a draft that is aborted, and not the draft', [ABORTED], (sound) => {
    const seen = new Set<string>();
    const dropped = async (draft: ObservationDraft) =>
      sound.observe({ ...draft, content: 'Nothing.', signal: undefined });
    return {
      observe: async (draft) => {
        const key = `${draft.subject.key()} ${draft.idempotencyKey}`;
        const again = draft.idempotencyKey !== undefined && seen.has(key);
        seen.add(key);
        draft.signal?.throwIfAborted();
        return again ? dropped(draft) : sound.observe(draft);
      },
    };
  }),
  brokenIngestor('takes a part of a request that is aborted', [ABORTED_INGEST], (sound) => ({
    ingest: async ({ signal, ...request }) => {
      await sound.ingest({ ...request, messages: request.messages.slice(0, 1), idempotencyKey: undefined });
      await later();
      signal?.throwIfAborted();
      return sound.ingest({ ...request, messages: request.messages.slice(1) });
    },
  })),
  brokenIngestor('notes the key of a request that is aborted, and not the request', [ABORTED_INGEST], (sound) => {
    const seen = new Set<string>();
    return {
      ingest: async (request) => {
        const key = `${request.observer.key()} ${request.idempotencyKey}`;
        if (seen.has(key)) return { accepted: request.messages.length, derived: false };
        seen.add(key);
        request.signal?.throwIfAborted();
        return sound.ingest(request);
      },
    };
  }),
  brokenRecorder('loses what is written at the same time', [LOST], (sound) => {
    let latest = 0;
    return {
      observe: async (draft) => {
        const mine = ++latest;
        await later();
        // Only the last to write is there in the end, as when a whole list is read and written back.
        return mine === latest ? sound.observe(draft) : sound.observe({ ...draft, content: 'overwritten' });
      },
    };
  }),
  brokenRecorder('writes twice what is written at the same time', [LOST], (sound) => {
    let writing = 0;
    return {
      observe: async (draft) => {
        if (writing++ % 2 === 1) await sound.observe({ ...draft, type: 'CONTRADICTION' });
        return sound.observe(draft);
      },
    };
  }),
  brokenMemory('has a search that fails while somebody writes', [LOST], (memory) => {
    let writing = 0;
    return {
      observationRecorder: {
        ...memory.observationRecorder,
        observe: async (draft) => {
          writing++;
          await later();
          return memory.observationRecorder.observe(draft).finally(() => writing--);
        },
      },
      searcher: {
        ...memory.searcher,
        search: async (query) => {
          if (writing > 1) throw new StoreError('The database is locked.');
          return memory.searcher.search(query);
        },
      },
    };
  }),
  brokenRecorder('fails when the same is told at the same time', [MANY], (sound) => {
    const busy = new Set<string>();
    return {
      observe: async (draft) => {
        const key = `${draft.subject.key()} ${draft.content}`;
        if (busy.has(key)) throw new StoreError('UNIQUE constraint failed.');
        busy.add(key);
        await later();
        return sound.observe(draft).finally(() => busy.delete(key));
      },
    };
  }),
];
