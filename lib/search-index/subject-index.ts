import type { ObservationId } from '../domain/observation-id.js';
import type { Observation } from '../domain/observation.js';
import { spokenText, STATEMENT_METADATA } from '../domain/statement.js';
import type { IndexHit } from '../ports/observation-index.js';
import { matchTerms, type LexicalMatch } from './lexical-match.js';
import type { MatchScratch } from './match-scratch.js';
import { dateCloseness, namedDates } from './named-dates.js';
import { Postings } from './postings.js';
import { queryTerms, type QueryTerms } from './query-terms.js';
import { rank, type Signal } from './rank.js';
import { NO_NEIGHBOUR } from './session-order.js';
import { Sessions } from './sessions.js';
import { NO_SPEAKER, Speakers } from './speakers.js';
import { tokenise } from './tokeniser.js';

/** What is kept of a fact besides its postings. */
interface Fact {
  readonly id: ObservationId;
  readonly firstPosting: number;
  readonly speaker: number;
  /** Milliseconds. */
  readonly createdAt: number;
  /** When it was said, or recorded where that is not known; milliseconds. */
  readonly saidAt: number;
  /** The first message that it rests on. */
  readonly source: string;
}

/** The facts about one subject, searchable. Everything in it depends on the facts alone, not on how they came in. */
export class SubjectIndex {
  readonly #numbers = new Map<string, number>();
  readonly #facts: (Fact | undefined)[] = [];
  readonly #lengths: number[] = [];
  readonly #sessionOf: number[] = [];
  readonly #free: number[] = [];
  readonly #postings = new Postings();
  readonly #speakers = new Speakers();
  readonly #sessions = new Sessions((a, b) => inOrderOfSaying(this.#fact(a), this.#fact(b)));
  readonly #scratch: MatchScratch;
  #tokens = 0;

  /** `scratch` may be shared with other subjects. */
  constructor(scratch: MatchScratch) {
    this.#scratch = scratch;
  }

  /** How many facts it holds. */
  get size(): number {
    return this.#numbers.size;
  }

  /** The local ids of its facts. */
  localIds(): Iterable<string> {
    return this.#numbers.keys();
  }

  /** Adds a fact, in the place of an earlier one of the same id. O(tokens). */
  add(observation: Observation): void {
    const { id, metadata, sessionId, sourceMessageIds, createdAt, occurredAt = createdAt } = observation;
    this.delete(id.localId);
    const name = metadata[STATEMENT_METADATA.SPEAKER];
    // The speaker's name belongs to what a fact is found by: without it recall@10 on LoCoMo is 1.7 points less. The time
    // in the front does not: tokenised too, it changes nothing.
    const tokens = tokenise(name === undefined ? spokenText(observation) : `${name}\n${spokenText(observation)}`);
    const frequencies = new Map<string, number>();
    for (const { term } of tokens) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    const number = this.#free.pop() ?? this.#facts.length;
    this.#facts[number] = {
      id,
      firstPosting: this.#postings.add(number, frequencies),
      speaker: name === undefined ? NO_SPEAKER : this.#speakers.add(name),
      createdAt: createdAt.getTime(),
      saidAt: occurredAt.getTime(),
      source: sourceMessageIds[0] ?? '',
    };
    this.#lengths[number] = tokens.length;
    this.#tokens += tokens.length;
    this.#numbers.set(id.localId, number);
    this.#sessionOf[number] = this.#sessions.add(number, sessionId);
  }

  /** Forgets a fact, where it has it. O(tokens). */
  delete(localId: string): void {
    const number = this.#numbers.get(localId);
    if (number === undefined) return;
    const fact = this.#fact(number);
    this.#sessions.remove(number, this.#sessionOf[number] as number);
    this.#postings.remove(fact.firstPosting);
    this.#speakers.remove(fact.speaker);
    this.#tokens -= this.#lengths[number] as number;
    this.#facts[number] = undefined;
    this.#numbers.delete(localId);
    this.#free.push(number);
  }

  /** The facts that match, best first; of the same score the newer first, then by id. */
  search(query: string, options: { readonly topK: number; readonly sessionId?: string }): readonly IndexHit[] {
    const terms = queryTerms(query);
    const onlySession = options.sessionId === undefined ? undefined : this.#sessions.numberOf(options.sessionId);
    if (terms.weights.size === 0 || (options.sessionId !== undefined && onlySession === undefined)) return [];
    const match = this.#match(terms, onlySession);
    try {
      const ranked = rank({
        candidates: match.candidates,
        signals: this.#signals({ query, terms, match, onlySession }),
        topK: options.topK,
        compareTies: (a, b) => newerFirst(this.#fact(a), this.#fact(b)),
      });
      return ranked.map(({ candidate, score, signals }) => ({ id: this.#fact(candidate).id, score, signals }));
    } finally {
      this.#scratch.clear(match.candidates, match.sessions);
    }
  }

  #match(terms: QueryTerms, onlySession: number | undefined): LexicalMatch {
    this.#scratch.fit(this.#facts.length, this.#sessions.capacity);
    return matchTerms(
      terms,
      {
        postings: this.#postings,
        facts: this.size,
        sessions: this.#sessions.count,
        lengths: this.#lengths,
        averageLength: this.#tokens / this.size,
        sessionOf: this.#sessionOf,
      },
      this.#scratch,
      onlySession,
    );
  }

  #signals({ query, terms, match, onlySession }: SignalSources): readonly Signal[] {
    const { lexical, session } = match;
    const { neighbours } = this.#sessions;
    const lexicalOf = (fact: number): number => (fact === NO_NEIGHBOUR ? 0 : (lexical[fact] as number));
    const signals: Signal[] = [
      { name: 'lexical', valueOf: lexicalOf },
      {
        name: 'neighbour',
        valueOf: (fact) => Math.max(lexicalOf(neighbours.before(fact)), lexicalOf(neighbours.after(fact))),
      },
    ];
    // Inside one session it says the same of every fact.
    if (onlySession === undefined) {
      signals.push({ name: 'session', valueOf: (fact) => session[this.#sessionOf[fact] as number] as number });
    }
    const named = this.#speakers.namedIn(terms.weights);
    if (named !== undefined) signals.push({ name: 'speaker', valueOf: (fact) => named[this.#fact(fact).speaker] ?? 0 });
    const dates = namedDates(query);
    if (dates.length > 0) {
      signals.push({
        name: 'date',
        valueOf: (fact) => Math.max(...dates.map((date) => dateCloseness(date, this.#fact(fact).saidAt))),
      });
    }
    return signals;
  }

  #fact(number: number): Fact {
    return this.#facts[number] as Fact;
  }
}

interface SignalSources {
  readonly query: string;
  readonly terms: QueryTerms;
  readonly match: LexicalMatch;
  readonly onlySession: number | undefined;
}

function newerFirst(a: Fact, b: Fact): number {
  return b.createdAt - a.createdAt || byText(a.id.localId, b.id.localId);
}

// `m9` before `m10`.
let sources: Intl.Collator | undefined;

// What shares its time to the millisecond, as an import does, is put in the order of its messages' ids.
function inOrderOfSaying(a: Fact, b: Fact): number {
  return (
    a.saidAt - b.saidAt ||
    a.createdAt - b.createdAt ||
    (sources ??= new Intl.Collator('en', { numeric: true })).compare(a.source, b.source) ||
    byText(a.id.localId, b.id.localId)
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
