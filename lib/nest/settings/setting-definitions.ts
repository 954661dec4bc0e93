import Joi from 'joi';

import { requireIdentity } from '../../domain/checks.js';
import { PRINCIPAL_TYPES } from '../../domain/principal.js';
import { INGEST_MODES } from '../../agent/ingest/ingest-mode.js';
import { DegradationKey } from '../../assembly/degradations.js';
import { MEMORY_CAPABILITIES } from '../../spi/peer-memory.js';
import { SNAPSHOT_MODES } from '../../spi/snapshot.js';

/** A setting: its key below `aimon.memory`, and what it takes. */
export interface SettingDefinition {
  readonly key: string;
  /** Absent: the key is known, and has no implementation in this version. */
  readonly schema?: Joi.Schema;
  /** In words, for a person who must correct it. */
  readonly accepts: string;
  /** The values of a selector, for a suggestion. */
  readonly values?: readonly string[];
  /** Values that are known, and have no implementation in this version. */
  readonly laterValues?: readonly string[];
  readonly fallback?: unknown;
  /** Whether white space around the value belongs to it. */
  readonly verbatim?: boolean;
  /** Whether its value is shown in no message. */
  readonly secret?: boolean;
}

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,12})(ms|s|m|h|d)$/;

function milliseconds(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return Number(amount) * (MILLISECONDS[unit ?? ''] ?? Number.NaN);
}

const wholeNumber = (minimum: number): Joi.Schema => Joi.number().integer().min(minimum).max(Number.MAX_SAFE_INTEGER);

const selector = (
  key: string,
  values: readonly string[],
  fallback: string,
  laterValues: readonly string[] = [],
): SettingDefinition => ({
  key,
  schema: Joi.string().valid(...values, ...laterValues),
  accepts: `one of ${[...values, ...laterValues].join(', ')}`,
  values: [...values, ...laterValues],
  laterValues,
  fallback,
});

const identity = (key: string): SettingDefinition => ({
  key,
  schema: Joi.string().custom((id: string) => requireIdentity(key, id)),
  accepts: '1 to 256 characters, no control characters and not only white space',
  verbatim: true,
});

const text = (key: string): SettingDefinition => ({
  key,
  schema: Joi.string().min(1).max(256).pattern(/\S/),
  accepts: '1 to 256 characters, not only white space',
  verbatim: true,
});

/** `longest` is at most 24d: a timer of Node that is set for more than 2³¹ - 1 ms, 24.8 days, fires at once. */
const span = (key: string, fallback: number, longest: string): SettingDefinition => ({
  key,
  schema: Joi.string().custom((text: string, helpers) => {
    const given = milliseconds(text);
    return given >= 1 && given <= milliseconds(longest) ? given : helpers.error('any.invalid');
  }),
  accepts: `a duration such as 300ms, 10s or 5m, at least 1ms and at most ${longest}`,
  fallback,
});

const count = (key: string, minimum: number, fallback: number): SettingDefinition => ({
  key,
  schema: wholeNumber(minimum),
  accepts: `a whole number of at least ${minimum}`,
  fallback,
});

const flag = (key: string, fallback: boolean): SettingDefinition => ({
  key,
  schema: Joi.boolean().truthy('1').falsy('0').sensitive(),
  accepts: 'true, false, 1 or 0',
  fallback,
});

/** A list of names: an array, or a text with commas in between. */
const names = (key: string, known: readonly string[]): SettingDefinition => ({
  key,
  schema: Joi.custom((given: unknown, helpers) => {
    const listed = typeof given === 'string' ? given.split(',').map((name) => name.trim()) : given;
    if (!Array.isArray(listed)) return helpers.error('any.invalid');
    return listed.every((name) => known.includes(name as string))
      ? Object.freeze([...new Set(listed as string[])])
      : helpers.error('any.invalid');
  }),
  accepts: `a list of ${known.join(', ')}`,
  fallback: Object.freeze([]),
});

const later = (key: string, secret = false): SettingDefinition => ({ key, accepts: 'nothing yet', secret });

/** Every setting of the library, in the order of the documentation. */
export const SETTING_DEFINITIONS: readonly SettingDefinition[] = [
  selector('backend', ['none', 'in-memory', 'supplied'], 'none', ['file', 'remote']),
  later('settings-file'),
  identity('workspace-id'),
  selector('workspace-mode', ['fixed', 'caller'], 'fixed'),
  selector('peer-mode', ['fixed', 'caller'], 'fixed'),
  identity('peer-id'),
  text('peer-name'),
  selector('peer-type', PRINCIPAL_TYPES, 'USER'),
  selector('injection-mode', SNAPSHOT_MODES, 'SUMMARY_ONLY'),
  count('max-tokens', 0, 0),
  span('context-timeout', 300, '1h'),
  selector('redaction', ['default', 'supplied', 'none'], 'default', ['strict']),
  selector('ingest', INGEST_MODES, 'off'),
  flag('ingest-forks', false),
  span('session.idle-timeout', 30 * 60_000, '24d'),
  later('storage-path'),
  later('storage-fsync'),
  span('maintenance.interval', 6 * 3_600_000, '24d'),
  span('maintenance.audit-window', 30 * 86_400_000, '3650d'),
  span('maintenance.representation-retention', 90 * 86_400_000, '3650d'),
  selector('deriver', ['none', 'extractive'], 'none', ['llm', 'react']),
  later('reconciler-enabled'),
  later('dreamer.enabled'),
  later('dreamer.cron'),
  later('dreamer.surprisal-threshold'),
  later('dreamer.walk-seed-count'),
  later('dreamer.neighbor-top-k'),
  later('dreamer.scorer.type'),
  later('dreamer.scorer.llm.model'),
  later('llm.model'),
  later('llm.api-key', true),
  later('llm.base-url'),
  later('llm.timeout'),
  later('llm.max-retries'),
  later('embedding.provider'),
  later('embedding.model'),
  later('embedding.dimensions'),
  later('embedding.api-key', true),
  later('embedding.base-url'),
  count('queue.worker-count', 1, 4),
  count('queue.batch-max-tokens', 1, 8000),
  span('queue.poll-interval', 500, '1h'),
  count('queue.max-attempts', 1, 5),
  count('queue.max-pending', 1, 100_000),
  later('index.max-bytes'),
  later('remote.base-url'),
  later('remote.token', true),
  later('remote.timeout'),
  later('remote.wait-for-derivation'),
  later('remote.required'),
  later('remote.protocol'),
  span('shutdown-timeout', 10_000, '1h'),
  names('health.required', [...MEMORY_CAPABILITIES, ...Object.values(DegradationKey)]),
  flag('health.degraded-is-down', false),
];
