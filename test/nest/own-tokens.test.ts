import { Global, Module, type Provider } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import * as library from '@aimon/nestjs-memory';
import {
  AgentMemory,
  Degradations,
  IngestOutcomes,
  InMemoryObservationStore,
  MEMORY_CONTEXT_PROVIDER,
  MEMORY_SEARCHER,
  MemoryHealth,
  MemoryMaintenance,
  MemoryModule,
  type MemoryContextProvider,
  MemoryTeardown,
  OBSERVATION_STORE,
  PEER_MEMORY,
  SILENT_LOGGER,
} from '@aimon/nestjs-memory';
import { bootFailure, bootModules } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice', env: {} } as const;
const FOR_THE_APPLICATION = [
  'PEER_MEMORY_BACKEND',
  'OBSERVATION_STORE',
  'REPRESENTATION_STORE',
  'OBSERVATION_INDEX',
  'MEMORY_REDACTION_POLICY',
  'MEMORY_PEER_RESOLVER',
  'MEMORY_CALLER',
];

/** Every token that is exported and is the memory's to provide, and the classes of it. */
const OWN: readonly (readonly [string, symbol | (new (...args: never[]) => object)])[] = [
  ...Object.entries(library as unknown as Record<string, unknown>).flatMap(([name, value]) =>
    typeof value === 'symbol' && !FOR_THE_APPLICATION.includes(name) ? [[name, value] as const] : [],
  ),
  ...[AgentMemory, IngestOutcomes, Degradations, MemoryHealth, MemoryMaintenance, MemoryTeardown].map(
    (one) => [one.name, one] as const,
  ),
];

it('the tokens of the memory are these', () => {
  expect(OWN.map(([name]) => name).sort()).toEqual([
    'AgentMemory',
    'Degradations',
    'IngestOutcomes',
    'MEMORY_CONTEXT_PROVIDER',
    'MEMORY_DIALECTIC_ENGINE',
    'MEMORY_EXECUTION_SINK',
    'MEMORY_INGESTOR',
    'MEMORY_OBSERVATION_RECORDER',
    'MEMORY_SEARCHER',
    'MEMORY_SNAPSHOT_READER',
    'MEMORY_TOOLS',
    'MemoryHealth',
    'MemoryMaintenance',
    'MemoryTeardown',
    'PEER_MEMORY',
  ]);
});

describe.each(OWN)('%s', (name, provide) => {
  const provider: Provider = { provide, useValue: new RecordingPeerMemory() };

  it('cannot be provided through forRoot or forRootAsync', () => {
    const text = `${name} is provided in the providers of MemoryModule, but the memory itself provides it`;
    expect(() => MemoryModule.forRoot({ ...ALICE, providers: [provider] })).toThrow(text);
    expect(() => MemoryModule.forRootAsync({ useFactory: () => ALICE, providers: [provider] })).toThrow(text);
  });

  it('cannot be provided by a module of the application, global or imported, beside the memory', async () => {
    @Global()
    @Module({ providers: [provider], exports: [provide] })
    class GlobalModule {}

    @Module({ providers: [provider], exports: [provide] })
    class PartModule {}

    for (const imports of [
      [MemoryModule.forRoot(ALICE), GlobalModule],
      [PartModule, MemoryModule.forRoot(ALICE)],
      [MemoryModule.forRoot({ ...ALICE, imports: [PartModule] })],
    ]) {
      expect(await bootFailure(() => bootModules({ imports }))).toMatch(
        new RegExp(`: ${name} is provided in (?:Global|Part)Module, but the memory itself provides it`),
      );
    }
  });

  it('can be replaced by a test', async () => {
    const stand = {};
    const module = await Test.createTestingModule({ imports: [MemoryModule.forRoot(ALICE)] })
      .setLogger(SILENT_LOGGER)
      .overrideProvider(provide)
      .useValue(stand)
      .compile();
    await module.init();
    expect(module.get(provide)).toBe(stand);
    await module.close();
  });
});

it('a class of the memory cannot be provided by its name alone', () => {
  expect(() => MemoryModule.forRoot({ ...ALICE, providers: [MemoryTeardown] })).toThrow('MemoryTeardown is provided');
});

describe('the refusal', () => {
  const refusal = (provide: symbol): (() => unknown) => {
    return () => MemoryModule.forRoot({ ...ALICE, providers: [{ provide, useValue: new RecordingPeerMemory() }] });
  };

  it('names the token that was meant', () => {
    expect(refusal(PEER_MEMORY)).toThrow(
      'PEER_MEMORY is provided in the providers of MemoryModule, but the memory itself provides it, checked and masked, and what is given there would be neither; provide the backend as PEER_MEMORY_BACKEND, with aimon.memory.backend set to supplied. A test replaces it with overrideProvider.',
    );
    expect(refusal(MEMORY_SEARCHER)).toThrow('provide a PeerMemory with that tier as PEER_MEMORY_BACKEND');
    expect(refusal(MEMORY_CONTEXT_PROVIDER)).toThrow('so one of the two would be dropped without a word;');
  });
});

it('a context provider of the application has its place where the memory has no SNAPSHOT', async () => {
  const own: MemoryContextProvider = { provide: async () => undefined };

  @Module({
    imports: [
      MemoryModule.forRoot({
        ...{ ...ALICE, backend: 'supplied' },
        providers: [{ provide: OBSERVATION_STORE, useClass: InMemoryObservationStore }],
      }),
    ],
    providers: [{ provide: MEMORY_CONTEXT_PROVIDER, useValue: own }],
  })
  class ApplicationModule {}

  const app = await bootModules({ imports: [ApplicationModule] });
  expect(app.select(ApplicationModule).get(MEMORY_CONTEXT_PROVIDER, { strict: true })).toBe(own);
  await app.close();
});
