import { Injectable, type Provider } from '@nestjs/common';
import {
  AgentMemory,
  DefaultRedactionPolicy,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  IngestOutcomes,
  LexicalIndex,
  MEMORY_PEER_RESOLVER,
  MEMORY_REDACTION_POLICY,
  type MemoryModuleExtras,
  type MemoryModuleOptions,
  type MemoryPeerRequest,
  MemoryPeerResolver,
  OBSERVATION_INDEX,
  OBSERVATION_STORE,
  type PeerView,
  Principal,
  type RedactionPolicy,
  type RedactionResult,
  REPRESENTATION_STORE,
  Workspace,
} from '@aimon/nestjs-memory';
import { boot } from '../support/boot.js';

const HOOKS = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;
const COMMON = { workspaceId: 'ops', deriver: 'extractive', ingest: 'session-end' } as const;
const ALICE = { ...COMMON, backend: 'in-memory', peerId: 'alice' } as const;
const SUPPLIED = { ...ALICE, backend: 'supplied' } as const;

describe.each(HOOKS)('a supplied part that closes itself in %s', (hook) => {
  /** What was done in this order; a use after the close is an error, as with a pool that ended. */
  let events: string[] = [];
  const used = (name: string): void => {
    events.push(name);
    if (events.includes('closed')) throw new Error('It was used after it had been closed.');
  };
  const closing = <T extends object>(part: T): T => Object.assign(part, { [hook]: () => void events.push('closed') });

  @Injectable()
  class ClosingPolicy implements RedactionPolicy {
    readonly name = 'closing';
    readonly #policy = new DefaultRedactionPolicy();
    constructor() {
      closing(this);
    }
    redact(content: string): RedactionResult {
      used('masked');
      return this.#policy.redact(content);
    }
  }

  @Injectable()
  class ClosingResolver implements MemoryPeerResolver {
    readonly #resolver = MemoryPeerResolver.caller({ workspace: Workspace.of({ id: 'ops' }) });
    constructor() {
      closing(this);
    }
    resolve(request: MemoryPeerRequest): PeerView | undefined | Promise<PeerView | undefined> {
      used('resolved');
      return this.#resolver.resolve(request);
    }
  }

  @Injectable()
  class ClosingIndex extends LexicalIndex {
    constructor() {
      super();
      closing(this);
    }
    override async fill(...given: Parameters<LexicalIndex['fill']>): Promise<void> {
      used('filled');
      return super.fill(...given);
    }
    override async search(...given: Parameters<LexicalIndex['search']>): ReturnType<LexicalIndex['search']> {
      used('searched');
      return super.search(...given);
    }
  }

  @Injectable()
  class ClosingStore extends InMemoryObservationStore {
    constructor() {
      super();
      closing(this);
    }
    override async save(
      ...given: Parameters<InMemoryObservationStore['save']>
    ): ReturnType<InMemoryObservationStore['save']> {
      used('saved');
      return super.save(...given);
    }
  }

  const store: Provider = { provide: OBSERVATION_STORE, useClass: InMemoryObservationStore };
  const cases: readonly (readonly [string, MemoryModuleOptions & MemoryModuleExtras])[] = [
    [
      'a redaction policy',
      {
        ...ALICE,
        redaction: 'supplied',
        providers: [{ provide: MEMORY_REDACTION_POLICY, useClass: ClosingPolicy }],
      },
    ],
    [
      'a peer resolver',
      {
        ...COMMON,
        backend: 'in-memory',
        peerMode: 'caller',
        providers: [{ provide: MEMORY_PEER_RESOLVER, useClass: ClosingResolver }],
      },
    ],
    ['an index', { ...ALICE, providers: [{ provide: OBSERVATION_INDEX, useClass: ClosingIndex }] }],
    [
      'an index beside a store',
      { ...SUPPLIED, providers: [store, { provide: OBSERVATION_INDEX, useClass: ClosingIndex }] },
    ],
    [
      'a store',
      {
        ...SUPPLIED,
        providers: [
          { provide: OBSERVATION_STORE, useClass: ClosingStore },
          { provide: REPRESENTATION_STORE, useClass: InMemoryRepresentationStore },
        ],
      },
    ],
  ];

  it.each(cases)('is closed after the last use: %s', async (_, options) => {
    events = [];
    const app = await boot(options);
    const outcomes = app.get(IngestOutcomes);
    const principal = options.peerMode === 'caller' ? Principal.user('alice') : undefined;
    const session = await app.get(AgentMemory).session('open until the end', { principal });
    await session.execution(
      (transcript) => void transcript.append({ role: 'user', content: 'The backup runs at two.' }),
    );
    await app.close();
    expect(outcomes.counts()).toMatchObject({ stored: 1, failed: 0 });
    expect(events.filter((event) => event === 'closed')).toHaveLength(1);
    expect(events.at(-1)).toBe('closed');
  });
});
