import { RedactionError } from '../domain/errors.js';
import { EventLoopTurns } from '../domain/event-loop-turns.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import { Representation } from '../domain/representation.js';
import type { Workspace } from '../domain/workspace.js';
import type { ObservationHistoryEntry, ObservationStore, Page, PageRequest } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import { ObservationRedactor } from '../redaction/observation-redactor.js';
import { DEFAULT_REDACTION_DEADLINE_MS, RedactionBudget } from '../redaction/redaction-budget.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';

/** What is asked of a sweep. */
export interface RedactStoredOptions {
  /** Only counts what would be masked, and changes nothing. Default false. */
  readonly dryRun?: boolean;
  /** Ends it between two observations; what was masked until then stays masked. */
  readonly signal?: AbortSignal;
  /** Called now and then, and at the end. */
  readonly onProgress?: (progress: RedactStoredProgress) => void;
}

/** How far `redactStored` has come; counts grow from call to call. */
export interface RedactStoredProgress {
  /** How many observations and representations were looked at. */
  readonly looked: number;
  /** How many of them held something to be masked. */
  readonly masked: number;
}

/** What a sweep found; with `dryRun` what it would have masked. */
export interface RedactStoredReport {
  /** Whether nothing was changed. */
  readonly dryRun: boolean;
  /** How many observations were `looked` at, retired ones included, and how many held something to be `masked`. */
  readonly observations: { readonly looked: number; readonly masked: number };
  /**
   * How many representations were `looked` at, and how many held something to be `masked`; `undefined` where their store
   * cannot list them, so that none was looked at.
   */
  readonly representations: { readonly looked: number; readonly masked: number } | undefined;
  /** By category, how often it was masked. */
  readonly categories: Readonly<Record<string, number>>;
  /** The ids of observations that the policy failed on, and that stay as they were. */
  readonly failed: readonly string[];
}

/** What a sweep works on. */
export interface StoredRedactionParts {
  readonly policy: RedactionPolicy;
  readonly observationStore?: ObservationStore;
  readonly representationStore?: RepresentationStore;
  /** Runs work while nothing about the peer is being recorded. Default: at once. */
  readonly exclusively?: <T>(peer: PeerView, work: () => Promise<T>) => Promise<T>;
}

const PAGE = 500;
const PROGRESS_EVERY = 1000;

/** Masks what was stored before a policy was on, or before it got stricter. One sweep of one workspace. */
export class StoredRedaction {
  readonly #parts: StoredRedactionParts;
  readonly #options: RedactStoredOptions;
  readonly #redactor: ObservationRedactor;
  readonly #turns = new EventLoopTurns();
  readonly #categories = new Map<string, number>();
  readonly #failed: string[] = [];
  readonly #rewritten: Observation[] = [];
  readonly #count = { observations: { looked: 0, masked: 0 }, representations: { looked: 0, masked: 0 } };

  constructor(parts: StoredRedactionParts, options: RedactStoredOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#redactor = new ObservationRedactor(parts.policy);
  }

  /** The observations that were changed until now, as they are kept. */
  get rewritten(): readonly Observation[] {
    return this.#rewritten;
  }

  /** Rejects with the reason of the signal when that aborts. */
  async run(workspace: Workspace): Promise<RedactStoredReport> {
    const { dryRun = false } = this.#options;
    for await (const subject of this.#subjects(workspace)) await this.#sweepSubject(subject);
    const representations = await this.#sweepRepresentations(workspace);
    this.#tellProgress();
    return Object.freeze({
      dryRun,
      observations: Object.freeze({ ...this.#count.observations }),
      representations: representations ? Object.freeze({ ...this.#count.representations }) : undefined,
      categories: Object.freeze(Object.fromEntries([...this.#categories].sort(([a], [b]) => (a < b ? -1 : 1)))),
      failed: Object.freeze([...this.#failed]),
    });
  }

  async *#subjects(workspace: Workspace): AsyncGenerator<PeerView> {
    const { observationStore: store } = this.#parts;
    if (store === undefined) return;
    yield* paged((page) => (store.findKeptSubjects ?? store.findSubjects).call(store, workspace, page));
  }

  async #sweepSubject(subject: PeerView): Promise<void> {
    const { observationStore } = this.#parts;
    for await (const entry of paged<ObservationHistoryEntry>(
      (page) => observationStore?.history(subject, page) ?? Promise.resolve({ items: [] }),
    )) {
      await this.#step();
      this.#count.observations.looked++;
      if ((await this.#masked(entry.observation)) !== undefined) await this.#rewrite(subject, entry);
    }
  }

  /** Under the writer's lock and read anew: what is recorded meanwhile must neither be lost nor bring the old text back. */
  async #rewrite(subject: PeerView, { observation, retiredAt }: ObservationHistoryEntry): Promise<void> {
    const { exclusively = (_: PeerView, work) => work(), observationStore: store } = this.#parts;
    await exclusively(subject, async () => {
      const current = retiredAt === undefined ? await store?.findById(observation.id) : observation;
      const found = current === undefined ? undefined : await this.#masked(current);
      if (store === undefined || current === undefined || found === undefined) return;
      if (this.#options.dryRun !== true) {
        if (!(await put(store, found.observation, retiredAt !== undefined))) return;
        this.#rewritten.push(found.observation);
      }
      this.#note('observations', found.categories);
    });
  }

  /** The observation masked, or `undefined` where it holds nothing to be masked, or the policy fails on it. */
  async #masked(
    observation: Observation,
  ): Promise<{ readonly observation: Observation; readonly categories: readonly string[] } | undefined> {
    try {
      const { content, metadata, categories } = await this.#redactor.mask(observation, this.#budget());
      if (categories.length === 0) return undefined;
      return { observation: observation.with({ content, metadata }), categories };
    } catch (error) {
      if (!(error instanceof RedactionError)) throw error;
      const id = observation.id.toString();
      if (!this.#failed.includes(id)) this.#failed.push(id);
      return undefined;
    }
  }

  /** Whether they could be looked at. */
  async #sweepRepresentations(workspace: Workspace): Promise<boolean> {
    const { representationStore: store } = this.#parts;
    if (store?.rewriteEach === undefined) return store === undefined;
    await store.rewriteEach(workspace, async (representation) => {
      await this.#step();
      this.#count.representations.looked++;
      const masked = await this.#maskedRepresentation(representation);
      if (masked === undefined) return undefined;
      this.#note('representations', masked.categories);
      return this.#options.dryRun === true ? undefined : masked.representation;
    });
    return true;
  }

  async #maskedRepresentation(representation: Representation) {
    const summary = await this.#redactor.mask({ content: representation.summary }, this.#budget());
    const categories = [...summary.categories];
    const observations: Observation[] = [];
    for (const observation of representation.observations) {
      const masked = await this.#masked(observation);
      observations.push(masked?.observation ?? observation);
      categories.push(...(masked?.categories ?? []));
    }
    if (categories.length === 0) return undefined;
    const { subject, observer, sessionId, generatedAt, tokenCount } = representation;
    return {
      categories,
      representation: Representation.of({
        ...{ subject, observer, sessionId, generatedAt, tokenCount, observations },
        summary: summary.content,
      }),
    };
  }

  #budget(): RedactionBudget {
    return new RedactionBudget(DEFAULT_REDACTION_DEADLINE_MS, this.#options.signal);
  }

  #note(kind: 'observations' | 'representations', categories: readonly string[]): void {
    this.#count[kind].masked++;
    for (const category of categories) this.#categories.set(category, (this.#categories.get(category) ?? 0) + 1);
  }

  async #step(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const looked = this.#count.observations.looked + this.#count.representations.looked;
    if (looked > 0 && looked % PROGRESS_EVERY === 0) this.#tellProgress();
    await this.#turns.pause();
  }

  #tellProgress(): void {
    const { observations, representations } = this.#count;
    this.#options.onProgress?.({
      looked: observations.looked + representations.looked,
      masked: observations.masked + representations.masked,
    });
  }
}

/** Puts an observation in the place of the one of its id; a store that cannot do so for a retired one retires it anew. */
async function put(store: ObservationStore, observation: Observation, retired: boolean): Promise<boolean> {
  if (store.rewrite !== undefined) return store.rewrite(observation);
  await store.save(observation);
  if (retired) await (store.softDelete ?? store.delete).call(store, observation.id);
  return true;
}

async function* paged<T>(read: (page: PageRequest) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const page: Page<T> = await read({ limit: PAGE, cursor });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}
