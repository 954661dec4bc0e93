import {
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  LexicalIndex,
  MEMORY_PEER_RESOLVER,
  MEMORY_REDACTION_POLICY,
  MemoryPeerResolver,
  OBSERVATION_INDEX,
  OBSERVATION_STORE,
  PEER_MEMORY_BACKEND,
  REPRESENTATION_STORE,
} from '@aimon/nestjs-memory';
import { boot, bootFailure } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' } as const;
const SUPPLIED = { ...ALICE, backend: 'supplied' } as const;
const reader = { read: async () => undefined };
const TAKES =
  'it takes a PeerMemory: an object with a backendId and at least one tier, which are snapshotReader, searcher, dialecticEngine, observationRecorder and ingestor.';

/** A memory with all tiers, and this instead of what it has. */
const but = (changes: PropertyDescriptorMap): RecordingPeerMemory =>
  Object.defineProperties(new RecordingPeerMemory(), changes);

describe('a supplied backend that is none stops the boot', () => {
  const throwing = (): never => {
    throw new TypeError('no connection to postgres://user:word@host/db');
  };
  const cases: readonly (readonly [string, unknown, string])[] = [
    [
      'a class',
      RecordingPeerMemory,
      `PEER_MEMORY_BACKEND is the class RecordingPeerMemory; ${TAKES} Give the class with useClass, not useValue.`,
    ],
    ['a text, which is not shown', 'postgres://user:word@host/db', `PEER_MEMORY_BACKEND is text; ${TAKES}`],
    ['false', false, `PEER_MEMORY_BACKEND is false; ${TAKES}`],
    ['an empty object', {}, `PEER_MEMORY_BACKEND is an object without a tier, so it could do nothing; ${TAKES}`],
    ['an empty object, for its name', {}, `PEER_MEMORY_BACKEND is an object whose backendId is undefined; ${TAKES}`],
    [
      'a store',
      new InMemoryObservationStore(),
      'PEER_MEMORY_BACKEND is an instance of InMemoryObservationStore without a tier',
    ],
    ['no name', { snapshotReader: reader }, 'PEER_MEMORY_BACKEND is an object whose backendId is undefined;'],
    [
      'an empty name',
      { backendId: '', snapshotReader: reader },
      'PEER_MEMORY_BACKEND is an object whose backendId is blank;',
    ],
    ['a number for a name', { backendId: 7, snapshotReader: reader }, 'whose backendId is 7;'],
    [
      'a name that throws',
      but({ backendId: { get: throwing } }),
      'whose backendId throws a TypeError when it is read;',
    ],
    [
      'no tier',
      { backendId: 'mine', searcher: undefined, ingestor: null },
      'PEER_MEMORY_BACKEND is an object without a tier',
    ],
    [
      'a tier that is false',
      but({ searcher: { value: false } }),
      'The searcher of PEER_MEMORY_BACKEND is false; a tier is an object with search(), and one that the backend does not have is left out or undefined. Tiers must be there when the provider is made.',
    ],
    [
      'a tier that is a function',
      but({ ingestor: { value: () => reader } }),
      'The ingestor of PEER_MEMORY_BACKEND is a function;',
    ],
    [
      'a tier without its method',
      but({ dialecticEngine: { value: { query: async () => ({ answer: '' }) } } }),
      'The dialecticEngine of PEER_MEMORY_BACKEND is without queryStream(); a tier is an object with query() and queryStream(),',
    ],
    [
      'a tier that throws',
      but({ snapshotReader: { get: throwing } }),
      'The snapshotReader of PEER_MEMORY_BACKEND throws a TypeError when it is read; a tier is an object with read(),',
    ],
  ];

  it.each(cases)('%s', async (_, useValue, text) => {
    const message = await bootFailure(() =>
      boot({ ...SUPPLIED, providers: [{ provide: PEER_MEMORY_BACKEND, useValue }] }),
    );
    expect(message).toContain(text);
    expect(message).not.toContain('user:word');
  });

  it('and every fault is told at once', async () => {
    const useValue = but({ searcher: { value: false }, ingestor: { value: 1 }, backendId: { value: ' ' } });
    const message = await bootFailure(() =>
      boot({ ...SUPPLIED, providers: [{ provide: PEER_MEMORY_BACKEND, useValue }] }),
    );
    expect(message.split(' | ')).toHaveLength(3);
  });

  it('but a single tier, of a class or of an object, is enough', async () => {
    const useValue = { backendId: 'mine', snapshotReader: reader, searcher: null };
    const app = await boot({ ...SUPPLIED, providers: [{ provide: PEER_MEMORY_BACKEND, useValue }] });
    await app.close();
  });
});

describe('a supplied part that is none stops the boot', () => {
  const store = { provide: OBSERVATION_STORE, useClass: InMemoryObservationStore };
  const withPolicy = { ...ALICE, redaction: 'supplied' } as const;
  const withResolver = { backend: 'in-memory', workspaceId: 'ops', peerMode: 'caller' } as const;
  const cases: readonly (readonly [string, object, symbol, unknown, string])[] = [
    [
      'a class for a store',
      SUPPLIED,
      OBSERVATION_STORE,
      InMemoryObservationStore,
      'OBSERVATION_STORE is the class InMemoryObservationStore; it takes an ObservationStore: an object with save(), findById(),',
    ],
    [
      'an object for a store',
      SUPPLIED,
      OBSERVATION_STORE,
      { save: async () => undefined },
      'OBSERVATION_STORE is an object without findById(), findBySubject(), findSubjects(), supersede(),',
    ],
    [
      'the other store',
      SUPPLIED,
      REPRESENTATION_STORE,
      new InMemoryObservationStore(),
      'REPRESENTATION_STORE is an instance of InMemoryObservationStore without findLatestGlobal(), findLatestLocal() and deleteOlderThan(); it takes a RepresentationStore: an object with save(), findLatestGlobal(), findLatestLocal(), deleteOlderThan(), eraseSubject() and eraseWorkspace().',
    ],
    [
      'a name for an index',
      ALICE,
      OBSERVATION_INDEX,
      'lexical',
      'OBSERVATION_INDEX is text; it takes an ObservationIndex:',
    ],
    ['a class for an index', ALICE, OBSERVATION_INDEX, LexicalIndex, 'OBSERVATION_INDEX is the class LexicalIndex;'],
    [
      'a list for an index',
      ALICE,
      OBSERVATION_INDEX,
      [],
      'OBSERVATION_INDEX is an array without index(), delete(), search()',
    ],
    [
      'a function for a policy',
      withPolicy,
      MEMORY_REDACTION_POLICY,
      (content: string) => content,
      'MEMORY_REDACTION_POLICY is a function; it takes a RedactionPolicy: an object with a name and redact().',
    ],
    [
      'a policy without a name',
      withPolicy,
      MEMORY_REDACTION_POLICY,
      { redact: () => undefined },
      'MEMORY_REDACTION_POLICY is an object without a name; it takes a RedactionPolicy:',
    ],
    [
      'a policy that masks nothing',
      withPolicy,
      MEMORY_REDACTION_POLICY,
      { name: 'mine', mask: () => undefined },
      'MEMORY_REDACTION_POLICY is an object without redact();',
    ],
    [
      'a function for a resolver',
      withResolver,
      MEMORY_PEER_RESOLVER,
      MemoryPeerResolver.caller,
      'MEMORY_PEER_RESOLVER is a function; it takes a MemoryPeerResolver: an object with resolve().',
    ],
    [
      'a resolver that does not resolve',
      withResolver,
      MEMORY_PEER_RESOLVER,
      {},
      'MEMORY_PEER_RESOLVER is an object without resolve();',
    ],
  ];

  it.each(cases)('%s', async (_, options, provide, useValue, text) => {
    const beside = provide === REPRESENTATION_STORE ? [store] : [];
    expect(await bootFailure(() => boot({ ...options, providers: [...beside, { provide, useValue }] }))).toContain(
      text,
    );
  });

  it('but ours are what they are provided as', async () => {
    const app = await boot({
      ...SUPPLIED,
      providers: [
        store,
        { provide: REPRESENTATION_STORE, useClass: InMemoryRepresentationStore },
        { provide: OBSERVATION_INDEX, useClass: LexicalIndex },
      ],
    });
    await app.close();
  });
});
