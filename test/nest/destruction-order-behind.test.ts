import {
  Global,
  Inject,
  Injectable,
  Module,
  forwardRef,
  type DynamicModule,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AgentMemory, getMemoryToken, MemoryModule, PEER_MEMORY, PEER_MEMORY_BACKEND } from '@aimon/nestjs-memory';
import { bootModules } from '../support/boot.js';
import { HookEvents, SHUTDOWN_HOOKS } from './support/hook-events.js';

const events = new HookEvents().listen();
const SUPPLIED = {
  backend: 'supplied',
  workspaceId: 'ops',
  peerId: 'alice',
  ingest: 'session-end',
  env: {},
} as const;

@Injectable()
class Pool {
  open = true;

  constructor() {
    events.telling(this, 'pool');
    const hook = (this as unknown as Record<string, () => Promise<void>>)['onModuleDestroy']!;
    Object.assign(this, {
      onModuleDestroy: async () => {
        await hook();
        this.open = false;
      },
    });
  }
}

const backendOn = (pool: Pool) =>
  events.telling(
    events.backend(() => pool.open),
    'backend',
  );
const backendProvider = (name?: string): Provider => ({
  provide: getMemoryToken(PEER_MEMORY_BACKEND, name),
  inject: [Pool],
  useFactory: backendOn,
});

@Module({ providers: [Pool], exports: [Pool] })
class PoolModule {}

/** A module made for one test. */
function moduleOf(metadata: ModuleMetadata, { global = false, name = 'TestModule' } = {}): Type<unknown> {
  const made = { [name]: class {} }[name] as Type<unknown>;
  Module(metadata)(made);
  if (global) Global()(made);
  return made;
}

/** A global module that provides the backend. */
const backendModule = (imports: ModuleMetadata['imports'], provider = backendProvider()): Type<unknown> =>
  moduleOf({ imports, providers: [provider], exports: [PEER_MEMORY_BACKEND] }, { global: true });

/** Starts the modules with a service of the application at the root, and closes it. */
async function close(imports: NonNullable<ModuleMetadata['imports']>, name?: string): Promise<void> {
  const app = await bootModules({ imports, providers: [events.service(name)] });
  await app.close();
}

/** The application, then the memory, then these; each two of them in this order unless they stand in one string. */
function expectOrder(...behind: readonly string[]): void {
  for (const hook of SHUTDOWN_HOOKS) {
    const order = events.of(hook);
    expect(order.slice(0, 2)).toEqual(['application', 'memory']);
    expect([...order.slice(2)].sort()).toEqual([...behind].sort());
  }
  expect(events.all).toContain('took 1');
  expect(events.all).not.toContain('took from what was closed');
}

const memory = (extras: object = {}): DynamicModule => MemoryModule.forRoot({ ...SUPPLIED, ...extras });

describe('what a supplied backend stands on is destroyed after the memory', () => {
  const between = moduleOf({ imports: [PoolModule], exports: [PoolModule] });
  const globalDatabase = moduleOf({ imports: [PoolModule], exports: [PoolModule] }, { global: true });
  const farAbove = moduleOf({ imports: [moduleOf({ imports: [moduleOf({})] })] });

  const graphs: readonly (readonly [string, () => NonNullable<ModuleMetadata['imports']>])[] = [
    ['an import of the global module that provides it', () => [memory(), backendModule([PoolModule])]],
    ['the same, with the global module named first', () => [backendModule([PoolModule]), memory()]],
    [
      'the same, with a global module that the registration imports',
      () => [memory({ imports: [backendModule([PoolModule])] })],
    ],
    ['two imports below the global module', () => [memory(), backendModule([between])]],
    ['an import of a global module of the application', () => [globalDatabase, memory(), backendModule([])]],
    ['an import that the root module has, too', () => [PoolModule, farAbove, memory(), backendModule([PoolModule])]],
    [
      'an import that stands above the memory',
      () => [PoolModule, moduleOf({ imports: [moduleOf({ imports: [memory()] })] }), backendModule([PoolModule])],
    ],
    [
      'a non-global module that forwards it to a global one and back',
      () => {
        const ring: { a?: Type<unknown> } = {};
        const b = moduleOf({ imports: [forwardRef(() => ring.a), PoolModule], exports: [PoolModule] });
        ring.a = moduleOf({ imports: [forwardRef(() => b)], exports: [b] });
        return [ring.a, memory(), backendModule([ring.a])];
      },
    ],
  ];

  it.each(graphs)('through %s', async (_, imports) => {
    await close(imports());
    expectOrder('backend', 'pool');
  });

  it('and after the backend where it stands in a module that is not global', async () => {
    const supplying = moduleOf({ imports: [between], providers: [backendProvider()], exports: [PEER_MEMORY_BACKEND] });
    await close([PoolModule, memory({ imports: [supplying] })]);
    for (const hook of SHUTDOWN_HOOKS) expect(events.of(hook)).toEqual(['application', 'memory', 'backend', 'pool']);
  });
});

describe('what a supplied backend stands on is found', () => {
  const provide = PEER_MEMORY_BACKEND;
  const onProperty = (): Provider => {
    class Backend {
      @Inject(Pool) readonly pool!: Pool;
    }
    return { provide: 'BY_PROPERTY', useClass: Backend };
  };
  const ways: readonly (readonly [string, () => readonly Provider[]])[] = [
    [
      'by a constructor',
      () => {
        @Injectable()
        class Between {
          constructor(readonly pool: Pool) {}
        }
        return [Between, { provide, inject: [Between], useFactory: ({ pool }: Between) => backendOn(pool) }];
      },
    ],
    [
      'by a property',
      () => [
        onProperty(),
        { provide, inject: ['BY_PROPERTY'], useFactory: ({ pool }: { pool: Pool }) => backendOn(pool) },
      ],
    ],
    [
      'by an asynchronous factory',
      () => [
        {
          provide: 'LATER',
          inject: [Pool],
          useFactory: (pool: Pool) => new Promise((resolve) => setImmediate(() => resolve({ pool }))),
        },
        { provide, inject: ['LATER'], useFactory: ({ pool }: { pool: Pool }) => backendOn(pool) },
      ],
    ],
    [
      'by an optional dependency beside one that nobody provides',
      () => [
        {
          provide,
          inject: [
            { token: 'NOBODY', optional: true },
            { token: Pool, optional: true },
          ],
          useFactory: (_: undefined, pool: Pool) => backendOn(pool),
        },
      ],
    ],
    [
      'by aliases of aliases',
      () => [
        { provide: 'ALIAS', useExisting: Pool },
        { provide: 'ALIAS OF ALIAS', useExisting: 'ALIAS' },
        { provide: 'BACKEND', inject: ['ALIAS OF ALIAS'], useFactory: backendOn },
        { provide, useExisting: 'BACKEND' },
      ],
    ],
    [
      'by two that know each other',
      () => {
        class First {
          constructor(@Inject(forwardRef(() => Second)) readonly second: { readonly pool: Pool }) {}
        }
        class Second {
          constructor(
            @Inject(forwardRef(() => First)) readonly first: unknown,
            @Inject(Pool) readonly pool: Pool,
          ) {}
        }
        return [
          First,
          Second,
          {
            provide,
            inject: [First],
            useFactory: (first: First) =>
              events.telling(
                events.backend(() => first.second.pool.open),
                'backend',
              ),
          },
        ];
      },
    ],
    [
      'by two that know each other, one of which is made late',
      () => {
        class First {
          constructor(@Inject(forwardRef(() => Second)) readonly second: { readonly pool: Pool }) {}
        }
        class Second {
          @Inject(Pool) readonly pool!: Pool;

          constructor(
            @Inject(forwardRef(() => First)) readonly first: unknown,
            @Inject('LATE') readonly late: unknown,
          ) {}
        }
        const late = async (): Promise<string> => {
          for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
          return 'late';
        };
        return [
          First,
          Second,
          { provide: 'LATE', useFactory: late },
          {
            provide,
            inject: [First],
            useFactory: (first: First) =>
              events.telling(
                events.backend(() => first.second.pool.open),
                'backend',
              ),
          },
        ];
      },
    ],
    [
      'by nothing but Nest’s ModuleRef, among the imports of its module',
      () => [
        {
          provide,
          inject: [ModuleRef],
          useFactory: (modules: ModuleRef) =>
            events.telling(
              events.backend(() => modules.get(Pool, { strict: false }).open),
              'backend',
            ),
        },
      ],
    ],
  ];

  it.each(ways)('%s', async (_, providers) => {
    const supplying = moduleOf(
      { imports: [PoolModule], providers: [...providers()], exports: [provide] },
      { global: true },
    );
    await close([PoolModule, memory(), supplying]);
    expectOrder('backend', 'pool');
  });
});

describe('a pool that others use, too', () => {
  const userOf = (who: string): Type<unknown> => {
    @Injectable()
    class User {
      constructor(@Inject(Pool) readonly pool: Pool) {
        events.telling(this, who);
      }
    }
    return User;
  };

  it('is destroyed after all users in the application and the memory', async () => {
    const deep = moduleOf({ imports: [moduleOf({ imports: [PoolModule], providers: [userOf('deep user')] })] });
    const user = moduleOf({ imports: [PoolModule], providers: [userOf('user')] });
    await close([PoolModule, user, memory(), backendModule([PoolModule]), deep]);
    for (const hook of SHUTDOWN_HOOKS) {
      const order = events.of(hook);
      expect([...order.slice(0, 3)].sort()).toEqual(['application', 'deep user', 'user']);
      expect(order.slice(3)).toEqual(expect.arrayContaining(['memory', 'backend', 'pool']));
      expect(order[3]).toBe('memory');
    }
  });

  it('is destroyed before a user in a global module, as it is without a memory', async () => {
    const user = moduleOf({ imports: [PoolModule], providers: [userOf('user')] }, { global: true });
    const app = await bootModules({ imports: [user] });
    await app.close();
    for (const hook of SHUTDOWN_HOOKS) expect(events.of(hook)).toEqual(['pool', 'user']);
    events.all = [];
    await close([user, memory(), backendModule([PoolModule])]);
    for (const hook of SHUTDOWN_HOOKS) {
      const order = events.of(hook);
      expect(order.indexOf('user')).toBeGreaterThan(order.indexOf('pool'));
    }
  });

  it('is destroyed after both of two memories', async () => {
    const both = moduleOf(
      {
        imports: [PoolModule],
        providers: [backendProvider(), backendProvider('ops')],
        exports: [PEER_MEMORY_BACKEND, getMemoryToken(PEER_MEMORY_BACKEND, 'ops')],
      },
      { global: true },
    );
    for (const name of [undefined, 'ops']) {
      for (const memories of [
        [memory(), memory({ name: 'ops' })],
        [memory({ name: 'ops' }), memory()],
      ]) {
        events.all = [];
        await close([both, moduleOf({ imports: [moduleOf({ imports: memories })] })], name);
        for (const hook of SHUTDOWN_HOOKS)
          expect(events.of(hook)).toEqual(['application', 'memory', 'memory', 'pool', 'backend', 'backend']);
        expect(events.all).not.toContain('took from what was closed');
      }
    }
  });

  it('takes along what its module imports, which goes after it', async () => {
    const below = moduleOf({
      providers: [{ provide: 'BELOW', useFactory: () => events.telling({}, 'below') }],
      exports: ['BELOW'],
    });
    const pool = moduleOf({ imports: [below], providers: [Pool], exports: [Pool] });
    await close([below, memory(), moduleOf({ imports: [moduleOf({ imports: [pool] })] }), backendModule([pool])]);
    for (const hook of SHUTDOWN_HOOKS)
      expect(events.of(hook)).toEqual(['application', 'memory', 'pool', 'below', 'backend']);
  });
});

it('a memory whose backend is another memory is destroyed before that one, and both before what they stand on', async () => {
  for (const order of [0, 1]) {
    events.all = [];
    const onOther = moduleOf({
      providers: [
        {
          provide: PEER_MEMORY_BACKEND,
          inject: [PEER_MEMORY],
          useFactory: () => events.telling(events.backend(), 'outer'),
        },
      ],
      exports: [PEER_MEMORY_BACKEND],
    });
    const memories = [memory({ name: 'ops', imports: [onOther] }), memory()];
    if (order === 1) memories.reverse();
    await close([...memories, backendModule([PoolModule])], 'ops');
    for (const hook of SHUTDOWN_HOOKS) {
      const [application, first, ...rest] = events.of(hook);
      expect([application, first]).toEqual(['application', 'memory']);
      expect([...rest].sort()).toEqual(['backend', 'memory', 'outer', 'pool']);
      expect(rest.indexOf('pool')).toBeGreaterThan(rest.indexOf('memory'));
      expect(rest.indexOf('backend')).toBeGreaterThan(rest.indexOf('memory'));
    }
  }
});

it('a module of the application that the backend does not stand on keeps its place', async () => {
  const apart = moduleOf({ providers: [events.service()] });
  const app = await bootModules({ imports: [memory(), backendModule([PoolModule, apart])] });
  expect(app.get(AgentMemory)).toBeDefined();
  await app.close();
  expectOrder('backend', 'pool');
});

it('a service that stands in one module with what is behind the memory comes after it, since Nest orders modules', async () => {
  const mixed = moduleOf({ imports: [], providers: [Pool, events.service(undefined, 'beside')], exports: [Pool] });
  await close([mixed, memory(), backendModule([mixed])]);
  expect(events.of('onModuleDestroy')).toEqual(['application', 'memory', 'beside', 'pool', 'backend']);
  expect(events.all.filter((event) => event === 'refused by beside')).toHaveLength(3);
});
