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
import { SUPPLIED_PARTS, type SuppliedParts } from './supplied-parts.js';

/** The memory of the module. */
export interface AssembledMemory {
  readonly stack: MemoryStack;
  /** Whether the application supplied any part of it, which it may destroy as early as in `onModuleDestroy`. */
  readonly supplied: boolean;
}

/** The token of {@link AssembledMemory}. */
export const MEMORY_STACK = Symbol('MEMORY_STACK');

export const memoryStackProvider: FactoryProvider<AssembledMemory> = {
  provide: MEMORY_STACK,
  inject: [MODULE_OPTIONS_TOKEN, SUPPLIED_PARTS],
  useFactory: async (options: MemoryModuleOptions | undefined, parts: SuppliedParts): Promise<AssembledMemory> => {
    const { env = process.env, ...settingsInCode } = requireOptions(options);
    const { settings } = checked(settingsInCode, env, parts);
    const logger = new Logger('AimonMemory');
    if (settings.backend === 'none') {
      logger.log('aimon.memory.backend is none: the application remembers nothing.');
      return { stack: emptyMemoryStack(), supplied: false };
    }
    if (settings.backend === 'in-memory') {
      logger.warn('aimon.memory.backend is in-memory: what is remembered is lost when the process exits.');
    }
    const { peerResolver: resolver } = parts;
    const stack = await assembleMemory(specFromSettings(settings, parts, logger).build(), { logger, resolver });
    return { stack, supplied: Object.values(parts).some((part) => part != null) };
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
