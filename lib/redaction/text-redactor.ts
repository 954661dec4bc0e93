import { applyMatches, mergeMatches } from './match-application.js';
import type { PolicyCaller } from './policy-caller.js';
import { findPrivateKeyBlocks, type PrivateKeyBlock } from './private-key-blocks.js';
import type { RedactionBudget } from './redaction-budget.js';
import type { RedactionMatch, RedactionResult } from './redaction-policy.js';
import { findSecretTables, type SecretTable } from './secret-tables.js';
import { CARRY_UNITS, POLICY_UNITS, sliceText, wholeCharacter, type TextSlice } from './text-slices.js';

const LONG_MATCH_CONTEXT = 256;

/**
 * Masks a text of any length with a policy that takes 64 KiB (65 536 UTF-16 units) at a time. Longer text is cut into
 * slices that overlap by 16 KiB, at line ends where there are any. A private key that is open at a cut is given its
 * frame again on the other side, a table with a column of secrets its header, and so is any match that runs on past a
 * whole slice. Linear in the text.
 */
export class TextRedactor {
  constructor(private readonly caller: PolicyCaller) {}

  /** `text` masked; the matches index `text`. @throws RedactionError, or the signal's reason */
  async redact(text: string, budget: RedactionBudget): Promise<RedactionResult> {
    if (budget.due) await budget.pause();
    if (text.length <= POLICY_UNITS) {
      budget.spend(text.length);
      return this.caller.redact(text);
    }
    const matches = mergeMatches(await this.redactSlices(text, budget));
    return { redactedContent: applyMatches(text, matches), matches, modified: matches.length > 0 };
  }

  private async redactSlices(text: string, budget: RedactionBudget): Promise<RedactionMatch[]> {
    const blocks = new OpenBlocks(findPrivateKeyBlocks(text));
    const tables = new OpenTables(findSecretTables(text));
    const found: RedactionMatch[] = [];
    let origin: number | undefined;
    for (const slice of sliceText(text)) {
      if (budget.due) await budget.pause();
      budget.spend(POLICY_UNITS);
      const block = blocks.at(slice.start);
      const head =
        block !== undefined
          ? `-----BEGIN ${block.label}-----\n`
          : tables.headerAt(slice.start, text) || contextOf(text, origin, slice);
      const cut = slice.end < text.length ? blocks.at(slice.end) : undefined;
      const tail = cut !== undefined ? `\n-----END ${cut.label}-----` : '';
      const { matches } = this.caller.redact(head + text.slice(slice.start, slice.end) + tail);
      const inText = matches.flatMap((match) => placed(match, slice, head.length));
      found.push(...inText.filter((match) => match.end > slice.decidesFrom && match.start < slice.decidesTo));
      const last = inText.at(-1);
      const runsOn = last !== undefined && text.slice(last.end, slice.end).trim() === '';
      const goesOn = runsOn && head !== '' && last.start === slice.start;
      origin = !runsOn ? undefined : goesOn ? (origin ?? last.start) : last.start;
    }
    return found;
  }
}

// What comes before a slice in which a match that began before it may go on: its beginning and what led to it.
function contextOf(text: string, origin: number | undefined, slice: TextSlice): string {
  if (origin === undefined || origin >= slice.start) return '';
  const from = wholeCharacter(text, Math.max(0, origin - LONG_MATCH_CONTEXT));
  const to = wholeCharacter(text, Math.min(slice.start, origin + LONG_MATCH_CONTEXT));
  return text.slice(from, to).slice(0, CARRY_UNITS);
}

function placed(match: RedactionMatch, slice: TextSlice, headLength: number): RedactionMatch[] {
  const start = Math.max(slice.start, match.start - headLength + slice.start);
  const end = Math.min(slice.end, match.end - headLength + slice.start);
  return end > start ? [{ ...match, start, end }] : [];
}

/** Which private key's body a place is inside of; places must be asked about in ascending order, with one step back. */
class OpenBlocks {
  private index = 0;

  constructor(private readonly blocks: readonly PrivateKeyBlock[]) {}

  at(place: number): PrivateKeyBlock | undefined {
    while (this.index > 0 && (this.blocks[this.index]?.start ?? Infinity) > place) this.index--;
    while ((this.blocks[this.index]?.bodyEnd ?? Infinity) <= place) this.index++;
    const block = this.blocks[this.index];
    return block !== undefined && block.bodyStart <= place ? block : undefined;
  }
}

/** Which table's rows a place is inside of; places must be asked about in ascending order. */
class OpenTables {
  private index = 0;

  constructor(private readonly tables: readonly SecretTable[]) {}

  /** What the columns are called there; empty where no table is. */
  headerAt(place: number, text: string): string {
    while ((this.tables[this.index]?.end ?? Infinity) < place) this.index++;
    const table = this.tables[this.index];
    const open = table !== undefined && table.headerEnd < place && table.headerEnd - table.start < CARRY_UNITS;
    return open ? text.slice(table.start, table.headerEnd + 1) : '';
  }
}
