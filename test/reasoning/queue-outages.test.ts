import fc from 'fast-check';
import {
  type DerivationContext,
  type DerivationOutage,
  type DerivationResult,
  InMemoryDerivationQueue,
  type InMemoryDerivationQueueOptions,
  type IngestOutcome,
  LlmAnswerError,
  LlmContextLengthError,
  LlmUnavailableError,
  normaliseMessage,
  StoreError,
  textOf,
} from '@aimon/nestjs-memory';
import { TestClock } from '../../lib/testing/test-clock.js';

import { alice, bob, observation } from '../support/peers.js';

type Derive = (context: DerivationContext) => Promise<Partial<DerivationResult> | void>;

function queueWith(derive: Derive, options: Partial<InMemoryDerivationQueueOptions> = {}) {
  const clock = new TestClock();
  const heard: { readonly at: number; readonly sessionId: string; readonly ids: readonly string[] }[] = [];
  const outcomes: IngestOutcome[] = [];
  const outages: (DerivationOutage | undefined)[] = [];
  const start = clock.now().getTime();
  const queue = new InMemoryDerivationQueue({
    deriver: {
      derive: async (context) => {
        const { sessionId, messages } = context;
        heard.push({ at: clock.now().getTime() - start, sessionId, ids: messages.map(({ id }) => id) });
        const result = await derive(context);
        const byMessage = new Map(messages.map(({ id }) => [id, [observation(1, { subject: context.subject })]]));
        return { created: [], updated: [], tokensUsed: 0, failures: [], byMessage, ...result };
      },
    },
    redactionPolicy: undefined,
    clock,
    ...options,
  });
  queue.onOutcome((outcome) => void outcomes.push(outcome));
  queue.onOutage((outage) => void outages.push(outage));
  const isBusy = (): boolean => queue.stats().inFlight > 0;
  clock.waitWhile(isBusy);
  return { queue, clock, heard, outcomes, outages };
}

const task = (sessionId: string, ids: readonly string[], content = 'Said.') => ({
  subject: alice,
  observer: alice,
  sessionId,
  messages: ids.map((id) => normaliseMessage({ role: 'user', content, id })),
});
const away = (retryAfterMs?: number) =>
  new LlmUnavailableError('The model is away.', { outage: 'unreachable', retryAfterMs });
const MINUTE = 60_000;

describe('a derivation queue whose service is away', () => {
  it('loses nothing in an hour, while messages keep coming, and keeps each session in order', async () => {
    let there = true;
    const { queue, clock, heard, outcomes } = queueWith(async () => {
      if (!there) throw away();
    });
    queue.start();
    const said: Record<string, string[]> = { a: [], b: [], c: [] };
    const say = async (n: number): Promise<void> => {
      for (const [session, ids] of Object.entries(said)) {
        ids.push(`${session}${n}`);
        await queue.enqueue(task(session, [`${session}${n}`]));
      }
    };
    await say(0);
    await clock.advance('1m');
    there = false;
    for (let minute = 1; minute <= 60; minute++) {
      await say(minute);
      await clock.advance('1m');
    }
    expect(outcomes).toHaveLength(3);
    expect(queue.stats()).toMatchObject({ pending: 180, inFlight: 0, deadLettered: 0 });
    expect(queue.stats().outage).toMatchObject({ reason: 'unreachable' });
    there = true;
    const tried = heard.length;
    await clock.advance('1m');
    await queue.whenIdle();
    expect(queue.stats()).toEqual({ pending: 0, inFlight: 0, deadLettered: 0 });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(183).fill('stored'));
    expect(new Set(outcomes.map(({ messageId }) => messageId)).size).toBe(183);
    for (const [session, ids] of Object.entries(said)) {
      const ofIt = heard.slice(tried).filter(({ sessionId }) => sessionId === session);
      expect(ofIt.flatMap((call) => call.ids)).toEqual(ids.slice(1));
    }
  });

  it('tries once at a time, waits twice as long after each try, and never longer than a minute', async () => {
    const { queue, clock, heard } = queueWith(
      async () => {
        throw away();
      },
      { retryDelayMs: 500, workerCount: 4 },
    );
    for (const session of ['a', 'b', 'c', 'd', 'e']) await queue.enqueue(task(session, [session]));
    queue.start();
    await clock.advance('10m');
    const times = heard.map(({ at }) => at);
    // Four workers were at it when the outage began; from then on one tries.
    expect(times.slice(0, 4)).toEqual([0, 0, 0, 0]);
    const waits = times.slice(4).map((at, n) => at - (times[n + 3] as number));
    expect(waits.slice(0, 9)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, MINUTE, MINUTE]);
    await queue.stop({ drainMs: 0 });
  });

  it.each([
    ['as long as the service asks', 150_000, 150_000],
    ['for an hour at most, whatever the service asks', 365 * 24 * 3_600_000, 3_600_000],
    ['for its own time where that is longer', 1, 500],
  ])('waits %s', async (_, retryAfterMs, waited) => {
    let tries = 0;
    const { queue, clock, heard } = queueWith(async () => {
      if (tries++ === 0) throw away(retryAfterMs);
    });
    await queue.enqueue(task('a', ['m1']));
    queue.start();
    await clock.advance('2h');
    expect(heard.map(({ at }) => at)).toEqual([0, waited]);
  });

  it('says when it begins and when it has passed, and since when', async () => {
    let tries = 0;
    const { queue, clock, outages } = queueWith(async () => {
      if (tries++ < 3) throw new LlmUnavailableError('Too much.', { outage: 'rate-limited' });
    });
    const since = clock.now();
    await queue.enqueue(task('a', ['m1']));
    queue.start();
    await clock.advance('1m');
    expect(outages).toEqual([{ reason: 'rate-limited', since }, undefined]);
  });

  it('is what a store says whose driver has lost its connection', async () => {
    let tries = 0;
    const { queue, clock, outcomes, outages } = queueWith(
      async ({ messages }) => {
        if (tries++ > 8) return;
        const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
        const failure = new StoreError('The store cannot be written to.', { cause });
        return { failures: messages.map(({ id }) => ({ messageId: id, reason: 'store failed', cause: failure })) };
      },
      { maxAttempts: 2 },
    );
    await queue.enqueue(task('a', ['m1', 'm2']));
    queue.start();
    await clock.advance('10m');
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'stored']);
    expect(outages[0]?.reason).toBe('ECONNREFUSED');
  });

  it('counts attempts only while the service is there', async () => {
    const failures = [away(), new LlmAnswerError('?'), away(), away(), new LlmAnswerError('?'), away()];
    const { queue, clock, outcomes } = queueWith(
      async () => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
      },
      { maxAttempts: 3 },
    );
    await queue.enqueue(task('a', ['m1']));
    queue.start();
    await clock.advance('1h');
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored']);
  });

  it('does not end because what it was to be tried with was erased', async () => {
    let there = false;
    const { queue, clock, heard } = queueWith(async () => {
      if (!there) throw away();
    });
    await queue.enqueue(task('a', ['m1']));
    queue.start();
    await clock.advance(10);
    await queue.erase(alice);
    await clock.advance('5m');
    expect(queue.stats()).toMatchObject({ pending: 0, outage: { reason: 'unreachable' } });
    expect(heard).toHaveLength(1);
    there = true;
    await queue.enqueue(task('b', ['m2']));
    await queue.whenIdle();
    expect(queue.stats()).toEqual({ pending: 0, inFlight: 0, deadLettered: 0 });
  });

  it.each([
    ['is tried once more when the queue is to stop, and then all is done', 1, 0, 'stored'],
    ['leaves what waits unfinished when it is still away then', 2, 2, 'failed'],
  ])('%s', async (_, failures, unfinishedMessages, outcome) => {
    let tries = 0;
    const { queue, clock, outcomes } = queueWith(async () => {
      if (tries++ < failures) throw away();
    });
    await queue.enqueue(task('a', ['m1']));
    queue.start();
    await clock.advance(1);
    await queue.enqueue(task('b', ['m2']));
    expect(await queue.stop({ drainMs: 50 })).toEqual({ unfinishedMessages });
    expect(outcomes.map((one) => [one.messageId, one.outcome])).toEqual([
      ['m1', outcome],
      ['m2', outcome],
    ]);
  });
});

describe('what a derivation queue has given up', () => {
  const hopeless: Derive = async () => {
    throw new LlmAnswerError('No JSON.');
  };

  it('is tried again at the tail of its unit, with all its attempts before it', async () => {
    let broken = true;
    const { queue, clock, heard, outcomes } = queueWith(
      async (context) => (broken && context.messages[0]?.id === 'm1' ? hopeless(context) : undefined),
      { maxAttempts: 2, batchMaxTokens: 1 },
    );
    await queue.enqueue(task('a', ['m1', 'm2']));
    queue.start();
    await clock.advance('10m');
    expect(queue.stats()).toEqual({ pending: 0, inFlight: 0, deadLettered: 1 });
    expect(outcomes.map(({ messageId, outcome }) => [messageId, outcome])).toEqual([
      ['m1', 'failed'],
      ['m2', 'stored'],
    ]);
    expect(await queue.retryDeadLettered()).toBe(1);
    await clock.advance('10m');
    expect(queue.stats()).toEqual({ pending: 0, inFlight: 0, deadLettered: 1 });
    expect(heard.map(({ ids }) => ids[0])).toEqual(['m1', 'm1', 'm2', 'm1', 'm1']);
    broken = false;
    expect(await queue.retryDeadLettered()).toBe(1);
    await queue.whenIdle();
    expect(queue.stats()).toEqual({ pending: 0, inFlight: 0, deadLettered: 0 });
    expect(outcomes.at(-1)).toMatchObject({ messageId: 'm1', outcome: 'stored' });
    expect(await queue.retryDeadLettered()).toBe(0);
  });

  it('waits twice as long before each attempt', async () => {
    const { queue, clock, heard } = queueWith(hopeless, { retryDelayMs: 500, maxAttempts: 4 });
    await queue.enqueue(task('a', ['m1']));
    queue.start();
    await clock.advance('10m');
    expect(heard.map(({ at }) => at)).toEqual([0, 500, 1500, 3500]);
  });

  it('is forgotten with the peer that it tells about', async () => {
    const { queue, clock } = queueWith(hopeless, { maxAttempts: 1 });
    await queue.enqueue(task('a', ['m1']));
    await queue.enqueue({ ...task('b', ['m2']), subject: bob });
    queue.start();
    await clock.advance('1m');
    expect(queue.stats().deadLettered).toBe(2);
    await queue.erase(bob);
    expect(queue.stats().deadLettered).toBe(1);
    await queue.erase(alice.workspace);
    expect(await queue.retryDeadLettered()).toBe(0);
  });

  it('is kept up to as many messages as may wait, the newest', async () => {
    const { queue, clock } = queueWith(hopeless, { maxAttempts: 1, maxPending: 3 });
    queue.start();
    for (let n = 0; n < 5; n++) {
      await queue.enqueue(task(`s${n}`, [`m${n}`]));
      await clock.advance('1m');
    }
    expect(queue.stats().deadLettered).toBe(3);
  });

  it('cannot be tried again by a queue that has stopped', async () => {
    const { queue } = queueWith(hopeless);
    await queue.stop({ drainMs: 0 });
    await expect(queue.retryDeadLettered()).rejects.toThrow('The derivation queue has been stopped');
  });
});

describe('a model that cannot read a whole batch', () => {
  it('is given less until it can, and nothing is lost, none is read twice and no attempt is used up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 600, max: 2000 }),
        async (lengths, mostCharacters) => {
          const read: string[] = [];
          const { queue, outcomes } = queueWith(
            async ({ messages }) => {
              const text = messages.map(textOf).join('');
              if (text.length > mostCharacters) throw new LlmContextLengthError('Too long.');
              read.push(text);
            },
            { maxAttempts: 1 },
          );
          const texts = lengths.map((length, n) => `Sentence ${n} is here. `.repeat(length));
          for (const [n, text] of texts.entries()) await queue.enqueue(task('a', [`m${n}`], text));
          queue.start();
          await queue.whenIdle();
          expect(read.join('')).toBe(texts.join(''));
          expect(outcomes.map(({ outcome }) => outcome)).toEqual(texts.map(() => 'stored'));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('that can read next to nothing is given up, and not asked for ever', async () => {
    const { queue, clock, outcomes, heard } = queueWith(
      async () => {
        throw new LlmContextLengthError('Too long.');
      },
      { maxAttempts: 2 },
    );
    await queue.enqueue(task('a', ['m1', 'm2'], 'A sentence that is read. '.repeat(200)));
    queue.start();
    await clock.advance('1h');
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect(heard.length).toBeLessThan(100);
  });
});

describe('a thousand sessions and four workers', () => {
  it('are worked on side by side, a session by one worker at a time, with no worker idle', async () => {
    const clock = new TestClock();
    const running = new Set<string>();
    const heard = new Map<string, string[]>();
    let overlapping = 0;
    let work = 0;
    const queue = new InMemoryDerivationQueue({
      deriver: {
        derive: async ({ sessionId, messages }) => {
          if (running.has(sessionId)) overlapping++;
          running.add(sessionId);
          const ms = 100 + ((sessionId.length * 7919 + messages.length * 104_729 + work) % 200);
          work += ms;
          await new Promise<void>((resolve) => void clock.schedule(ms, resolve));
          running.delete(sessionId);
          heard.set(sessionId, [...(heard.get(sessionId) ?? []), ...messages.map(({ id }) => id)]);
          return { created: [], updated: [], tokensUsed: 0, failures: [], byMessage: new Map() };
        },
      },
      redactionPolicy: undefined,
      clock,
      workerCount: 4,
      batchMaxTokens: 2,
    });
    const sessions = Array.from({ length: 1000 }, (_, n) => `s${n}`);
    for (const round of [0, 1, 2])
      for (const session of sessions) await queue.enqueue(task(session, [`${session}-${round}`]));
    queue.start();
    const began = clock.now().getTime();
    while (queue.stats().pending + queue.stats().inFlight > 0) await clock.advance(clock.untilNextTask ?? 1);
    expect(overlapping).toBe(0);
    for (const session of sessions) expect(heard.get(session)).toEqual([0, 1, 2].map((round) => `${session}-${round}`));
    expect(clock.now().getTime() - began).toBeLessThan((work / 4) * 1.2);
  });
});
