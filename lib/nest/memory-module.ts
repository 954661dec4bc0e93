import { Module, type ConfigurableModuleAsyncOptions, type DynamicModule } from '@nestjs/common';

import { InvalidConfigurationError } from '../domain/errors.js';
import { MemoryCoreModule } from './memory-core-module.js';
import type { MemoryModuleExtras, MemoryModuleOptions } from './memory-module-options.js';
import { ownTokenFaults } from './own-tokens.js';
import { requireAsyncRegistration, requireRegistration } from './registration-options.js';

/**
 * Gives an application a long-term memory of peers. Global unless told otherwise. It has no hooks of its own: those are
 * in a module below it that is never global, so that in every phase of a shutdown the application comes first, then the
 * memory, then the backend.
 */
@Module({})
export class MemoryModule {
  /**
   * The memory of an application, with settings from `options`, the environment, `ConfigService` and a file, in this order.
   *
   * @param options the settings in code, stronger than the environment (`AIMON_MEMORY_…`); with `providers` and `imports`
   * for custom parts, `isGlobal`, `name` for a further memory, and `env` instead of `process.env`
   * @throws InvalidConfigurationError here when the options are no plain object, or would provide what the memory provides
   * itself, and when the application starts for what is in them: every fault at once, each with what to do
   */
  static forRoot(options: MemoryModuleOptions & MemoryModuleExtras = {}): DynamicModule {
    requireRegistration(options);
    refuseOwnTokens(options);
    return shell(MemoryCoreModule.forRoot(options), options.isGlobal);
  }

  /**
   * As {@link forRoot}, with options that are made by a factory, or a class with `createMemoryOptions()`.
   * @throws InvalidConfigurationError when not exactly one of `useFactory`, `useClass` and `useExisting` is given, or
   * anything beside it that would not be read, or that the memory provides itself
   */
  static forRootAsync(
    options: ConfigurableModuleAsyncOptions<MemoryModuleOptions, 'createMemoryOptions'> & MemoryModuleExtras,
  ): DynamicModule {
    const registration = requireAsyncRegistration(options);
    refuseOwnTokens(registration);
    return shell(MemoryCoreModule.forRootAsync(registration), registration.isGlobal);
  }
}

function refuseOwnTokens({ providers, name }: MemoryModuleExtras): void {
  const faults = ownTokenFaults(providers, name);
  if (faults.length > 0) throw new InvalidConfigurationError(faults);
}

function shell(core: DynamicModule, isGlobal = true): DynamicModule {
  return { module: MemoryModule, global: isGlobal, imports: [core], exports: [core] };
}
