import { Global, Injectable, Module, type ModuleMetadata } from '@nestjs/common';
import {
  AgentMemory,
  Degradations,
  type DialecticEngine,
  MEMORY_TOOLS,
  memoryCapabilities,
  MemoryModule,
  type MemoryTool,
  PEER_MEMORY,
  PEER_MEMORY_BACKEND,
  type PeerMemory,
} from '@aimon/nestjs-memory';
import { bootModules } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const SUPPLIED = { backend: 'supplied', workspaceId: 'ops', peerId: 'alice', env: {} } as const;

@Injectable()
class OnlyAnswers implements PeerMemory {
  readonly backendId = 'only-answers';
  // Declared, and worth nothing: what it can do is read off the tiers.
  readonly capabilities = new Set(['SNAPSHOT', 'SEARCH', 'CHAT', 'OBSERVE', 'INGEST']);
  readonly dialecticEngine: DialecticEngine = {
    query: async () => ({ answer: '42' }),
    queryStream: async () => ({ answer: '42' }),
  };
}

@Global()
@Module({ providers: [{ provide: PEER_MEMORY_BACKEND, useClass: OnlyAnswers }], exports: [PEER_MEMORY_BACKEND] })
class GlobalBackendModule {}

@Module({ providers: [{ provide: PEER_MEMORY_BACKEND, useClass: OnlyAnswers }], exports: [PEER_MEMORY_BACKEND] })
class PlainBackendModule {}

const ways: readonly (readonly [string, () => ModuleMetadata])[] = [
  [
    'forRoot with a provider',
    () => ({
      imports: [
        MemoryModule.forRoot({ ...SUPPLIED, providers: [{ provide: PEER_MEMORY_BACKEND, useClass: OnlyAnswers }] }),
      ],
    }),
  ],
  [
    'forRoot with an import',
    () => ({ imports: [MemoryModule.forRoot({ ...SUPPLIED, imports: [PlainBackendModule] })] }),
  ],
  [
    'forRootAsync',
    () => ({
      imports: [MemoryModule.forRootAsync({ useFactory: async () => SUPPLIED, imports: [PlainBackendModule] })],
    }),
  ],
  ['a global module', () => ({ imports: [MemoryModule.forRoot(SUPPLIED), GlobalBackendModule] })],
  ['a global module named first', () => ({ imports: [GlobalBackendModule, MemoryModule.forRoot(SUPPLIED)] })],
];

describe.each(ways)('a supplied PeerMemory with only a dialectic engine, through %s', (_, metadata) => {
  it('gives one tool and four degradations with its backend id, whatever it declares', async () => {
    const app = await bootModules(metadata());
    expect([...memoryCapabilities(app.get<PeerMemory>(PEER_MEMORY))]).toEqual(['CHAT']);
    expect(app.get<readonly MemoryTool[]>(MEMORY_TOOLS).map(({ name }) => name)).toEqual(['MemoryChat']);
    const degradations = app.get(Degradations).all();
    expect(degradations.map(({ key }) => key)).toEqual([
      'memory-ingest',
      'memory-observe',
      'memory-search',
      'memory-snapshot',
    ]);
    for (const { backendId, kind, consequence, remedy } of degradations) {
      expect([backendId, kind]).toEqual(['only-answers', 'choice']);
      expect(consequence).toContain('"only-answers"');
      expect(remedy).toContain('Give the supplied PeerMemory a');
    }
    const answer = await app.get<readonly MemoryTool[]>(MEMORY_TOOLS)[0]?.execute({ question: 'Why?' }, {});
    expect(answer?.content).toContain('42');
    await app.close();
  });
});

const HOOKS = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;

describe.each(HOOKS)('a supplied backend that closes in %s', (hook) => {
  class Closing extends RecordingPeerMemory {
    static last: Closing | undefined;
    readonly events: string[] = [];
    constructor() {
      super();
      Closing.last = this;
      (this as unknown as Record<string, () => void>)[hook] = () => void this.events.push('closed');
      const { ingest } = this.ingestor;
      this.ingestor.ingest = async (request) => {
        // Slow, so that an ingest that nobody waits for would come after the end.
        await new Promise((resolve) => setImmediate(resolve));
        this.events.push(`took ${request.messages.length}`);
        return ingest(request);
      };
    }
  }

  @Global()
  @Module({ providers: [{ provide: PEER_MEMORY_BACKEND, useClass: Closing }], exports: [PEER_MEMORY_BACKEND] })
  class GlobalClosingModule {}

  @Module({ providers: [{ provide: PEER_MEMORY_BACKEND, useClass: Closing }], exports: [PEER_MEMORY_BACKEND] })
  class ClosingModule {}

  const settings = { ...SUPPLIED, ingest: 'session-end' } as const;
  const imports: readonly (readonly [string, () => ModuleMetadata])[] = [
    [
      'forRoot with a provider',
      () => ({
        imports: [
          MemoryModule.forRoot({ ...settings, providers: [{ provide: PEER_MEMORY_BACKEND, useClass: Closing }] }),
        ],
      }),
    ],
    ['forRoot with an import', () => ({ imports: [MemoryModule.forRoot({ ...settings, imports: [ClosingModule] })] })],
    [
      'forRoot with an import that the application has too',
      () => ({ imports: [ClosingModule, MemoryModule.forRoot({ ...settings, imports: [ClosingModule] })] }),
    ],
    [
      'forRootAsync',
      () => ({ imports: [MemoryModule.forRootAsync({ useFactory: () => settings, imports: [ClosingModule] })] }),
    ],
    ['a global module', () => ({ imports: [MemoryModule.forRoot(settings), GlobalClosingModule] })],
    ['a global module named first', () => ({ imports: [GlobalClosingModule, MemoryModule.forRoot(settings)] })],
  ];

  it.each(imports)('is closed after the last ingest, through %s', async (_, metadata) => {
    const app = await bootModules(metadata());
    const session = await app.get(AgentMemory).session('open until the end');
    await session.execution(
      (transcript) => void transcript.append({ role: 'user', content: 'One.' }, { role: 'user', content: 'Two.' }),
    );
    const backend = Closing.last as Closing;
    expect(backend.events).toEqual([]);
    await app.close();
    expect(backend.events).toEqual(['took 2', 'closed']);
    await app.close();
    expect(backend.events.filter((event) => event.startsWith('took'))).toEqual(['took 2']);
  });
});
