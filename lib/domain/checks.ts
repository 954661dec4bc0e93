import { InvalidArgumentError } from './errors.js';

/** The longest id of a workspace or a principal, in UTF-16 units. */
export const MAX_IDENTITY_LENGTH = 256;

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Shows a value in an error: text quoted and shortened, anything else by what it is. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid date' : value.toISOString();
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

/**
 * An id as people write them: 1 to 256 UTF-16 units, no control characters, not only white space. It is taken as it is:
 * no trimming and no Unicode normalisation, so `é` composed and decomposed are two ids.
 */
export function requireIdentity(field: string, value: unknown): string {
  const accepted = `it takes 1 to ${MAX_IDENTITY_LENGTH} characters, no control characters and not only white space`;
  if (typeof value !== 'string') throw new InvalidArgumentError(`${field} is ${shown(value)}; ${accepted}.`);
  if (value.length === 0) throw new InvalidArgumentError(`${field} is empty; ${accepted}.`);
  if (value.length > MAX_IDENTITY_LENGTH) {
    throw new InvalidArgumentError(`${field} is ${value.length} characters long; ${accepted}.`);
  }
  if (CONTROL.test(value))
    throw new InvalidArgumentError(`${field} is ${shown(value)}, which holds a control character; ${accepted}.`);
  if (value.trim() === '')
    throw new InvalidArgumentError(`${field} is ${shown(value)}, which is only white space; ${accepted}.`);
  return value;
}

/** @throws InvalidArgumentError when `value` is not text. */
export function requireText(field: string, value: unknown): string {
  if (typeof value !== 'string') throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes text.`);
  return value;
}

/** @throws InvalidArgumentError when `value` is not text or is blank. */
export function requireFilledText(field: string, value: unknown, what: string): string {
  const text = requireText(field, value);
  if (text.trim() === '')
    throw new InvalidArgumentError(`${field} is ${text === '' ? 'empty' : 'blank'}; it takes ${what}.`);
  return text;
}

/** @throws InvalidArgumentError when `value` is not one of `accepted`. */
export function requireOneOf<T extends string>(field: string, value: unknown, accepted: readonly T[]): T {
  if (!accepted.includes(value as T)) {
    throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes one of ${accepted.join(', ')}.`);
  }
  return value as T;
}

/** @throws InvalidArgumentError when `value` is not a whole number in the range. */
export function requireWholeNumber(
  field: string,
  value: unknown,
  minimum: number,
  maximum = Number.MAX_SAFE_INTEGER,
): number {
  if (!Number.isSafeInteger(value) || (value as number) < minimum || (value as number) > maximum) {
    const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes a whole number ${range}.`);
  }
  return value as number;
}

/** @throws InvalidArgumentError when `value` is not a number in [0, 1]. */
export function requireUnitInterval(field: string, value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes a number from 0 to 1.`);
  }
  return value;
}

/** @throws InvalidArgumentError when `value` is not a valid date. Answers a copy, since a Date can be changed. */
export function requireDate(field: string, value: unknown): Date {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes a valid Date.`);
  }
  return new Date(value.getTime());
}

/** A frozen copy of a flat map of texts, safe for keys such as `__proto__`. @throws InvalidArgumentError */
export function requireTextMap(field: string, value: unknown): Readonly<Record<string, string>> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes an object whose values are texts.`);
  }
  const copy: Record<string, string> = {};
  for (const [key, text] of Object.entries(value as Record<string, unknown>)) {
    const checked = requireText(`${field}[${JSON.stringify(key)}]`, text);
    Object.defineProperty(copy, key, { value: checked, enumerable: true, configurable: true, writable: true });
  }
  return Object.freeze(copy);
}

/** A frozen copy of a list of texts. @throws InvalidArgumentError */
export function requireTextList(field: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes an array of texts.`);
  return Object.freeze(value.map((text, index) => requireText(`${field}[${index}]`, text)));
}
