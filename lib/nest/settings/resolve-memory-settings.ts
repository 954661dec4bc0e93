import { shown } from '../../domain/checks.js';
import { InvalidConfigurationError } from '../../domain/errors.js';
import type { MemoryOptions, MemorySettings } from './memory-settings.js';
import { SETTING_DEFINITIONS, type SettingDefinition } from './setting-definitions.js';
import { crossFaults } from './setting-rules.js';
import {
  settingsFromEnvironment,
  settingsFromOptions,
  type GivenSetting,
  type SettingSource,
} from './setting-sources.js';
import { nearest } from './suggestion.js';

/** The settings, and where each that was given came from. */
export interface ResolvedSettings {
  readonly settings: MemorySettings;
  /** By key, as the strongest source gave it. */
  readonly given: ReadonlyMap<string, GivenSetting>;
}

/**
 * Reads the settings from the options in code and, weaker, the environment, key by key, and checks them together.
 * @throws InvalidConfigurationError with every fault of every source: each names the key as it is spelt there, what was
 * given, what is accepted and what to do
 */
export function resolveMemorySettings(
  options: MemoryOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ResolvedSettings {
  // Strongest first.
  const sources = [settingsFromOptions(options), settingsFromEnvironment(environment)];
  const faults = sources.flatMap((source) => [...source.faults, ...source.unknown.map(unknownFault)]);
  const given = merged(sources);
  const values = new Map<string, unknown>();
  for (const definition of SETTING_DEFINITIONS) {
    const setting = given.get(definition.key);
    const checked = setting === undefined ? { value: definition.fallback } : check(definition, setting);
    if ('fault' in checked) faults.push(checked.fault);
    else values.set(definition.key, checked.value);
  }
  const settings = toSettings(values);
  faults.push(...crossFaults(settings, given));
  if (faults.length > 0) throw new InvalidConfigurationError(faults);
  return { settings, given };
}

function merged(sources: readonly SettingSource[]): Map<string, GivenSetting> {
  const given = new Map<string, GivenSetting>();
  for (const source of [...sources].reverse()) {
    for (const [key, setting] of source.given) given.set(key, setting);
  }
  return given;
}

function unknownFault({ spelling, nearestOf }: SettingSource['unknown'][number]): string {
  const suggestion = nearest(
    spelling,
    SETTING_DEFINITIONS.map(({ key }) => nearestOf(key)),
  );
  return `${spelling} is no setting of the memory; ${suggestion === undefined ? 'remove it' : `did you mean ${suggestion}? Otherwise remove it`}.`;
}

function check(
  definition: SettingDefinition,
  { value, spelling }: GivenSetting,
): { readonly value: unknown } | { readonly fault: string } {
  const { schema, accepts, values, laterValues, secret, verbatim } = definition;
  if (schema === undefined) return { fault: `${spelling} is set, but it is not available in this version; remove it.` };
  const candidate = typeof value === 'string' && verbatim !== true ? value.trim() : value;
  const { value: checked, error } = schema.required().validate(candidate) as { value: unknown; error?: Error };
  if (error !== undefined) {
    const suggestion = typeof value === 'string' && values !== undefined ? nearest(value, values) : undefined;
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    return {
      fault: `${spelling} is ${secret === true ? 'set to something else' : shown(value)}; it takes ${accepts}.${hint}`,
    };
  }
  if (laterValues?.includes(checked as string) === true) {
    const now = values?.filter((one) => !laterValues.includes(one)) ?? [];
    return {
      fault: `${spelling} is ${shown(checked)}, which is not available in this version; it takes one of ${now.join(', ')}.`,
    };
  }
  return { value: checked };
}

function toSettings(values: ReadonlyMap<string, unknown>): MemorySettings {
  const camel = (key: string): string => key.replaceAll(/[-.]([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.freeze(
    Object.fromEntries([...values].map(([key, value]) => [camel(key), value])),
  ) as unknown as MemorySettings;
}
