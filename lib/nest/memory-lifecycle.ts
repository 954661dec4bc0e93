import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import type { MemoryStack } from '../assembly/memory-stack.js';
import { InvalidConfigurationError } from '../domain/errors.js';
import { MEMORY_STACK, type AssembledMemory } from './memory-stack-provider.js';

/**
 * Takes the memory down with the application. A part that the application supplied, a backend as much as a redaction
 * policy, may be destroyed as early as in `onModuleDestroy`, behind this module but before any later phase: there the
 * whole teardown runs then.
 * Otherwise requests that are still being answered keep their memory until the server has closed: conversations are
 * handed over in `beforeApplicationShutdown`, and the queue is drained and the backend closed in `onApplicationShutdown`.
 * Nest may run the hooks twice; the teardown runs once.
 */
@Injectable()
export class MemoryLifecycle
  implements OnModuleInit, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly #stack: MemoryStack;
  readonly #early: boolean;
  readonly #modules: ModulesContainer;

  constructor(
    @Inject(MEMORY_STACK) { stack, supplied }: AssembledMemory,
    @Inject(ModulesContainer) modules: ModulesContainer,
  ) {
    this.#stack = stack;
    this.#early = supplied;
    this.#modules = modules;
  }

  /** @throws InvalidConfigurationError when the application has two memories: which one would be injected is an accident */
  async onModuleInit(): Promise<void> {
    const memories = [...this.#modules.values()].filter((module) => module.providers.has(MemoryLifecycle));
    if (memories.length < 2) return;
    // Nest runs no shutdown hook after a failed start.
    await this.#stack.close();
    throw new InvalidConfigurationError([
      `MemoryModule.forRoot or forRootAsync was called ${memories.length} times in one application, and which memory is injected would be an accident; call it once, in the root module. It is global unless isGlobal is false.`,
    ]);
  }

  async onModuleDestroy(): Promise<void> {
    if (this.#early) await this.#stack.close();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#stack.teardown.run('MEMORY_FINAL_DERIVATION');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#stack.close();
  }
}
