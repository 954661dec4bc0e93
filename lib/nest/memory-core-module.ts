import { Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { InvalidConfigurationError } from '../domain/errors.js';
import { applicationFaults, madeMemories } from './application-faults.js';
import {
  ConfigurableModuleClass,
  type ASYNC_OPTIONS_TYPE,
  type OPTIONS_TYPE,
} from './memory-core-module-definition.js';
import { hookOrderProvider } from './hook-order.js';
import { MemoryLifecycle } from './memory-lifecycle.js';
import { memoryPartsOf } from './memory-parts.js';
import { memoryStackProvider } from './memory-stack-provider.js';
import { MaintenanceSchedule } from './scheduling/maintenance-schedule.js';
import { MEMORY_NAME, suppliedPartsProvider } from './supplied-parts.js';

/**
 * Holds every provider, those with hooks among them. Not global; `MemoryModule` hands its exports on. It looks at the
 * application itself, since Nest calls no hook of a provider that is request-scoped, and that is what it looks for.
 */
@Module({ providers: [memoryStackProvider, hookOrderProvider, MemoryLifecycle, MaintenanceSchedule] })
export class MemoryCoreModule extends ConfigurableModuleClass implements OnModuleInit {
  readonly #modules: ModulesContainer;

  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    super();
    this.#modules = modules;
  }

  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return withParts(super.forRoot(options), options.name);
  }

  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return withParts(super.forRootAsync(options), options.name);
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

function withParts(definition: DynamicModule, name: string | undefined): DynamicModule {
  const parts = memoryPartsOf(name);
  return {
    ...definition,
    providers: [
      ...(definition.providers ?? []),
      { provide: MEMORY_NAME, useValue: name },
      suppliedPartsProvider(name, definition.imports),
      ...parts,
    ],
    exports: parts.map(({ provide }) => provide),
  };
}
