import { shown } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';

/**
 * An argument whose members are about to be read.
 * @param what what the argument is, such as `an object of options`
 * @throws InvalidArgumentError when it is no object; `null` is none
 */
export function requireObject<T>(field: string, value: T, what = 'an object of options, or nothing'): T {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') return value;
  throw new InvalidArgumentError(`${field} is ${shown(value)}; it takes ${what}.`);
}
