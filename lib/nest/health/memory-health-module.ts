import { Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';

import { InvalidArgumentError } from '../../domain/errors.js';
import { memoryNameFault, MEMORY_NAME_RULE } from '../memory-name.js';
import { valueKind } from '../settings/value-kind.js';
import { healthIndicatorProvider } from './health-indicator-provider.js';
import { MemoryHealthIndicator } from './memory-health-indicator.js';
import { NamedMemoryHealthModule } from './named-memory-health-module.js';
import { requireRegistered } from './registered-health.js';

/**
 * Gives a module {@link MemoryHealthIndicator} for its health endpoint, and with it what `TerminusModule` exports; an
 * application with options for terminus imports its own `TerminusModule.forRoot` before this one, since the first wins. The
 * memory may be registered anywhere in the application, also where it is not global. The application refuses to start when
 * it has no memory without a name.
 */
@Module({
  imports: [TerminusModule],
  providers: [healthIndicatorProvider(undefined)],
  exports: [TerminusModule, MemoryHealthIndicator],
})
export class MemoryHealthModule implements OnModuleInit {
  /** Made by Nest. @param modules the modules of the application, among which the memory is looked for */
  constructor(@Inject(ModulesContainer) private readonly modules: ModulesContainer) {}

  /**
   * The same for the memory that was registered with `MemoryModule.forRoot({ name })`; its indicator is injected with
   * `@InjectMemory(MemoryHealthIndicator, name)` and answers under `memory-<name>`. Stands beside the others.
   *
   * @throws InvalidArgumentError when `name` cannot be the name of a memory
   */
  static forMemory(name: string): DynamicModule {
    const fault =
      typeof name === 'string' ? memoryNameFault(name) : `is ${valueKind(name)}; it takes ${MEMORY_NAME_RULE}`;
    if (fault !== undefined) {
      throw new InvalidArgumentError(
        `The name that MemoryHealthModule.forMemory was given ${fault}. For the memory without a name import MemoryHealthModule itself.`,
      );
    }
    return NamedMemoryHealthModule.of(name);
  }

  /**
   * Called by Nest when the application starts.
   * @throws InvalidConfigurationError when there is no memory without a name
   */
  onModuleInit(): Promise<void> {
    return requireRegistered(this.modules, undefined);
  }
}
