import { InvalidConfigurationError } from '../../domain/errors.js';
import { checkSetting } from './check-setting.js';
import { settingsFromEnvironment } from './environment-source.js';
import type { MemoryOptions } from './memory-settings.js';
import { settingOf } from './setting-definitions.js';
import { optionName } from './setting-names.js';
import type { SettingSource } from './setting-source.js';
import { settingsFromFile } from './settings-file.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a file of settings as options in code, for `forRoot({ ...loadMemorySettings('memory.yaml'), … })` or
 * `registerAs('aimon.memory', () => loadMemorySettings('memory.yaml'))`. What the file holds beside `aimon.memory` is left
 * alone.
 *
 * @param path a `.properties`, `.yaml`, `.yml` or `.json` file in UTF-8, of at most 1 000 000 bytes; relative to the
 * working directory
 * @param options.env what `${NAME}` and `${NAME:-default}` in the file stand for; default `process.env`
 * @throws InvalidConfigurationError with every fault of the file: it cannot be read, a key is unknown, a value is not
 * taken, a placeholder is unset. Whether the settings go together is checked when the application starts.
 */
export function loadMemorySettings(path: string, options: { readonly env?: Environment } = {}): MemoryOptions {
  return asOptions(settingsFromFile(path, 'The path that loadMemorySettings was given', options.env ?? process.env));
}

/**
 * Reads the variables `AIMON_MEMORY_…` of an environment as options in code. Everything else in it is left alone.
 *
 * @param environment texts by name, such as `process.env`
 * @throws InvalidConfigurationError with every fault: a variable is unknown, or its value is not taken
 */
export function memorySettingsFrom(environment: Environment): MemoryOptions {
  return asOptions(settingsFromEnvironment(environment));
}

function asOptions({ given, faults }: SettingSource): MemoryOptions {
  const all = [...faults];
  const options: Record<string, unknown> = {};
  for (const setting of given.values()) {
    const definition = settingOf(setting.key);
    if (definition === undefined) continue;
    const { value, fault } = checkSetting(definition, setting);
    if (fault !== undefined) all.push(fault);
    else
      put(
        options,
        optionName(setting.key).split('.'),
        definition.handedOnAsText === true ? written(setting.value) : value,
      );
  }
  if (all.length > 0) throw new InvalidConfigurationError(all);
  return options;
}

function put(tree: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) tree[name] = value;
  else put((tree[name] ??= {}) as Record<string, unknown>, rest, value);
}

const written = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
