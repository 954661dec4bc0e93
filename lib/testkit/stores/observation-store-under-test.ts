import { isSearchable, type ObservationStore, type SearchableObservationStore } from '../../ports/observation-store.js';

/** A store to be tested, and what the tests need around it. */
export interface ObservationStoreToTest {
  /** Empty, and nobody else's for the length of one test. */
  readonly store: ObservationStore;
  /** Lets go of the store. Default: nothing is. */
  close?(): Promise<void>;
  /** Settles when what was written can be searched for. Default: at once. */
  settle?(): Promise<void>;
}

/**
 * What a store may have beside what every store has:
 * - `SEARCH`: `semanticSearch`;
 * - `AUDIT_WINDOW`: `softDelete` and `purgeSoftDeletedBefore`;
 * - `REWRITE`: `rewrite`;
 * - `KEPT_SUBJECTS`: `findKeptSubjects`;
 * - `WORKSPACES`: `findWorkspaces`.
 */
export const OBSERVATION_STORE_ABILITIES = [
  'SEARCH',
  'AUDIT_WINDOW',
  'REWRITE',
  'KEPT_SUBJECTS',
  'WORKSPACES',
] as const;
/** One of `SEARCH`, `AUDIT_WINDOW`, `REWRITE`, `KEPT_SUBJECTS` and `WORKSPACES`: optional methods of a store. */
export type ObservationStoreAbility = (typeof OBSERVATION_STORE_ABILITIES)[number];

/** The store in the hands of a test. */
export class ObservationStoreUnderTest {
  readonly store: ObservationStore;

  constructor(
    private readonly made: ObservationStoreToTest,
    /** What it is expected to have. */
    readonly expects: readonly ObservationStoreAbility[],
  ) {
    this.store = made.store;
  }

  /** What it has, read off its methods. */
  get abilities(): readonly ObservationStoreAbility[] {
    const { store } = this;
    const has: Record<ObservationStoreAbility, boolean> = {
      SEARCH: isSearchable(store),
      AUDIT_WINDOW: typeof store.softDelete === 'function' && typeof store.purgeSoftDeletedBefore === 'function',
      REWRITE: typeof store.rewrite === 'function',
      KEPT_SUBJECTS: typeof store.findKeptSubjects === 'function',
      WORKSPACES: typeof store.findWorkspaces === 'function',
    };
    return OBSERVATION_STORE_ABILITIES.filter((ability) => has[ability]);
  }

  get keepsRetired(): boolean {
    return this.expects.includes('AUDIT_WINDOW');
  }

  get searchable(): SearchableObservationStore {
    return this.store as SearchableObservationStore;
  }

  async settle(): Promise<void> {
    await this.made.settle?.();
  }

  async close(): Promise<void> {
    await this.made.close?.();
  }
}
