import { Module, type DynamicModule, type FactoryProvider, type InjectionToken } from '@nestjs/common';

import { InvalidConfigurationError } from '../domain/errors.js';
import { SILENT_LOGGER } from '../domain/memory-logger.js';
import { MemoryCoreModule } from '../nest/memory-core-module.js';
import { getMemoryToken } from '../nest/memory-name.js';
import { MEMORY_STACK, type AssembledMemory } from '../nest/memory-stack-provider.js';
import { MEMORY_SURROUNDINGS, type MemorySurroundings } from '../nest/memory-surroundings.js';
import { ownTokenFaults } from '../nest/own-tokens.js';
import { requireRegistration } from '../nest/registration-options.js';
import { optionObjectFault } from '../nest/settings/option-object.js';
import { valueKind } from '../nest/settings/value-kind.js';
import { BackendOutages } from './backend-outages.js';
import type { MemoryTestingOptions } from './memory-testing-options.js';
import { MemoryTesting } from './memory-testing.js';
import { StampingClock } from './stamping-clock.js';
import { TestClock } from './test-clock.js';

/**
 * The memory of an application's tests, in the place of `MemoryModule`: the same tokens and classes, in memory, with
 * facts drawn from what is said and a clock that the test moves. It reads nothing but its options, neither the
 * environment nor `ConfigService`, and writes nothing to the log. Beside what `MemoryModule` provides, `MemoryTesting`
 * and `TestClock` can be injected; of a named memory by `getMemoryToken`.
 */
@Module({})
export class MemoryTestingModule {
  /**
   * The module to import, and to configure with what a test needs of the memory.
   *
   * @param options as of `MemoryModule.forRoot`, with defaults that suit a test; `isGlobal`, `name`, `providers` and
   * `imports` too
   * @throws InvalidConfigurationError as `MemoryModule.forRoot` does, and for a `backend` or an `env`
   */
  static forRoot(options: MemoryTestingOptions = {}): DynamicModule {
    refuse(optionsFaults(options));
    const { clock, logger = SILENT_LOGGER, ...given } = options;
    const registration = { ...withDefaults(given), backend: 'in-memory', env: {} } as const;
    requireRegistration(registration);
    const { name, isGlobal = true } = registration;
    const providers = registration.providers ?? [];
    refuse(ownTokenFaults(providers, name));
    const own = ownProviders(name, clock);
    const surroundings: FactoryProvider<MemorySurroundings> = {
      provide: MEMORY_SURROUNDINGS,
      inject: [getMemoryToken(TestClock, name), BackendOutages],
      useFactory: (testClock: TestClock, outages: BackendOutages) => ({
        clock: new StampingClock(testClock),
        logger,
        around: (backend) => outages.around(backend),
      }),
    };
    const core = MemoryCoreModule.forRoot({
      ...registration,
      providers: [...providers, surroundings, BackendOutages, ...own],
    });
    const memory = { ...core, exports: [...(core.exports ?? []), ...own.map(({ provide }) => provide)] };
    return { module: MemoryTestingModule, global: isGlobal, imports: [memory], exports: [memory] };
  }
}

/** Made anew for each application, also where several are made of one registration. */
function ownProviders(name: string | undefined, given: TestClock | undefined): readonly FactoryProvider[] {
  const clock: InjectionToken = getMemoryToken(TestClock, name);
  return [
    { provide: clock, useFactory: () => given ?? new TestClock() },
    {
      provide: getMemoryToken(MemoryTesting, name),
      inject: [MEMORY_STACK, clock, BackendOutages],
      useFactory: (memory: AssembledMemory, testClock: TestClock, outages: BackendOutages) =>
        new MemoryTesting({ memory, clock: testClock, outages }),
    },
  ];
}

function withDefaults(options: MemoryTestingOptions): MemoryTestingOptions {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { workspaceMode, peerMode = workspaceMode === 'caller' ? 'caller' : 'fixed' } = given as MemoryTestingOptions;
  return {
    ...(workspaceMode === 'caller' ? {} : { workspaceId: 'test' }),
    ...(peerMode === 'caller' ? { peerMode } : { peerId: 'tester' }),
    ...{ deriver: 'extractive', ingest: 'execution-end' },
    ...given,
  };
}

function optionsFaults(options: unknown): readonly string[] {
  const fault = optionObjectFault(options);
  if (fault !== undefined) {
    return [
      `What MemoryTestingModule.forRoot was given ${fault}; it takes a plain object of settings, such as { peerMode: 'caller' }, or nothing.`,
    ];
  }
  const { backend, env, clock, logger } = options as Readonly<Record<string, unknown>>;
  const faults: string[] = [];
  if (backend !== undefined) {
    faults.push(
      'backend is given to MemoryTestingModule.forRoot, whose memory is always in memory; leave it out, or use MemoryModule.forRoot({ backend: …, env: {} }) to test another.',
    );
  }
  if (env !== undefined)
    faults.push(
      'env is given to MemoryTestingModule.forRoot, which reads no environment; give the settings themselves.',
    );
  if (clock !== undefined && !(clock instanceof TestClock))
    faults.push(`clock is ${valueKind(clock)}; MemoryTestingModule.forRoot takes a TestClock there.`);
  const write = (logger ?? SILENT_LOGGER) as Partial<Record<string, unknown>>;
  if (['log', 'warn', 'error'].some((method) => typeof write[method] !== 'function'))
    faults.push(
      `logger is ${valueKind(logger)}; MemoryTestingModule.forRoot takes an object with log(), warn() and error() there.`,
    );
  return faults;
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new InvalidConfigurationError(faults);
}
