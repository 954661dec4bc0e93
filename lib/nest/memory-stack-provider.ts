import { Logger, type FactoryProvider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { assembleMemory } from '../assembly/assemble-memory.js';
import { emptyMemoryStack } from '../assembly/empty-memory-stack.js';
import type { MemoryStack } from '../assembly/memory-stack.js';
import { MODULE_OPTIONS_TOKEN } from './memory-core-module-definition.js';
import type { MemoryModuleOptions } from './memory-module-options.js';
import { MEMORY_SURROUNDINGS, type MemorySurroundings } from './memory-surroundings.js';
import { requireLlmPackage } from './llm-from-settings.js';
import { moduleSettings } from './module-settings.js';
import { specFromSettings } from './spec-from-settings.js';
import type { MemorySettings } from './settings/memory-settings.js';
import { MEMORY_NAME, SUPPLIED_PARTS, type SuppliedParts } from './supplied-parts.js';

/** The memory of the module. */
export interface AssembledMemory {
  /** What it was registered as; `undefined` for the unnamed one. */
  readonly name: string | undefined;
  readonly settings: MemorySettings;
  readonly stack: MemoryStack;
  /** Whether the application supplied any part of it, which it may destroy as early as in `onModuleDestroy`. */
  readonly supplied: boolean;
}

/** The token of {@link AssembledMemory}. */
export const MEMORY_STACK = Symbol('MEMORY_STACK');

export const memoryStackProvider: FactoryProvider<AssembledMemory> = {
  provide: MEMORY_STACK,
  inject: [
    ...[MODULE_OPTIONS_TOKEN, SUPPLIED_PARTS, ModulesContainer],
    ...[MEMORY_NAME, MEMORY_SURROUNDINGS].map((token) => ({ token, optional: true })),
  ],
  useFactory: async (
    options: MemoryModuleOptions | undefined,
    parts: SuppliedParts,
    modules: ModulesContainer,
    name: string | undefined,
    around: MemorySurroundings | undefined,
  ): Promise<AssembledMemory> => {
    // Under test the settings are the test's, whatever the application's ConfigModule holds.
    const configured = around === undefined ? modules : new ModulesContainer();
    const settings = await moduleSettings(options, { name, parts, modules: configured });
    const logger = around?.logger ?? new Logger(name === undefined ? 'AimonMemory' : `AimonMemory(${name})`);
    if (settings.backend === 'none') {
      logger.log('aimon.memory.backend is none: the application remembers nothing.');
      return { name, settings, stack: emptyMemoryStack(), supplied: false };
    }
    if (settings.backend === 'in-memory') {
      logger.warn('aimon.memory.backend is in-memory: what is remembered is lost when the process exits.');
    }
    await requireLlmPackage(settings);
    const { peerResolver: resolver } = parts;
    const stack = await assembleMemory(specFromSettings(settings, parts, { logger, clock: around?.clock }).build(), {
      ...{ logger, resolver, clock: around?.clock, around: around?.around },
      health: { required: settings.healthRequired, degradedIsDown: settings.healthDegradedIsDown },
    });
    return { name, settings, stack, supplied: Object.values(parts).some((part) => part != null) };
  },
};
