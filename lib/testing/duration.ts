import { shown } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';

/** A span of time: milliseconds, or text as in the settings: `300ms`, `10s`, `30m`, `6h`, `2d`. */
export type Duration = number | string;

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** In milliseconds. @throws InvalidArgumentError when it is no duration */
export function requireDuration(field: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  const [, amount, unit = ''] = typeof value === 'string' ? (/^(\d{1,12})(ms|s|m|h|d)$/.exec(value) ?? []) : [];
  if (amount !== undefined) return Number(amount) * (MILLISECONDS[unit] ?? Number.NaN);
  throw new InvalidArgumentError(
    `${field} is ${shown(value)}; it takes a number of milliseconds of at least 0, or a duration such as 300ms, 10s, 30m, 6h or 2d.`,
  );
}
