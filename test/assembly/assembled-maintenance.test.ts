import {
  assembleMemory,
  type DerivationQueue,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  InMemoryWorkspaceStore,
  type MaintenanceTimes,
  MemorySpec,
  Observation,
  ObservationId,
  PeerView,
  Principal,
  Representation,
  StoreError,
  Workspace,
} from '@aimon/nestjs-memory';
import { ManualClock } from '../agent/support/manual-clock.js';
import { alice, observation, ops } from '../support/peers.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const DAY = 86_400_000;
const TIMES: MaintenanceTimes = {
  intervalMs: DAY / 4,
  auditWindowMs: 30 * DAY,
  representationRetentionMs: 90 * DAY,
};

/** A memory per caller whose workspaces are the callers', with a clock to turn and its stores at hand. */
async function perCaller() {
  const clock = new ManualClock();
  const observations = new InMemoryObservationStore({ clock: () => clock.now() });
  const representations = new InMemoryRepresentationStore();
  const spec = MemorySpec.perCaller()
    .parts({ backendId: 'in-memory', observationStore: observations, representationStore: representations })
    .maintenance(TIMES);
  return { clock, observations, representations, stack: await assembleMemory(spec.build(), { clock }) };
}

describe('the maintenance of an assembled memory', () => {
  it('removes what is past its window in every workspace of a caller, and nothing else', async () => {
    const { clock, observations, representations, stack } = await perCaller();
    const peers = ['sales', 'support', 'legal'].map((id) => PeerView.of(Workspace.of({ id }), Principal.user('alice')));
    const observed = (subject: PeerView, localId: string): Observation =>
      Observation.of({
        id: ObservationId.of({ workspaceId: subject.workspace.id, localId }),
        ...{ subject, observer: subject, content: `Fact ${localId}.`, type: 'EXPLICIT', confidence: 0.9 },
        createdAt: clock.now(),
      });
    for (const subject of peers) {
      for (const localId of ['retired-early', 'retired-late', 'live'])
        await observations.save(observed(subject, localId));
      await observations.softDelete(observed(subject, 'retired-early').id);
      await representations.save(
        Representation.of({ subject, summary: 'Early.', generatedAt: clock.now(), tokenCount: 2 }),
      );
    }
    clock.advance(30 * DAY);
    for (const subject of peers) await observations.softDelete(observed(subject, 'retired-late').id);
    expect(await stack.maintenance.runCycle()).toEqual({ workspaces: 3, observations: 0, representations: 0 });
    clock.advance(1);
    expect(await stack.maintenance.runCycle()).toEqual({ workspaces: 3, observations: 3, representations: 0 });
    clock.advance(60 * DAY - 1);
    expect(await stack.maintenance.runCycle()).toEqual({ workspaces: 3, observations: 3, representations: 0 });
    clock.advance(1);
    expect(await stack.maintenance.runCycle()).toEqual({ workspaces: 3, observations: 0, representations: 3 });
    for (const subject of peers) {
      expect((await observations.history(subject)).items.map(({ observation }) => observation.id.localId)).toEqual([
        'live',
      ]);
      // A representation that has gone leaves the prompt what is known: it is computed from the observations.
      const snapshot = await stack.peerMemory?.snapshotReader?.read({ subject, mode: 'SUMMARY_ONLY', maxTokens: 0 });
      expect(snapshot?.renderedText).toContain('Fact live.');
    }
    await stack.close();
  });

  it('takes no new cycle once the shutdown has begun, and ends a running one before the backend is closed', async () => {
    const events: string[] = [];
    let purging = (): void => undefined;
    const begun = new Promise<void>((resolve) => (purging = resolve));
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    class Slow extends InMemoryObservationStore {
      override async purgeSoftDeletedBefore(): Promise<number> {
        purging();
        await finished;
        events.push('purged');
        return 0;
      }
    }
    const store = new Slow();
    await store.save(observation(1));
    const stranger = PeerView.of(Workspace.of({ id: 'sales' }), Principal.user('bob'));
    await store.save(observation(2, { subject: stranger }));
    const stack = await assembleMemory(
      MemorySpec.forPeer(ops, alice).observationStore(store).maintenance(TIMES).build(),
    );
    const running = expect(stack.maintenance.runCycle()).rejects.toThrow('The maintenance cycle was ended');
    await begun;
    stack.teardown.register('MEMORY_QUEUE', 'mine', async () => {
      events.push('the queue is drained');
      await expect(stack.maintenance.runCycle()).rejects.toThrow(
        'The maintenance cycle was asked for after the memory was closed.',
      );
    });
    // Beside what ends the cycle, which waits for the store.
    stack.teardown.register('MEMORY_MAINTENANCE', 'mine', () => finish());
    stack.teardown.register('MEMORY_BACKEND', 'mine', () => void events.push('the backend is closed'));
    expect(await stack.close()).toEqual({ unfinished: [] });
    await running;
    expect(events).toEqual(['the queue is drained', 'purged', 'the backend is closed']);
  });

  it('is not there for stores and backends that the application supplied, which is said in a sentence', async () => {
    const store = new InMemoryObservationStore();
    const withStore = await assembleMemory(MemorySpec.forPeer(ops, alice).observationStore(store).build());
    expect(withStore.maintenanceCycle).toBeUndefined();
    await expect(withStore.maintenance.runCycle()).rejects.toThrow(
      'MemoryMaintenance.runCycle goes through stores that the memory made for itself, and the memory "default" was given its own. Set aimon.memory.backend to in-memory, or purge a store of your own with purgeRetired(workspace, cutoff) and deleteOlderThan(workspace, cutoff).',
    );
    await withStore.close();
  });

  it('is refused where nobody could do it', () => {
    const supplied = MemorySpec.forPeer(ops, alice).peerMemory(new RecordingPeerMemory()).maintenance(TIMES);
    expect(() => supplied.build()).toThrow(
      'Maintenance was given beside a PeerMemory ("recording"), which maintains itself, so it would not be done; leave it out.',
    );
    class Unlisted extends InMemoryObservationStore {
      override findWorkspaces = undefined as never;
    }
    expect(() => MemorySpec.forPeer(ops, alice).observationStore(new Unlisted()).maintenance(TIMES).build()).toThrow(
      'Maintenance was given, but the observationStore has no findWorkspaces, so nobody would know where to look; add it, or leave maintenance out.',
    );
    expect(() => MemorySpec.forPeer(ops, alice).maintenance({ ...TIMES, intervalMs: 0 })).toThrow(
      'MemorySpec.maintenance intervalMs is 0',
    );
  });
});

describe('an assembly that fails', () => {
  it('stops the queue that was made for it before it says so', async () => {
    const events: string[] = [];
    const queue = {
      stats: () => ({ pending: 0, inFlight: 0, deadLettered: 0 }),
      onOutcome: () => () => undefined,
      start: () => void events.push('started'),
      stop: async () => {
        events.push('stopped');
        return { unfinishedMessages: 0 };
      },
    } as unknown as DerivationQueue;
    class Failing extends InMemoryWorkspaceStore {
      override async create(): Promise<never> {
        throw new StoreError('The disk is full.');
      }
    }
    const spec = MemorySpec.forPeer(ops, alice).parts({
      ...{ workspaceStore: new Failing(), observationStore: new InMemoryObservationStore() },
      derivationQueue: () => {
        events.push('made');
        return queue;
      },
    });
    await expect(assembleMemory(spec.build())).rejects.toThrow('The disk is full.');
    expect(events).toEqual(['made', 'stopped']);
  });

  it('is no longer than its deadline, when what was made hangs', async () => {
    const lines: string[] = [];
    const queue = { stop: () => new Promise(() => undefined) } as unknown as DerivationQueue;
    class Failing extends InMemoryWorkspaceStore {
      override async findById(): Promise<never> {
        throw new StoreError('The disk is gone.');
      }
    }
    const spec = MemorySpec.forPeer(ops, alice)
      .parts({ workspaceStore: new Failing(), observationStore: new InMemoryObservationStore() })
      .derivationQueue(() => queue)
      .shutdownTimeoutMs(5);
    const logger = { log: () => undefined, warn: () => undefined, error: (line: string) => void lines.push(line) };
    await expect(assembleMemory(spec.build(), { logger })).rejects.toThrow('The disk is gone.');
    expect(lines).toEqual([
      'Taking the memory down left something behind. MEMORY_QUEUE derivation queue: not finished within aimon.memory.shutdown-timeout (5 ms)',
    ]);
  });
});
