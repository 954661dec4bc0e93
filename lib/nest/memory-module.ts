import { Module, type DynamicModule } from '@nestjs/common';

import type { ASYNC_OPTIONS_TYPE, OPTIONS_TYPE } from './memory-core-module-definition.js';
import { MemoryCoreModule } from './memory-core-module.js';
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
   * @throws InvalidConfigurationError here when the options are no plain object, and when the application starts for what
   * is in them: every fault at once, each with what to do
   */
  static forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    requireRegistration(options);
    return shell(MemoryCoreModule.forRoot(options), options.isGlobal);
  }

  /**
   * As {@link forRoot}, with options that are made by a factory, or a class with `createMemoryOptions()`.
   * @throws InvalidConfigurationError when not exactly one of `useFactory`, `useClass` and `useExisting` is given, or
   * anything beside it that would not be read
   */
  static forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    const registration = requireAsyncRegistration(options);
    return shell(MemoryCoreModule.forRootAsync(registration), registration.isGlobal);
  }
}

function shell(core: DynamicModule, isGlobal = true): DynamicModule {
  return { module: MemoryModule, global: isGlobal, imports: [core], exports: [core] };
}
