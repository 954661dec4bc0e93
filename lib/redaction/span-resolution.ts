import { SPECIFICITY, type Span } from './redaction-rule.js';

/** A span with what its rule says of it. */
export interface NamedSpan extends Span {
  readonly category: string;
  readonly specificity: number;
}

/**
 * Spans in order, none overlapping. Where secrets overlap, all of what they cover is masked, under the most specific
 * one's name. A contact or an address that overlaps a secret gives way, so that the host behind a password in a URL
 * stays.
 */
export function resolveSpans(spans: readonly NamedSpan[]): readonly NamedSpan[] {
  const secrets = united(spans.filter((span) => span.specificity >= SPECIFICITY.IDENTITY));
  const contacts = united(spans.filter((span) => span.specificity < SPECIFICITY.IDENTITY));
  if (contacts.length === 0 || secrets.length === 0) return secrets.length === 0 ? contacts : secrets;
  let at = 0;
  const apart = contacts.filter((contact) => {
    while ((secrets[at]?.end ?? Infinity) <= contact.start) at++;
    return (secrets[at]?.start ?? Infinity) >= contact.end;
  });
  return [...secrets, ...apart].sort((a, b) => a.start - b.start);
}

function united(spans: readonly NamedSpan[]): readonly NamedSpan[] {
  const result: NamedSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) {
      result.push(span);
      continue;
    }
    const named = span.specificity > last.specificity ? span : last;
    result[result.length - 1] = { ...named, start: last.start, end: Math.max(last.end, span.end) };
  }
  return result;
}
