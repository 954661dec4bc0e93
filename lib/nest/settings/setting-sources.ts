import { shown } from '../../domain/checks.js';
import type { MemoryOptions } from './memory-settings.js';
import { optionObjectFault } from './option-object.js';
import { SETTING_DEFINITIONS } from './setting-definitions.js';

/** A value as a source gave it, with the name that it has there. */
export interface GivenSetting {
  readonly key: string;
  readonly value: unknown;
  /** The key in the spelling of its source, for messages. */
  readonly spelling: string;
}

/** What a source holds: settings by key, and names that are no settings. */
export interface SettingSource {
  readonly given: ReadonlyMap<string, GivenSetting>;
  readonly unknown: readonly { readonly spelling: string; readonly nearestOf: (key: string) => string }[];
  readonly faults: readonly string[];
}

const KEYS = SETTING_DEFINITIONS.map(({ key }) => key);
const KNOWN = new Set(KEYS);
const GROUPS = new Set(
  KEYS.flatMap((key) =>
    key
      .split('.')
      .slice(0, -1)
      .map((_, index, parts) => parts.slice(0, index + 1).join('.')),
  ),
);

const ENVIRONMENT_PREFIX = 'AIMON_MEMORY_';
const environmentName = (key: string): string => ENVIRONMENT_PREFIX + key.replaceAll(/[-.]/g, '_').toUpperCase();
const BY_ENVIRONMENT_NAME = new Map(KEYS.map((key) => [environmentName(key), key]));

// Kubernetes announces a Service called aimon-memory to every pod under these names.
const KUBERNETES =
  /^AIMON_MEMORY_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;

/** Reads `AIMON_MEMORY_…` from an environment. */
export function settingsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): SettingSource {
  const given = new Map<string, GivenSetting>();
  const unknown: SettingSource['unknown'][number][] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(ENVIRONMENT_PREFIX) || value === undefined || KUBERNETES.test(name)) continue;
    const key = BY_ENVIRONMENT_NAME.get(name);
    if (key === undefined) unknown.push({ spelling: name, nearestOf: environmentName });
    else given.set(key, { key, value, spelling: name });
  }
  return { given, unknown, faults: [] };
}

const camel = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Reads the options that an application gave in code; `undefined` is as good as not given. */
export function settingsFromOptions(options: MemoryOptions): SettingSource {
  const given = new Map<string, GivenSetting>();
  const unknown: SettingSource['unknown'][number][] = [];
  const faults: string[] = [];
  const read = (values: object, path: string, spelledPath: string): void => {
    for (const [name, value] of Object.entries(values) as [string, unknown][]) {
      if (value === undefined) continue;
      const key = kebab(path === '' ? name : `${path}.${name}`);
      const spelling = spelledPath === '' ? name : `${spelledPath}.${name}`;
      if (GROUPS.has(key) && !KNOWN.has(key)) {
        const fault = optionObjectFault(value);
        if (fault === undefined) read(value as object, key, spelling);
        else faults.push(`${spelling} ${fault}; it takes a plain object with the settings below it.`);
        continue;
      }
      if (!KNOWN.has(key)) {
        unknown.push({ spelling, nearestOf: camel });
        continue;
      }
      const earlier = given.get(key);
      if (earlier !== undefined && earlier.value !== value) {
        faults.push(
          `${earlier.spelling} and ${spelling} are one setting with two values, ${shown(earlier.value)} and ${shown(value)}; leave one out.`,
        );
        continue;
      }
      given.set(key, { key, value, spelling });
    }
  };
  read(options, '', '');
  return { given, unknown, faults };
}
