import type { MemoryHit, MemorySearcher, MemorySearchQuery, Observation } from '@aimon/nestjs-memory';

type Found = readonly Observation[] | readonly MemoryHit[] | Promise<readonly Observation[]>;

/** SEARCH that finds what a test says, and keeps what it was asked. */
export class ScriptedSearcher implements MemorySearcher {
  readonly queries: MemorySearchQuery[] = [];
  readonly ranksByScore = false;

  constructor(
    private readonly find: (query: MemorySearchQuery) => Found,
    readonly narrowsBySession = false,
  ) {}

  async search(query: MemorySearchQuery): Promise<readonly MemoryHit[]> {
    this.queries.push(query);
    const found = await this.find(query);
    return found.map((one) =>
      'observation' in one ? one : { observation: one, score: 0, confidenceAvailable: true, signals: {} },
    );
  }
}
