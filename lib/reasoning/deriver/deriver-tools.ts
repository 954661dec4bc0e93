import type { DerivationContext } from '../../ports/deriver.js';
import type { LlmTool, LlmToolCall } from '../../ports/llm-client.js';
import type { MemorySearcher } from '../../spi/search.js';
import { jsonValuesIn } from '../prompts/lenient-json.js';
import { quotedData } from '../prompts/quoted-data.js';
import { citedIn, idIn, mostFacts, readFact, repeated } from './derivation-answer.js';
import { knownRecord, type DerivationPrompt } from './derivation-prompt.js';
import type { DerivedFact } from './derived-fact.js';

/** How many facts one lookup shows. */
const MOST_FOUND = 10;
/** How often a model may look something up for one batch. */
const MOST_LOOKUPS = 20;
const LONGEST_QUERY = 1000;

/** The tools of a deriver that reasons in steps, by the names that they have among us; on the wire a dot is `_`. */
export const DERIVER_TOOL_NAMES = Object.freeze({
  /** Notes a new fact. */
  CREATE: 'deriver.observation.create',
  /** Looks up what is known. */
  SEARCH: 'deriver.memory.search',
  /** Says that messages tell a known fact once more. */
  LINK: 'deriver.message.link',
});

const onTheWire = (name: string): string => name.replaceAll('.', '_');
const CREATE = onTheWire(DERIVER_TOOL_NAMES.CREATE);
const SEARCH = onTheWire(DERIVER_TOOL_NAMES.SEARCH);
const LINK = onTheWire(DERIVER_TOOL_NAMES.LINK);

const SOURCES = {
  type: 'array',
  items: { type: 'string' },
  description: 'Ids of statements, such as m1; at least one.',
};

/**
 * What a model does with the tools, for one batch. Nothing is recorded here: what was found is, once the model is done, so
 * that a service which fails halfway leaves nothing behind that would be written a second time in other words.
 */
export class DeriverTools {
  /** What the model has found so far. */
  readonly facts: DerivedFact[] = [];
  readonly #asked = new Set<string>();

  constructor(
    private readonly context: DerivationContext,
    private readonly prompt: DerivationPrompt,
    private readonly searcher: MemorySearcher | undefined,
  ) {}

  /** What the model may call; without somewhere to look no lookup. */
  get offered(): readonly LlmTool[] {
    return this.searcher === undefined ? [CREATE_TOOL, LINK_TOOL] : [CREATE_TOOL, LINK_TOOL, SEARCH_TOOL];
  }

  /** Does one call. The answer is for the model, also where the call cannot be done; rejects when the memory fails. */
  async call({ name, argumentsJson }: LlmToolCall): Promise<string> {
    if (!this.offered.some((tool) => tool.name === name)) {
      return `There is no tool of that name. There are ${this.offered.map((tool) => tool.name).join(', ')}.`;
    }
    const [given] = [...jsonValuesIn(argumentsJson)];
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return 'The arguments were no JSON object; call the tool again with one.';
    const input = given as Readonly<Record<string, unknown>>;
    if (name !== SEARCH && this.facts.length >= mostFacts(this.prompt))
      return 'Enough was noted of these messages; answer DONE.';
    if (name === SEARCH) return this.#search(input['query']);
    return name === LINK ? this.#link(input) : this.#create(input);
  }

  #create(input: Readonly<Record<string, unknown>>): string {
    const read = readFact(input, this.prompt);
    if ('fault' in read) return read.fault;
    this.facts.push(read.fact);
    return 'Noted.';
  }

  #link({ observation, sources }: Readonly<Record<string, unknown>>): string {
    const known = typeof observation === 'string' ? this.prompt.known.get(idIn(observation)) : undefined;
    if (known === undefined) return 'No known fact has that id; the ids stand in <known>, such as k1.';
    const cited = citedIn(sources, this.prompt);
    if (cited.length === 0) return 'None of the sources is a statement; their ids stand in <messages>, such as m1.';
    this.facts.push(repeated(known, undefined, cited));
    return 'Linked.';
  }

  async #search(query: unknown): Promise<string> {
    if (typeof query !== 'string' || query.trim() === '') return 'The "query" was empty; give the words to look for.';
    const words = query.trim().slice(0, LONGEST_QUERY);
    if (this.#asked.has(words)) return 'That was looked up already; see above.';
    if (this.#asked.size >= MOST_LOOKUPS)
      return 'Enough was looked up for these messages; note what is new, or answer DONE.';
    this.#asked.add(words);
    const { subject, observer, signal } = this.context;
    const hits = (await this.searcher?.search({ subject, observer, query: words, topK: MOST_FOUND, signal })) ?? [];
    const { known } = this.prompt;
    const records = hits.map(({ observation }) => {
      const seen = [...known].find(([, one]) => one.id.equals(observation.id))?.[0];
      const id = seen ?? `k${known.size + 1}`;
      if (seen === undefined) known.set(id, observation);
      return knownRecord(id, observation);
    });
    return quotedData('known', records);
  }
}

const CREATE_TOOL: LlmTool = {
  name: CREATE,
  description: 'Notes one new fact. Call it once for each fact; several calls at once are fine.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['content', 'type', 'sources'],
    properties: {
      content: { type: 'string', description: 'The fact, one sentence.' },
      type: { type: 'string', enum: ['EXPLICIT', 'DEDUCTIVE'] },
      sources: SOURCES,
    },
  },
};

const LINK_TOOL: LlmTool = {
  name: LINK,
  description:
    'Says that statements tell a known fact once more, which makes it stronger. Use it instead of noting the fact again.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['observation', 'sources'],
    properties: {
      observation: { type: 'string', description: 'The id of a known fact, such as k1.' },
      sources: SOURCES,
    },
  },
};

const SEARCH_TOOL: LlmTool = {
  name: SEARCH,
  description: 'Looks up what is known already, by words. Use it before you note something that may be known.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['query'],
    properties: { query: { type: 'string', description: 'Words of the fact.' } },
  },
};
