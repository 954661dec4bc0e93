/** An object with the members of `target`, each of which can be changed: methods work on `target`, getters ask it. */
export function bound<T extends object>(target: T): T {
  const members: PropertyDescriptorMap = {};
  for (let owner: object = target; owner !== Object.prototype; owner = Object.getPrototypeOf(owner) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (name === 'constructor' || Object.hasOwn(members, name)) continue;
      const current = (): unknown => (target as Record<string, unknown>)[name];
      members[name] =
        typeof value === 'function'
          ? { value: value.bind(target), enumerable: true, writable: true, configurable: true }
          : { get: current, enumerable: true, configurable: true };
    }
  }
  return Object.defineProperties({}, members) as T;
}

/** As {@link bound}, with members in the place of some. */
export function broken<T extends object>(target: T, breaking: (sound: T) => Partial<T>): T {
  const sound = bound(target);
  return Object.defineProperties<T>(bound(target), Object.getOwnPropertyDescriptors(breaking(sound)));
}
