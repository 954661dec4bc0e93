import type { ModulesContainer } from '@nestjs/core';

import { InvalidConfigurationError } from '../domain/errors.js';
import { configServiceSettings } from './config-service-settings.js';
import type { MemoryModuleOptions } from './memory-module-options.js';
import { requireOptions } from './registration-options.js';
import type { MemorySettings } from './settings/memory-settings.js';
import { resolveMemorySettings } from './settings/resolve-memory-settings.js';
import { suppliedPartFaults } from './supplied-part-rules.js';
import type { SuppliedParts } from './supplied-parts.js';

/** What a registration of the module has around it. */
export interface RegistrationSurroundings {
  /** What it was registered as; `undefined` for the unnamed memory. */
  readonly name: string | undefined;
  readonly parts: SuppliedParts;
  readonly modules: ModulesContainer;
}

/**
 * The settings of one registration, checked against what the application provides. A named memory has those of its options,
 * and of the file that they name, alone.
 * @throws InvalidConfigurationError with every fault of the settings and of the providers, sorted
 */
export async function moduleSettings(
  options: MemoryModuleOptions | undefined,
  { name, parts, modules }: RegistrationSurroundings,
): Promise<MemorySettings> {
  const { env = process.env, ...settingsInCode } = requireOptions(options);
  const wholeBackend = parts.backend != null;
  const { settings, given, faults } = resolveMemorySettings(
    settingsInCode,
    name === undefined
      ? { environment: env, config: await configServiceSettings(modules), wholeBackend }
      : { placeholders: env, wholeBackend },
  );
  const all = [...faults, ...suppliedPartFaults(settings, given, { parts, name })];
  if (all.length > 0) throw new InvalidConfigurationError([...new Set(all)]);
  return settings;
}
