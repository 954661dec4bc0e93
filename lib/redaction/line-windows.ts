import type { Span } from './redaction-rule.js';

// What joins a name to a value on another line skips fewer than this.
const MAX_BLANK = 80;

/** The lines that `places` stand in, each with the next line that is not blank. In order, and those that meet are one. */
export function linesFrom(text: string, places: readonly number[]): Span[] {
  return windows(
    text,
    places.map((place) => ({ start: place, end: place })),
    startOfLine,
  );
}

/** The lines that `spans` stand in, each with the lines before and after it that are not blank. */
export function linesAround(text: string, spans: readonly Span[]): Span[] {
  return windows(text, spans, startOfLineBefore);
}

// A line is looked at once however many spans are in it, so that this is linear.
function windows(text: string, spans: readonly Span[], startOf: (text: string, at: number) => number): Span[] {
  const result: { start: number; end: number }[] = [];
  let seen = 0;
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && span.end < seen) continue;
    seen = endOfLine(text, span.end);
    const end = endOfLineAfter(text, seen);
    const start = last !== undefined && span.start < last.end ? last.end : startOf(text, span.start);
    if (last !== undefined && start <= last.end) last.end = end;
    else result.push({ start, end });
  }
  return result;
}

function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function startOfLineBefore(text: string, at: number): number {
  const start = startOfLine(text, at);
  let before = start;
  while (before > 0 && start - before < MAX_BLANK && isBlank(text.charCodeAt(before - 1))) before--;
  return startOfLine(text, before);
}

// Just behind the line's end, or the text's.
function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function endOfLineAfter(text: string, lineEnd: number): number {
  let at = lineEnd;
  while (at < text.length && at - lineEnd < MAX_BLANK && isBlank(text.charCodeAt(at))) at++;
  return at === text.length ? at : endOfLine(text, at);
}

const isBlank = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
