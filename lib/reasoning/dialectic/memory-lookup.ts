import type { LlmTool } from '../../ports/llm-client.js';
import type { NormalisedDialecticQuery } from '../../spi/chat.js';
import type { MemoryHit, MemorySearcher } from '../../spi/search.js';
import { ALREADY_ASKED, countIn, type LookupTool } from './lookup-tool.js';
import type { ShownObservations } from './shown-observations.js';

const MOST_HITS = 50;

/** The tool `memory_search`, and the search for the question itself that comes before the model is asked. */
export class MemoryLookup implements LookupTool {
  readonly definition: LlmTool;
  // The greatest number of hits that each text was looked up with.
  readonly #asked = new Map<string, number>();
  readonly #ofSession = new Set<string>();

  constructor(
    private readonly searcher: MemorySearcher,
    private readonly query: NormalisedDialecticQuery,
    private readonly shown: ShownObservations,
    private readonly usualHits: number,
  ) {
    this.definition = {
      name: 'memory_search',
      description:
        'Looks up what is remembered about the peer in <about>, most relevant first. Use words that the answer itself may hold, in the language of what is remembered.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'What to look for, in a few words or a sentence.' },
          top_k: {
            type: 'integer',
            description: `How many observations at most; default ${usualHits}.`,
            minimum: 1,
            maximum: MOST_HITS,
          },
        },
        required: ['query'],
        additionalProperties: false,
      },
    };
  }

  /** What is found for the question, as a block. Where a search can be narrowed, half of it may be the session's own. */
  async prefetch(): Promise<string> {
    const { question, sessionId } = this.query;
    const narrows = sessionId !== undefined && this.searcher.narrowsBySession;
    const [ofSession, ofAll] = await Promise.all([
      narrows ? this.#search(question, Math.ceil(this.usualHits / 2), sessionId) : [],
      this.#search(question, this.usualHits),
    ]);
    for (const { observation } of ofSession) this.#ofSession.add(observation.id.toString());
    const byId = new Map([...ofSession, ...ofAll].map((hit) => [hit.observation.id.toString(), hit]));
    return this.#block([...byId.values()].slice(0, this.usualHits));
  }

  async call({ query, top_k }: Readonly<Record<string, unknown>>): Promise<string> {
    if (typeof query !== 'string' || query.trim() === '') {
      return 'Nothing was looked up: query has to be a text that is not blank. Call memory_search again with {"query": "..."}.';
    }
    const topK = countIn(top_k, { fallback: this.usualHits, most: MOST_HITS });
    if (topK === undefined) {
      return `Nothing was looked up: top_k has to be a whole number from 1 to ${MOST_HITS}, or be left out. Call memory_search again.`;
    }
    if (topK <= (this.#asked.get(asAsked(query)) ?? 0)) return ALREADY_ASKED;
    return this.#block(await this.#search(query, topK));
  }

  async #search(text: string, topK: number, sessionId?: string): Promise<readonly MemoryHit[]> {
    const { subject, observer, signal } = this.query;
    const hits = await this.searcher.search({ subject, observer, query: text, topK, sessionId, signal });
    // Only what was answered: a search that failed may be tried again.
    if (sessionId === undefined) this.#asked.set(asAsked(text), topK);
    return hits;
  }

  #block(hits: readonly MemoryHit[]): string {
    const preferred = hits.filter((hit) => this.#isOfSession(hit));
    const others = hits.filter((hit) => !this.#isOfSession(hit));
    return this.shown.block({ preferred, others });
  }

  #isOfSession({ observation }: MemoryHit): boolean {
    const { sessionId } = this.query;
    if (sessionId === undefined) return false;
    return observation.sessionId === sessionId || this.#ofSession.has(observation.id.toString());
  }
}

const asAsked = (query: string): string => query.trim().replace(/\s+/gu, ' ');
