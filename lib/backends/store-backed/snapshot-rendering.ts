import type { Observation } from '../../domain/observation.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import { isCut, oneLine, renderSummary, type LeftOut } from '../../reasoning/observation-summary.js';
import { splitSentences } from '../../reasoning/sentences.js';

/** What a snapshot is made of. */
export interface SnapshotIngredients {
  /** A stored summary; empty where there is none. */
  readonly summary: string;
  /** The observations that stand for what no stored summary holds, best first. */
  readonly statements: readonly Observation[];
  /** How many observations neither holds. */
  readonly leftOut: LeftOut;
  /** Those to list singly, best first; empty unless the mode is FULL. */
  readonly others: readonly Observation[];
  /** 0: no limit. */
  readonly maxTokens: number;
  readonly tokenCounter: TokenCounter;
}

export interface RenderedSnapshot {
  readonly text: string;
  readonly tokenCount: number;
  /** Whether anything was left out or shortened. */
  readonly truncated: boolean;
  /** Those that the text shows or the mode lists. */
  readonly observations: readonly Observation[];
}

/**
 * Puts a snapshot into words. Over the budget the single observations go first, then the statements, the weakest and
 * oldest of each before the others; a stored summary stays whole, unless it alone is too long: then it ends at a sentence.
 */
export function renderSnapshot(ingredients: SnapshotIngredients): RenderedSnapshot {
  const { summary, statements, leftOut, maxTokens, tokenCounter } = ingredients;
  const shown = new Set(statements);
  // A statement stands in the text already; listing it again would spend the budget twice.
  const others = ingredients.others.filter((one) => !shown.has(one));
  const measure = (text: string): number => tokenCounter.count(text);
  const render = (keptStatements: number, keptOthers: number): string =>
    [
      summary,
      renderSummary(statements.slice(0, keptStatements), {
        ...leftOut,
        count: leftOut.count + statements.length - keptStatements,
      }),
      keptOthers === 0 ? '' : ['Observations:', ...others.slice(0, keptOthers).map(line)].join('\n'),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  const result = (text: string, keptStatements: number, keptOthers: number, truncated: boolean): RenderedSnapshot => ({
    text,
    tokenCount: measure(text),
    truncated,
    observations: Object.freeze([...statements.slice(0, keptStatements), ...others.slice(0, keptOthers)]),
  });

  const fits = (text: string): boolean => maxTokens === 0 || measure(text) <= maxTokens;
  const whole = render(statements.length, others.length);
  const less = leftOut.count > 0 || [...statements, ...others].some(({ content }) => isCut(content));
  if (fits(whole)) return result(whole, statements.length, others.length, less);
  const keptOthers = mostThat((kept) => fits(render(statements.length, kept)), others.length);
  if (keptOthers !== undefined)
    return result(render(statements.length, keptOthers), statements.length, keptOthers, true);
  const keptStatements = mostThat((kept) => fits(render(kept, 0)), statements.length);
  if (keptStatements !== undefined && (keptStatements > 0 || summary !== '')) {
    return result(render(keptStatements, 0), keptStatements, 0, true);
  }
  if (summary !== '') return result(fits(summary) ? summary : shortened(summary, fits), 0, 0, true);
  // Something is known, and a memory that was written to never reads as empty.
  return result(cut(statements[0]?.content ?? '', fits), 0, 0, true);
}

/** The greatest number up to `most` that passes, found by halving; the test passes for every smaller number too. */
function mostThat(passes: (kept: number) => boolean, most: number): number | undefined {
  if (!passes(0)) return undefined;
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function shortened(summary: string, fits: (text: string) => boolean): string {
  const sentences = splitSentences(summary);
  const kept = mostThat((count) => fits(sentences.slice(0, count).join('').trimEnd()), sentences.length) ?? 0;
  return kept === 0 ? cut(summary, fits) : sentences.slice(0, kept).join('').trimEnd();
}

/** As many characters of a text as fit, where not even its first sentence does. */
function cut(text: string, fits: (text: string) => boolean): string {
  const characters = [...oneLine(text)];
  const upTo = (count: number): string => `${characters.slice(0, count).join('').trimEnd()}…`;
  return upTo(mostThat((count) => fits(upTo(count)), characters.length) ?? 0);
}

function line(observation: Observation): string {
  const told = observation.corroborations > 0 ? `, told ${observation.corroborations + 1} times` : '';
  return `- ${oneLine(observation.content)} (confidence ${observation.confidence.toFixed(2)}${told})`;
}
