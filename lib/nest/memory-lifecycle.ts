import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { MEMORY_STACK, type AssembledMemory } from './memory-stack-provider.js';
import { moduleOfMemory } from './providers-behind.js';
import { teardownMoment, type TeardownMoment } from './teardown-moment.js';

/**
 * Takes the memory down with the application. Requests that are still being answered keep their memory until the server has
 * closed: conversations are handed over in `beforeApplicationShutdown`, and the queue is drained and the backend closed in
 * `onApplicationShutdown`. Where something that the application supplied, a backend as much as a redaction policy, or
 * anything behind it, is destroyed in an earlier phase, behind this module but before any later phase, the whole teardown
 * runs in that one. Nest may run the hooks twice; the teardown runs once.
 */
@Injectable()
export class MemoryLifecycle implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #memory: AssembledMemory;
  readonly #modules: ModulesContainer;
  #moment: TeardownMoment | undefined;

  constructor(@Inject(MEMORY_STACK) memory: AssembledMemory, @Inject(ModulesContainer) modules: ModulesContainer) {
    this.#memory = memory;
    this.#modules = modules;
  }

  async onModuleDestroy(): Promise<void> {
    if (this.#doneIn() === 'onModuleDestroy') await this.#memory.stack.close();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.#doneIn() === 'beforeApplicationShutdown') await this.#memory.stack.close();
    else await this.#memory.stack.teardown.run('MEMORY_FINAL_DERIVATION');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#memory.stack.close();
  }

  /** Asked first when the application ends: what was made last is known by then. */
  #doneIn(): TeardownMoment {
    const own = this.#moment === undefined ? moduleOfMemory(this.#memory, this.#modules) : undefined;
    return (this.#moment ??= own === undefined ? 'onApplicationShutdown' : teardownMoment(own));
  }
}
