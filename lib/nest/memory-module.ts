import { Module, type DynamicModule, type Provider } from '@nestjs/common';

import { InvalidConfigurationError } from '../domain/errors.js';
import type { ASYNC_OPTIONS_TYPE, OPTIONS_TYPE } from './memory-core-module-definition.js';
import { MemoryCoreModule } from './memory-core-module.js';
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
   * @param options the settings in code, stronger than the environment (`AIMON_MEMORY_…`); with `providers` and `imports`
   * for custom parts, `isGlobal`, and `env` instead of `process.env`
   * @throws InvalidConfigurationError here when the options are no plain object, or would provide what the memory provides
   * itself, and when the application starts for what is in them: every fault at once, each with what to do
   */
  static forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    requireRegistration(options);
    refuseOwnTokens(options.providers);
    return shell(MemoryCoreModule.forRoot(options), options.isGlobal);
  }

  /**
   * As {@link forRoot}, with options that are made by a factory, or a class with `createMemoryOptions()`.
   * @throws InvalidConfigurationError when not exactly one of `useFactory`, `useClass` and `useExisting` is given, or
   * anything beside it that would not be read, or that the memory provides itself
   */
  static forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    const registration = requireAsyncRegistration(options);
    refuseOwnTokens(registration.providers);
    return shell(MemoryCoreModule.forRootAsync(registration), registration.isGlobal);
  }
}

function refuseOwnTokens(providers: readonly Provider[] | undefined): void {
  const faults = ownTokenFaults(providers);
  if (faults.length > 0) throw new InvalidConfigurationError(faults);
}

function shell(core: DynamicModule, isGlobal = true): DynamicModule {
  return { module: MemoryModule, global: isGlobal, imports: [core], exports: [core] };
}
