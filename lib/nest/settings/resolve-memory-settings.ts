import { checkSetting } from './check-setting.js';
import { settingsFromEnvironment } from './environment-source.js';
import type { MemoryOptions, MemorySettings } from './memory-settings.js';
import { settingsFromOptions } from './object-source.js';
import type { SettingDefinition } from './setting-definition.js';
import { SETTING_DEFINITIONS, settingOf } from './setting-definitions.js';
import { fieldName } from './setting-names.js';
import { crossFaults } from './setting-rules.js';
import type { GivenSetting } from './given-setting.js';
import { sayTheSame, type SettingSource } from './setting-source.js';
import { shownSetting } from './shown-setting.js';
import { settingsFromFile } from './settings-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings, and where each that was given came from. */
export interface ResolvedSettings {
  readonly settings: MemorySettings;
  /** By key, as the strongest source gave it. */
  readonly given: ReadonlyMap<string, GivenSetting>;
  /** What is wrong with them, a sentence each. A setting that is faulty by itself is absent from `settings`. */
  readonly faults: readonly string[];
}

const FILE = settingOf('settings-file') as SettingDefinition;

/** What the settings are read from beside the options in code. */
export interface SettingsSurroundings {
  /** Absent: not read, and neither does a file's `${NAME}` find anything. */
  readonly environment?: Environment;
  /** For a file's `${NAME}`, where the environment itself is not read; default `environment`. */
  readonly placeholders?: Environment;
  /** What the application's `ConfigService` holds, strongest first. */
  readonly config?: readonly SettingSource[];
  /** Whether the application supplies a whole backend, which derives, queues and calls models by itself. */
  readonly wholeBackend?: boolean;
}

/**
 * Reads the settings key by key, from the options in code, the environment, `ConfigService` and the file that
 * `settings-file` names, strongest first, and checks them together. Each fault names the key as its source spells it,
 * what was given, what is accepted and what to do.
 */
export function resolveMemorySettings(
  options: MemoryOptions,
  { environment, placeholders = environment ?? {}, config = [], wholeBackend = false }: SettingsSurroundings,
): ResolvedSettings {
  const sources = [
    settingsFromOptions(options),
    ...(environment === undefined ? [] : [settingsFromEnvironment(environment)]),
    ...config,
  ];
  const file = strongest(sources).get('settings-file');
  const path = file === undefined ? undefined : checkSetting(FILE, file).value;
  if (file !== undefined && typeof path === 'string') {
    sources.push(settingsFromFile(path, file.spelling, placeholders));
  }
  return resolveSources(sources, wholeBackend);
}

function resolveSources(strongestFirst: readonly SettingSource[], wholeBackend: boolean): ResolvedSettings {
  const given = strongest(strongestFirst);
  const faults = strongestFirst.flatMap((source) => [...source.faults, ...misplaced(source, given)]);
  const values = new Map<string, unknown>();
  for (const definition of SETTING_DEFINITIONS) {
    const setting = given.get(definition.key);
    const checked = setting === undefined ? { value: definition.fallback } : checkSetting(definition, setting);
    if (checked.fault !== undefined) faults.push(checked.fault);
    // What is faulty by itself is absent, so that nothing else is said about it.
    if (checked.value !== undefined || checked.fault === undefined) values.set(definition.key, checked.value);
    if (setting !== undefined && 'given' in checked) given.set(definition.key, { ...setting, value: checked.given });
  }
  const settings = toSettings(values);
  faults.push(...crossFaults(settings, given, { wholeBackend }));
  return { settings, given, faults };
}

/** What is given where it is not read, unless it only repeats what is read: an environment that was loaded a second time. */
function misplaced(source: SettingSource, given: ReadonlyMap<string, GivenSetting>): readonly string[] {
  return source.misplaced
    .filter((setting) => {
      const read = given.get(setting.key);
      return read === undefined || !sayTheSame(read, setting);
    })
    .map(
      ({ key, value, spelling }) =>
        `${spelling} is set to ${shownSetting(key, value)}, but it is read from options in code and from the environment only; set it there, or remove it.`,
    );
}

function strongest(sources: readonly SettingSource[]): Map<string, GivenSetting> {
  const given = new Map<string, GivenSetting>();
  for (const source of [...sources].reverse()) {
    for (const [key, setting] of source.given) given.set(key, setting);
  }
  return given;
}

function toSettings(values: ReadonlyMap<string, unknown>): MemorySettings {
  return Object.freeze(
    Object.fromEntries([...values].map(([key, value]) => [fieldName(key), value])),
  ) as unknown as MemorySettings;
}
