/**
 * How long a response asks to be left alone, in milliseconds, at least 0: by `retry-after-ms`, or by `retry-after` in seconds
 * or as an HTTP date.
 */
export function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const milliseconds = amount(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const text = headers.get('retry-after');
  const seconds = amount(text);
  if (seconds !== undefined) return seconds * 1000;
  // Only what names a month is a date; Date.parse would find one in nearly any number.
  const at = text !== null && /[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

function amount(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,12}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined;
}
