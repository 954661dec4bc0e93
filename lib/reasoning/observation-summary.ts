import type { ObservationType } from '../domain/observation-type.js';
import type { Observation } from '../domain/observation.js';
import { canonicalForm } from '../search-index/canonical-form.js';

/** The most statements in a summary: half of them the strongest, the rest the newest. */
export const MOST_STATEMENTS = 40;

/** Where a statement in a summary is cut, in UTF-16 units; the cut shows as `…`. */
export const LONGEST_STATEMENT = 400;

const HEADINGS: readonly (readonly [ObservationType, string])[] = [
  ['EXPLICIT', 'Said:'],
  ['DEDUCTIVE', 'Concluded:'],
  ['INDUCTIVE', 'Generalised:'],
  ['CONTRADICTION', 'In conflict:'],
];

/**
 * Which observations stand for all of them, without a language model: duplicates once, the strongest and the newest.
 * Deterministic. Best first: whoever has to shorten takes from the end, where the weakest and oldest are.
 */
export function selectForSummary(
  observations: readonly Observation[],
  most: number = MOST_STATEMENTS,
): readonly Observation[] {
  const distinct = withoutDuplicates(observations);
  const strongest = [...distinct].sort((a, b) => b.confidence - a.confidence || byTime(b, a));
  if (strongest.length <= most) return strongest;
  const chosen = new Set(strongest.slice(0, Math.ceil(most / 2)));
  for (const observation of [...distinct].sort((a, b) => byTime(b, a))) {
    if (chosen.size === most) break;
    chosen.add(observation);
  }
  return strongest.filter((observation) => chosen.has(observation));
}

/** How many observations a text does not hold, and whether there may be more still. */
export interface LeftOut {
  readonly count: number;
  readonly orMore: boolean;
}

/** The chosen observations as text, grouped by type, in the order in which they were said; and how many more there are. */
export function renderSummary(chosen: readonly Observation[], { count, orMore }: LeftOut): string {
  const groups = HEADINGS.flatMap(([type, heading]) => {
    const lines = chosen.filter((observation) => observation.type === type).sort(byTime);
    return lines.length === 0
      ? []
      : [[heading, ...lines.map((observation) => `- ${oneLine(observation.content)}`)].join('\n')];
  });
  if (count > 0) {
    const observations = count === 1 && !orMore ? 'observation is' : 'observations are';
    groups.push(`(${count}${orMore ? ' or' : ''} more ${observations} not shown here.)`);
  }
  return groups.join('\n');
}

/** Whether {@link oneLine} cuts a text. */
export function isCut(text: string): boolean {
  return text.length > LONGEST_STATEMENT && text.replace(/\s+/gu, ' ').trim().length > LONGEST_STATEMENT;
}

/** A text on one line, cut where it is long. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line.length <= LONGEST_STATEMENT) return line;
  // Not between the halves of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(line.charAt(LONGEST_STATEMENT - 2))
    ? LONGEST_STATEMENT - 2
    : LONGEST_STATEMENT - 1;
  return `${line.slice(0, end)}…`;
}

/** The first of those that say the same, by the rule that the writer uses. */
export function withoutDuplicates(observations: readonly Observation[]): readonly Observation[] {
  const seen = new Set<string>();
  return observations.filter((observation) => {
    const form = canonicalForm(observation);
    if (form === undefined) return true;
    if (seen.has(form)) return false;
    seen.add(form);
    return true;
  });
}

function byTime(a: Observation, b: Observation): number {
  const difference = saidAt(a) - saidAt(b);
  return difference !== 0 ? difference : a.id.localId < b.id.localId ? -1 : 1;
}

function saidAt(observation: Observation): number {
  return (observation.occurredAt ?? observation.createdAt).getTime();
}
