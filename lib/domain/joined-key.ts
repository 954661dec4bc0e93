/**
 * Joins parts with `:` so that different lists of parts never give the same text: the separator and the escape
 * character are escaped in each part first.
 */
export function joinKey(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll(':', '%3A')).join(':');
}

/** The parts that {@link joinKey} joined, or `undefined` when `key` is not one of its results. */
export function splitKey(key: string): string[] | undefined {
  const parts = key.split(':');
  if (parts.some((part) => /%(?!25|3A)/.test(part))) return undefined;
  return parts.map((part) => part.replaceAll('%3A', ':').replaceAll('%25', '%'));
}
