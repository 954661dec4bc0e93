import { REDACTION_MARKER, redactionMarker } from '../domain/redaction-marker.js';
import { foldText } from './folded-text.js';
import { HintIndex, type Hint } from './hint-index.js';
import { linesAround, linesFrom } from './line-windows.js';
import { applyMatches } from './match-application.js';
import type { RedactionMatch, RedactionResult } from './redaction-policy.js';
import { MARKER_FILLER, type RedactionRule, type Span } from './redaction-rule.js';
import { resolveSpans, type NamedSpan } from './span-resolution.js';

// What is masked may leave its neighbour standing free and so found the next time. Each pass masks more, so few are
// needed; the bound is for texts that are made to need many.
const MAX_PASSES = 8;

/** The rules that were shown all of a text, with the places of their hints in it where those are known. */
type Asked = Map<number, readonly number[] | undefined>;

/**
 * Applies rules: collects the spans of all of them on the original text, resolves overlaps, replaces once. It looks
 * again around what it changed, until nothing more is found, so that masking twice is masking once.
 */
export class RuleEngine {
  private readonly categories: ReadonlySet<string>;
  private readonly index: HintIndex;
  // The rules that wait for an expression, or for nothing at all.
  private readonly others: readonly number[];

  /** @param markers the categories whose markers are left alone: an unknown one might be a secret dressed up as one */
  constructor(
    private readonly rules: readonly RedactionRule[],
    markers: Iterable<string>,
  ) {
    this.categories = new Set([...markers, ...rules.map((rule) => rule.category)]);
    const hints = new Map<number, readonly (string | Hint)[]>();
    const others: number[] = [];
    rules.forEach((rule, number) => {
      if (rule.hints === undefined || rule.hints instanceof RegExp) others.push(number);
      else hints.set(number, rule.hints);
    });
    this.index = new HintIndex(hints);
    this.others = others;
  }

  redact(text: string): RedactionResult {
    const asked: Asked = new Map();
    const found = this.find(text, asked);
    return found.length === 0 ? unchanged(text) : this.redactSpans(text, found, asked);
  }

  /** As {@link redact}, of `value` only, which stands after `head` and of which `extra` spans are known already. */
  redactAfter(head: string, value: string, extra: readonly NamedSpan[]): RedactionResult {
    const asked: Asked = new Map();
    const placed = this.find(head + value, asked).flatMap((span) => {
      const start = Math.max(0, span.start - head.length);
      const end = span.end - head.length;
      return end > start ? [{ ...span, start, end }] : [];
    });
    if (placed.length === 0 && extra.length === 0) return unchanged(value);
    if (head !== '') for (const number of asked.keys()) asked.set(number, undefined);
    const known = extra.flatMap((span) => trimmed(this.blinded(value), span));
    const spans = resolveSpans([...placed, ...known]);
    return spans.length === 0 ? unchanged(value) : this.redactSpans(value, spans, asked);
  }

  private redactSpans(text: string, found: readonly NamedSpan[], asked: Asked): RedactionResult {
    let spans = found;
    let matches = spans.map(matchOf);
    let redactedContent = applyMatches(text, matches);
    let changed = markersOf(matches);
    for (let pass = 1; pass < MAX_PASSES; pass++) {
      const more = this.findAround(redactedContent, changed, asked, matches);
      if (more.length === 0) break;
      const before = matches;
      spans = resolveSpans([...spans, ...onOriginal(more, matches)]);
      matches = spans.map(matchOf);
      redactedContent = applyMatches(text, matches);
      changed = markersOf(matches, before);
    }
    return { redactedContent, matches, modified: true };
  }

  // What a change may bring to light is on its line or on one that is next to it, but for rules that look further: those
  // are asked about the whole again.
  private findAround(
    text: string,
    changed: readonly Span[],
    asked: Asked,
    matches: readonly RedactionMatch[],
  ): readonly NamedSpan[] {
    const around = linesAround(text, changed).flatMap(({ start, end }) =>
      this.find(text.slice(start, end), new Map()).map((span) => ({
        ...span,
        start: span.start + start,
        end: span.end + start,
      })),
    );
    if (asked.size === 0) return around;
    const { text: blinded, unfolded } = foldText(this.blinded(text));
    const further: NamedSpan[] = [];
    for (const [number, places] of asked) {
      const known = blinded.length === text.length && places !== undefined ? onMasked(places, matches) : undefined;
      this.ask(number, blinded, known, further);
    }
    return [...around, ...further.map(unfolded)];
  }

  /** @param asked takes in the rules that were shown all of `text`, since what they find may be anywhere in it */
  private find(text: string, asked: Asked): readonly NamedSpan[] {
    const { text: blinded, unfolded } = foldText(this.blinded(text));
    const found: NamedSpan[] = [];
    const hits = this.index.scan(blinded);
    if (hits !== undefined) {
      for (const [number, places] of hits) {
        if (this.ask(number, blinded, places, found) === 'whole text') {
          asked.set(number, blinded.length === text.length ? places : undefined);
        }
      }
    }
    const seen = new Map<RegExp, readonly number[]>();
    for (const number of this.others) {
      const { hints } = this.rules[number] as RedactionRule;
      if (hints instanceof RegExp && hints.global) {
        const places = seen.get(hints) ?? placesOf(hints, blinded);
        seen.set(hints, places);
        if (places.length > 0) this.ask(number, blinded, places, found);
      } else if (hints === undefined || blinded.search(hints as RegExp) >= 0) {
        this.ask(number, blinded, undefined, found);
      }
    }
    return found.length === 0 ? found : resolveSpans(found.map(unfolded));
  }

  private ask(
    number: number,
    text: string,
    places: readonly number[] | undefined,
    found: NamedSpan[],
  ): 'whole text' | 'places' {
    const rule = this.rules[number] as RedactionRule;
    const { category, specificity } = rule;
    const add = ({ start, end }: Span, offset: number): void => {
      found.push(...trimmed(text, { start: start + offset, end: end + offset, category, specificity }));
    };
    if (places !== undefined && rule.findAt !== undefined) {
      let from = 0;
      for (const place of places) {
        if (place < from) continue;
        const match = rule.findAt(text, place);
        from = match?.end ?? from;
        if (match?.span !== undefined) add(match.span, 0);
      }
      return 'places';
    }
    if (places !== undefined && rule.withinLines === true) {
      for (const { start, end } of linesFrom(text, places)) {
        for (const span of rule.find(text.slice(start, end))) add(span, start);
      }
      return 'places';
    }
    for (const span of rule.find(text, places)) add(span, 0);
    return 'whole text';
  }

  private blinded(text: string): string {
    if (!text.includes('[REDACTED:')) return text;
    return text.replace(REDACTION_MARKER, (marker, category: string) =>
      this.categories.has(category) ? MARKER_FILLER.repeat(marker.length) : marker,
    );
  }
}

const unchanged = (text: string): RedactionResult => ({ redactedContent: text, matches: [], modified: false });

// Where the markers of `matches` stand in the masked text, but for those that stood there `before`.
function markersOf(matches: readonly RedactionMatch[], before: readonly RedactionMatch[] = []): Span[] {
  const known = new Set(before.map(({ start, end, category }) => `${start}-${end}-${category}`));
  const markers: Span[] = [];
  let shift = 0;
  for (const { start, end, category, replacement } of matches) {
    const from = start + shift;
    shift += replacement.length - (end - start);
    if (!known.has(`${start}-${end}-${category}`)) markers.push({ start: from, end: from + replacement.length });
  }
  return markers;
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

function placesOf(pattern: RegExp, text: string): readonly number[] {
  const places: number[] = [];
  pattern.lastIndex = 0;
  while (pattern.test(text)) places.push(pattern.lastIndex - 1);
  return places;
}

// Places in the original, as places in the masked text. What was masked is none any more.
function onMasked(places: readonly number[], matches: readonly RedactionMatch[]): readonly number[] {
  let next = 0;
  let shift = 0;
  return places.flatMap((place) => {
    for (let match = matches[next]; match !== undefined && match.end <= place; match = matches[++next]) {
      shift += match.replacement.length - (match.end - match.start);
    }
    return (matches[next]?.start ?? Infinity) <= place ? [] : [place + shift];
  });
}

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
