import {
  Degradations,
  type InMemoryObservationStore,
  MaintenanceCycle,
  MaintenanceCycleTimer,
  type MaintenanceTimes,
  type Page,
  type PageRequest,
  Workspace,
} from '@aimon/nestjs-memory';
import { deferred, settle } from '../agent/support/deferred.js';
import { ManualClock } from '../agent/support/manual-clock.js';
import { RecordingLogger } from '../agent/support/recording-logger.js';
import { until } from '../support/until.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TIMES: MaintenanceTimes = { intervalMs: 6 * HOUR, auditWindowMs: 30 * DAY, representationRetentionMs: 90 * DAY };

type Purge = (workspace: Workspace, cutoff: Date) => Promise<number>;

/** A cycle over a store of these workspaces, of which only the purging is there. */
function cycleOver(ids: readonly string[], purge: Purge, times: Partial<MaintenanceTimes> = {}) {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const degradations = new Degradations(logger);
  const store = {
    findWorkspaces: async ({ limit, cursor }: PageRequest): Promise<Page<Workspace>> => {
      const from = cursor === undefined ? 0 : Number(cursor);
      const items = ids.slice(from, from + limit).map((id) => Workspace.of({ id }));
      return { items, cursor: from + limit < ids.length ? String(from + limit) : undefined };
    },
    purgeSoftDeletedBefore: purge,
  } as unknown as InMemoryObservationStore;
  const cycle = new MaintenanceCycle({
    ...{ backendId: 'in-memory', times: { ...TIMES, ...times }, clock, logger, degradations },
    observationStore: store,
  });
  return { cycle, clock, logger, degradations };
}

describe('a maintenance cycle', () => {
  it('goes through every workspace, however many there are, with the audit window before now', async () => {
    const ids = Array.from({ length: 2500 }, (_, n) => `tenant ${n}`);
    const purged: string[] = [];
    const cutoffs = new Set<string>();
    const { cycle } = cycleOver(ids, async ({ id }, cutoff) => {
      purged.push(id);
      cutoffs.add(cutoff.toISOString());
      return 2;
    });
    expect(await cycle.run()).toEqual({ workspaces: 2500, observations: 5000, representations: 0 });
    expect(purged).toEqual(ids);
    expect([...cutoffs]).toEqual(['2026-01-31T02:00:00.000Z']);
  });

  it('gives the other workspaces their turn when one fails, says so once, and takes it back after the next that goes well', async () => {
    let broken = true;
    const purged: string[] = [];
    const { cycle, logger, degradations } = cycleOver(['a', 'b', 'c'], async ({ id }) => {
      if (broken && id !== 'c') throw new TypeError('postgres://user:secret@host');
      purged.push(id);
      return 1;
    });
    await expect(cycle.run()).rejects.toThrow(
      /^Maintenance failed in 2 workspaces; the others had their turn\. The first failure: TypeError at /,
    );
    await cycle.tick();
    expect(purged).toEqual(['c', 'c']);
    expect(degradations.all()).toEqual([
      {
        key: 'memory-maintenance',
        kind: 'fault',
        backendId: 'in-memory',
        consequence:
          'The last maintenance cycle of the memory "in-memory" failed: what is past its audit window or its retention is still kept.',
        remedy:
          'See the log for the cause; the next cycle tries again, after aimon.memory.maintenance.interval at the latest.',
      },
    ]);
    const failures = logger.lines.filter((line) => line.includes('The maintenance cycle failed with TypeError at '));
    expect(failures).toHaveLength(1);
    expect(logger.lines.join()).not.toContain('secret');
    broken = false;
    await cycle.tick();
    expect(degradations.all()).toEqual([]);
  });

  it('is one at a time: one that is due while another runs is left out, one that is asked for waits', async () => {
    const gates = [deferred<number>(), deferred<number>(), deferred<number>()];
    let begun = 0;
    const { cycle, logger } = cycleOver(['a'], () => (gates[begun++] as (typeof gates)[number]).promise);
    const due = cycle.tick();
    await until(() => begun === 1);
    await cycle.tick();
    await cycle.tick();
    const asked = [cycle.run(), cycle.run()];
    await settle();
    expect(begun).toBe(1);
    expect(logger.lines.filter((line) => line.includes('it was left out'))).toHaveLength(1);
    gates[0]?.resolve(1);
    await due;
    await until(() => begun === 2);
    gates[1]?.resolve(2);
    await until(() => begun === 3);
    gates[2]?.resolve(3);
    expect((await Promise.all(asked)).map(({ observations }) => observations)).toEqual([2, 3]);
  });

  it('ends between two workspaces when it is aborted, which is no fault, and none begins after it', async () => {
    const gate = deferred<number>();
    const purged: string[] = [];
    const { cycle, degradations, logger } = cycleOver(['a', 'b'], ({ id }) => {
      purged.push(id);
      return gate.promise;
    });
    const running = cycle.run();
    const outcome = expect(running).rejects.toThrow('The maintenance cycle was ended, since the memory was closed.');
    await until(() => purged.length === 1);
    let ended = false;
    const aborted = cycle.abort().then(() => (ended = true));
    await settle();
    // A store that is at work is not left alone with it.
    expect(ended).toBe(false);
    gate.resolve(1);
    await aborted;
    await outcome;
    expect(purged).toEqual(['a']);
    await cycle.tick();
    await expect(cycle.run()).rejects.toThrow('The maintenance cycle was asked for after the memory was closed.');
    expect(purged).toEqual(['a']);
    expect(degradations.all()).toEqual([]);
    expect(logger.lines).toEqual([]);
  });

  it('ends when whoever asked for it gives up, also one that only waits', async () => {
    const gate = deferred<number>();
    const { cycle, degradations } = cycleOver(['a', 'b'], () => gate.promise);
    const giveUp = new AbortController();
    const running = expect(cycle.run(giveUp.signal)).rejects.toThrow('Enough.');
    const waiting = expect(cycle.run(giveUp.signal)).rejects.toThrow('Enough.');
    giveUp.abort(new Error('Enough.'));
    // Although the store has not answered yet.
    await Promise.all([running, waiting]);
    gate.resolve(1);
    await settle();
    expect(degradations.all()).toEqual([]);
  });
});

describe('the timer of maintenance cycles', () => {
  it('runs one after each interval, the first not before one has passed, and none after it was stopped', async () => {
    let cycles = 0;
    const { cycle, clock } = cycleOver(['a'], async () => ++cycles);
    const timer = new MaintenanceCycleTimer(cycle);
    timer.start();
    timer.start();
    clock.advance(6 * HOUR - 1);
    await settle();
    expect(cycles).toBe(0);
    clock.advance(1);
    await until(() => cycles === 1);
    await cycle.run();
    clock.advance(6 * HOUR);
    await until(() => cycles === 3);
    timer.stop();
    timer.stop();
    expect(clock.waiting).toBe(0);
    clock.advance(DAY);
    await settle();
    expect(cycles).toBe(3);
  });

  it('does not pile up cycles that take longer than their interval', async () => {
    const gate = deferred<number>();
    let begun = 0;
    const { cycle, clock } = cycleOver(['a'], () => {
      begun++;
      return gate.promise;
    });
    new MaintenanceCycleTimer(cycle).start();
    clock.advance(6 * HOUR);
    await until(() => begun === 1);
    for (let n = 0; n < 5; n++) {
      clock.advance(6 * HOUR);
      await settle();
    }
    expect(begun).toBe(1);
    gate.resolve(0);
    await cycle.run();
    clock.advance(6 * HOUR);
    await until(() => begun === 3);
  });

  it('waits for nothing once the cycle was stopped', () => {
    const { cycle, clock } = cycleOver([], async () => 0);
    cycle.stop();
    new MaintenanceCycleTimer(cycle).start();
    expect(clock.waiting).toBe(0);
  });
});
