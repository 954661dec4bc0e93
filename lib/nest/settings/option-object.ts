import { valueKind } from './value-kind.js';

/**
 * Why `value` cannot be read as an object of options, to follow its name: `is null`. `undefined` when it can be. Only an
 * object's own properties are read, so one that holds or inherits anything else would look like no options at all.
 */
export function optionObjectFault(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object' || Object.prototype.toString.call(value) !== '[object Object]')
    return `is ${valueKind(value)}`;
  const inherited = unreadIn(value);
  return inherited === undefined
    ? undefined
    : `is ${valueKind(value)}, which inherits "${inherited}", and that would not be read`;
}

/** The first value that the prototypes of `value` hold: a getter of its class, or what `Object.create` was given. */
function unreadIn(value: object): string | undefined {
  for (let level = parent(value); level !== null && parent(level) !== null; level = parent(level)) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (typeof property.value !== 'function') return name;
    }
  }
  return undefined;
}

const parent = (value: object): object | null => Object.getPrototypeOf(value) as object | null;
