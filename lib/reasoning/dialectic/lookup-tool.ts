import type { LlmTool } from '../../ports/llm-client.js';

/** Something that the model can look up while it thinks about an answer. */
export interface LookupTool {
  /** What the model is told of it. */
  readonly definition: LlmTool;

  /** The result for the model: our own words, which do not vary with data, and data in blocks. @throws what the lookup throws */
  call(input: Readonly<Record<string, unknown>>): Promise<string>;
}

/** The result of a call that was answered before. */
export const ALREADY_ASKED =
  'This was asked already, and what came of it stands above. Ask for something else or with other words, or answer now.';

/** A whole number from 1 on that a model gave, at most `most`; `fallback` where it gave none, `undefined` where it is no number. */
export function countIn(value: unknown, { fallback, most }: { fallback: number; most: number }): number | undefined {
  if (value === undefined || value === null) return fallback;
  return typeof value === 'number' && value >= 1 ? Math.min(Math.floor(value), most) : undefined;
}
