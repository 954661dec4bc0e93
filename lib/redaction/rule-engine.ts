import { REDACTION_MARKER, redactionMarker } from '../domain/redaction-marker.js';
import { foldText, type FoldedText } from './folded-text.js';
import { HintIndex, type Hint } from './hint-index.js';
import { linesAround, linesFrom } from './line-windows.js';
import { applyMatches } from './match-application.js';
import type { RedactionMatch, RedactionResult } from './redaction-policy.js';
import { MARKER_FILLER, type RedactionRule, type Span } from './redaction-rule.js';
import { resolveSpans, type NamedSpan } from './span-resolution.js';

// What is masked may leave its neighbour standing free and so found the next time. Each pass masks more, so few are
// needed; the bound is for texts that are made to need many.
const MAX_PASSES = 8;

/** A text as rules see it. */
interface SeenText extends FoldedText {
  readonly given: string;
  /** Whether each place in it is the same place in what was given. */
  readonly exact: boolean;
}

/** For each rule that waits for a hint, where its hints stand in a text as rules see it. */
type Hits = ReadonlyMap<number, readonly number[]>;

/**
 * Applies rules: collects the spans of all of them on the original text, resolves overlaps, replaces once. It looks
 * again around what it changed, until nothing more is found, so that masking twice is masking once.
 */
export class RuleEngine {
  private readonly categories: ReadonlySet<string>;
  private readonly index: HintIndex;
  // The rules that wait for what an expression finds, which is sought once for all that share it.
  private readonly waiting = new Map<RegExp, number[]>();
  // The rules that may find something anywhere.
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
      if (rule.hints instanceof RegExp && rule.hints.global) {
        this.waiting.set(rule.hints, [...(this.waiting.get(rule.hints) ?? []), number]);
      } else if (rule.hints === undefined || rule.hints instanceof RegExp) others.push(number);
      else hints.set(number, rule.hints);
    });
    this.index = new HintIndex(hints);
    this.others = others;
  }

  redact(text: string): RedactionResult {
    const seen = this.seen(text);
    const hits = this.hitsIn(seen.text);
    const found = this.find(seen, hits);
    return found.length === 0 ? unchanged(text) : this.redactSpans(text, seen, found, hits);
  }

  /** As {@link redact}, of `value` only, which stands after `head` and of which `extra` spans are known already. */
  redactAfter(head: string, value: string, extra: readonly NamedSpan[]): RedactionResult {
    const whole = this.seen(head + value);
    const placed = this.find(whole, this.hitsIn(whole.text)).flatMap((span) => {
      const start = Math.max(0, span.start - head.length);
      const end = span.end - head.length;
      return end > start ? [{ ...span, start, end }] : [];
    });
    if (placed.length === 0 && extra.length === 0) return unchanged(value);
    const seen = this.seen(value);
    const known = extra.flatMap((span) => trimmed(this.blinded(value), span));
    const spans = resolveSpans([...placed, ...known]);
    return spans.length === 0 ? unchanged(value) : this.redactSpans(value, seen, spans, this.hitsIn(seen.text));
  }

  private redactSpans(text: string, seen: SeenText, found: readonly NamedSpan[], hits: Hits): RedactionResult {
    let spans = found;
    let matches = spans.map(matchOf);
    let redactedContent = applyMatches(text, matches);
    let changed = markersOf(matches);
    for (let pass = 1; pass < MAX_PASSES; pass++) {
      const masked = this.seenMasked(redactedContent, seen, matches);
      // Masking brings no new hint about, so that none has to be sought again.
      const left = masked.exact ? onMasked(hits, matches) : this.hitsIn(masked.text);
      const more = this.findAround(masked, changed, left);
      if (more.length === 0) break;
      const before = matches;
      spans = resolveSpans([...spans, ...onOriginal(more, matches)]);
      matches = spans.map(matchOf);
      redactedContent = applyMatches(text, matches);
      changed = markersOf(matches, before);
    }
    return { redactedContent, matches, modified: true };
  }

  private hitsIn(text: string): Hits {
    const hits = new Map<number, readonly number[]>(this.index.scan(text));
    for (const [pattern, numbers] of this.waiting) {
      const places = placesOf(pattern, text);
      if (places.length > 0) for (const number of numbers) hits.set(number, places);
    }
    return hits;
  }

  private find({ text, exact, unfolded }: SeenText, hits: Hits): readonly NamedSpan[] {
    const found: NamedSpan[] = [];
    for (const [number, places] of hits) this.ask(number, text, places, found);
    for (const number of this.others) this.askAbout(number, text, 0, found);
    return found.length === 0 ? found : resolveSpans(exact ? found : found.map(unfolded));
  }

  // What a change may bring to light is on its line or on one that is next to it, but for rules that look further: those
  // are asked about the whole again.
  private findAround(
    { given, text, exact, unfolded }: SeenText,
    changed: readonly Span[],
    hits: Hits,
  ): readonly NamedSpan[] {
    const around = exact ? linesAround(given, changed) : [{ start: 0, end: text.length }];
    const found: NamedSpan[] = [];
    for (const [number, places] of hits) {
      const near = looksFurther(this.rules[number] as RedactionRule) ? places : within(places, around);
      if (near.length > 0) this.ask(number, text, near, found);
    }
    for (const number of this.others) {
      for (const { start, end } of around) this.askAbout(number, text.slice(start, end), start, found);
    }
    return exact ? found : found.map(unfolded);
  }

  private askAbout(number: number, text: string, offset: number, found: NamedSpan[]): void {
    const rule = this.rules[number] as RedactionRule;
    if (rule.hints instanceof RegExp && text.search(rule.hints) < 0) return;
    for (const span of rule.find(text)) addTo(found, rule, text, span, offset);
  }

  private ask(number: number, text: string, places: readonly number[], found: NamedSpan[]): void {
    const rule = this.rules[number] as RedactionRule;
    if (rule.findAt !== undefined) {
      let from = 0;
      for (const place of places) {
        if (place < from) continue;
        const match = rule.findAt(text, place);
        from = match?.end ?? from;
        if (match?.span !== undefined) addTo(found, rule, text, match.span, 0);
      }
    } else if (rule.withinLines === true) {
      for (const { start, end } of linesFrom(text, places)) {
        const lines = text.slice(start, end);
        for (const span of rule.find(lines)) addTo(found, rule, lines, span, start);
      }
    } else {
      for (const span of rule.find(text, places)) addTo(found, rule, text, span, 0);
    }
  }

  // Markers are hidden from rules, and characters that mean the same are written the same.
  private seen(text: string): SeenText {
    const folded = foldText(this.blinded(text));
    return { ...folded, given: text, exact: folded.text.length === text.length };
  }

  // The masked text as rules see it: what was seen before, with the new markers hidden too.
  private seenMasked(masked: string, seen: SeenText, matches: readonly RedactionMatch[]): SeenText {
    if (!seen.exact) return this.seen(masked);
    const hidden = matches.map((match) => ({ ...match, replacement: MARKER_FILLER.repeat(match.replacement.length) }));
    return { text: applyMatches(seen.text, hidden), given: masked, exact: true, unfolded: (span) => span };
  }

  private blinded(text: string): string {
    if (!text.includes('[REDACTED:')) return text;
    return text.replace(REDACTION_MARKER, (marker, category: string) =>
      this.categories.has(category) ? MARKER_FILLER.repeat(marker.length) : marker,
    );
  }
}

const looksFurther = (rule: RedactionRule): boolean => rule.findAt === undefined && rule.withinLines !== true;

function addTo(found: NamedSpan[], rule: RedactionRule, text: string, span: Span, offset: number): void {
  const { category, specificity } = rule;
  for (const { start, end } of trimmed(text, span)) {
    found.push({ start: start + offset, end: end + offset, category, specificity });
  }
}

// The places, in order, that are in one of the spans, which are in order too.
function within(places: readonly number[], spans: readonly Span[]): readonly number[] {
  let next = 0;
  return places.filter((place) => {
    while ((spans[next]?.end ?? Infinity) <= place) next++;
    return (spans[next]?.start ?? Infinity) <= place;
  });
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

// Where the hints stand in the masked text. What was masked holds none any more.
function onMasked(hits: Hits, matches: readonly RedactionMatch[]): Hits {
  return new Map([...hits].map(([number, places]) => [number, moved(places, matches)]));
}

function moved(places: readonly number[], matches: readonly RedactionMatch[]): readonly number[] {
  const left: number[] = [];
  let next = 0;
  let shift = 0;
  for (const place of places) {
    for (let match = matches[next]; match !== undefined && match.end <= place; match = matches[++next]) {
      shift += match.replacement.length - (match.end - match.start);
    }
    if ((matches[next]?.start ?? Infinity) > place) left.push(place + shift);
  }
  return left;
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
