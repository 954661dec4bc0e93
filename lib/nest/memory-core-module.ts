import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { InvalidConfigurationError } from '../domain/errors.js';
import { applicationFaults, madeMemories } from './application-faults.js';
import { ConfigurableModuleClass } from './memory-core-module-definition.js';
import { MemoryLifecycle } from './memory-lifecycle.js';
import { MEMORY_PARTS } from './memory-parts.js';
import { memoryStackProvider } from './memory-stack-provider.js';
import { suppliedPartsProvider } from './supplied-parts.js';

/**
 * Holds every provider, those with hooks among them. Not global; `MemoryModule` hands its exports on. It looks at the
 * application itself, since Nest calls no hook of a provider that is request-scoped, and that is what it looks for.
 */
@Module({
  providers: [suppliedPartsProvider, memoryStackProvider, MemoryLifecycle, ...MEMORY_PARTS],
  exports: MEMORY_PARTS.map(({ provide }) => provide),
})
export class MemoryCoreModule extends ConfigurableModuleClass implements OnModuleInit {
  readonly #modules: ModulesContainer;

  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    super();
    this.#modules = modules;
  }

  /** @throws InvalidConfigurationError when the application around the memory does not go with it */
  async onModuleInit(): Promise<void> {
    const faults = applicationFaults(this.#modules);
    if (faults.length === 0) return;
    // Nest runs no shutdown hook after a failed start.
    await Promise.all(madeMemories(this.#modules).map(({ stack }) => stack.close()));
    throw new InvalidConfigurationError(faults);
  }
}
