import {
  type DialecticEngine,
  GuardedPeerMemory,
  memoryCapabilities,
  type MemoryIngestRequest,
  type MemorySearcher,
  type PeerMemory,
  PeerView,
  Principal,
  requireTier,
  StoreError,
  Workspace,
} from '@aimon/nestjs-memory';
import { alice, bob, observation } from '../support/peers.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const elsewhere = PeerView.of(Workspace.of({ id: 'other' }), Principal.user('alice'));

describe('the guard around a backend', () => {
  it('fills in every default and hands on a frozen copy, without touching what it was given', async () => {
    const backend = new RecordingPeerMemory();
    const memory = new GuardedPeerMemory(backend);
    const query = { subject: alice, query: 'tea', topK: 3 };
    const request: MemoryIngestRequest = {
      observer: alice,
      sessionId: 's',
      messages: [{ role: 'user', content: 'x' }],
    };
    const before = JSON.stringify([query, request]);
    await requireTier(memory, 'SEARCH').search(query);
    await requireTier(memory, 'SNAPSHOT').read({ subject: alice, mode: 'FULL', maxTokens: 0 });
    await requireTier(memory, 'CHAT').query({ subject: alice, question: 'q' });
    await requireTier(memory, 'OBSERVE').observe({ subject: alice, content: 'c', type: 'EXPLICIT' });
    await requireTier(memory, 'INGEST').ingest(request);
    const [search, snapshot, chat, observe, ingest] = backend.requests;
    expect(search).toMatchObject({ observer: alice, minScore: 0 });
    expect(snapshot).toMatchObject({ observer: alice, scope: 'LOCAL_THEN_GLOBAL' });
    expect(chat).toMatchObject({ observer: alice, level: 'BALANCED' });
    expect(observe).toMatchObject({ observer: alice, sourceMessageIds: [], metadata: {} });
    expect(ingest).toMatchObject({ subject: alice, waitForDerivation: false });
    expect((ingest as MemoryIngestRequest).messages[0]?.id).toMatch(/^[\w-]{21}$/);
    expect(backend.requests.every(Object.isFrozen)).toBe(true);
    expect(JSON.stringify([query, request])).toBe(before);
  });

  const refused: readonly (readonly [string, (memory: PeerMemory) => Promise<unknown>, string])[] = [
    [
      'two workspaces in a search',
      (m) => requireTier(m, 'SEARCH').search({ subject: alice, observer: elsewhere, query: 'x', topK: 1 }),
      'MemorySearchQuery.observer is a peer of workspace "other", but the request is about workspace "ops".',
    ],
    [
      'two workspaces in a draft',
      (m) => requireTier(m, 'OBSERVE').observe({ subject: alice, observer: elsewhere, content: 'x', type: 'EXPLICIT' }),
      'ObservationDraft.observer is a peer of workspace "other"',
    ],
    [
      'no subject',
      (m) => requireTier(m, 'SEARCH').search({ subject: 'alice' as never, query: 'x', topK: 1 }),
      'MemorySearchQuery.subject is "alice"; it takes a PeerView',
    ],
    [
      'more hits than there may be',
      (m) => requireTier(m, 'SEARCH').search({ subject: alice, query: 'x', topK: 201 }),
      'MemorySearchQuery.topK is 201; it takes a whole number from 1 to 200.',
    ],
    [
      'a blank query',
      (m) => requireTier(m, 'SEARCH').search({ subject: alice, query: ' \n', topK: 1 }),
      'MemorySearchQuery.query is blank; it takes the text to look for.',
    ],
    [
      'a score that is none',
      (m) => requireTier(m, 'SEARCH').search({ subject: alice, query: 'x', topK: 1, minScore: Number.NaN }),
      'MemorySearchQuery.minScore is NaN; it takes a number from 0 to 1.',
    ],
    [
      'an unknown mode',
      (m) => requireTier(m, 'SNAPSHOT').read({ subject: alice, mode: 'SHORT' as never, maxTokens: 0 }),
      'MemorySnapshotQuery.mode is "SHORT"; it takes one of SUMMARY_ONLY, FULL.',
    ],
    [
      'a question that is too long',
      (m) => requireTier(m, 'CHAT').query({ subject: alice, question: 'x'.repeat(10_001) }),
      'DialecticQuery.question is 10001 characters long; it takes at most 10000.',
    ],
    [
      'a sink that is none',
      (m) => requireTier(m, 'CHAT').queryStream({ subject: alice, question: 'x' }, undefined as never),
      'DialecticEngine.queryStream takes a function as its sink.',
    ],
    [
      'no messages',
      (m) => requireTier(m, 'INGEST').ingest({ observer: alice, sessionId: 's', messages: [] }),
      'MemoryIngestRequest.messages is empty; it takes at least one message.',
    ],
    [
      'an unknown role',
      (m) =>
        requireTier(m, 'INGEST').ingest({
          observer: alice,
          sessionId: 's',
          messages: [{ role: 'human' as never, content: 'x' }],
        }),
      'MemoryIngestRequest.messages[0].role is "human"; it takes one of developer, system, user, assistant, tool, function.',
    ],
    [
      'an unknown part',
      (m) =>
        requireTier(m, 'INGEST').ingest({
          observer: alice,
          sessionId: 's',
          messages: [{ role: 'user', content: [{ type: 'video' } as never] }],
        }),
      'MemoryIngestRequest.messages[0].content[0].type is "video"; it takes one of text, refusal, image_url, input_audio, file.',
    ],
    [
      'a time without a zone',
      (m) =>
        requireTier(m, 'INGEST').ingest({
          observer: alice,
          sessionId: 's',
          messages: [{ role: 'user', content: 'x', createdAt: '2026-01-01T10:00:00' }],
        }),
      'MemoryIngestRequest.messages[0].createdAt is "2026-01-01T10:00:00"; it takes a Date, or ISO 8601 with a zone',
    ],
  ];

  it.each(refused)('refuses %s, before the backend is asked', async (_, call, message) => {
    const backend = new RecordingPeerMemory();
    await expect(call(new GuardedPeerMemory(backend))).rejects.toThrow(message);
    expect(backend.requests).toEqual([]);
  });

  it('refuses a request that is no object, at every tier, in a sentence', async () => {
    const memory = new GuardedPeerMemory(new RecordingPeerMemory());
    for (const request of [null, undefined, 'alice', 7]) {
      const nothing = request as never;
      const calls = [
        () => requireTier(memory, 'SEARCH').search(nothing),
        () => requireTier(memory, 'SNAPSHOT').read(nothing),
        () => requireTier(memory, 'CHAT').query(nothing),
        () => requireTier(memory, 'CHAT').queryStream(nothing, () => undefined),
        () => requireTier(memory, 'OBSERVE').observe(nothing),
        () => requireTier(memory, 'INGEST').ingest(nothing),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(/^\w+ is .*; it takes an object\.$/);
    }
  });

  it('refuses what the signals of a searcher say that it cannot do', async () => {
    const searcher: MemorySearcher = { ranksByScore: false, narrowsBySession: false, search: async () => [] };
    const search = requireTier(new GuardedPeerMemory({ backendId: 'plain', searcher }), 'SEARCH');
    expect([search.ranksByScore, search.narrowsBySession]).toEqual([false, false]);
    await expect(search.search({ subject: alice, query: 'x', topK: 1, minScore: 0.5 })).rejects.toThrow(
      'the memory "plain" does not rank by score (ranksByScore is false); leave minScore out.',
    );
    await expect(search.search({ subject: alice, query: 'x', topK: 1, sessionId: 's' })).rejects.toThrow(
      'the memory "plain" cannot narrow a search to a session (narrowsBySession is false); leave sessionId out.',
    );
    expect(await search.search({ subject: alice, query: 'x', topK: 1 })).toEqual([]);
  });

  it('withholds an answer that holds somebody else', async () => {
    const hit = {
      observation: observation(1, { subject: bob, observer: bob }),
      score: 1,
      confidenceAvailable: true,
      signals: {},
    };
    const searcher: MemorySearcher = { ranksByScore: true, narrowsBySession: true, search: async () => [hit] };
    const memory = new GuardedPeerMemory({ backendId: 'leaky', searcher });
    await expect(requireTier(memory, 'SEARCH').search({ subject: alice, query: 'x', topK: 1 })).rejects.toThrow(
      'The memory "leaky" answered a request about one peer with an observation about another; the answer was withheld.',
    );
  });

  it('withholds an observation about somebody else that OBSERVE answers', async () => {
    const backend = new RecordingPeerMemory();
    Object.assign(backend.observationRecorder, {
      observe: async () => observation(1, { subject: bob, observer: bob }),
    });
    await expect(
      requireTier(new GuardedPeerMemory(backend), 'OBSERVE').observe({
        subject: alice,
        content: 'x',
        type: 'EXPLICIT',
      }),
    ).rejects.toThrow('with an observation about another; the answer was withheld.');
  });

  const malformed: readonly (readonly [
    string,
    (backend: RecordingPeerMemory) => void,
    (memory: PeerMemory) => Promise<unknown>,
  ])[] = [
    [
      'hits that are none',
      (b) => Object.assign(b.searcher, { search: async () => null }),
      (m) => requireTier(m, 'SEARCH').search({ subject: alice, query: 'x', topK: 1 }),
    ],
    [
      'a hit without an observation',
      (b) => Object.assign(b.searcher, { search: async () => [{ score: 1 }] }),
      (m) => requireTier(m, 'SEARCH').search({ subject: alice, query: 'x', topK: 1 }),
    ],
    [
      'a score above one',
      (b) => Object.assign(b.searcher, { search: async () => [{ observation: observation(1), score: 7 }] }),
      (m) => requireTier(m, 'SEARCH').search({ subject: alice, query: 'x', topK: 1 }),
    ],
    [
      'a snapshot without text',
      (b) => Object.assign(b.snapshotReader, { read: async () => ({ observations: [] }) }),
      (m) => requireTier(m, 'SNAPSHOT').read({ subject: alice, mode: 'FULL', maxTokens: 0 }),
    ],
    [
      'no observation',
      (b) => Object.assign(b.observationRecorder, { observe: async () => undefined }),
      (m) => requireTier(m, 'OBSERVE').observe({ subject: alice, content: 'x', type: 'EXPLICIT' }),
    ],
    [
      'a receipt without a number',
      (b) => Object.assign(b.ingestor, { ingest: async () => ({ ok: true }) }),
      (m) =>
        requireTier(m, 'INGEST').ingest({
          observer: alice,
          sessionId: 's',
          messages: [{ role: 'user', content: 'x' }],
        }),
    ],
  ];

  it.each(malformed)('names the backend that answers %s', async (_, spoil, call) => {
    const backend = new RecordingPeerMemory();
    spoil(backend);
    await expect(call(new GuardedPeerMemory(backend))).rejects.toThrow('The memory "recording" gave an answer to');
  });

  it('hands on no more hits than were asked for', async () => {
    const backend = new RecordingPeerMemory();
    const hits = [1, 2, 3].map((n) => ({
      observation: observation(n),
      score: 1,
      confidenceAvailable: true,
      signals: {},
    }));
    Object.assign(backend.searcher, { search: async () => hits });
    expect(
      await requireTier(new GuardedPeerMemory(backend), 'SEARCH').search({ subject: alice, query: 'x', topK: 2 }),
    ).toHaveLength(2);
  });

  it('has the tiers that the backend has, and no others', () => {
    const dialecticEngine: DialecticEngine = {
      query: async () => ({ answer: '' }),
      queryStream: async () => ({ answer: '' }),
    };
    const backend = { backendId: 'x', dialecticEngine, searcher: null as never, capabilities: new Set(['SEARCH']) };
    const memory = new GuardedPeerMemory(backend);
    expect([...memoryCapabilities(memory)]).toEqual(['CHAT']);
    expect([memory.ping, memory.close]).toEqual([undefined, undefined]);
    expect(() => requireTier(memory, 'SEARCH')).toThrow('The memory backend "x" has no SEARCH tier.');
  });

  it('lets go of a read as soon as its signal aborts, also from a backend that does not listen', async () => {
    const searcher: MemorySearcher = {
      ranksByScore: true,
      narrowsBySession: true,
      search: () => new Promise(() => undefined),
    };
    const controller = new AbortController();
    const searching = requireTier(new GuardedPeerMemory({ backendId: 'x', searcher }), 'SEARCH').search({
      subject: alice,
      query: 'x',
      topK: 1,
      signal: controller.signal,
    });
    controller.abort(new Error('enough'));
    await expect(searching).rejects.toThrow('enough');
  });

  it('refuses calls once it is closed, and closes the backend once', async () => {
    let closed = 0;
    const memory = new GuardedPeerMemory(
      Object.assign(new RecordingPeerMemory(), { close: async () => void closed++ }),
    );
    await Promise.all([memory.close?.(), memory.close?.()]);
    await expect(requireTier(memory, 'SEARCH').search({ subject: alice, query: 'x', topK: 1 })).rejects.toThrow(
      StoreError,
    );
    await expect(
      requireTier(memory, 'OBSERVE').observe({ subject: alice, content: 'x', type: 'EXPLICIT' }),
    ).rejects.toThrow('The memory "recording" has been closed; it answers no more calls.');
    expect(closed).toBe(1);
  });
});
