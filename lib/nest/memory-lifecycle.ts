import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import type { MemoryStack } from '../assembly/memory-stack.js';
import { takePlaceInHookOrder } from './hook-order.js';
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
export class MemoryLifecycle implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #stack: MemoryStack;
  readonly #early: boolean;

  constructor(@Inject(MEMORY_STACK) memory: AssembledMemory, @Inject(ModulesContainer) modules: ModulesContainer) {
    this.#stack = memory.stack;
    this.#early = memory.supplied;
    takePlaceInHookOrder(memory, modules);
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
