import fc from 'fast-check';

import { TestClock } from '@aimon/nestjs-memory/testing';

const START = new Date('2026-01-01T00:00:00.000Z');
const after = (ms: number): Date => new Date(START.getTime() + ms);

describe('a TestClock', () => {
  it('stands still at its start until it is moved', async () => {
    const clock = new TestClock();
    expect(clock.now()).toEqual(START);
    await clock.advance('30m');
    expect(clock.now()).toEqual(after(30 * 60_000));
    await clock.advance(1);
    expect(clock.now()).toEqual(after(30 * 60_000 + 1));
    await clock.set(new Date('2027-02-03T04:05:06.789Z'));
    expect(clock.now().toISOString()).toBe('2027-02-03T04:05:06.789Z');
    expect(new TestClock(new Date(0)).now()).toEqual(new Date(0));
  });

  it('hands out and takes times that nobody can move it by', () => {
    const start = new Date(START);
    const clock = new TestClock(start);
    start.setTime(0);
    clock.now().setTime(0);
    expect(clock.now()).toEqual(START);
  });

  it.each([
    ['300ms', 300],
    ['10s', 10_000],
    ['5m', 300_000],
    ['6h', 21_600_000],
    ['30d', 2_592_000_000],
    [0, 0],
    [1500, 1500],
  ])('moves by %s', async (by, ms) => {
    const clock = new TestClock();
    await clock.advance(by);
    expect(clock.now()).toEqual(after(ms));
  });

  it.each([['30 minutes'], [''], ['-5m'], [-1], [Number.NaN], [Infinity], [undefined]])(
    'is refused %p as a duration, and stays where it is',
    async (by) => {
      const clock = new TestClock();
      await expect(clock.advance(by as never)).rejects.toThrow(
        /^What TestClock\.advance was given is .+; it takes a number of milliseconds of at least 0, or a duration such as 300ms, 10s, 30m, 6h or 2d\.$/,
      );
      expect(clock.now()).toEqual(START);
    },
  );

  it('does not go where no Date leads', async () => {
    const clock = new TestClock();
    await expect(clock.advance('999999999d')).rejects.toThrow(
      'What TestClock.advance was given is "999999999d", which leads past the end of time, +275760-09-13T00:00:00.000Z.',
    );
    expect(clock.now()).toEqual(START);
  });

  it('does not go back, and says how to start earlier', async () => {
    const clock = new TestClock();
    await expect(clock.set(new Date('2025-12-31T23:59:59Z'))).rejects.toThrow(
      "TestClock.set was given 2025-12-31T23:59:59.000Z, but the clock stands at 2026-01-01T00:00:00.000Z, and time does not go back. Start one earlier: new TestClock(new Date('2025-12-31T23:59:59.000Z')).",
    );
    await expect(clock.set('2027-01-01' as never)).rejects.toThrow(
      'What TestClock.set was given is "2027-01-01"; it takes a valid Date.',
    );
    expect(() => new TestClock(new Date('never'))).toThrow(
      'TestClock start is an invalid date; it takes a valid Date.',
    );
  });

  it('runs what is due at its time, in the order of the times, also what tasks schedule', async () => {
    const clock = new TestClock();
    const ran: [string, number][] = [];
    const note = (name: string) => () => void ran.push([name, clock.now().getTime() - START.getTime()]);
    clock.schedule(20, note('second'));
    clock.schedule(10, () => {
      note('first')();
      clock.schedule(5, note('in between'));
      clock.schedule(1000, note('later'));
    });
    clock.schedule(20, note('third'));
    expect(clock.waiting).toBe(3);
    expect(clock.untilNextTask).toBe(10);
    await clock.advance(20);
    expect(ran).toEqual([
      ['first', 10],
      ['in between', 15],
      ['second', 20],
      ['third', 20],
    ]);
    expect(clock.now()).toEqual(after(20));
    expect(clock.untilNextTask).toBe(990);
  });

  it('runs a task once, and one that was cancelled never, also when a task cancels it', async () => {
    const clock = new TestClock();
    const ran: string[] = [];
    const cancelled = clock.schedule(10, () => ran.push('cancelled'));
    clock.schedule(10, () => {
      ran.push('cancels');
      also();
    });
    const also = clock.schedule(10, () => ran.push('cancelled by a task'));
    cancelled();
    cancelled();
    await clock.advance(10);
    await clock.advance(10);
    also();
    expect(ran).toEqual(['cancels']);
    expect(clock.waiting).toBe(0);
    expect(clock.untilNextTask).toBeUndefined();
  });

  it('lets what a task starts go on before time does', async () => {
    const clock = new TestClock();
    const chain = async (left: number): Promise<void> => {
      await Promise.resolve();
      if (left > 0) return chain(left - 1);
      clock.schedule(10, () => undefined);
    };
    clock.schedule(10, () => void chain(100));
    await clock.advance(20);
    expect(clock.waiting).toBe(0);
  });

  it('is moved by one call after the other, however they are made', async () => {
    const clock = new TestClock();
    const seen: number[] = [];
    clock.schedule(15, () => seen.push(clock.now().getTime()));
    await Promise.all([clock.advance(10), clock.advance(10), clock.set(after(40))]);
    expect(seen).toEqual([after(15).getTime()]);
    expect(clock.now()).toEqual(after(40));
  });

  it('never runs a task at once, nor keeps time from passing for one that schedules itself', async () => {
    const clock = new TestClock();
    let runs = 0;
    const again = (): void => {
      runs += 1;
      clock.schedule(0, again);
    };
    clock.schedule(-5, again);
    expect(runs).toBe(0);
    await clock.advance(10);
    expect(runs).toBe(10);
  });

  it('has no time for what is never due', async () => {
    const clock = new TestClock();
    clock.schedule(Infinity, () => undefined)();
    expect(clock.waiting).toBe(0);
  });

  it('gets where it was to go, and then throws what tasks threw', async () => {
    const clock = new TestClock();
    const fail = (name: string) => () => {
      throw new Error(name);
    };
    clock.schedule(1, fail('one'));
    await expect(clock.advance(10)).rejects.toThrow('one');
    expect(clock.now()).toEqual(after(10));
    clock.schedule(1, fail('two'));
    clock.schedule(2, fail('three'));
    await expect(clock.advance(10)).rejects.toThrow('2 tasks of the TestClock failed.');
    expect(clock.now()).toEqual(after(20));
    await clock.advance(1);
  });

  it('runs exactly what is due, in order, whatever is scheduled, cancelled and moved', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('schedule' as const), ms: fc.nat(50) }),
      fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant('advance' as const), ms: fc.nat(40) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = new TestClock();
        const ran: number[] = [];
        const tasks: { readonly at: number; readonly cancel: () => void; state: 'waits' | 'cancelled' | 'ran' }[] = [];
        let now = 0;
        const expected: number[] = [];
        for (const one of steps) {
          if (one.kind === 'schedule') {
            const number = tasks.length;
            const cancel = clock.schedule(one.ms, () => ran.push(number));
            tasks.push({ at: now + Math.max(1, one.ms), cancel, state: 'waits' });
          } else if (one.kind === 'cancel') {
            const task = tasks[one.which];
            task?.cancel();
            if (task?.state === 'waits') task.state = 'cancelled';
          } else {
            await clock.advance(one.ms);
            now += one.ms;
            const due = tasks.filter(({ state, at }) => state === 'waits' && at <= now);
            // A stable sort: of one time the order in which they were scheduled.
            for (const task of due.sort((a, b) => a.at - b.at)) {
              task.state = 'ran';
              expected.push(tasks.indexOf(task));
            }
          }
          expect(ran).toEqual(expected);
          expect(clock.waiting).toBe(tasks.filter(({ state }) => state === 'waits').length);
          expect(clock.now()).toEqual(after(now));
        }
      }),
    );
  });
});
