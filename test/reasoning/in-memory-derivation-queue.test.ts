import { getMaxListeners } from 'node:events';

import fc from 'fast-check';
import { jest } from '@jest/globals';
import {
  DefaultRedactionPolicy,
  DERIVATION_FAILURES,
  formatMemoryBlock,
  type DerivationContext,
  type RedactionPolicy,
  type DerivationResult,
  type Deriver,
  type IngestOutcome,
  InMemoryDerivationQueue,
  type InMemoryDerivationQueueOptions,
  normaliseMessage,
  type NormalisedMessage,
  StoreError,
  textOf,
} from '@aimon/nestjs-memory';
import { alice, bob, observation } from '../support/peers.js';

const original = EventTarget.prototype.addEventListener;
const say = (id: string, content = `Said ${id}.`): NormalisedMessage => normaliseMessage({ role: 'user', content, id });
const task = (sessionId: string, ids: readonly string[], subject = alice) => ({
  subject,
  observer: alice,
  sessionId,
  messages: ids.map((id) => say(id)),
});

type Derive = (context: DerivationContext) => Promise<Partial<DerivationResult> | void>;

function queueWith(derive: Derive, options: Partial<InMemoryDerivationQueueOptions> = {}) {
  const calls: DerivationContext[] = [];
  const outcomes: IngestOutcome[] = [];
  const deriver: Deriver = {
    derive: async (context) => {
      calls.push(context);
      const result = await derive(context);
      const byMessage = new Map(context.messages.map(({ id }) => [id, [observation(1, { subject: context.subject })]]));
      return { created: [], updated: [], tokensUsed: 0, failures: [], byMessage, ...result };
    },
  };
  const queue = new InMemoryDerivationQueue({ deriver, redactionPolicy: undefined, retryDelayMs: 0, ...options });
  queue.onOutcome((outcome) => void outcomes.push(outcome));
  return { queue, calls, outcomes };
}

function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

describe('the derivation queue', () => {
  it('works on one unit in order and one batch at a time, and on units side by side up to its workers', async () => {
    let running = 0;
    let most = 0;
    const perUnit = new Map<string, number>();
    const { queue, calls, outcomes } = queueWith(
      async ({ sessionId }) => {
        most = Math.max(most, ++running);
        perUnit.set(sessionId, (perUnit.get(sessionId) ?? 0) + 1);
        expect(perUnit.get(sessionId)).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        perUnit.set(sessionId, 0);
        running--;
      },
      { workerCount: 3, batchMaxTokens: 8 },
    );
    queue.start();
    const sessions = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        sessions.map((session) => queue.enqueue(task(session, [`${session}${String(n).padStart(2, '0')}`]))),
      ).flat(),
    );
    await queue.whenIdle();
    expect(most).toBe(3);
    for (const session of sessions) {
      const seen = calls
        .filter(({ sessionId }) => sessionId === session)
        .flatMap(({ messages }) => messages.map(({ id }) => id));
      expect(seen).toEqual([...seen].sort());
      expect(seen).toHaveLength(20);
    }
    expect(outcomes).toHaveLength(100);
    expect(queue.stats()).toEqual({ pending: 0, inFlight: 0, deadLettered: 0 });
  });

  it('fills a batch up to its tokens and keeps subjects apart', async () => {
    const { queue, calls } = queueWith(async () => undefined, { batchMaxTokens: 6 });
    await queue.enqueue(task('s', ['m1', 'm2', 'm3', 'm4']));
    await queue.enqueue(task('s', ['m5'], bob));
    queue.start();
    await queue.whenIdle();
    expect(calls.map(({ subject, messages }) => [subject.principal.id, messages.map(({ id }) => id).join()])).toEqual([
      ['alice', 'm1,m2,m3'],
      ['alice', 'm4'],
      ['bob', 'm5'],
    ]);
  });

  it('splits a long message at sentences, drops nothing of it and gives it one outcome', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('One. ', 'Two!\n', '서버가 멈췄다。', 'x'.repeat(90), ' y', '🙂'.repeat(40)), {
          minLength: 1,
          maxLength: 20,
        }),
        async (parts) => {
          const { queue, calls, outcomes } = queueWith(async () => undefined, { batchMaxTokens: 12 });
          const content = parts.join('');
          await queue.enqueue({ ...task('s', []), messages: [say('long', content)] });
          queue.start();
          await queue.whenIdle();
          expect(calls.flatMap(({ messages }) => messages.map(textOf)).join('')).toBe(content);
          expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored']);
        },
      ),
    );
  });

  it('tries a batch again after a failure, and gives it up after the last attempt', async () => {
    let failures = 2;
    const { queue, calls, outcomes } = queueWith(
      async ({ sessionId }) => {
        if (sessionId === 'hopeless' || failures-- > 0) throw new Error('no answer');
      },
      { maxAttempts: 3 },
    );
    queue.start();
    await queue.enqueue(task('s', ['m1']));
    await queue.whenIdle();
    expect([calls.length, outcomes[0]?.outcome]).toEqual([3, 'stored']);
    await queue.enqueue(task('hopeless', ['m2', 'm3']));
    await queue.whenIdle();
    expect(outcomes.slice(1).map(({ messageId, outcome, reason }) => [messageId, outcome, reason])).toEqual([
      ['m2', 'failed', DERIVATION_FAILURES.DEAD_LETTERED],
      ['m3', 'failed', DERIVATION_FAILURES.DEAD_LETTERED],
    ]);
    expect(queue.stats().deadLettered).toBe(1);
  });

  it('keeps a unit in order while a batch of it waits for its next attempt', async () => {
    let failed = false;
    const { queue, calls } = queueWith(async () => {
      if (failed) return;
      failed = true;
      // What comes now must not overtake what is tried again.
      await queue.enqueue(task('s', ['m2']));
      throw new Error('once');
    });
    queue.start();
    await queue.enqueue(task('s', ['m1']));
    await queue.whenIdle();
    expect(calls.flatMap(({ messages }) => messages.map(({ id }) => id))).toEqual(['m1', 'm1', 'm2']);
  });

  it('tells what was found, what was not and what failed, message by message', async () => {
    const { queue, outcomes } = queueWith(async () => ({
      byMessage: new Map([['m1', [observation(4)]]]),
      failures: [{ messageId: 'm3', reason: 'unreadable' }],
    }));
    queue.start();
    await queue.enqueue(task('s', ['m1', 'm2', 'm3']));
    await queue.whenIdle();
    expect(
      outcomes.map(({ outcome, reason, observationIds }) => [outcome, reason, observationIds.map(String)]),
    ).toEqual([
      ['stored', undefined, ['ops:o4']],
      ['nothing-found', undefined, []],
      ['failed', 'unreadable', []],
    ]);
  });

  it('takes no more than may wait, and says which messages it did not take', async () => {
    const { queue, outcomes } = queueWith(async () => undefined, { maxPending: 2 });
    expect(await queue.enqueue(task('s', ['m1', 'm2', 'm3', 'm4']))).toBe(2);
    expect(outcomes.map(({ messageId, reason }) => [messageId, reason])).toEqual([
      ['m3', DERIVATION_FAILURES.QUEUE_FULL],
      ['m4', DERIVATION_FAILURES.QUEUE_FULL],
    ]);
    queue.start();
    await queue.whenIdle();
    expect(await queue.enqueue(task('s', ['m5']))).toBe(1);
    await queue.whenIdle();
    expect(outcomes).toHaveLength(5);
  });

  it('finishes what it has when it stops, and takes no more', async () => {
    const { queue, outcomes } = queueWith(async () => undefined);
    queue.start();
    await queue.enqueue(task('s', ['m1', 'm2']));
    expect(await queue.stop({ drainMs: 10_000 })).toEqual({ unfinishedMessages: 0 });
    expect(outcomes).toHaveLength(2);
    await expect(queue.enqueue(task('s', ['m3']))).rejects.toBeInstanceOf(StoreError);
    expect(await queue.stop({ drainMs: 0 })).toEqual({ unfinishedMessages: 0 });
  });

  it('lets many conversations be masked at once, and Node warns of nothing', async () => {
    const signals: AbortSignal[] = [];
    const added = jest.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (
      this: EventTarget,
      ...given: Parameters<EventTarget['addEventListener']>
    ) {
      if (this instanceof AbortSignal) signals.push(this);
      return Reflect.apply(original, this, given);
    });
    const { queue } = queueWith(async () => undefined, { redactionPolicy: new DefaultRedactionPolicy() });
    const messages = [say('m', 'The lift stops on Fridays. '.repeat(10_000))];
    await Promise.all(Array.from({ length: 20 }, (_, n) => queue.enqueue({ ...task(`s${n}`, []), messages })));
    added.mockRestore();
    expect(signals.length).toBeGreaterThan(20);
    for (const signal of signals) expect(getMaxListeners(signal)).toBe(Infinity);
    await queue.stop({ drainMs: 0 });
  });

  it('has refused what was still being masked to be queued, each with a reason of its own, when it has stopped', async () => {
    const redactionPolicy: RedactionPolicy = {
      name: 'none',
      redact: (content) => ({ redactedContent: content, matches: [], modified: false }),
    };
    const { queue, outcomes } = queueWith(async () => undefined, { redactionPolicy });
    // Longer than a turn of the event loop takes, so that each waits for its turn in the middle.
    const long = 'tides '.repeat(30_000);
    const ends: string[] = [];
    for (let n = 0; n < 50; n++) {
      queue.enqueue({ ...task(`s${n}`, []), messages: [say(`m${n}`, long)] }).then(
        () => ends.push('taken'),
        (error: unknown) => ends.push((error as StoreError).code),
      );
    }
    await queue.stop({ drainMs: 0 });
    expect(ends).toEqual(Array.from({ length: 50 }, () => 'QUEUE_STOPPED'));
    expect(outcomes).toEqual([]);
  });

  it('reports what it could not finish in time, and tells the deriver to stop', async () => {
    const hanging = deferred();
    let aborted = false;
    const { queue, outcomes } = queueWith(
      async ({ signal }) => {
        signal?.addEventListener('abort', () => (aborted = true));
        await hanging.promise;
      },
      { batchMaxTokens: 3 },
    );
    queue.start();
    await queue.enqueue(task('s', ['m1', 'm2']));
    expect(await queue.stop({ drainMs: 1 })).toEqual({ unfinishedMessages: 2 });
    expect(aborted).toBe(true);
    expect(outcomes.map(({ messageId, outcome, reason }) => [messageId, outcome, reason])).toEqual([
      ['m1', 'failed', DERIVATION_FAILURES.STOPPED],
      ['m2', 'failed', DERIVATION_FAILURES.STOPPED],
    ]);
    hanging.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes).toHaveLength(2);
  });

  it('drops what waits about an erased peer, and waits for what is being worked on', async () => {
    const hanging = deferred();
    const { queue, outcomes } = queueWith(() => hanging.promise, { batchMaxTokens: 3, workerCount: 1 });
    queue.start();
    await queue.enqueue(task('s', ['m1', 'm2']));
    await queue.enqueue({ subject: bob, observer: bob, sessionId: 's', messages: [say('b1')] });
    const erased = queue.erase(alice);
    expect(outcomes.map(({ messageId, outcome, reason }) => [messageId, outcome, reason])).toEqual([
      ['m2', 'skipped', DERIVATION_FAILURES.ERASED],
    ]);
    hanging.resolve();
    await erased;
    await queue.whenIdle();
    expect(outcomes.map(({ messageId, outcome }) => [messageId, outcome])).toEqual([
      ['m2', 'skipped'],
      ['m1', 'stored'],
      ['b1', 'stored'],
    ]);
  });

  it('lets go of who waits when their signal aborts', async () => {
    const { queue } = queueWith(async () => undefined);
    await queue.enqueue(task('s', ['m1']));
    const controller = new AbortController();
    const waiting = queue.whenIdle({ observer: alice, sessionId: 's' }, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(queue.whenIdle(undefined, AbortSignal.abort(new Error('at once')))).rejects.toThrow('at once');
  });

  it('masks what it is given, in the order in which it was given', async () => {
    const { queue, calls } = queueWith(async () => undefined, {
      redactionPolicy: {
        name: 'x',
        redact: (content) => ({
          redactedContent: content.replaceAll('swordfish', '[REDACTED:SECRET]'),
          matches: [...content.matchAll(/swordfish/g)].map((match) => ({
            category: 'SECRET',
            start: match.index,
            end: match.index + 9,
            replacement: '[REDACTED:SECRET]',
          })),
          modified: content.includes('swordfish'),
        }),
      },
    });
    queue.start();
    const long = 'swordfish '.repeat(20_000);
    await Promise.all([
      queue.enqueue({ ...task('s', []), messages: [say('m1', long)] }),
      queue.enqueue({ ...task('s', []), messages: [say('m2', 'The word is swordfish.')] }),
    ]);
    await queue.whenIdle();
    const all = calls.flatMap(({ messages }) => messages);
    expect(all[all.length - 1]?.content).toBe('The word is [REDACTED:SECRET].');
    expect(JSON.stringify(all)).not.toContain('swordfish');
  });

  it('tries only the messages again of which nothing could be derived', async () => {
    let rounds = 0;
    const { queue, calls, outcomes } = queueWith(
      async () => ({
        failures: rounds++ < 9 ? [{ messageId: 'm2', reason: 'store failed', cause: new Error('x') }] : [],
      }),
      { maxAttempts: 2 },
    );
    await queue.enqueue(task('s', ['m1', 'm2', 'm3']));
    queue.start();
    await queue.whenIdle();
    expect(calls.map(({ messages }) => messages.map(({ id }) => id).join())).toEqual(['m1,m2,m3', 'm2']);
    expect(outcomes.map(({ messageId, outcome, reason }) => [messageId, outcome, reason])).toEqual([
      ['m1', 'stored', undefined],
      ['m3', 'stored', undefined],
      ['m2', 'failed', 'store failed'],
    ]);
    expect(queue.stats()).toEqual({ pending: 0, inFlight: 0, deadLettered: 1 });
  });

  it('has counted a dead letter when it tells of it', async () => {
    const { queue } = queueWith(async () => Promise.reject(new Error('no')), { maxAttempts: 1 });
    const counted: number[] = [];
    queue.onOutcome(() => void counted.push(queue.stats().deadLettered));
    queue.start();
    await queue.enqueue(task('s', ['m1']));
    await queue.whenIdle();
    expect(counted).toEqual([1]);
  });

  it('lets others have the event loop while it works', async () => {
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns++;
      if (counting) setImmediate(count);
    };
    const { queue } = queueWith(
      async () => {
        for (const until = performance.now() + 2; performance.now() < until;);
      },
      { batchMaxTokens: 3, workerCount: 1 },
    );
    await queue.enqueue(
      task(
        's',
        Array.from({ length: 60 }, (_, n) => `m${n}`),
      ),
    );
    setImmediate(count);
    queue.start();
    await queue.whenIdle();
    counting = false;
    expect(turns).toBeGreaterThan(5);
  });

  it('does not cut a block of memory in two', async () => {
    const { queue, calls } = queueWith(async () => undefined, { batchMaxTokens: 20 });
    const block = formatMemoryBlock({ attributes: {}, body: 'A remembered fact. '.repeat(40) });
    await queue.enqueue({ ...task('s', []), messages: [say('m1', `${block} I moved to Busan.`), say('m2', block)] });
    queue.start();
    await queue.whenIdle();
    expect(calls.flatMap(({ messages }) => messages.map(textOf)).join('|')).not.toContain('remembered');
  });

  it('lets go of who waits when it stops, also for a deriver that hangs', async () => {
    const { queue } = queueWith(() => new Promise(() => undefined));
    queue.start();
    await queue.enqueue(task('s', ['m1']));
    const [one, all] = [queue.whenIdle({ observer: alice, sessionId: 's' }), queue.whenIdle()];
    await queue.stop({ drainMs: 1 });
    await Promise.all([one, all]);
  });

  it('refuses numbers out of range by name', () => {
    expect(() => queueWith(async () => undefined, { workerCount: 0 })).toThrow(
      'workerCount is 0; it takes a whole number of at least 1.',
    );
    expect(() => queueWith(async () => undefined, { batchMaxTokens: 1.5 })).toThrow('batchMaxTokens is 1.5;');
  });
});
