import { readVariable } from './environment-source.js';
import { optionObjectFault } from './option-object.js';
import { levenshtein } from './packages-on-demand.js';
import { isGroup, isKnownKey, KEY_PREFIX, keyOfPath, optionName } from './setting-names.js';
import { hasNearlyOurPrefix, SettingCollector, type SettingSource } from './setting-source.js';
import { valueKind } from './value-kind.js';

/** Reads the options that an application gave in code; `undefined` is as good as not given. */
export function settingsFromOptions(options: object): SettingSource {
  const collector = new SettingCollector('options');
  readBelow(collector, options, '', { spelled: (path) => path, nearestOf: optionName, emptyGroups: false });
  return collector;
}

// The first of the two names of the prefix.
const OUTER = 'aimon';

interface Reading {
  /** How the source writes a path below the prefix. */
  readonly spelled: (path: string) => string;
  /** How it would write a key. */
  readonly nearestOf: (key: string) => string;
  /** Whether nothing below a group's name is no mistake: `queue:` in YAML is null. */
  readonly emptyGroups: boolean;
}

function readBelow(collector: SettingCollector, values: object, path: string, reading: Reading): void {
  for (const name of Object.keys(values)) {
    const below = path === '' ? name : `${path}.${name}`;
    const read = valueAt(values, name);
    if (read === undefined) collector.refuse(reading.spelled(below), 'throws when it is read; give its value.');
    else if (read.value !== undefined) readAt(collector, below, read.value, reading);
  }
}

/** `undefined` where a getter throws: what it threw may hold anything, and is not shown. */
function valueAt(values: object, name: string): { readonly value: unknown } | undefined {
  try {
    return { value: (values as Readonly<Record<string, unknown>>)[name] };
  } catch {
    return undefined;
  }
}

function readAt(collector: SettingCollector, path: string, value: unknown, reading: Reading): void {
  const key = keyOfPath(path);
  if (isKnownKey(key)) collector.give(key, value, reading.spelled(path));
  else if (!isGroup(key)) collector.refuseUnknown(reading.spelled(path), reading.nearestOf);
  else if (value !== null || !reading.emptyGroups) {
    const fault = optionObjectFault(value);
    if (fault === undefined) readBelow(collector, value as object, path, reading);
    else collector.refuse(reading.spelled(path), `${fault}; it takes a plain object with the settings below it.`);
  }
}

const PREFIXED: Reading = {
  spelled: (path) => `${KEY_PREFIX}.${path}`,
  nearestOf: (key) => `${KEY_PREFIX}.${key}`,
  emptyGroups: true,
};

/**
 * Reads what a tree holds below `aimon.memory`, nested (`aimon: { memory: { … } }`), in one name
 * (`'aimon.memory.backend'`), or as an environment would name it (`AIMON_MEMORY_BACKEND`). Anything else in it is
 * somebody else's.
 */
export function readTree(collector: SettingCollector, tree: object): void {
  descend(collector, tree, '');
}

function descend(collector: SettingCollector, values: object, above: string): void {
  for (const name of Object.keys(values)) {
    const value = valueAt(values, name)?.value;
    if (value === undefined) continue;
    const path = above === '' ? name : `${above}.${name}`;
    if (path === KEY_PREFIX) readWhole(collector, value);
    else if (path.startsWith(`${KEY_PREFIX}.`)) readAt(collector, path.slice(KEY_PREFIX.length + 1), value, PREFIXED);
    else if (path === OUTER) readOuter(collector, value);
    else if (isMisspelt(path, value)) collector.refuse(path, `is no name of the memory; did you mean ${meant(path)}?`);
    else if (above !== '') continue;
    else if (isObject(value) && levenshtein().distance(name, OUTER) === 1) descend(collector, value, path);
    else if (/^[A-Z][A-Z\d_]*$/.test(name)) readVariable(collector, name, value);
  }
}

/** What stands under `aimon`: a text may be somebody else's, an object is looked into or refused. */
function readOuter(collector: SettingCollector, value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  const fault = optionObjectFault(value);
  if (fault === undefined) descend(collector, value, OUTER);
  else collector.refuse(OUTER, `${fault}; it takes a plain object, with memory and the settings below that.`);
}

function readWhole(collector: SettingCollector, value: unknown): void {
  if (value === null) return;
  if (isObject(value) && optionObjectFault(value) === undefined) readBelow(collector, value, '', PREFIXED);
  else collector.refuse(KEY_PREFIX, `is ${valueKind(value)}; it takes a plain object with the settings below it.`);
}

/** Whether the prefix is nearly ours and a setting follows, in the path or below it. */
function isMisspelt(path: string, value: unknown): boolean {
  const [first = '', second = '', ...rest] = path.split('.');
  const below = rest.length === 0 && isObject(value) ? Object.keys(value) : [rest.join('.')];
  return below.some((name) => hasNearlyOurPrefix(`${first}.${second}`, KEY_PREFIX, keyOfPath(name)));
}

const meant = (path: string): string => [KEY_PREFIX, ...path.split('.').slice(2)].join('.');

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
