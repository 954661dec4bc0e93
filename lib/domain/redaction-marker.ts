/** What stands in a text in place of a secret: `[REDACTED:CATEGORY]`. */
export const REDACTION_MARKER = /\[REDACTED:([A-Z][A-Z0-9_]{0,63})\]/g;

/** The metadata of an observation that was masked: a flag, and the categories, sorted and joined by commas. */
export const REDACTION_METADATA = Object.freeze({
  /** Holds `true` where the observation was masked, and is absent where it was not. */
  REDACTED: 'redacted',
  /** Holds the categories of what was masked, such as `EMAIL,SECRET`. */
  CATEGORIES: 'redaction.categories',
});

/** The marker of a category, such as `[REDACTED:EMAIL]`. */
export function redactionMarker(category: string): string {
  return `[REDACTED:${category}]`;
}

/** The categories of the markers in `text`, sorted, each once. */
export function redactionCategoriesIn(text: string): readonly string[] {
  if (!text.includes('[REDACTED:')) return [];
  return [...new Set([...text.matchAll(REDACTION_MARKER)].map((match) => match[1] as string))].sort();
}
