import {
  ENVIRONMENT_PREFIX,
  asEnvironmentName,
  environmentName,
  keyOfEnvironmentName,
  KEY_PREFIX,
  knownKeys,
} from './setting-names.js';
import { hasNearlyOurPrefix, SettingCollector, type SettingSource } from './setting-source.js';

// Kubernetes announces a Service called aimon-memory to every pod under these names.
const KUBERNETES =
  /^AIMON_MEMORY_(?:SERVICE_HOST|SERVICE_PORT(?:_.+)?|PORT|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;

// As long as the prefix, two letters more or less.
const NEAR_PREFIX = /^([A-Z]+_[A-Z]+)_(.+)$/;

/** Reads `AIMON_MEMORY_…` from an environment; `aimon.memory.…`, as a container may name it, is the same. */
export function settingsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): SettingSource {
  const collector = new SettingCollector('environment');
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined) readVariable(collector, name, value);
  }
  return collector;
}

/** Takes what an environment holds under a name, where that is ours, or was meant to be. */
export function readVariable(collector: SettingCollector, name: string, value: unknown): void {
  const plain = asEnvironmentName(name);
  if (KUBERNETES.test(plain)) return;
  if (!plain.startsWith(ENVIRONMENT_PREFIX)) {
    const meant = misspelt(plain);
    if (meant !== undefined) collector.refuse(name, `is no name of the memory; did you mean ${meant}?`);
    return;
  }
  const key = keyOfEnvironmentName(name);
  if (key !== undefined) collector.give(key, value, name);
  else collector.refuseUnknown(name, /^[A-Z\d_]+$/.test(name) ? environmentName : (known) => `${KEY_PREFIX}.${known}`);
}

/** What a name whose prefix is nearly ours, with a setting behind it, was meant to be. */
function misspelt(name: string): string | undefined {
  const letters = (text: string): string => text.replaceAll('_', '');
  const run = knownKeys().find((key) => letters(environmentName(key)) === letters(name));
  if (run !== undefined) return environmentName(run);
  const [, prefix, rest = ''] = NEAR_PREFIX.exec(name) ?? [];
  const meant = ENVIRONMENT_PREFIX + rest;
  return prefix !== undefined && hasNearlyOurPrefix(`${prefix}_`, ENVIRONMENT_PREFIX, keyOfEnvironmentName(meant))
    ? meant
    : undefined;
}
