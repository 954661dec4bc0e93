import { REDACTION_MARKER, redactionMarker } from '../domain/redaction-marker.js';
import { applyMatches } from './match-application.js';
import type { RedactionMatch, RedactionResult } from './redaction-policy.js';
import { MARKER_FILLER, type RedactionRule, type Span } from './redaction-rule.js';
import { resolveSpans, type NamedSpan } from './span-resolution.js';

// What is masked may leave its neighbour standing free and so found the next time. Each pass masks more, so few are
// needed; the bound is for texts that are made to need many.
const MAX_PASSES = 8;

/**
 * Applies rules: collects the spans of all of them on the original text, resolves overlaps, replaces once. It looks
 * again at what it made, until nothing more is found, so that masking twice is masking once.
 */
export class RuleEngine {
  private readonly categories: ReadonlySet<string>;
  // Most short texts hold none of the literal hints, and one expression tells faster than a search for each.
  private readonly anyLiteral: RegExp;

  /** @param markers the categories whose markers are left alone: an unknown one might be a secret dressed up as one */
  constructor(
    private readonly rules: readonly RedactionRule[],
    markers: Iterable<string>,
  ) {
    this.categories = new Set([...markers, ...rules.map((rule) => rule.category)]);
    const literals = rules.flatMap(({ hints }) => (Array.isArray(hints) ? (hints as readonly string[]) : []));
    const escaped = literals.map((hint) => hint.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
    this.anyLiteral = new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'));
  }

  redact(text: string): RedactionResult {
    return this.redactSpans(text, this.find(text));
  }

  /** As {@link redact}, of `value` only, which stands after `head` and of which `extra` spans are known already. */
  redactAfter(head: string, value: string, extra: readonly NamedSpan[]): RedactionResult {
    const placed = this.find(head + value).flatMap((span) => {
      const start = Math.max(0, span.start - head.length);
      const end = span.end - head.length;
      return end > start ? [{ ...span, start, end }] : [];
    });
    const known = extra.flatMap((span) => trimmed(this.blinded(value), span));
    return this.redactSpans(value, resolveSpans([...placed, ...known]));
  }

  private redactSpans(text: string, found: readonly NamedSpan[]): RedactionResult {
    if (found.length === 0) return { redactedContent: text, matches: [], modified: false };
    let spans = found;
    let matches = spans.map(matchOf);
    let redactedContent = applyMatches(text, matches);
    for (let pass = 1; pass < MAX_PASSES; pass++) {
      const more = this.find(redactedContent);
      if (more.length === 0) break;
      spans = resolveSpans([...spans, ...onOriginal(more, matches)]);
      matches = spans.map(matchOf);
      redactedContent = applyMatches(text, matches);
    }
    return { redactedContent, matches, modified: true };
  }

  private find(text: string): readonly NamedSpan[] {
    const blinded = this.blinded(text);
    const found: NamedSpan[] = [];
    const literal = this.anyLiteral.test(blinded);
    for (const rule of this.rules) {
      if (!mayApply(rule, blinded, literal)) continue;
      const { category, specificity } = rule;
      for (const { start, end } of rule.find(blinded))
        found.push(...trimmed(blinded, { start, end, category, specificity }));
    }
    return found.length === 0 ? found : resolveSpans(found);
  }

  private blinded(text: string): string {
    if (!text.includes('[REDACTED:')) return text;
    return text.replace(REDACTION_MARKER, (marker, category: string) =>
      this.categories.has(category) ? MARKER_FILLER.repeat(marker.length) : marker,
    );
  }
}

function mayApply({ hints }: RedactionRule, text: string, anyLiteral: boolean): boolean {
  if (hints === undefined) return true;
  if (hints instanceof RegExp) return text.search(hints) >= 0;
  return anyLiteral && hints.some((hint) => text.includes(hint));
}

// A span neither begins nor ends in a marker, and one that holds nothing but markers is none.
function trimmed<S extends Span>(blinded: string, span: S): S[] {
  let { start, end } = span;
  while (start < end && blinded[start] === MARKER_FILLER) start++;
  while (end > start && blinded[end - 1] === MARKER_FILLER) end--;
  return end > start ? [{ ...span, start, end }] : [];
}

const matchOf = ({ category, start, end }: NamedSpan): RedactionMatch => ({
  category,
  start,
  end,
  replacement: redactionMarker(category),
});

// Spans found on the masked text, as places in the original. They cover a marker wholly or not at all.
function onOriginal(spans: readonly NamedSpan[], matches: readonly RedactionMatch[]): NamedSpan[] {
  let shift = 0;
  const markers = matches.map(({ start, end, replacement }) => {
    const from = start + shift;
    shift += replacement.length - (end - start);
    return { from, to: from + replacement.length, start, end };
  });
  return spans.map((span) => {
    const place = (at: number): number => {
      let low = 0;
      let high = markers.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((markers[middle] as { to: number }).to <= at) low = middle + 1;
        else high = middle;
      }
      const before = markers[low - 1];
      const moved = before === undefined ? at : before.end + (at - before.to);
      const inside = markers[low];
      return inside !== undefined && inside.from < at ? inside.end : moved;
    };
    return { ...span, start: place(span.start), end: place(span.end) };
  });
}
