import fc from 'fast-check';
import {
  forwardRef,
  Global,
  Inject,
  Injectable,
  Module,
  type InjectionToken,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { getMemoryToken, MemoryModule, PEER_MEMORY_BACKEND } from '@aimon/nestjs-memory';
import { bootModules } from '../support/boot.js';
import { HookEvents, SHUTDOWN_HOOKS } from './support/hook-events.js';

const events = new HookEvents().listen();

/** How a provider is given what it stands on. */
type Injection = 'constructor' | 'property' | 'factory' | 'slow factory' | 'alias';

/** An application, in numbers: provider 0 is the backend, and each may stand on those with higher numbers. */
interface Application {
  /** Of each provider: what it stands on, how it is given it, and in which module it is. */
  readonly providers: readonly { readonly on: readonly number[]; readonly by: Injection; readonly home: number }[];
  /** Of each module: what it imports beside what it must, and whether it is global. */
  readonly modules: readonly { readonly also: readonly number[]; readonly global: boolean }[];
  /** Of each service of the application that uses the memory: how deep it stands, and which providers it uses, too. */
  readonly services: readonly { readonly depth: number; readonly uses: readonly number[] }[];
  /** The order in which the root module names its imports, as sorting keys. */
  readonly order: readonly number[];
  readonly depthOfMemory: number;
  readonly registrationImports: boolean;
  readonly name: string | undefined;
}

/** @param circles whether modules may import each other in circles: those that come later in their list, too */
const applications = (circles: boolean): fc.Arbitrary<Application> =>
  fc.integer({ min: 1, max: 6 }).chain((count) =>
    fc.integer({ min: 1, max: count }).chain((moduleCount) => {
      const home = fc.nat(moduleCount - 1);
      return fc.record({
        providers: fc
          .tuple(
            fc.tuple(
              ...Array.from({ length: count }, (_, at) =>
                fc.record({
                  on: at === count - 1 ? fc.constant([]) : fc.uniqueArray(fc.integer({ min: at + 1, max: count - 1 })),
                  by: fc.constantFrom<Injection[]>('constructor', 'property', 'factory', 'slow factory', 'alias'),
                }),
              ),
            ),
            fc.array(home, { minLength: count, maxLength: count }),
          )
          .map(([made, homes]) => {
            // Without circles what is stood on is in the same module, or in one with a higher number.
            const places = circles ? homes : homes.toSorted((one, other) => one - other);
            return made.map((one, at) => ({ ...one, home: places[at]! }));
          }),
        modules: fc.tuple(
          ...Array.from({ length: moduleCount }, (_, at) =>
            fc.record({
              also: fc
                .uniqueArray(fc.nat(moduleCount - 1))
                .map((all) => all.filter((one) => (circles ? one !== at : one > at))),
              global: fc.boolean(),
            }),
          ),
        ),
        services: fc.array(fc.record({ depth: fc.nat(3), uses: fc.uniqueArray(fc.nat(count - 1), { maxLength: 2 }) }), {
          minLength: 1,
          maxLength: 3,
        }),
        order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
        depthOfMemory: fc.nat(2),
        registrationImports: fc.boolean(),
        name: fc.constantFrom(undefined, 'ops'),
      });
    }),
  );

const moduleOf = (metadata: ModuleMetadata, global = false): Type<unknown> => {
  class GeneratedModule {}
  Module(metadata)(GeneratedModule);
  if (global) Global()(GeneratedModule);
  return GeneratedModule;
};

/** `module`, so many imports down. */
const under = (depth: number, module: NonNullable<ModuleMetadata['imports']>[number]): typeof module =>
  depth === 0 ? module : under(depth - 1, moduleOf({ imports: [module] }));

const tokenOf = ({ name }: Application, provider: number): InjectionToken =>
  provider === 0 ? getMemoryToken(PEER_MEMORY_BACKEND, name) : `provider ${provider}`;

function providersOf(application: Application, at: number): readonly Provider[] {
  const { on, by } = application.providers[at]!;
  const provide = tokenOf(application, at);
  const inject = on.map((one) => tokenOf(application, one));
  const make = (): object => events.telling(at === 0 ? events.backend() : {}, `${at}`);
  const prepared = by === 'alias' ? `behind ${at}` : provide;
  if (by === 'factory' || by === 'alias') {
    const factory = { provide: prepared, inject, useFactory: make };
    return by === 'alias' ? [factory, { provide, useExisting: prepared }] : [factory];
  }
  if (by === 'slow factory') {
    const useFactory = (): Promise<object> => new Promise((resolve) => setImmediate(() => resolve(make())));
    return [{ provide, inject, useFactory }];
  }
  class Generated {
    constructor() {
      Object.assign(this, make());
    }
  }
  Injectable()(Generated);
  inject.forEach((token, position) => {
    if (by === 'property') Inject(token)(Generated.prototype, `property ${position}`);
    else Inject(token)(Generated, undefined, position);
  });
  return [{ provide, useClass: Generated }];
}

/** Whether the backend's module can be found without the registration, which must import it otherwise. */
const homeOfBackend = ({ providers }: Application): number => providers[0]!.home;

function rootOf(application: Application): ModuleMetadata {
  const { providers, modules, services, order, depthOfMemory, registrationImports, name } = application;
  const made: Type<unknown>[] = [];
  modules.forEach(({ also, global }, at) => {
    const own = providers.flatMap(({ home }, provider) => (home === at ? [provider] : []));
    const needed = own.flatMap((provider) => providers[provider]!.on.map((one) => providers[one]!.home));
    const imports = [...new Set([...needed, ...also])].filter((one) => one !== at);
    made[at] = moduleOf(
      {
        imports: imports.map((one) => forwardRef(() => made[one])),
        providers: own.flatMap((provider) => providersOf(application, provider)),
        exports: own.map((provider) => tokenOf(application, provider)),
      },
      global,
    );
  });
  const home = homeOfBackend(application);
  const imported = registrationImports || !modules[home]!.global;
  const memory = MemoryModule.forRoot({
    ...{ backend: 'supplied', workspaceId: 'ops', peerId: 'alice', ingest: 'session-end', env: {}, name },
    imports: imported ? [made[home]!] : [],
  });
  const users = services.map(({ depth, uses }) => {
    const service = events.service(name);
    uses.forEach((one, position) => Inject(tokenOf(application, one))(service.prototype as object, `used ${position}`));
    const homes = [...new Set(uses.map((one) => providers[one]!.home))];
    return under(depth, moduleOf({ imports: homes.map((one) => made[one]!), providers: [service] }));
  });
  const imports = [under(depthOfMemory, memory), ...users, ...made];
  return {
    imports: imports
      .map((one, at) => [order[at % order.length]!, one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one),
  };
}

/** The providers that the backend stands on, itself among them. */
function behindBackend({ providers }: Application): ReadonlySet<number> {
  const behind = new Set([0]);
  for (const one of behind) for (const below of providers[one]!.on) behind.add(below);
  return behind;
}

async function shutDown(application: Application): Promise<void> {
  events.all = [];
  const app = await bootModules(rootOf(application));
  await app.close();
}

function expectApplicationThenMemoryThenBehind(application: Application): void {
  for (const hook of SHUTDOWN_HOOKS) {
    const order = events.of(hook);
    const memory = order.indexOf('memory');
    expect(order.filter((one) => one === 'application')).toHaveLength(application.services.length);
    expect(order.lastIndexOf('application')).toBeLessThan(memory);
    for (const one of behindBackend(application)) expect(order.indexOf(`${one}`)).toBeGreaterThan(memory);
  }
  // All that was said in the first phase is taken in before anything behind the memory is destroyed.
  const taken = events.all.flatMap((event, at) => (event.startsWith('took ') ? [{ at, count: +event.slice(5) }] : []));
  expect(taken.reduce((sum, { count }) => sum + count, 0)).toBe(application.services.length);
  expect(Math.max(...taken.map(({ at }) => at))).toBeLessThan(events.all.indexOf('memory:onModuleDestroy'));
}

describe('in a generated application', () => {
  it('its services are destroyed first, then the memory, then all that the backend stands on, in every phase', async () => {
    await fc.assert(
      fc.asyncProperty(applications(true), async (application) => {
        await shutDown(application);
        expectApplicationThenMemoryThenBehind(application);
      }),
      { numRuns: 50 },
    );
  }, 60_000);

  it('without circles each provider behind the memory that is in no global module goes before what it stands on', async () => {
    await fc.assert(
      fc.asyncProperty(applications(false), async (application) => {
        await shutDown(application);
        expectApplicationThenMemoryThenBehind(application);
        const { providers, modules } = application;
        for (const one of behindBackend(application)) {
          if (modules[providers[one]!.home]!.global) continue;
          for (const below of providers[one]!.on) {
            for (const hook of SHUTDOWN_HOOKS) {
              const order = events.of(hook);
              expect(order.indexOf(`${one}`)).toBeLessThan(order.indexOf(`${below}`));
            }
          }
        }
      }),
      { numRuns: 50 },
    );
  }, 60_000);
});
