import type { DerivationContext } from '../../ports/deriver.js';
import type { MemoryHit, MemorySearcher } from '../../spi/search.js';
import { isSmallTalk } from './small-talk.js';
import { spokenMessages, type SpokenMessage } from './spoken-messages.js';

/** How many facts that are known are shown to a model, and how much of a batch they are searched by, in UTF-16 units. */
const MOST_KNOWN = 20;
const LONGEST_QUERY = 4000;
/** How much of what is known is shown also beside a few words, in UTF-16 units. */
const FEWEST_KNOWN = 1000;

/** What people said in a batch; none where all of it is small talk, for which no model need be asked. */
export function statementsOf(context: DerivationContext, agentNames: ReadonlySet<string>): readonly SpokenMessage[] {
  const spoken = spokenMessages(context.messages, agentNames);
  return spoken.every(({ text }) => isSmallTalk(text)) ? [] : spoken;
}

/**
 * What is known about the subject and may be said once more in these statements, the most likely first; no more of it than was
 * said, or {@link FEWEST_KNOWN} characters: what is known must not crowd out what was said.
 */
export async function knownFor(
  { subject, observer, signal }: DerivationContext,
  statements: readonly SpokenMessage[],
  searcher: MemorySearcher | undefined,
): Promise<readonly MemoryHit[]> {
  if (searcher === undefined) return [];
  const query = statements
    .map(({ text }) => text)
    .join('\n')
    .slice(0, LONGEST_QUERY);
  const hits = await searcher.search({ subject, observer, query, topK: MOST_KNOWN, signal });
  let left = Math.max(
    FEWEST_KNOWN,
    statements.reduce((sum, { text }) => sum + text.length, 0),
  );
  // Whole or not at all: what is told again is found by its words.
  return hits.filter(({ observation: { content } }) => {
    const fits = content.length <= left;
    if (fits) left -= content.length;
    return fits;
  });
}
