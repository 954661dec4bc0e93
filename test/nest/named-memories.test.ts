import {
  Global,
  Injectable,
  Module,
  type DynamicModule,
  type INestApplicationContext,
  type Provider,
} from '@nestjs/common';
import fc from 'fast-check';
import {
  AgentMemory,
  Degradations,
  getMemoryToken,
  IngestOutcomes,
  InjectMemory,
  InjectPeerMemory,
  MEMORY_SEARCHER,
  MEMORY_TOOLS,
  MemoryMaintenance,
  MemoryModule,
  type MemoryModuleExtras,
  type MemoryModuleOptions,
  MemoryTeardown,
  type MemoryTool,
  PEER_MEMORY,
  PEER_MEMORY_BACKEND,
  type PeerMemory,
  PeerView,
  Principal,
  Workspace,
} from '@aimon/nestjs-memory';
import { bootFailure, bootModules } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const REMEMBERING = {
  backend: 'in-memory',
  workspaceId: 'ops',
  peerId: 'alice',
  deriver: 'extractive',
  ingest: 'execution-end',
} as const;
const alice = PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('alice'));

const memory = (options: MemoryModuleOptions & MemoryModuleExtras): DynamicModule =>
  MemoryModule.forRoot({ env: {}, ...options });

/** The part of the memory of this name. */
const partOf = <T>(app: INestApplicationContext, token: Parameters<typeof getMemoryToken>[0], name?: string): T =>
  app.get<T>(getMemoryToken(token, name));

async function say(app: INestApplicationContext, name: string | undefined, content: string): Promise<void> {
  const session = await partOf<AgentMemory>(app, AgentMemory, name).session('one');
  await session.execution((transcript) => void transcript.append({ role: 'user', content }));
  await partOf<IngestOutcomes>(app, IngestOutcomes, name).settled();
}

/** Everything that the memory of this name knows about Alice. */
async function known(app: INestApplicationContext, name?: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { observation } of partOf<MemoryMaintenance>(app, MemoryMaintenance, name).exportPeer(alice))
    found.push(observation.content);
  return found;
}

describe('two memories in one application', () => {
  const three = [undefined, 'ops', 'Ops'] as const;

  it('keep apart what is remembered, also of the same peer in the same session, and what became of each message', async () => {
    const app = await bootModules({ imports: three.map((name) => memory({ ...REMEMBERING, name })) });
    for (const name of three) await say(app, name, `The gate code of ${name ?? 'the unnamed one'} is 4711.`);
    for (const name of three) {
      expect(await known(app, name)).toEqual([
        expect.stringContaining(`The gate code of ${name ?? 'the unnamed one'} is 4711.`),
      ]);
      expect(partOf<IngestOutcomes>(app, IngestOutcomes, name).counts().stored).toBe(1);
      const hits = await partOf<PeerMemory>(app, PEER_MEMORY, name).searcher?.search({
        ...{ subject: alice, query: 'What is the gate code?', topK: 10 },
      });
      expect(hits).toHaveLength(1);
    }
    await partOf<MemoryMaintenance>(app, MemoryMaintenance, 'ops').erasePeer(alice);
    expect((await Promise.all(three.map((name) => known(app, name)))).map(({ length }) => length)).toEqual([1, 0, 1]);
    await app.close();
  });

  it('keep apart their settings, their degradations and their ends', async () => {
    const app = await bootModules({
      imports: [
        memory(REMEMBERING),
        memory({ name: 'plain', backend: 'in-memory', workspaceId: 'sales', peerId: 'bob' }),
        memory({ name: 'off', backend: 'none' }),
      ],
    });
    const keys = (name?: string): string[] =>
      partOf<Degradations>(app, Degradations, name)
        .all()
        .map(({ key }) => key);
    expect([keys(), keys('plain'), keys('off')]).toEqual([['memory-chat'], ['memory-chat', 'memory-ingest'], []]);
    expect([undefined, 'plain', 'off'].map((name) => partOf<AgentMemory>(app, AgentMemory, name).peer?.key())).toEqual([
      alice.key(),
      PeerView.of(Workspace.of({ id: 'sales' }), Principal.user('bob')).key(),
      undefined,
    ]);
    expect(partOf(app, MEMORY_SEARCHER, 'off')).toBeUndefined();
    expect(partOf<readonly MemoryTool[]>(app, MEMORY_TOOLS, 'off')).toEqual([]);
    await partOf<MemoryTeardown>(app, MemoryTeardown, 'plain').run();
    await expect(partOf<AgentMemory>(app, AgentMemory, 'plain').session('late')).rejects.toThrow('was closed');
    await say(app, undefined, 'The gate code is 4711.');
    expect(await known(app)).toHaveLength(1);
    await app.close();
  });

  it('are injected by name, everywhere unless they are not global', async () => {
    @Injectable()
    class Asker {
      constructor(
        readonly unnamed: AgentMemory,
        @InjectMemory(AgentMemory, 'ops') readonly named: AgentMemory,
        @InjectPeerMemory('ops') readonly peerMemory: PeerMemory,
      ) {}
    }
    @Module({ providers: [Asker] })
    class DeepModule {}
    @Module({ imports: [DeepModule] })
    class FeatureModule {}
    const app = await bootModules({
      imports: [FeatureModule, memory(REMEMBERING), memory({ ...REMEMBERING, name: 'ops' })],
    });
    const { unnamed, named, peerMemory } = app.get(Asker);
    expect(unnamed).toBe(app.get(AgentMemory));
    expect(named).toBe(partOf(app, AgentMemory, 'ops'));
    expect(named).not.toBe(unnamed);
    expect(peerMemory).toBe(partOf(app, PEER_MEMORY, 'ops'));
    await app.close();
    const hidden = memory({ ...REMEMBERING, name: 'ops', isGlobal: false });
    await expect(bootModules({ imports: [FeatureModule, memory(REMEMBERING), hidden] })).rejects.toThrow(
      "Nest can't resolve dependencies of the Asker",
    );
  });

  it('may each be there without an unnamed one', async () => {
    const app = await bootModules({ imports: [memory({ ...REMEMBERING, name: 'ops' })] });
    await say(app, 'ops', 'The gate code is 4711.');
    expect(() => app.get(AgentMemory)).toThrow('Nest could not find AgentMemory');
    await app.close();
  });
});

describe('a second memory of one name', () => {
  it('is refused, unnamed', async () => {
    expect(
      await bootFailure(() =>
        bootModules({ imports: [memory(REMEMBERING), memory({ ...REMEMBERING, peerId: 'bob' })] }),
      ),
    ).toBe(
      "Memory configuration error: MemoryModule.forRoot or forRootAsync was called 2 times in one application without a name, and which memory is injected would be an accident; call it once, in the root module, where it is global unless isGlobal is false, or give each further one a name: forRoot({ name: 'ops', … }).",
    );
  });

  it('is refused, named, also when one of the two is made later or is not global', async () => {
    const one = memory({ ...REMEMBERING, name: 'ops' });
    const others = [
      memory({ ...REMEMBERING, name: 'ops', peerId: 'bob' }),
      memory({ ...REMEMBERING, name: 'ops', isGlobal: false }),
      MemoryModule.forRootAsync({ name: 'ops', useFactory: () => ({ ...REMEMBERING, env: {} }) }),
    ];
    for (const other of others) {
      expect(await bootFailure(() => bootModules({ imports: [memory(REMEMBERING), one, other] }))).toBe(
        'Memory configuration error: The memory "ops" was registered 2 times in one application, and which one is injected would be an accident; register it once, or give each a name of its own.',
      );
    }
  });

  it('is one and the same where the same registration is imported twice', async () => {
    const one = memory({ ...REMEMBERING, name: 'ops' });
    @Module({ imports: [one] })
    class FeatureModule {}
    const app = await bootModules({ imports: [one, FeatureModule] });
    await app.close();
  });
});

describe('a named memory', () => {
  const environment = {
    AIMON_MEMORY_BACKEND: 'in-memory',
    AIMON_MEMORY_WORKSPACE_ID: 'ops',
    AIMON_MEMORY_PEER_ID: 'alice',
    AIMON_MEMORY_REDACTION: 'none',
  };

  it('does not read the environment, of the process or of its options, and does not mind what is wrong in it', async () => {
    const app = await bootModules({
      imports: [
        memory({ env: environment }),
        memory({ name: 'none', env: environment }),
        memory({ ...REMEMBERING, name: 'ops', env: { AIMON_MEMORY_BACKNED: 'file', AIMON_MEMORY_PEER_ID: 'bob' } }),
      ],
    });
    expect(app.get(PEER_MEMORY)).toBeDefined();
    expect(app.get(Degradations).has('memory-redaction')).toBe(true);
    expect(partOf(app, PEER_MEMORY, 'none')).toBeUndefined();
    expect(partOf<AgentMemory>(app, AgentMemory, 'ops').peer?.principal.id).toBe('alice');
    expect(partOf<Degradations>(app, Degradations, 'ops').has('memory-redaction')).toBe(false);
    await app.close();
  });

  const backend = (backendId: string): PeerMemory => Object.assign(new RecordingPeerMemory(), { backendId });
  const backendIds = (app: INestApplicationContext, ...names: readonly (string | undefined)[]): unknown[] =>
    names.map((name) => partOf<PeerMemory | undefined>(app, PEER_MEMORY, name)?.backendId);
  const SUPPLIED = { backend: 'supplied', workspaceId: 'ops', peerId: 'alice' } as const;
  const everywhere = (provider: Provider): DynamicModule => {
    @Global()
    class EverywhereModule {}
    const { provide } = provider as { provide: symbol };
    return { module: EverywhereModule, providers: [provider], exports: [provide] };
  };
  const ofUnnamed: Provider = { provide: PEER_MEMORY_BACKEND, useValue: backend('of the unnamed one') };

  it('does not take what a global module provides for the unnamed one, nor is it refused for it', async () => {
    for (const others of [
      [everywhere(ofUnnamed), memory(SUPPLIED)],
      [memory(SUPPLIED), everywhere(ofUnnamed)],
    ]) {
      const app = await bootModules({ imports: [...others, memory({ ...REMEMBERING, name: 'ops' })] });
      expect(backendIds(app, undefined, 'ops')).toEqual(['of the unnamed one', 'in-memory']);
      await app.close();
    }
    const lacking = () => bootModules({ imports: [everywhere(ofUnnamed), memory({ ...SUPPLIED, name: 'ops' })] });
    expect(await bootFailure(lacking)).toContain('backend is "supplied", but the application provides no backend;');
  });

  it('takes what a global module provides under its own token, what it is given, and what it imports', async () => {
    class ImportedModule {}
    class UnnamedModule {}
    const importedOfUnnamed: DynamicModule = {
      ...{ module: UnnamedModule, providers: [ofUnnamed], exports: [PEER_MEMORY_BACKEND] },
    };
    const imported: DynamicModule = {
      module: ImportedModule,
      providers: [{ provide: PEER_MEMORY_BACKEND, useValue: backend('imported') }],
      exports: [PEER_MEMORY_BACKEND],
    };
    const importedGlobal = everywhere({ provide: PEER_MEMORY_BACKEND, useValue: backend('imported, and global') });
    const app = await bootModules({
      imports: [
        memory({ ...SUPPLIED, imports: [importedOfUnnamed] }),
        everywhere({ provide: getMemoryToken(PEER_MEMORY_BACKEND, 'global'), useValue: backend('by its token') }),
        memory({ ...SUPPLIED, name: 'global' }),
        memory({
          ...{ ...SUPPLIED, name: 'given' },
          providers: [{ provide: PEER_MEMORY_BACKEND, useValue: backend('given') }],
        }),
        memory({ ...SUPPLIED, name: 'imported', imports: [imported] }),
        memory({ ...SUPPLIED, name: 'imported-global', imports: [importedGlobal] }),
      ],
    });
    expect(backendIds(app, undefined, 'global', 'given', 'imported', 'imported-global')).toEqual([
      'of the unnamed one',
      'by its token',
      'given',
      'imported',
      'imported, and global',
    ]);
    await app.close();
  });

  it('does not take for its own what an imported module keeps to itself', async () => {
    class PrivateModule {}
    const keeping: DynamicModule = {
      module: PrivateModule,
      providers: [{ provide: PEER_MEMORY_BACKEND, useValue: backend('kept') }],
    };
    class HandingOnModule {}
    const exporting: DynamicModule = {
      ...{ module: PrivateModule, providers: [{ provide: PEER_MEMORY_BACKEND, useValue: backend('handed on') }] },
      exports: [PEER_MEMORY_BACKEND],
    };
    const handingOn: DynamicModule = { module: HandingOnModule, imports: [exporting], exports: [PrivateModule] };
    const named = (imported: DynamicModule) =>
      bootModules({ imports: [everywhere(ofUnnamed), memory({ ...SUPPLIED, name: 'ops', imports: [imported] })] });
    expect(await bootFailure(() => named(keeping))).toContain(
      'backend is "supplied", but the application provides no backend; provide PEER_MEMORY_BACKEND (a PeerMemory), or OBSERVATION_STORE and/or REPRESENTATION_STORE, through forRoot({ providers, imports }) or under getMemoryToken(PEER_MEMORY_BACKEND, \'ops\') and the like in a global module.',
    );
    const app = await named(handingOn);
    expect(backendIds(app, 'ops')).toEqual(['handed on']);
    await app.close();
  });

  it('is refused when a part of it is provided twice, or for a name that nobody has', async () => {
    const twice = () =>
      bootModules({
        imports: [
          everywhere({ provide: getMemoryToken(PEER_MEMORY_BACKEND, 'ops'), useValue: backend('by its token') }),
          memory({
            ...SUPPLIED,
            name: 'ops',
            providers: [{ provide: PEER_MEMORY_BACKEND, useValue: backend('given') }],
          }),
        ],
      });
    expect(await bootFailure(twice)).toContain(
      `The memory "ops" is given PEER_MEMORY_BACKEND by its registration and getMemoryToken(PEER_MEMORY_BACKEND, 'ops') by the application, and one would be ignored; remove one.`,
    );
    const nobodys = () =>
      bootModules({
        imports: [
          everywhere({ provide: getMemoryToken(PEER_MEMORY_BACKEND, 'hr'), useValue: backend('of nobody') }),
          memory(REMEMBERING),
        ],
      });
    expect(await bootFailure(nobodys)).toContain(
      `PEER_MEMORY_BACKEND of the memory "hr" is provided in EverywhereModule, but no memory is registered by that name; register it with MemoryModule.forRoot({ name: 'hr', … }), or remove the provider.`,
    );
  });

  it('leaves to the unnamed one what is provided under the token of another', async () => {
    const elsewhere = everywhere({
      provide: getMemoryToken(PEER_MEMORY_BACKEND, 'sales'),
      useValue: backend('of sales'),
    });
    const app = await bootModules({
      imports: [
        elsewhere,
        memory(REMEMBERING),
        memory({ ...SUPPLIED, name: 'sales' }),
        memory({ ...REMEMBERING, name: 'ops' }),
      ],
    });
    expect(backendIds(app, undefined, 'sales', 'ops')).toEqual(['in-memory', 'of sales', 'in-memory']);
    await app.close();
  });
});

describe('the token of a part of a named memory', () => {
  const name = fc
    .tuple(
      fc.constantFrom(...'abcXYZ'),
      fc.array(fc.constantFrom(...'abcXYZ019_-'), { maxLength: 63 }).map((rest) => rest.join('')),
    )
    .map(([first, rest]) => first + rest);
  const part = fc.constantFrom(PEER_MEMORY, MEMORY_TOOLS, PEER_MEMORY_BACKEND, AgentMemory, Degradations);

  it('is another for another name or part, and the same for the same', () => {
    fc.assert(
      fc.property(
        fc.tuple(part, fc.option(name, { nil: undefined })),
        fc.tuple(part, fc.option(name, { nil: undefined })),
        (one, other) => {
          const same = one[0] === other[0] && one[1] === other[1];
          expect(getMemoryToken(...one) === getMemoryToken(...other)).toBe(same);
        },
      ),
    );
  });

  it.each<[string, unknown]>([
    ['a function that is no class', () => 1],
    ['the token of a named memory', getMemoryToken(PEER_MEMORY, 'ops')],
    ['a symbol of somebody else', Symbol.for('PEER_MEMORY')],
    ['text', 'PEER_MEMORY'],
  ])('is not to be had from %s', (_, token) => {
    expect(() => getMemoryToken(token as symbol, 'ops')).toThrow(
      'as a token; it takes a token of this library, such as',
    );
  });
});
