import { InvalidArgumentError, InvalidConfigurationError } from '../../domain/errors.js';
import { checkSetting } from './check-setting.js';
import { settingsFromEnvironment } from './environment-source.js';
import type { MemoryOptions } from './memory-settings.js';
import { settingOf } from './setting-definitions.js';
import { optionName } from './setting-names.js';
import type { SettingSource } from './setting-source.js';
import { settingsFromFile } from './settings-file.js';
import { valueKind } from './value-kind.js';

/**
 * Reads a file of settings as options in code, for `forRoot({ ...loadMemorySettings('memory.yaml'), … })` or
 * `registerAs('aimon.memory', () => loadMemorySettings('memory.yaml'))`. What the file holds beside `aimon.memory` is left
 * alone.
 *
 * @param path a `.properties`, `.yaml`, `.yml` or `.json` file in UTF-8, of at most 1 000 000 bytes; relative to the
 * working directory
 * @param options.env what `${NAME}` and `${NAME:-default}` in the file stand for; default `process.env`
 * @throws InvalidArgumentError when `path` is no text
 * @throws InvalidConfigurationError with every fault of the file: it cannot be read, a key is unknown, a value is not
 * taken, a placeholder is unset. Whether the settings go together is checked when the application starts.
 */
export function loadMemorySettings(
  path: string,
  options: { readonly env?: Readonly<Record<string, string | undefined>> } = {},
): MemoryOptions {
  if (typeof path !== 'string') {
    throw new InvalidArgumentError(
      `loadMemorySettings was given ${valueKind(path)}; it takes the path of a file, as text.`,
    );
  }
  return asOptions(settingsFromFile(path, 'The path that loadMemorySettings was given', options.env ?? process.env));
}

/**
 * Reads the variables `AIMON_MEMORY_…` of an environment as options in code. Everything else in it is left alone.
 *
 * @param environment texts by name, such as `process.env`
 * @throws InvalidArgumentError when `environment` is no object
 * @throws InvalidConfigurationError with every fault: a variable is unknown, or its value is not taken
 */
export function memorySettingsFrom(environment: Readonly<Record<string, string | undefined>>): MemoryOptions {
  if (environment === null || typeof environment !== 'object') {
    throw new InvalidArgumentError(
      `memorySettingsFrom was given ${valueKind(environment)}; it takes an object of texts by name, such as process.env.`,
    );
  }
  return asOptions(settingsFromEnvironment(environment));
}

function asOptions({ given, misplaced, faults }: SettingSource): MemoryOptions {
  const all = [
    ...faults,
    ...misplaced.map(({ spelling }) => `${spelling} names a further file, which is not read; remove it.`),
  ];
  const options: Record<string, unknown> = {};
  for (const setting of given.values()) {
    const definition = settingOf(setting.key);
    if (definition === undefined) continue;
    const checked = checkSetting(definition, setting);
    if (checked.fault !== undefined) all.push(checked.fault);
    else {
      const value = definition.handedOnAsText === true ? written(checked.given) : checked.value;
      put(options, optionName(setting.key).split('.'), value);
    }
  }
  if (all.length > 0) throw new InvalidConfigurationError(all);
  return options;
}

function put(tree: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) tree[name] = value;
  else put((tree[name] ??= {}) as Record<string, unknown>, rest, value);
}

const written = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
