/** What was given where an object was to be given, for a message. Texts are not shown: one may be an address with a password. */
export function valueKind(value: unknown): string {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') {
    const isClass = Function.prototype.toString.call(value).startsWith('class');
    return isClass ? `the class ${value.name || 'without a name'}` : 'a function';
  }
  if (value === null || typeof value !== 'object') return String(value);
  const name = className(value);
  return name === undefined ? 'an object' : `an instance of ${name}`;
}

function className(value: object): string | undefined {
  const { constructor } = (Object.getPrototypeOf(value) ?? {}) as { readonly constructor?: unknown };
  const name = typeof constructor === 'function' ? constructor.name : '';
  return name === '' || name === 'Object' ? undefined : name;
}
