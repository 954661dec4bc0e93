import {
  assembleMemory,
  type DialecticEngine,
  GuardedPeerMemory,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  InMemoryWorkspaceStore,
  InvalidConfigurationError,
  LexicalIndex,
  memoryCapabilities,
  MemorySpec,
  MemoryTeardown,
  PeerView,
  Principal,
  requireTier,
  Workspace,
} from '@aimon/nestjs-memory';
import { alice, bob, observation, ops } from '../support/peers.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const engine: DialecticEngine = { query: async () => ({ answer: '' }), queryStream: async () => ({ answer: '' }) };
const fixed = () => MemorySpec.forPeer(ops, alice);

describe('a memory that is put together from parts', () => {
  it.each([
    [
      'an observation store alone',
      () => fixed().observationStore(new InMemoryObservationStore()),
      ['SEARCH', 'OBSERVE'],
    ],
    [
      'a representation store alone',
      () => fixed().representationStore(new InMemoryRepresentationStore()),
      ['SNAPSHOT'],
    ],
    ['an engine alone', () => fixed().dialecticEngine(engine), ['CHAT']],
    [
      'both stores',
      () =>
        fixed().observationStore(new InMemoryObservationStore()).representationStore(new InMemoryRepresentationStore()),
      ['SNAPSHOT', 'SEARCH', 'OBSERVE'],
    ],
  ] as const)('has, from %s, its tiers and no others', async (_, spec, capabilities) => {
    const stack = await assembleMemory(spec().build());
    expect([...stack.capabilities]).toEqual(capabilities);
    expect([...memoryCapabilities(stack.peerMemory ?? { backendId: '' })]).toEqual(capabilities);
    expect(stack.peerMemory).toBeInstanceOf(GuardedPeerMemory);
    await stack.close();
  });

  it('refuses what does not go together, by name', () => {
    const faults = (spec: MemorySpec): string => {
      try {
        spec.build();
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidConfigurationError);
        return (error as Error).message;
      }
      return 'nothing';
    };
    expect(faults(fixed())).toContain('Neither a PeerMemory nor a part of the default backend was given');
    expect(
      faults(fixed().peerMemory(new RecordingPeerMemory()).observationStore(new InMemoryObservationStore())),
    ).toContain('A PeerMemory ("recording") was given and so were parts of the default backend (observationStore)');
    expect(faults(MemorySpec.perCaller(ops).observationStore(new InMemoryObservationStore()))).toContain(
      'A memory per caller needs SNAPSHOT',
    );
    const half = Object.assign(new InMemoryObservationStore(), { purgeSoftDeletedBefore: undefined });
    expect(faults(fixed().observationStore(half))).toContain(
      'The observation store has softDelete but not purgeSoftDeletedBefore',
    );
    expect(faults(fixed().dialecticEngine(engine).observationIndex(new LexicalIndex()))).toContain(
      'An observationIndex was given without an observationStore to index',
    );
    expect(() => MemorySpec.forPeer(Workspace.of({ id: 'other' }), alice)).toThrow(
      'given a peer of workspace "ops" for workspace "other"',
    );
    expect(() => fixed().redactionPolicy(undefined as never)).toThrow(
      'To mask nothing, say so with withoutRedaction().',
    );
  });

  it('says so when its store deletes what is retired', async () => {
    const keeps = await assembleMemory(fixed().observationStore(new InMemoryObservationStore()).build());
    expect(keeps.degradations.has('memory-audit-window')).toBe(false);
    const without = Object.assign(new InMemoryObservationStore(), {
      softDelete: undefined,
      purgeSoftDeletedBefore: undefined,
    });
    const deletes = await assembleMemory(fixed().observationStore(without).build());
    expect(deletes.degradations.all().find(({ key }) => key === 'memory-audit-window')).toMatchObject({
      kind: 'choice',
      backendId: 'default',
    });
  });

  it('masks unless told not to', async () => {
    const stored = async (spec: MemorySpec): Promise<string> => {
      const stack = await assembleMemory(spec.observationStore(new InMemoryObservationStore()).build());
      const { content } = await requireTier(stack.peerMemory, 'OBSERVE').observe({
        subject: alice,
        content: 'Ask kim@example.com.',
        type: 'EXPLICIT',
      });
      return content;
    };
    expect(await stored(fixed())).toBe('Ask [REDACTED:EMAIL].');
    expect(await stored(fixed().withoutRedaction())).toBe('Ask kim@example.com.');
  });

  it('creates its workspace where there is none, also when two are put together at once', async () => {
    const workspaceStore = new InMemoryWorkspaceStore();
    const spec = fixed().parts({ workspaceStore }).observationStore(new InMemoryObservationStore()).build();
    await Promise.all([assembleMemory(spec), assembleMemory(spec)]);
    expect((await workspaceStore.findAll(Principal.system('s'))).map(({ id }) => id)).toEqual(['ops']);
  });
});

describe('maintenance', () => {
  it('erases a workspace to the last trace: retired observations, and peers with a representation alone', async () => {
    const observationStore = new InMemoryObservationStore();
    const representationStore = new InMemoryRepresentationStore();
    const { Representation } = await import('@aimon/nestjs-memory');
    await observationStore.save(observation(1));
    await observationStore.softDelete(observation(1).id);
    await representationStore.save(
      Representation.of({ subject: bob, summary: 'Known.', generatedAt: new Date(0), tokenCount: 1 }),
    );
    const elsewhere = PeerView.of(Workspace.of({ id: 'other' }), Principal.user('alice'));
    await observationStore.save(observation(2, { subject: elsewhere, observer: elsewhere }));
    const stack = await assembleMemory(
      MemorySpec.perCaller(ops).observationStore(observationStore).representationStore(representationStore).build(),
    );
    expect(await stack.maintenance.eraseWorkspace(ops)).toEqual({ observations: 1, representations: 1 });
    expect((await stack.maintenance.history(alice)).items).toEqual([]);
    expect(await representationStore.findLatestGlobal(bob)).toBeUndefined();
    expect(await stack.maintenance.count(elsewhere)).toBe(1);
  });

  it('exports what JSON can carry, times included', async () => {
    const observationStore = new InMemoryObservationStore();
    await observationStore.save(observation(1, { occurredAt: new Date(0) }));
    const stack = await assembleMemory(fixed().observationStore(observationStore).build());
    for await (const entry of stack.maintenance.exportPeer(alice)) {
      expect(JSON.parse(JSON.stringify(entry))).toMatchObject({
        observation: {
          id: 'ops:o1',
          subject: 'ops:USER:alice',
          content: 'Fact 1.',
          createdAt: '2026-01-01T00:01:00.000Z',
          occurredAt: '1970-01-01T00:00:00.000Z',
        },
      });
    }
  });
});

describe('a teardown', () => {
  it('refuses work for a phase that there is not, or that has begun', async () => {
    const teardown = new MemoryTeardown();
    expect(() => teardown.register('CHECKPOINT' as never, 'mine', () => undefined)).toThrow(
      'MemoryTeardown.register phase is "CHECKPOINT"; it takes one of SESSIONS, CHECKPOINTS,',
    );
    await teardown.run('SESSIONS');
    expect(() => teardown.register('SESSIONS', 'mine', () => undefined)).toThrow('the phase SESSIONS has begun');
    teardown.register('CHECKPOINTS', 'mine', () => undefined);
  });

  it('goes on after work that fails, reports it, and has time for deadlines beyond what a timer holds', async () => {
    const teardown = new MemoryTeardown({ deadlineMs: 40 * 86_400_000 });
    const ran: string[] = [];
    teardown.register('SESSIONS', 'bad', () => Promise.reject(new Error('broken')));
    teardown.register('MEMORY_QUEUE', 'half', async () => {
      ran.push('half');
      return '3 messages were not derived';
    });
    teardown.register('MEMORY_BACKEND', 'good', async () => void ran.push('good'));
    expect((await teardown.run()).unfinished).toEqual([
      'SESSIONS bad: broken',
      'MEMORY_QUEUE half: 3 messages were not derived',
    ]);
    expect(ran).toEqual(['half', 'good']);
  });
});
