import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { MemoryMessage } from '../../domain/memory-message.js';
import type { Observation } from '../../domain/observation.js';
import { PeerView } from '../../domain/peer-view.js';
import { Principal } from '../../domain/principal.js';
import { Workspace } from '../../domain/workspace.js';
import { normaliseIngestRequest, type MemoryIngestReceipt, type MemoryIngestRequest } from '../../spi/ingest.js';
import {
  normaliseObservationDraft,
  type NormalisedObservationDraft,
  type ObservationDraft,
} from '../../spi/observe.js';
import {
  memoryCapabilities,
  requireTier,
  type MemoryCapability,
  type MemoryTiers,
  type PeerMemory,
} from '../../spi/peer-memory.js';
import { normaliseSearchQuery, type MemoryHit, type MemorySearchQuery } from '../../spi/search.js';
import { normaliseSnapshotQuery, type MemorySnapshot, type MemorySnapshotQuery } from '../../spi/snapshot.js';

/** A backend to be tested, and what the tests need around it. */
export interface PeerMemoryToTest {
  /** Empty, and nobody else's for the length of one test. */
  readonly backend: PeerMemory;

  /** Lets go of the backend, also of one that a test has closed. Default: the backend's own `close`. */
  close?(): Promise<void>;

  /**
   * Puts facts into the backend, past its tiers. Needed where it has SEARCH or SNAPSHOT and neither OBSERVE nor INGEST; where it is
   * given, it is used instead of those to prepare a search or a snapshot.
   */
  seed?(drafts: readonly NormalisedObservationDraft[]): Promise<void>;

  /** Puts a view of a peer into the backend, for the tests of `seedsSnapshots`. */
  seedSnapshot?(snapshot: SeededSnapshot): Promise<void>;

  /** Settles when what was written can be read: derivation is done, an index has caught up. Default: at once. */
  settle?(): Promise<void>;
}

/** What a backend is to know of a peer, as a text. */
export interface SeededSnapshot {
  /** Whom it is about. */
  readonly subject: PeerView;
  /** Whose view it is; absent: GLOBAL. */
  readonly observer?: PeerView;
  /** The session that it is of; absent: across sessions. */
  readonly sessionId?: string;
  /** One sentence. */
  readonly text: string;
}

/** What tests may need beside the tiers. */
export const SEEDED_SNAPSHOTS = 'seeded snapshots';

/** A request whose subject, and what is not the point of a test, may be left out. */
type Query<T> = Partial<T> & Pick<PeerQuery, 'subject'>;
interface PeerQuery {
  readonly subject: PeerView;
}

/**
 * The backend in the hands of a test. Requests are completed as the guard of the assembly completes them, so that a backend
 * is asked for nothing here that it will not be asked for in an application.
 */
export class PeerMemoryUnderTest {
  readonly backend: PeerMemory;
  readonly capabilities: ReadonlySet<MemoryCapability>;
  /** What it is expected to have. */
  readonly expects: ReadonlySet<MemoryCapability>;
  // So that tests that share a database do not share a workspace.
  readonly #run = randomUUID().slice(0, 8);
  #workspaces = 0;

  constructor(
    private readonly made: PeerMemoryToTest,
    expects: readonly MemoryCapability[],
  ) {
    this.backend = made.backend;
    this.capabilities = memoryCapabilities(made.backend);
    this.expects = new Set(expects);
  }

  has(capability: MemoryCapability): boolean {
    return this.expects.has(capability) && this.capabilities.has(capability);
  }

  tier<C extends MemoryCapability>(capability: C): MemoryTiers[C] {
    return requireTier(this.backend, capability);
  }

  /** A workspace that nothing was said in. */
  workspace(): Workspace {
    return Workspace.of({ id: `contract-${this.#run}-${++this.#workspaces}` });
  }

  /** A user in `workspace`, by default in one of their own. */
  peer(id = 'mina', workspace = this.workspace()): PeerView {
    return PeerView.of(workspace, Principal.user(id));
  }

  async settle(): Promise<void> {
    await this.made.settle?.();
  }

  /** Whether {@link know} has a way. */
  get canKnow(): boolean {
    return this.made.seed !== undefined || this.has('OBSERVE') || this.has('INGEST');
  }

  /** Makes the backend know these facts, in this order, in whatever way it has. */
  async know(...drafts: readonly ObservationDraft[]): Promise<void> {
    const complete = drafts.map((draft) => normaliseObservationDraft(draft));
    if (this.made.seed !== undefined) await this.made.seed(complete);
    else if (this.has('OBSERVE')) for (const draft of complete) await this.tier('OBSERVE').observe(draft);
    else if (this.has('INGEST')) for (const draft of complete) await this.tier('INGEST').ingest(told(draft));
    else {
      assert.fail(
        'Nothing can be put into this backend: it has neither OBSERVE nor INGEST. makeBackend() has to return `seed`.',
      );
    }
    await this.settle();
  }

  async knowSnapshot(snapshot: SeededSnapshot): Promise<void> {
    assert.ok(
      this.made.seedSnapshot !== undefined,
      'makeBackend() has to return `seedSnapshot` where `seedsSnapshots` is set.',
    );
    await this.made.seedSnapshot(snapshot);
  }

  observe(draft: ObservationDraft): Promise<Observation> {
    return this.tier('OBSERVE').observe(normaliseObservationDraft(draft));
  }

  ingest(request: MemoryIngestRequest): Promise<MemoryIngestReceipt> {
    return this.tier('INGEST').ingest(normaliseIngestRequest(request));
  }

  /** By default all that is found. */
  search(query: Query<MemorySearchQuery> & Pick<MemorySearchQuery, 'query'>): Promise<readonly MemoryHit[]> {
    return this.tier('SEARCH').search(normaliseSearchQuery({ topK: 200, ...query }));
  }

  /** By default all that is known, singly, and as long as it is. */
  read(query: Query<MemorySnapshotQuery>): Promise<MemorySnapshot | undefined> {
    return this.tier('SNAPSHOT').read(normaliseSnapshotQuery({ mode: 'FULL', maxTokens: 0, ...query }));
  }

  /** As {@link read}, of a peer of whom something is known. */
  async readKnown(query: Query<MemorySnapshotQuery>): Promise<MemorySnapshot> {
    const snapshot = await this.read(query);
    assert.ok(snapshot != null, 'The snapshot of a peer of whom something is known must not be empty.');
    return snapshot;
  }

  /** How many hits have exactly this content. */
  async timesFound(subject: PeerView, content: string, query = content): Promise<number> {
    const hits = await this.search({ subject, query });
    return hits.filter(({ observation }) => observation.content === content).length;
  }

  async close(): Promise<void> {
    if (this.made.close !== undefined) await this.made.close();
    else await this.backend.close?.();
  }
}

/** A fact as a message of whoever it is about. */
function told(draft: NormalisedObservationDraft): MemoryIngestRequest {
  const { subject, observer, content, sessionId = 'told', idempotencyKey, occurredAt } = draft;
  const message: MemoryMessage = { role: 'user', content, createdAt: occurredAt };
  return normaliseIngestRequest({ subject, observer, sessionId, messages: [message], idempotencyKey });
}

/** What a fact is when a test does not mind. */
export function fact(subject: PeerView, content: string, change: Partial<ObservationDraft> = {}): ObservationDraft {
  return { subject, content, type: 'EXPLICIT', ...change };
}

export const contentsOf = (hits: readonly MemoryHit[]): string[] => hits.map(({ observation }) => observation.content);
