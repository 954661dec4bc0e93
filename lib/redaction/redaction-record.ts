import { REDACTION_METADATA, redactionCategoriesIn } from '../domain/redaction-marker.js';

const CATEGORY = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * The metadata of a masked observation: `redacted = "true"`, and in `redaction.categories` every category that was masked
 * now, was named there before, or has its marker in the text. Where nothing is masked, `metadata` as it is.
 *
 * @param categories what was masked now
 * @param content the observation's text as it will be kept
 */
export function recordRedaction(
  metadata: Readonly<Record<string, string>>,
  categories: readonly string[],
  content: string,
): Readonly<Record<string, string>> {
  const { REDACTED, CATEGORIES } = REDACTION_METADATA;
  const standing = [content, ...Object.values(metadata)].flatMap((text) => redactionCategoriesIn(text));
  if (categories.length === 0 && standing.length === 0) return metadata;
  const named = Object.hasOwn(metadata, CATEGORIES) ? (metadata[CATEGORIES] as string).split(',') : [];
  const all = new Set([
    ...categories,
    ...standing,
    ...named.map((name) => name.trim()).filter((name) => CATEGORY.test(name)),
  ]);
  return Object.freeze(
    textMap([
      ...Object.entries(metadata).filter(([key]) => key !== REDACTED && key !== CATEGORIES),
      [REDACTED, 'true'],
      [CATEGORIES, [...all].sort().join(',')],
    ]),
  );
}

/** A plain object of the entries, in which `__proto__` is a key like any other. A key that comes twice gets a number. */
export function textMap(entries: Iterable<readonly [string, string]>): Record<string, string> {
  const map: Record<string, string> = {};
  for (const [key, value] of entries) {
    let free = key;
    for (let count = 2; Object.hasOwn(map, free); count++) free = `${key} (${count})`;
    Object.defineProperty(map, free, { value, enumerable: true, configurable: true, writable: true });
  }
  return map;
}
