import { SETTING_DEFINITIONS } from './setting-definitions.js';

/** What every key begins with, and what Kubernetes and shells write it as. */
export const KEY_PREFIX = 'aimon.memory';
export const ENVIRONMENT_PREFIX = 'AIMON_MEMORY_';

const KEYS: readonly string[] = SETTING_DEFINITIONS.map(({ key }) => key);
const KNOWN: ReadonlySet<string> = new Set(KEYS);
const GROUPS: ReadonlySet<string> = new Set(
  KEYS.flatMap((key) =>
    key
      .split('.')
      .slice(0, -1)
      .map((_, index, parts) => parts.slice(0, index + 1).join('.')),
  ),
);
const BY_ENVIRONMENT_NAME: ReadonlyMap<string, string> = new Map(KEYS.map((key) => [environmentName(key), key]));

export const isKnownKey = (key: string): boolean => KNOWN.has(key);
/** Whether there are settings below `key`, as below `queue`. */
export const isGroup = (key: string): boolean => GROUPS.has(key);
export const knownKeys = (): readonly string[] => KEYS;

/** `queue.worker-count` as `queue.workerCount`. */
export const optionName = (key: string): string =>
  key.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `queue.worker-count` as `queueWorkerCount`: the field of the settings as they are read. */
export const fieldName = (key: string): string =>
  key.replaceAll(/[-.]([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `queue.worker-count` as `AIMON_MEMORY_QUEUE_WORKER_COUNT`. */
export function environmentName(key: string): string {
  return ENVIRONMENT_PREFIX + key.replaceAll(/[-.]/g, '_').toUpperCase();
}

/** The key that a name in the environment, however it writes upper case and dots, stands for. */
export function keyOfEnvironmentName(name: string): string | undefined {
  return BY_ENVIRONMENT_NAME.get(asEnvironmentName(name));
}

/** `aimon.memory.workspace-id` as an environment would have it. */
export const asEnvironmentName = (name: string): string => name.replaceAll(/[-.]/g, '_').toUpperCase();

/** The key of a path as an object spells it: `workspaceId`, `workspace-id` and `WORKSPACE_ID` are one. */
export function keyOfPath(path: string): string {
  return path
    .split('.')
    .map((name) =>
      /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/.test(name)
        ? name.toLowerCase().replaceAll('_', '-')
        : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    )
    .join('.');
}

/** A key that was not given, in every spelling that it could be given in. */
export const everySpelling = (key: string): string =>
  `${KEY_PREFIX}.${key} (in code ${optionName(key)}, in the environment ${environmentName(key)})`;
