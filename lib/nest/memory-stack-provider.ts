import { Logger, type FactoryProvider } from '@nestjs/common';

import { assembleMemory } from '../assembly/assemble-memory.js';
import { emptyMemoryStack } from '../assembly/empty-memory-stack.js';
import type { MemoryStack } from '../assembly/memory-stack.js';
import { InvalidConfigurationError } from '../domain/errors.js';
import { MODULE_OPTIONS_TOKEN } from './memory-core-module-definition.js';
import type { MemoryModuleOptions } from './memory-module-options.js';
import { requireOptions } from './registration-options.js';
import { resolveMemorySettings, type ResolvedSettings } from './settings/resolve-memory-settings.js';
import { specFromSettings } from './spec-from-settings.js';
import { suppliedPartFaults } from './supplied-part-rules.js';
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
  inject: [MODULE_OPTIONS_TOKEN, SUPPLIED_PARTS, { token: MEMORY_NAME, optional: true }],
  useFactory: async (
    options: MemoryModuleOptions | undefined,
    parts: SuppliedParts,
    name: string | undefined,
  ): Promise<AssembledMemory> => {
    const { env = process.env, ...settingsInCode } = requireOptions(options);
    // A named memory has the settings of its options alone.
    const { settings } = checked(settingsInCode, name === undefined ? env : {}, parts);
    const logger = new Logger(name === undefined ? 'AimonMemory' : `AimonMemory(${name})`);
    if (settings.backend === 'none') {
      logger.log('aimon.memory.backend is none: the application remembers nothing.');
      return { name, settings, stack: emptyMemoryStack(), supplied: false };
    }
    if (settings.backend === 'in-memory') {
      logger.warn('aimon.memory.backend is in-memory: what is remembered is lost when the process exits.');
    }
    const { peerResolver: resolver } = parts;
    const stack = await assembleMemory(specFromSettings(settings, parts, { logger }).build(), { logger, resolver });
    return { name, settings, stack, supplied: Object.values(parts).some((part) => part != null) };
  },
};

/** All faults of the settings, or all of the providers beside settings that are right by themselves. */
function checked(
  options: MemoryModuleOptions,
  env: Readonly<Record<string, string | undefined>>,
  parts: SuppliedParts,
): ResolvedSettings {
  const resolved = resolveMemorySettings(options, env);
  const faults = suppliedPartFaults(resolved.settings, resolved.given, parts);
  if (faults.length > 0) throw new InvalidConfigurationError(faults);
  return resolved;
}
