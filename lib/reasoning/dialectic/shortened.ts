/** Where a text in a prompt is cut, in UTF-16 units; the cut shows as `…`. */
export const LONGEST_TEXT = 4000;

/** `text`, cut where it is long, and never between the halves of a surrogate pair. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(LONGEST_TEXT - 2)) ? LONGEST_TEXT - 2 : LONGEST_TEXT - 1;
  return `${text.slice(0, end)}…`;
}
