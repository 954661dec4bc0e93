import {
  Global,
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import {
  AgentMemory,
  DefaultRedactionPolicy,
  getMemoryToken,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  IngestOutcomes,
  LexicalIndex,
  MEMORY_PEER_RESOLVER,
  MEMORY_REDACTION_POLICY,
  type MemoryModuleExtras,
  type MemoryModuleOptions,
  MemoryModule,
  MemoryPeerResolver,
  OBSERVATION_INDEX,
  OBSERVATION_STORE,
  PEER_MEMORY_BACKEND,
  Principal,
  REPRESENTATION_STORE,
  Workspace,
} from '@aimon/nestjs-memory';
import { MemoryLifecycle } from '../../lib/nest/memory-lifecycle.js';
import { bootModules } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const PHASES = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;
type Phase = (typeof PHASES)[number];

/** What happened, in order: `application:phase`, `memory:phase` (once it is done), `part:phase`, `took n` and `refused`. */
let events: string[] = [];
beforeEach(() => (events = []));

const original = Object.fromEntries(PHASES.map((phase) => [phase, MemoryLifecycle.prototype[phase]]));
beforeAll(() => {
  for (const phase of PHASES) {
    MemoryLifecycle.prototype[phase] = async function (this: MemoryLifecycle): Promise<void> {
      await (original[phase] as () => Promise<void>).call(this);
      events.push(`memory:${phase}`);
    };
  }
});
afterAll(() => {
  for (const phase of PHASES) MemoryLifecycle.prototype[phase] = original[phase] as () => Promise<void>;
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An instance that tells when its hooks run. */
function telling<T extends object>(part: T, name = 'part'): T {
  for (const phase of PHASES) (part as Record<string, unknown>)[phase] = () => void events.push(`${name}:${phase}`);
  return part;
}

class Backend extends RecordingPeerMemory {
  constructor() {
    super();
    const { ingest } = this.ingestor;
    this.ingestor.ingest = async (request) => {
      // Slow, so that one that nobody waits for would come too late.
      await nextTurn();
      events.push(`took ${request.messages.length}`);
      return ingest(request);
    };
    telling(this);
  }
}

/** A service of the application that uses the memory in each of its hooks. */
function serviceOf(name: string | undefined): Type<unknown> {
  @Injectable()
  class Service {
    constructor(@Inject(getMemoryToken(AgentMemory, name)) private readonly memory: AgentMemory) {}

    async onModuleDestroy(): Promise<void> {
      await this.#use('onModuleDestroy');
    }

    async beforeApplicationShutdown(): Promise<void> {
      await this.#use('beforeApplicationShutdown');
    }

    async onApplicationShutdown(): Promise<void> {
      await this.#use('onApplicationShutdown');
    }

    async #use(phase: Phase): Promise<void> {
      await nextTurn();
      try {
        const session = await this.memory.session(`the last of ${phase}`, {
          principal: Principal.user('alice'),
          workspace: Workspace.of({ id: 'ops' }),
        });
        await session.execution((t) => void t.append({ role: 'user', content: `We leave in ${phase}.` }));
      } catch {
        events.push('refused');
      }
      events.push(`application:${phase}`);
    }
  }
  return Service;
}

/** Where the service stands: its module and what the root module has. */
const places: readonly (readonly [string, (service: Type<unknown>, memory: DynamicModule[]) => ModuleMetadata])[] = [
  ['the root module', (service, memory) => ({ imports: memory, providers: [service] })],
  [
    'a feature module, named before the memory',
    (service, memory) => {
      @Module({ providers: [service] })
      class FeatureModule {}
      return { imports: [FeatureModule, ...memory] };
    },
  ],
  [
    'a feature module, named after the memory',
    (service, memory) => {
      @Module({ providers: [service] })
      class FeatureModule {}
      return { imports: [...memory, FeatureModule] };
    },
  ],
  [
    'a module six imports down',
    (service, memory) => {
      @Module({ providers: [service] })
      class DeepModule {}
      let module: Type<unknown> = DeepModule;
      for (let depth = 0; depth < 5; depth++) {
        const below = module;
        @Module({ imports: [below] })
        class BetweenModule {}
        module = BetweenModule;
      }
      return { imports: [module, ...memory] };
    },
  ],
];

const globalPlaces: typeof places = [
  [
    'a global module, named before the memory',
    (service, memory) => {
      @Global()
      @Module({ providers: [service] })
      class EverywhereModule {}
      return { imports: [EverywhereModule, ...memory] };
    },
  ],
  [
    'a global module, named after the memory',
    (service, memory) => {
      @Global()
      @Module({ providers: [service] })
      class EverywhereModule {}
      return { imports: [...memory, EverywhereModule] };
    },
  ],
];

/** How the parts come in: the memory's modules, in the order in which the root module names them. */
type Supply = (options: MemoryModuleOptions & MemoryModuleExtras, parts: Provider[]) => DynamicModule[];

const exporting = (parts: Provider[], global = false): DynamicModule => {
  class PartsModule {}
  return {
    module: PartsModule,
    global,
    providers: parts,
    exports: parts.map((part) => (part as { provide: symbol }).provide),
  };
};
const later = (options: MemoryModuleOptions & MemoryModuleExtras, extras: object = {}): DynamicModule => {
  const { name, ...settings } = options;
  return MemoryModule.forRootAsync({ name, ...extras, useFactory: () => settings });
};

const supplies: readonly (readonly [string, Supply])[] = [
  ['providers of forRoot', (options, parts) => [MemoryModule.forRoot({ ...options, providers: parts })]],
  ['providers of forRootAsync', (options, parts) => [later(options, { providers: parts })]],
  ['imports of forRoot', (options, parts) => [MemoryModule.forRoot({ ...options, imports: [exporting(parts)] })]],
  ['imports of forRootAsync', (options, parts) => [later(options, { imports: [exporting(parts)] })]],
  [
    'an import that the application has too',
    (options, parts) => {
      const module = exporting(parts);
      return [module, MemoryModule.forRoot({ ...options, imports: [module] })];
    },
  ],
  ['a global module named first', (options, parts) => [exporting(parts, true), MemoryModule.forRoot(options)]],
  ['a global module named last', (options, parts) => [MemoryModule.forRoot(options), exporting(parts, true)]],
  ['a global module beside forRootAsync', (options, parts) => [later(options), exporting(parts, true)]],
];

const SUPPLIED = { backend: 'supplied', workspaceId: 'ops', peerId: 'alice', env: {} } as const;

/** In each phase the application is first, then the memory, then the part. */
function expectOrderInEachPhase(who: readonly string[]): void {
  expect(events.filter((event) => /^(application|memory|part):/.test(event))).toEqual(
    PHASES.flatMap((phase) => who.map((one) => `${one}:${phase}`)),
  );
}

const names = [undefined, 'ops'] as const;

describe.each(names)('with a supplied backend of the memory %s', (name) => {
  const token = getMemoryToken(PEER_MEMORY_BACKEND, name);
  const cases = places.flatMap(([place, root]) => supplies.map(([way, supply]) => [place, way, root, supply] as const));

  it.each(cases)(
    'a service in %s is first, then the memory, then the backend, in every phase, through %s',
    async (_place, _way, root, supply) => {
      const options = { ...SUPPLIED, name, ingest: 'session-end' } as const;
      const app = await bootModules(root(serviceOf(name), supply(options, [{ provide: token, useClass: Backend }])));
      await app.close();
      expectOrderInEachPhase(['application', 'memory', 'part']);
      // What was said in the first phase is taken in before the backend's own hook of that phase; later the memory is gone,
      // since the backend may be.
      const took = events.indexOf('took 1');
      expect(took).toBeGreaterThan(events.indexOf('application:onModuleDestroy'));
      expect(took).toBeLessThan(events.indexOf('part:onModuleDestroy'));
      expect(events.filter((event) => event === 'refused')).toHaveLength(2);
    },
  );
});

describe('with a backend of the memory’s own', () => {
  const cases = [...places, ...globalPlaces];
  it.each(cases)('a service in %s uses the memory until its server has closed', async (_place, root) => {
    for (const name of names) {
      events = [];
      const memory = MemoryModule.forRoot({
        ...{ ...SUPPLIED, backend: 'in-memory', deriver: 'extractive', ingest: 'session-end' },
        name,
      });
      const app = await bootModules(root(serviceOf(name), [memory]));
      const outcomes = app.get<IngestOutcomes>(getMemoryToken(IngestOutcomes, name));
      await app.close();
      expectOrderInEachPhase(['application', 'memory']);
      // In the last phase sessions are over: those are handed over while the server still answers.
      expect(events.filter((event) => event === 'refused')).toHaveLength(1);
      expect(outcomes.counts()).toEqual({ stored: 2, nothingFound: 0, accepted: 0, failed: 0, skipped: 0 });
    }
  });
});

it('a service in a global module is last beside a supplied part, where Nest has the order of global modules', async () => {
  for (const [, root] of globalPlaces) {
    events = [];
    const memory = MemoryModule.forRoot({
      ...{ ...SUPPLIED, ingest: 'session-end' },
      providers: [{ provide: PEER_MEMORY_BACKEND, useClass: Backend }],
    });
    const app = await bootModules(root(serviceOf(undefined), [memory]));
    await app.close();
    expectOrderInEachPhase(['memory', 'part', 'application']);
  }
});

describe('each part that an application may supply', () => {
  const perCaller = { backend: 'in-memory', workspaceMode: 'caller', peerMode: 'caller', env: {} } as const;
  const parts: readonly (readonly [string, object, symbol, () => object])[] = [
    ['a store', SUPPLIED, OBSERVATION_STORE, () => new InMemoryObservationStore()],
    ['a representation store', SUPPLIED, REPRESENTATION_STORE, () => new InMemoryRepresentationStore()],
    ['an index', { ...SUPPLIED, backend: 'in-memory' }, OBSERVATION_INDEX, () => new LexicalIndex()],
    [
      'a policy',
      { ...SUPPLIED, backend: 'in-memory', redaction: 'supplied' },
      MEMORY_REDACTION_POLICY,
      () => new DefaultRedactionPolicy(),
    ],
    ['a resolver', perCaller, MEMORY_PEER_RESOLVER, () => ({ ...MemoryPeerResolver.caller() })],
  ];
  const cases = parts.flatMap(([part, options, token, make]) =>
    supplies.map(([way, supply]) => [part, way, options, token, make, supply] as const),
  );

  it.each(cases)(
    '%s is destroyed after the memory, in every phase, through %s',
    async (_part, _way, options, token, make, supply) => {
      for (const name of names) {
        events = [];
        const provider = { provide: getMemoryToken(token, name), useFactory: () => telling(make()) };
        const app = await bootModules({
          imports: supply({ ...options, name }, [provider]),
          providers: [serviceOf(name)],
        });
        await app.close();
        expectOrderInEachPhase(['application', 'memory', 'part']);
      }
    },
  );
});
