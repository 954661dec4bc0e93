import type { Observation } from '../../domain/observation.js';
import type { ObservationType } from '../../domain/observation-type.js';
import type { LlmResponseSchema } from '../../ports/llm-client.js';
import { jsonValuesIn } from '../prompts/lenient-json.js';
import type { DerivationPrompt } from './derivation-prompt.js';
import type { DerivedFact } from './derived-fact.js';
import type { SpokenMessage } from './spoken-messages.js';

/** The longest fact, in UTF-16 units: it is a sentence. */
const LONGEST_FACT = 2000;
/** How many facts one statement may give: a model that repeats itself without end gives more. */
const MOST_FACTS_PER_STATEMENT = 20;

/** How many facts a batch may give. */
export const mostFacts = ({ statements }: DerivationPrompt): number => MOST_FACTS_PER_STATEMENT * statements.size;

/** What a model is to answer. */
export const DERIVATION_SCHEMA: LlmResponseSchema = {
  name: 'observations',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['observations'],
    properties: {
      observations: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['content', 'type', 'sources', 'repeats'],
          properties: {
            content: { type: 'string', description: 'The fact, one sentence; empty when it repeats a known one.' },
            type: { type: 'string', enum: ['EXPLICIT', 'DEDUCTIVE'] },
            sources: { type: 'array', items: { type: 'string' }, description: 'Ids of statements, such as m1.' },
            repeats: {
              type: ['string', 'null'],
              description: 'The id of the known fact that is said once more, such as k1; null for a new one.',
            },
          },
        },
      },
    },
  },
};

/** What a model's answer holds: facts, perhaps none, and what is wrong with it for the model to mend. */
export interface DerivationAnswer {
  readonly facts: readonly DerivedFact[];
  /** Absent: nothing is. With facts beside it, those can be used as they are. */
  readonly fault?: string;
}

/**
 * Reads an answer. Forgiven are prose and fences around the JSON, commas too many, a list or one object instead of the
 * object that was asked for, `null` for nothing, a type in whatever case, an id without its list. A type that is not known
 * is taken for the weaker one.
 */
export function readDerivationAnswer(text: string, prompt: DerivationPrompt): DerivationAnswer {
  for (const value of jsonValuesIn(text)) {
    const items = itemsOf(value);
    if (items !== undefined) return readItems(items, prompt);
  }
  const fault =
    text.trim() === ''
      ? 'The answer was empty. Where there is nothing to remember, answer {"observations":[]}.'
      : 'The answer held no JSON object with "observations". Answer with that object alone.';
  return { facts: [], fault };
}

/** Reads one fact, as an object or a text. The fault is a sentence for the model. */
export function readFact(
  item: unknown,
  prompt: DerivationPrompt,
): { readonly fact: DerivedFact } | { readonly fault: string } {
  const {
    content: given,
    fact,
    text,
    type,
    sources,
    source,
    repeats,
  } = isObject(item) ? item : ({ content: item } as Readonly<Record<string, unknown>>);
  const known = typeof repeats === 'string' ? prompt.known.get(idIn(repeats)) : undefined;
  const content = [given, fact, text].find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined;
  const cited = citedIn(sources ?? source, prompt);
  const statements = [...prompt.statements.values()];
  // With one statement there is nothing to choose from.
  const rests = cited.length === 0 && statements.length === 1 ? statements : cited;
  if (known === undefined && content === undefined) return { fault: 'An observation had no "content".' };
  if (content !== undefined && content.length > LONGEST_FACT)
    return { fault: 'An observation was no sentence but a long text; write one sentence for each fact.' };
  if (rests.length === 0) {
    const ids = [...prompt.statements.keys()];
    return { fault: `An observation had no "sources"; the statements are ${ids.slice(0, 50).join(', ')}.` };
  }
  return known === undefined
    ? { fact: { content: (content as string).trim(), type: typeOf(type), sources: rests } }
    : { fact: repeated(known, type, rests) };
}

/** A known fact that was said once more; said outright, it is no conclusion any more. */
export function repeated(known: Observation, type: unknown, sources: readonly SpokenMessage[]): DerivedFact {
  const said = type !== undefined && typeOf(type) === 'EXPLICIT';
  return { content: known.content, type: said ? 'EXPLICIT' : known.type, sources, repeats: known };
}

/** The statements that ids name; others are left out. */
export function citedIn(given: unknown, { statements }: DerivationPrompt): readonly SpokenMessage[] {
  const ids = Array.isArray(given) ? (given as readonly unknown[]) : [given];
  const named = ids.flatMap((id) =>
    typeof id === 'string' ? id.split(',') : typeof id === 'number' ? [`m${id}`] : [],
  );
  return [...new Set(named.map(idIn))].flatMap((id) => statements.get(id) ?? []);
}

/** An id as it is known: models put what they cite in brackets or capitals now and then. */
export const idIn = (text: string): string =>
  text
    .trim()
    .replace(/^[["'(]+|[\]"')]+$/g, '')
    .toLowerCase();

const typeOf = (given: unknown): ObservationType =>
  typeof given === 'string' && given.trim().toUpperCase() === 'EXPLICIT' ? 'EXPLICIT' : 'DEDUCTIVE';

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (value === null) return [];
  // A list of numbers is a citation in the prose and no answer.
  if (Array.isArray(value))
    return value.every((item) => isObject(item) || typeof item === 'string') ? value : undefined;
  if (!isObject(value)) return undefined;
  const key = Object.keys(value).find((name) => /^(?:observations|facts)$/i.test(name));
  if (key !== undefined) {
    const inner = value[key];
    if (inner === null) return [];
    return Array.isArray(inner) ? inner : isObject(inner) ? [inner] : undefined;
  }
  return ['content', 'fact', 'text', 'repeats'].some((name) => name in value) ? [value] : undefined;
}

function readItems(items: readonly unknown[], prompt: DerivationPrompt): DerivationAnswer {
  const facts: DerivedFact[] = [];
  const faults = new Set<string>();
  for (const item of items) {
    const read = readFact(item, prompt);
    if (!('fact' in read)) faults.add(read.fault);
    else if (facts.length < mostFacts(prompt)) facts.push(read.fact);
    else faults.add(`There were more than ${mostFacts(prompt)} observations; write only what matters, each once.`);
  }
  return faults.size === 0 ? { facts } : { facts, fault: [...faults].join(' ') };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
