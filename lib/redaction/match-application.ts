import type { RedactionMatch } from './redaction-policy.js';

/** `content` with each match replaced. The matches are in order and do not overlap. */
export function applyMatches(content: string, matches: readonly RedactionMatch[]): string {
  let masked = '';
  let at = 0;
  for (const { start, end, replacement } of matches) {
    masked += content.slice(at, start) + replacement;
    at = end;
  }
  return masked + content.slice(at);
}

/**
 * Matches that overlap become one that covers them all; the longest decides what it is called. Matches that only touch
 * stay apart.
 */
export function mergeMatches(matches: readonly RedactionMatch[]): RedactionMatch[] {
  const merged: RedactionMatch[] = [];
  let longest = 0;
  for (const match of [...matches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || match.start >= last.end) {
      merged.push(match);
      longest = match.end - match.start;
      continue;
    }
    const named = match.end - match.start > longest ? match : last;
    longest = Math.max(longest, match.end - match.start);
    merged[merged.length - 1] = { ...named, start: last.start, end: Math.max(last.end, match.end) };
  }
  return merged;
}
