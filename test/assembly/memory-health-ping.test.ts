import { MemoryHealth, Degradations, IngestOutcomes, type MemoryHealthReport } from '@aimon/nestjs-memory';
import fc from 'fast-check';
import { MemoryHealthPing } from '../../lib/assembly/memory-health-ping.js';
import { ManualClock } from '../agent/support/manual-clock.js';

const SECRET = ['hT7q', 'Vx29', 'LmPz', 'w4Rk'].join('');
const PAUSED = 'not asked now: earlier pings have not ended';
const TOO_SLOW = 'ping took longer than 2000 ms';

/** A backend that answers a ping when it is told to, and never by itself. */
class HangingBackend {
  readonly signals: AbortSignal[] = [];
  readonly answers: (() => void)[] = [];
  readonly ping = (signal: AbortSignal): Promise<void> => {
    this.signals.push(signal);
    return new Promise((resolve) => this.answers.push(resolve));
  };
}

/** A ping that rejects with this, error or not. */
const rejecting = (thrown: unknown) => () => ({
  then: (_: unknown, reject: (reason: unknown) => void) => reject(thrown),
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a ping', () => {
  it('that has not ended after two seconds has failed, and is told to end', async () => {
    const clock = new ManualClock();
    const backend = new HangingBackend();
    const outcome = new MemoryHealthPing(backend.ping, clock).outcome();
    await turn();
    clock.advance(1999);
    expect(backend.signals[0]?.aborted).toBe(false);
    clock.advance(1);
    expect(await outcome).toEqual({ ended: 'failed', reason: TOO_SLOW });
    expect(backend.signals[0]?.aborted).toBe(true);
    expect(backend.signals[0]?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('that ends in time leaves nothing waiting', async () => {
    const clock = new ManualClock();
    expect(await new MemoryHealthPing(async () => undefined, clock).outcome()).toEqual({ ended: 'answered' });
    expect(clock.waiting).toBe(0);
  });

  it('is shared by all who ask while it runs', async () => {
    const backend = new HangingBackend();
    const ping = new MemoryHealthPing(backend.ping, new ManualClock());
    const outcomes = Array.from({ length: 50 }, () => ping.outcome());
    await turn();
    expect(backend.signals).toHaveLength(1);
    backend.answers[0]?.();
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set([{ ended: 'answered' }]));
    void ping.outcome();
    await turn();
    expect(backend.signals).toHaveLength(2);
  });

  it('goes on for the others when one who waits for it leaves', async () => {
    const backend = new HangingBackend();
    const ping = new MemoryHealthPing(backend.ping, new ManualClock());
    const leaving = new AbortController();
    const left = ping.outcome(leaving.signal);
    const staying = ping.outcome();
    leaving.abort();
    expect(await left).toEqual({ ended: 'given-up', reason: 'the check was given up before the ping answered' });
    expect(backend.signals[0]?.aborted).toBe(false);
    backend.answers[0]?.();
    expect(await staying).toEqual({ ended: 'answered' });
  });

  it('is not begun for one who has left already', async () => {
    const backend = new HangingBackend();
    const outcome = await new MemoryHealthPing(backend.ping, new ManualClock()).outcome(AbortSignal.abort());
    expect(outcome.ended).toBe('given-up');
    expect(backend.signals).toEqual([]);
  });

  it('begins anew at once after one that ended when it was told to', async () => {
    const clock = new ManualClock();
    let pings = 0;
    const ping = new MemoryHealthPing((signal) => {
      pings += 1;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    }, clock);
    for (let probe = 1; probe <= 20; probe += 1) {
      const outcome = ping.outcome();
      await turn();
      clock.advance(2000);
      expect(await outcome).toEqual({ ended: 'failed', reason: TOO_SLOW });
      await turn();
      expect(pings).toBe(probe);
    }
  });

  it('of a backend that ignores the abort begins anew at once a few times, then ever more rarely, once a minute at least', async () => {
    const clock = new ManualClock();
    const backend = new HangingBackend();
    const ping = new MemoryHealthPing(backend.ping, clock);
    const begun: number[] = [];
    for (let second = 0; second < 600; second += 1) {
      const before = backend.signals.length;
      const outcome = ping.outcome();
      await turn();
      const began = backend.signals.length > before;
      if (began) begun.push(second);
      const [newest] = begun.slice(-1);
      clock.advance(1000);
      if (newest !== undefined && second > newest + 1)
        expect(await outcome).toEqual({ ended: 'failed', reason: PAUSED });
    }
    // Two seconds until each is late; after the fifth a pause besides: 2, 4, 8, 16, 32, and 60 from then on.
    expect(begun.slice(0, 12)).toEqual([0, 2, 4, 6, 8, 12, 18, 28, 46, 80, 142, 204]);
    expect(begun).toHaveLength(18);
  });

  it('that hangs once is followed by one that asks', async () => {
    const clock = new ManualClock();
    let hangs = true;
    const ping = new MemoryHealthPing(() => (hangs ? new Promise(() => undefined) : 'pong'), clock);
    const first = ping.outcome();
    await turn();
    clock.advance(2000);
    expect(await first).toEqual({ ended: 'failed', reason: TOO_SLOW });
    hangs = false;
    expect(await ping.outcome()).toEqual({ ended: 'answered' });
  });

  it('that was answered ends the pauses, also where earlier ones never end', async () => {
    const clock = new ManualClock();
    let hangs = true;
    const ping = new MemoryHealthPing(() => (hangs ? new Promise(() => undefined) : 'pong'), clock);
    for (let incident = 0; incident < 20; incident += 1) {
      hangs = true;
      const slow = ping.outcome();
      await turn();
      clock.advance(2000);
      expect((await slow).ended).toBe('failed');
      hangs = false;
      // The pause after one slow answer is never more than the first.
      clock.advance(2000);
      expect(await ping.outcome()).toEqual({ ended: 'answered' });
    }
  });

  it('that ends late makes room for the next, and is no answer to it', async () => {
    const clock = new ManualClock();
    const backend = new HangingBackend();
    const ping = new MemoryHealthPing(backend.ping, clock);
    const late = async (): Promise<void> => {
      const outcome = ping.outcome();
      await turn();
      clock.advance(2000);
      expect(await outcome).toEqual({ ended: 'failed', reason: TOO_SLOW });
    };
    for (let count = 1; count <= 5; count += 1) await late();
    expect(await ping.outcome()).toEqual({ ended: 'failed', reason: PAUSED });
    backend.answers[0]?.();
    await turn();
    await late();
    expect(backend.signals).toHaveLength(6);
  });

  it.each<readonly [string, (signal: AbortSignal) => unknown]>([
    [
      'throws',
      () => {
        throw new RangeError(SECRET);
      },
    ],
    ['rejects', () => Promise.reject(new RangeError(SECRET))],
    [
      'answers with a thenable that rejects',
      () => ({ then: (_: unknown, no: (e: Error) => void) => no(new RangeError(SECRET)) }),
    ],
  ])('that %s has failed, and only the class of its error is told', async (_, ping) => {
    expect(await new MemoryHealthPing(ping, new ManualClock()).outcome()).toEqual({
      ...{ ended: 'failed', reason: 'ping failed', error: 'RangeError' },
    });
  });

  it('that answers without a promise has answered', async () => {
    expect(await new MemoryHealthPing(() => 'pong', new ManualClock()).outcome()).toEqual({ ended: 'answered' });
  });

  it('tells of an error its code or class, where that is a plain word', async () => {
    const told = async (error: unknown): Promise<string | undefined> =>
      (await new MemoryHealthPing(rejecting(error), new ManualClock()).outcome()).error;
    expect(await told(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
    expect(await told(new Error('x'))).toBe('Error');
    expect(await told(Object.assign(new Error('x'), { name: SECRET }))).toBeUndefined();
    expect(await told(Object.assign(new Error('x'), { name: 'password is secret' }))).toBeUndefined();
    expect(await told(Object.assign(new Error('x'), { name: 'CorrectHorseBattery' }))).toBeUndefined();
    expect(await told(Object.assign(new Error('x'), { name: 'MongoNetworkError' }))).toBe('MongoNetworkError');
    expect(await told(SECRET)).toBeUndefined();
    expect(await told(undefined)).toBeUndefined();
  });

  it('never shows anything of the message of its error, whatever was thrown', async () => {
    const text = fc.string({ minLength: 4 }).map((noise) => `${SECRET}${noise}`);
    const message = text.map((one) => new Error(one));
    const named = text.map((name) => Object.assign(new Error('x'), { name, code: name }));
    const hostile = text.map((one) =>
      Object.defineProperty({}, 'name', {
        get: () => {
          throw new Error(one);
        },
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, named, hostile, text, fc.anything()), async (thrown) => {
        const degradations = new Degradations();
        const health = new MemoryHealth({
          ...{ backendId: 'test', capabilities: new Set<never>(), degradations, outcomes: new IngestOutcomes() },
          ping: rejecting(thrown),
          clock: new ManualClock(),
        });
        const report: MemoryHealthReport = await health.check();
        expect(report.status).toBe('down');
        expect(JSON.stringify(report)).not.toContain(SECRET);
      }),
    );
  });
});
