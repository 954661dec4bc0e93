import { Module, type DynamicModule } from '@nestjs/common';

import { InvalidConfigurationError } from '../domain/errors.js';
import type { ASYNC_OPTIONS_TYPE, OPTIONS_TYPE } from './memory-core-module-definition.js';
import { MemoryCoreModule } from './memory-core-module.js';

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
   * @throws InvalidConfigurationError when the application starts: every fault at once, each with what to do
   */
  static forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return shell(MemoryCoreModule.forRoot(options), options.isGlobal);
  }

  /**
   * As {@link forRoot}, with options that are made by a factory, or a class with `createMemoryOptions()`.
   * @throws InvalidConfigurationError when neither `useFactory` nor `useClass` nor `useExisting` is given
   */
  static forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    if (options?.useFactory === undefined && options?.useClass === undefined && options?.useExisting === undefined) {
      throw new InvalidConfigurationError([
        'MemoryModule.forRootAsync was given no useFactory, useClass or useExisting, so it has no options; give one of them, or use MemoryModule.forRoot(), which reads the environment.',
      ]);
    }
    return shell(MemoryCoreModule.forRootAsync(options), options.isGlobal);
  }
}

function shell(core: DynamicModule, isGlobal = true): DynamicModule {
  return { module: MemoryModule, global: isGlobal, imports: [core], exports: [core] };
}
