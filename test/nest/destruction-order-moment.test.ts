import {
  Inject,
  Injectable,
  type DynamicModule,
  type FactoryProvider,
  type InjectionToken,
  type Provider,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  AgentMemory,
  DefaultRedactionPolicy,
  getMemoryToken,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  LexicalIndex,
  MEMORY_PEER_RESOLVER,
  MEMORY_REDACTION_POLICY,
  MemoryModule,
  MemoryPeerResolver,
  MemoryTeardown,
  type MemoryModuleExtras,
  type MemoryModuleOptions,
  OBSERVATION_INDEX,
  OBSERVATION_STORE,
  PEER_MEMORY_BACKEND,
  REPRESENTATION_STORE,
} from '@aimon/nestjs-memory';
import { bootModules } from '../support/boot.js';
import { HookEvents, SHUTDOWN_HOOKS, type ShutdownHook } from './support/hook-events.js';

const events = new HookEvents().listen();

/** Nothing, one hook, or two of which the earlier counts. */
const hookSets: readonly (readonly ShutdownHook[])[] = [
  [],
  ...SHUTDOWN_HOOKS.map((hook) => [hook]),
  ['onApplicationShutdown', 'beforeApplicationShutdown'],
];
const momentOf = (hooks: readonly ShutdownHook[]): ShutdownHook =>
  SHUTDOWN_HOOKS.find((hook) => hooks.includes(hook)) ?? 'onApplicationShutdown';

const FIXED = { backend: 'supplied', workspaceId: 'ops', peerId: 'alice', ingest: 'session-end', env: {} } as const;
const OWN = { ...FIXED, backend: 'in-memory' } as const;
const PER_CALLER = { backend: 'in-memory', workspaceMode: 'caller', peerMode: 'caller', env: {} } as const;

interface Part {
  readonly options: MemoryModuleOptions & MemoryModuleExtras;
  readonly token: symbol;
  readonly make: () => object;
}

const parts: Readonly<Record<string, Part>> = {
  'a backend': { options: FIXED, token: PEER_MEMORY_BACKEND, make: () => events.backend() },
  'a store': { options: FIXED, token: OBSERVATION_STORE, make: () => new InMemoryObservationStore() },
  'a representation store': {
    ...{ options: FIXED, token: REPRESENTATION_STORE, make: () => new InMemoryRepresentationStore() },
  },
  'an index': { options: OWN, token: OBSERVATION_INDEX, make: () => new LexicalIndex() },
  'a policy': {
    options: { ...OWN, redaction: 'supplied' },
    token: MEMORY_REDACTION_POLICY,
    make: () => new DefaultRedactionPolicy(),
  },
  'a resolver': { options: PER_CALLER, token: MEMORY_PEER_RESOLVER, make: () => ({ ...MemoryPeerResolver.caller() }) },
};

/** What provides a part of which something has these hooks, whichever it is. */
type Holding = (
  part: { readonly provide: InjectionToken; readonly make: () => object },
  hooks: readonly ShutdownHook[],
) => {
  readonly providers: readonly Provider[];
  /** What the module of these providers, where they have one of their own, imports, and its own hooks. */
  readonly imports?: readonly DynamicModule[];
  readonly onModule?: readonly ShutdownHook[];
};

const SOURCE = Symbol('SOURCE');
const fromSource = ({ provide, make }: Parameters<Holding>[0], inject: InjectionToken = SOURCE): FactoryProvider => ({
  provide,
  inject: [inject],
  useFactory: () => make(),
});
const source = (hooks: readonly ShutdownHook[]): FactoryProvider => ({
  provide: SOURCE,
  useFactory: () => events.telling({}, 'part', hooks),
});

const holdings: Readonly<Record<string, Holding>> = {
  'its value': ({ provide, make }, hooks) => ({
    providers: [{ provide, useValue: events.telling(make(), 'part', hooks) }],
  }),
  'what its factory makes': ({ provide, make }, hooks) => ({
    providers: [{ provide, useFactory: () => events.telling(make(), 'part', hooks) }],
  }),
  'what an alias stands for': ({ provide, make }, hooks) => ({
    providers: [
      { provide: SOURCE, useFactory: () => events.telling(make(), 'part', hooks) },
      { provide, useExisting: SOURCE },
    ],
  }),
  'what is injected into it': (part, hooks) => ({ providers: [source(hooks), fromSource(part)] }),
  'what is injected into that, from an import': (part, hooks) => ({
    imports: [{ module: class SourceModule {}, providers: [source(hooks)], exports: [SOURCE] }],
    providers: [{ provide: 'BETWEEN', inject: [SOURCE], useFactory: () => ({}) }, fromSource(part, 'BETWEEN')],
  }),
  'what was injected with it, too': (part, hooks) => ({
    providers: [
      source([]),
      fromSource(part),
      { provide: 'CLOSER', inject: [SOURCE], useFactory: () => events.telling({}, 'part', hooks) },
    ],
  }),
};

type Supply = (
  options: MemoryModuleOptions & MemoryModuleExtras,
  held: ReturnType<Holding>,
  token: InjectionToken,
) => readonly DynamicModule[];

function heldIn({ imports, providers, onModule = [] }: ReturnType<Holding>, token: InjectionToken): DynamicModule {
  class PartsModule {}
  events.telling(PartsModule.prototype, 'part', onModule);
  return { module: PartsModule, imports: [...(imports ?? [])], providers: [...providers], exports: [token] };
}

const supplies: Readonly<Record<string, Supply>> = {
  'the providers of forRoot': (options, { imports, providers }) => [
    MemoryModule.forRoot({ ...options, imports: [...(imports ?? [])], providers: [...providers] }),
  ],
  'the imports of forRoot': (options, held, token) => [
    MemoryModule.forRoot({ ...options, imports: [heldIn(held, token)] }),
  ],
  'a global module': (options, held, token) => [
    MemoryModule.forRoot(options),
    { ...heldIn(held, token), global: true },
  ],
};

/** Closes an application with a service that uses the memory in every phase, and says in which the memory was gone. */
async function expectDoneIn(
  moment: ShutdownHook,
  imports: readonly DynamicModule[],
  { hooks }: { hooks: readonly ShutdownHook[] },
): Promise<void> {
  const app = await bootModules({ imports: [...imports], providers: [events.service()] });
  app.get(MemoryTeardown).register('MEMORY_BACKEND', 'mine', () => void events.all.push('taken down'));
  await app.close();
  for (const hook of SHUTDOWN_HOOKS) {
    expect(events.of(hook)).toEqual(['application', 'memory', ...(hooks.includes(hook) ? ['part'] : [])]);
  }
  const down = events.all.indexOf('taken down');
  expect(down).toBeGreaterThan(events.all.indexOf(`application:${moment}`));
  expect(down).toBeLessThan(events.all.indexOf(`memory:${moment}`));
  // The application's hooks that come later find it closed; in the last phase sessions are always over.
  const open = moment === 'onModuleDestroy' ? 1 : 2;
  expect(events.all.filter((event) => event === 'refused by application')).toHaveLength(3 - open);
}

const words = (hooks: readonly ShutdownHook[]): string => (hooks.length === 0 ? 'no hook' : hooks.join(' and '));

/** What a part stands on is found in the same way whichever part it is: for this one in all ways, for the others in two. */
const THOROUGHLY = 'a backend';
const BRIEFLY = ['its value', 'what is injected into it'];

describe.each(Object.entries(parts))('a memory to which %s is supplied', (part, { options, token, make }) => {
  const ways = Object.entries(holdings).filter(([where]) => part === THOROUGHLY || BRIEFLY.includes(where));
  const cases = ways.flatMap(([where, holding]) =>
    hookSets.flatMap((hooks) =>
      Object.entries(supplies).map(([way, supply]) => [where, words(hooks), way, holding, hooks, supply] as const),
    ),
  );

  it.each(cases)('of which %s has %s, through %s, is done in that phase and not before', async (...row) => {
    const [, , , holding, hooks, supply] = row;
    const held = holding({ provide: token, make }, hooks);
    await expectDoneIn(momentOf(hooks), supply(options, held, token), { hooks });
  });
});

describe('a memory is done in the phase in which', () => {
  const { options, token, make } = parts['a policy']!;

  it.each(hookSets.map((hooks) => [words(hooks), hooks] as const))(
    'the class of the module that supplies a part has %s',
    async (_, onModule) => {
      for (const way of ['the imports of forRoot', 'a global module'] as const) {
        events.all = [];
        const held = { providers: [{ provide: token, useFactory: make }], onModule };
        await expectDoneIn(momentOf(onModule), supplies[way]!(options, held, token), { hooks: onModule });
      }
    },
  );

  it('the first of several parts is destroyed', async () => {
    const policy = {
      provide: token,
      useFactory: () => events.telling(make(), 'policy', ['beforeApplicationShutdown']),
    };
    const index = {
      provide: OBSERVATION_INDEX,
      useFactory: () => events.telling(new LexicalIndex(), 'part', ['onApplicationShutdown']),
    };
    const app = await bootModules({
      imports: [MemoryModule.forRoot({ ...options, providers: [policy, index] })],
      providers: [events.service()],
    });
    await app.close();
    expect(events.of('beforeApplicationShutdown')).toEqual(['application', 'memory', 'policy']);
    await expect(app.get(AgentMemory).session('late')).rejects.toThrow('after the memory was closed');
  });

  it('a part of its own is destroyed, and not when one of another memory is', async () => {
    const early = {
      provide: getMemoryToken(token, 'ops'),
      useFactory: () => events.telling(make(), 'part', ['onModuleDestroy']),
    };
    const late = { provide: token, useFactory: make };
    const holder: DynamicModule = {
      ...{ module: class PartsModule {}, global: true, providers: [early], exports: [early.provide] },
    };
    const app = await bootModules({
      imports: [
        holder,
        MemoryModule.forRoot({ ...options, name: 'ops' }),
        MemoryModule.forRoot({ ...options, providers: [late] }),
      ],
      providers: [events.service()],
    });
    const down: string[] = [];
    for (const name of [undefined, 'ops']) {
      const teardown = app.get<MemoryTeardown>(getMemoryToken(MemoryTeardown, name));
      teardown.register('MEMORY_BACKEND', 'mine', () => {
        down.push(`${name ?? 'unnamed'} after ${events.all.findLast((event) => event.startsWith('application:'))}`);
      });
    }
    await app.close();
    expect(down).toEqual(['ops after application:onModuleDestroy', 'unnamed after application:onApplicationShutdown']);
  });

  it('a part may be destroyed at the earliest where it asks ModuleRef for what it needs', async () => {
    const asking = { provide: token, inject: [ModuleRef], useFactory: (modules: ModuleRef) => (void modules, make()) };
    for (const supply of Object.values(supplies)) {
      events.all = [];
      await expectDoneIn('onModuleDestroy', supply(options, { providers: [asking] }, token), { hooks: [] });
    }
  });
});

describe('a memory is done no earlier because of', () => {
  const { options, token, make } = parts['a policy']!;
  const plain = { provide: token, useFactory: make };

  it('a service of the application beside a part, with hooks and without the part', async () => {
    const beside = { provide: 'BESIDE', useFactory: () => events.telling({}, 'part') };
    for (const supply of Object.values(supplies)) {
      events.all = [];
      await expectDoneIn('onApplicationShutdown', supply(options, { providers: [plain, beside] }, token), {
        hooks: SHUTDOWN_HOOKS,
      });
    }
  });

  it('a service of the application that uses the memory, and the part itself', async () => {
    @Injectable()
    class User {
      constructor(
        @Inject(AgentMemory) readonly memory: AgentMemory,
        @Inject(token) readonly part: object,
      ) {}

      onModuleDestroy(): void {}
    }
    await expectDoneIn('onApplicationShutdown', [MemoryModule.forRoot({ ...options, providers: [plain, User] })], {
      hooks: [],
    });
  });

  it('what the application has in its other modules', async () => {
    const elsewhere: DynamicModule = {
      module: class Elsewhere {},
      providers: [{ provide: 'X', useValue: { onModuleDestroy: () => undefined } }],
    };
    const imports = [elsewhere, MemoryModule.forRoot({ ...options, providers: [plain] })];
    await expectDoneIn('onApplicationShutdown', imports, { hooks: [] });
  });
});

it('a hook that an instance is given while the application runs counts', async () => {
  const { options, token, make } = parts['a policy']!;
  const policy = make();
  const provider = {
    provide: token,
    useValue: Object.assign(policy, {
      onApplicationBootstrap: () => void events.telling(policy, 'part', ['beforeApplicationShutdown']),
    }),
  };
  await expectDoneIn('beforeApplicationShutdown', [MemoryModule.forRoot({ ...options, providers: [provider] })], {
    hooks: ['beforeApplicationShutdown'],
  });
});
