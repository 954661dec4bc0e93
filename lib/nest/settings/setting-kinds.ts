import { requireIdentity } from '../../domain/checks.js';
import { croner } from './packages-on-demand.js';
import type { SettingDefinition } from './setting-definition.js';
import { nearest } from './suggestion.js';

/** What is said of a setting beside its kind. */
export type SettingNotes = Pick<SettingDefinition, 'about'> &
  Partial<Pick<SettingDefinition, 'later' | 'laterValues' | 'shownFallback' | 'onlyFrom'>>;

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,12})(ms|s|m|h|d)$/;

function milliseconds(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return Number(amount) * (MILLISECONDS[unit ?? ''] ?? Number.NaN);
}

/** One of a few words. */
export const selector = (
  key: string,
  values: readonly string[],
  fallback: string | undefined,
  notes: SettingNotes & Pick<SettingDefinition, 'adviceFor'>,
): SettingDefinition => ({
  key,
  schema: (joi) => joi.string().valid(...values),
  accepts: `one of ${values.join(', ')}`,
  values,
  fallback,
  shownFallback: fallback,
  ...notes,
});

/** An id of ours: taken as it is. */
export const identity = (key: string, notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) => joi.string().custom((id: string) => requireIdentity(key, id)),
  accepts: 'text of 1 to 256 characters, no control characters and not only white space',
  verbatim: true,
  ...notes,
});

/** A text for people, or for another system. */
export const text = (key: string, notes: SettingNotes): SettingDefinition => ({
  key,
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  schema: (joi) => joi.string().pattern(/^(?=.*\S)[^\u0000-\u001f\u007f-\u009f]{1,256}$/),
  accepts: 'text of 1 to 256 characters, no control characters and not only white space',
  verbatim: true,
  ...notes,
});

/** A key or token: up to 8192 characters that a header can hold, and shown nowhere. */
export const secret = (key: string, notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) => joi.string().pattern(/^[\x21-\x7e]{1,8192}$/),
  accepts: 'text of 1 to 8192 ASCII characters without spaces',
  secret: true,
  ...notes,
});

/** `longest` is at most 24d where a timer waits: one of Node that is set for more than 2³¹ - 1 ms, 24.8 days, fires at once. */
export const span = (key: string, fallback: string, longest: string, notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) =>
    joi.string().custom((given: string, helpers) => {
      const wanted = milliseconds(given);
      return wanted >= 1 && wanted <= milliseconds(longest) ? wanted : helpers.error('any.invalid');
    }),
  accepts: `a duration such as 300ms, 10s, 5m, 6h or 2d, at least 1ms and at most ${longest}`,
  fallback: milliseconds(fallback),
  shownFallback: fallback,
  handedOnAsText: true,
  ...notes,
});

/** A whole number. */
export const count = (
  key: string,
  minimum: number,
  fallback: number | undefined,
  notes: SettingNotes,
): SettingDefinition => ({
  key,
  schema: (joi) => joi.number().integer().min(minimum).max(Number.MAX_SAFE_INTEGER),
  accepts: `a whole number of at least ${minimum}`,
  fallback,
  shownFallback: fallback?.toString(),
  ...notes,
});

/** A number from 0 to 1. */
export const fraction = (key: string, fallback: number, notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) => joi.number().min(0).max(1),
  accepts: 'a number from 0 to 1',
  fallback,
  shownFallback: fallback.toString(),
  ...notes,
});

export const flag = (key: string, fallback: boolean, notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) => joi.boolean().truthy('1', 1).falsy('0', 0).sensitive(),
  accepts: 'true, false, 1 or 0',
  fallback,
  shownFallback: String(fallback),
  ...notes,
});

const BYTES: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

/** A number of bytes, or none. */
export const size = (key: string, notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) =>
    joi.custom((given: unknown, helpers) => {
      const wanted = typeof given === 'number' ? String(given) : given;
      if (typeof wanted !== 'string') return helpers.error('any.invalid');
      if (wanted === 'none') return Number.POSITIVE_INFINITY;
      const [, amount, unit] = /^(\d{1,12}) ?(b|kb|mb|gb)?$/i.exec(wanted) ?? [];
      const bytes = Number(amount) * (BYTES[(unit ?? '').toLowerCase()] ?? Number.NaN);
      return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : helpers.error('any.invalid');
    }),
  accepts: 'none, or a size such as 500000, 64kb, 512mb or 2gb (1kb is 1024 bytes), at least 1',
  fallback: Number.POSITIVE_INFINITY,
  shownFallback: 'none',
  handedOnAsText: true,
  ...notes,
});

/** An address of a server. A user name and password in it would be sent nowhere: `fetch` refuses such an address. */
export const url = (key: string, notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) =>
    joi.string().custom((given: string, helpers) => {
      const address = URL.canParse(given) ? new URL(given) : undefined;
      const usable =
        address !== undefined &&
        ['http:', 'https:'].includes(address.protocol) &&
        ![address.username, address.password].some((part) => part !== '');
      return usable ? given : helpers.error('any.invalid');
    }),
  accepts: 'an address that begins with http:// or https:// and holds no user name and no password',
  url: true,
  ...notes,
});

/** A path. Not checked here: whether it is there is for who opens it. */
export const path = (key: string, accepts: string, notes: SettingNotes): SettingDefinition => ({
  key,
  // eslint-disable-next-line no-control-regex -- a path with one is a mistake
  schema: (joi) => joi.string().pattern(/^(?=.*\S)[^\u0000-\u001f]{1,4096}$/),
  accepts,
  ...notes,
});

const CRON_FIELDS = '*/30 * * * *';
// The parser knows more than cron does, such as the last day of a month; what it is handed is cron's own.
const CRON_FIELD = /^(?:[\d*,/-]|SUN|MON|TUE|WED|THU|FRI|SAT|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)+$/i;

/** Whether `fields` are five, and name a time that comes: there is no 31st of February. */
function comesRound(fields: string): boolean {
  if (!fields.split(' ').every((field) => CRON_FIELD.test(field))) return false;
  try {
    return new (croner().Cron)(fields, { paused: true, mode: '5-part' }).nextRun() !== null;
  } catch {
    return false;
  }
}

/** Five fields: minute, hour, day of the month, month, weekday with Sunday as 0. */
export const cron = (key: string, fallback: string, notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) =>
    joi.string().custom((given: string, helpers) => {
      const fields = given.replaceAll(/\s+/g, ' ');
      return comesRound(fields) ? fields : helpers.error('any.invalid');
    }),
  accepts: `five fields, minute, hour, day of the month, month and weekday (0 is Sunday), such as ${CRON_FIELDS}`,
  fallback,
  shownFallback: fallback,
  adviceFor: (given) => {
    const fields = typeof given === 'string' ? given.trim().split(/\s+/) : [];
    return fields.length === 6
      ? `that has six fields, the first of which would be seconds; it takes five: ${fields.slice(1).join(' ')}`
      : undefined;
  },
  ...notes,
});

/** A list of names: an array, or a text with commas in between. */
export const names = (key: string, known: readonly string[], notes: SettingNotes): SettingDefinition => ({
  key,
  schema: (joi) =>
    joi.custom((given: unknown, helpers) => {
      const wanted = listed(given);
      return wanted?.every((name) => known.includes(name as string)) === true
        ? Object.freeze([...new Set(wanted)])
        : helpers.error('any.invalid');
    }),
  accepts: `a list of ${known.join(', ')}`,
  fallback: Object.freeze([]),
  adviceFor: (given) => {
    const wrong = listed(given)?.find((name) => !known.includes(name as string));
    if (typeof wrong !== 'string' || wrong === '') return undefined;
    const suggestion = nearest(wrong, known);
    return `of which ${JSON.stringify(wrong)} is none that it takes, which are ${known.join(', ')}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`;
  },
  ...notes,
});

function listed(given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given as readonly unknown[];
  if (typeof given !== 'string') return undefined;
  return given.trim() === '' ? [] : given.split(',').map((name) => name.trim());
}
