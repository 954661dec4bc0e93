import { jest } from '@jest/globals';
import { MemoryTeardown, TEARDOWN_PHASES, TeardownPhase, type TeardownTime } from '@aimon/nestjs-memory';
import { RecordingLogger } from '../agent/support/recording-logger.js';

const hangs = (): Promise<never> => new Promise(() => undefined);

describe('a teardown', () => {
  it('runs the work of every phase in their order, works of one phase side by side', async () => {
    const teardown = new MemoryTeardown();
    const events: string[] = [];
    let release = (): void => undefined;
    const other = new Promise<void>((resolve) => (release = resolve));
    for (const phase of [...TEARDOWN_PHASES].reverse()) teardown.register(phase, 'mine', () => void events.push(phase));
    teardown.register(TeardownPhase.CHECKPOINTS, 'waits for the other', () => other);
    teardown.register(TeardownPhase.CHECKPOINTS, 'the other', () => release());
    expect(await teardown.run()).toEqual({ unfinished: [] });
    expect(events).toEqual([...TEARDOWN_PHASES]);
  });

  it('repeats nothing, called again or at the same time, and stops at the phase that it is asked for', async () => {
    const teardown = new MemoryTeardown();
    const events: string[] = [];
    for (const phase of TEARDOWN_PHASES) teardown.register(phase, 'mine', () => void events.push(phase));
    await Promise.all([teardown.run('CHECKPOINTS'), teardown.run('SESSIONS')]);
    expect(events).toEqual(['SESSIONS', 'CHECKPOINTS']);
    await Promise.all([teardown.run(), teardown.run(), teardown.run('SESSIONS')]);
    await teardown.run();
    expect(events).toEqual([...TEARDOWN_PHASES]);
  });

  it('reports what throws, what hangs and what says that it did not finish, at error, and runs the later phases', async () => {
    const logger = new RecordingLogger();
    const errors: string[] = [];
    logger.error = (line) => void errors.push(line);
    const teardown = new MemoryTeardown({ deadlineMs: 20, logger });
    let told: TeardownTime | undefined;
    let signal: AbortSignal | undefined;
    teardown.register('SESSIONS', 'throws', () => {
      throw new Error('No room.');
    });
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything can be thrown
    teardown.register('SESSIONS', 'rejects', () => Promise.reject('no error'));
    teardown.register('CHECKPOINTS', 'knows', () => '3 were left');
    teardown.register('MEMORY_QUEUE', 'hangs', (time) => {
      ({ signal } = time);
      return hangs();
    });
    teardown.register('MEMORY_BACKEND', 'late', (time) => void (told = time));
    const { unfinished } = await teardown.run();
    expect(unfinished).toEqual([
      'SESSIONS throws: No room.',
      'SESSIONS rejects: no error',
      'CHECKPOINTS knows: 3 were left',
      'MEMORY_QUEUE hangs: not finished within aimon.memory.shutdown-timeout (20 ms)',
    ]);
    expect(errors).toEqual(unfinished.map((what) => `Taking the memory down left something behind. ${what}`));
    expect(signal?.aborted).toBe(true);
    // Work that comes too late is begun, so that it can let go of what it holds.
    expect(told?.remainingMs).toBe(0);
  });

  it('does not wait for late work, nor minds what becomes of it', async () => {
    const teardown = new MemoryTeardown({ deadlineMs: 0 });
    let reject = (_error: Error): void => undefined;
    const late = new Promise<never>((_resolve, fail) => (reject = fail));
    teardown.register('MEMORY_BACKEND', 'mine', () => late);
    const { unfinished } = await teardown.run();
    expect(unfinished).toEqual(['MEMORY_BACKEND mine: not finished within aimon.memory.shutdown-timeout (0 ms)']);
    reject(new Error('Later.'));
    expect((await teardown.run()).unfinished).toEqual(unfinished);
  });

  it('gives work whose time is up some turns of the event loop to record what is lost, before the next phase', async () => {
    const teardown = new MemoryTeardown({ deadlineMs: 1 });
    const events: string[] = [];
    teardown.register('MEMORY_QUEUE', 'mine', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      events.push('recorded');
      return '7 messages were lost';
    });
    teardown.register('MEMORY_BACKEND', 'mine', () => void events.push('closed'));
    expect((await teardown.run()).unfinished).toEqual(['MEMORY_QUEUE mine: 7 messages were lost']);
    expect(events).toEqual(['recorded', 'closed']);
  });

  it('counts the time that its phases take, not the time between them', async () => {
    const clock = jest.spyOn(performance, 'now');
    try {
      let now = 0;
      clock.mockImplementation(() => now);
      const teardown = new MemoryTeardown({ deadlineMs: 10_000 });
      const left: number[] = [];
      teardown.register('SESSIONS', 'three seconds', ({ remainingMs }) => {
        left.push(remainingMs);
        now += 3000;
      });
      teardown.register('MEMORY_QUEUE', 'one second', ({ remainingMs }) => {
        left.push(remainingMs);
        now += 1000;
      });
      teardown.register('MEMORY_BACKEND', 'mine', ({ remainingMs }) => void left.push(remainingMs));
      await teardown.run('MEMORY_FINAL_DERIVATION');
      now += 60_000;
      await teardown.run();
      expect(left).toEqual([10_000, 7000, 6000]);
    } finally {
      clock.mockRestore();
    }
  });

  it('takes more work while it runs, for phases that have not begun', async () => {
    const teardown = new MemoryTeardown();
    const events: string[] = [];
    let refusal: unknown;
    teardown.register('CHECKPOINTS', 'first', () => {
      events.push('first');
      teardown.register('MEMORY_QUEUE', 'second', () => void events.push('second'));
      try {
        teardown.register('SESSIONS', 'too late', () => void events.push('too late'));
      } catch (error) {
        refusal = error;
      }
    });
    await teardown.run();
    expect(events).toEqual(['first', 'second']);
    expect((refusal as Error).message).toBe(
      'MemoryTeardown.register: the phase SESSIONS has begun, so "too late" would not be run.',
    );
  });

  it('is not waited for by its own work, and runs to its end all the same', async () => {
    const teardown = new MemoryTeardown({ deadlineMs: 60_000 });
    const events: string[] = [];
    teardown.register('SESSIONS', 'orders the shutdown', async () => {
      await Promise.resolve();
      const { unfinished } = await teardown.run();
      events.push(`known so far: ${unfinished.length}`);
    });
    teardown.register('MEMORY_BACKEND', 'mine', () => void events.push('closed'));
    await teardown.run('SESSIONS');
    await teardown.run();
    expect(events).toEqual(['known so far: 0', 'closed']);
  });

  it('refuses a phase that there is not', async () => {
    const teardown = new MemoryTeardown();
    expect(() => teardown.register('NEVER' as never, 'mine', () => undefined)).toThrow(
      'MemoryTeardown.register phase is "NEVER"; it takes one of SESSIONS, CHECKPOINTS, MEMORY_FINAL_DERIVATION, MEMORY_QUEUE, DREAMER, MEMORY_MAINTENANCE, MEMORY_BACKEND.',
    );
    await expect(teardown.run('NEVER' as never)).rejects.toThrow('MemoryTeardown.run last is "NEVER"');
  });
});
