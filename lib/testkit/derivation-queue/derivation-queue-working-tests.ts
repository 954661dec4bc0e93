import assert from 'node:assert/strict';

import { textOf } from '../../domain/memory-message.js';
import type { Observation } from '../../domain/observation.js';
import { errorOf } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { LEE, MINA, observed, OPS, peerOf } from '../stores/store-facts.js';
import type { DerivationQueueUnderTest } from './derivation-queue-under-test.js';
import { nextTurn, said, Signal, task } from './tasks.js';

/** Working through what was queued, and telling what became of it. */
export const DERIVATION_QUEUE_WORKING_TESTS: readonly ContractTest<DerivationQueueUnderTest>[] = [
  {
    name: 'works on nothing before it is started, and then on what waits',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      assert.equal(await queue.enqueue(task('s', ['m1', 'm2'])), 2, 'enqueue answers how many messages were taken.');
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      assert.deepEqual(subject.calls, [], 'It works before it is started.');
      assert.deepEqual([queue.stats().pending, queue.stats().inFlight], [2, 0]);
      queue.start();
      queue.start();
      await queue.whenIdle();
      assert.deepEqual(subject.heardIn('s'), ['m1', 'm2']);
      assert.deepEqual(queue.stats(), { pending: 0, inFlight: 0, deadLettered: 0 });
    },
  },
  {
    name: 'says once of each message what became of it',
    run: async (subject: DerivationQueueUnderTest) => {
      const fact: Observation = observed(4);
      subject.derive = async () => ({
        byMessage: new Map([['m1', [fact]]]),
        failures: [{ messageId: 'm3', reason: 'unreadable' }],
      });
      subject.queue.start();
      await subject.queue.enqueue(task('s', ['m1', 'm2', 'm3']));
      await subject.queue.whenIdle();
      assert.equal(subject.outcomes.length, 3, 'Each message has one outcome.');
      const [stored, nothing, failed] = ['m1', 'm2', 'm3'].map((id) =>
        subject.outcomes.find(({ messageId }) => messageId === id),
      );
      assert.deepEqual([stored?.outcome, nothing?.outcome, failed?.outcome], ['stored', 'nothing-found', 'failed']);
      assert.deepEqual(stored?.observationIds.map(String), [fact.id.toString()]);
      assert.deepEqual([nothing?.observationIds, failed?.observationIds], [[], []]);
      assert.ok(failed?.reason !== undefined && failed.reason !== '', 'What failed has a reason.');
      for (const { sessionId } of subject.outcomes) assert.equal(sessionId, 's');
    },
  },
  {
    name: 'works on a unit in its order and on one batch at a time',
    run: async (subject: DerivationQueueUnderTest) => {
      const running = new Map<string, number>();
      let overlapping = false;
      subject.derive = async ({ sessionId }) => {
        running.set(sessionId, (running.get(sessionId) ?? 0) + 1);
        overlapping ||= running.get(sessionId) !== 1;
        for (let turn = 0; turn < 3; turn++) await nextTurn();
        running.set(sessionId, (running.get(sessionId) ?? 0) - 1);
      };
      subject.queue.start();
      const sessions = ['a', 'b', 'c'];
      const ids = Array.from({ length: 15 }, (_, n) => `m${String(n).padStart(2, '0')}`);
      for (const id of ids) {
        await Promise.all(sessions.map((session) => subject.queue.enqueue(task(session, [`${session}${id}`]))));
        await nextTurn();
      }
      await subject.queue.whenIdle();
      assert.ok(!overlapping, 'Two batches of one unit were worked on at once.');
      for (const session of sessions)
        assert.deepEqual(
          subject.heardIn(session),
          ids.map((id) => `${session}${id}`),
        );
      assert.equal(subject.outcomes.length, sessions.length * ids.length);
    },
  },
  {
    name: 'keeps the order of tasks that come at once',
    run: async (subject: DerivationQueueUnderTest) => {
      subject.queue.start();
      const ids = Array.from({ length: 30 }, (_, n) => `m${n}`);
      // The first takes longest to be masked.
      await Promise.all(
        ids.map((id, n) =>
          subject.queue.enqueue({
            ...task('s', []),
            messages: [said(id, `Said. ${'x '.repeat(n === 0 ? 40_000 : 1)}`)],
          }),
        ),
      );
      await subject.queue.whenIdle();
      assert.deepEqual([...new Set(subject.heardIn('s'))], ids);
    },
  },
  {
    name: 'works on units side by side: sessions, and observers of the same session',
    run: async (subject: DerivationQueueUnderTest) => {
      for (const [one, other] of [
        [task('a', ['m1']), task('b', ['m2'])],
        [task('c', ['m3']), task('c', ['m4'], { observer: LEE })],
        [task('d', ['m5']), task('d', ['m6'], { subject: peerOf('mina', 'x'), observer: peerOf('mina', 'x') })],
      ] as const) {
        const begun = new Signal();
        // The first goes on when the other has begun, and would wait for ever for one that is behind it.
        subject.derive = async ({ messages }) =>
          messages.some(({ id }) => id === one.messages[0]?.id) ? begun.given : begun.give();
        await subject.queue.enqueue(one);
        subject.queue.start();
        await subject.queue.enqueue(other);
        await subject.queue.whenIdle();
      }
      assert.deepEqual(Object.keys(subject.endings).sort(), ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
    },
  },
  {
    name: 'gives the deriver what belongs together: one subject, one observer, one session',
    run: async (subject: DerivationQueueUnderTest) => {
      await subject.queue.enqueue(task('s', ['m1', 'm2']));
      await subject.queue.enqueue(task('s', ['l1'], { subject: LEE }));
      await subject.queue.enqueue(task('s', ['m3']));
      await subject.queue.enqueue(task('t', ['o1'], { observer: LEE }));
      subject.queue.start();
      await subject.queue.whenIdle();
      for (const { messages, subject: about, observer, workspace } of subject.calls) {
        assert.ok(workspace.equals(OPS));
        for (const { id } of messages) {
          assert.equal(about.principal.id, id.startsWith('l') ? 'lee' : 'mina', `the subject of ${id}`);
          assert.equal(observer.principal.id, id.startsWith('o') ? 'lee' : 'mina', `the observer of ${id}`);
        }
      }
      assert.deepEqual(subject.heardIn('s'), ['m1', 'm2', 'l1', 'm3']);
    },
  },
  {
    name: 'gives the deriver all of a long message, and the message one outcome',
    run: async (subject: DerivationQueueUnderTest) => {
      const content = Array.from({ length: 9000 }, (_, n) => `Sentence number s${n} says something. `).join('');
      await subject.queue.enqueue({ ...task('s', []), messages: [said('long', content)] });
      subject.queue.start();
      await subject.queue.whenIdle();
      assert.equal(subject.calls.flatMap(({ messages }) => messages.map(textOf)).join(''), content);
      assert.deepEqual(
        subject.outcomes.map(({ messageId, outcome }) => [messageId, outcome]),
        [['long', 'stored']],
      );
    },
  },
  {
    name: 'tries again what failed, and lets nothing of the unit overtake it',
    run: async (subject: DerivationQueueUnderTest) => {
      let failures = 2;
      subject.derive = async ({ sessionId }) => {
        if (sessionId === 'a' && failures-- > 0) throw new Error('Nobody answers.');
      };
      subject.queue.start();
      await subject.queue.enqueue(task('a', ['m1']));
      await subject.queue.enqueue(task('a', ['m2']));
      await subject.queue.enqueue(task('b', ['m3']));
      await subject.queue.whenIdle();
      assert.deepEqual(subject.endings, { m1: 'stored', m2: 'stored', m3: 'stored' });
      assert.equal(subject.outcomes.length, 3, 'A message that is tried again has one outcome.');
      const batches = subject.calls
        .filter(({ sessionId }) => sessionId === 'a')
        .map(({ messages }) => messages.map(({ id }) => id).join(' '));
      assert.ok(batches.length >= 3, `It failed twice, and was tried ${batches.length} times.`);
      const last = batches.findLastIndex((batch) => batch.includes('m1'));
      for (const [at, batch] of batches.entries())
        if (!batch.startsWith('m1')) assert.ok(at > last, `It was heard as ${batches.join(', ')}.`);
    },
  },
  {
    name: 'gives up what fails every time, says why, and goes on',
    run: async (subject: DerivationQueueUnderTest) => {
      subject.derive = async ({ messages }) => {
        if (messages.some(({ id }) => id.startsWith('bad'))) throw new Error('Nobody answers.');
      };
      subject.queue.start();
      await subject.queue.enqueue(task('s', ['bad1', 'bad2']));
      await subject.queue.whenIdle();
      await subject.queue.enqueue(task('s', ['m1']));
      await subject.queue.whenIdle();
      assert.deepEqual(subject.endings, { bad1: 'failed', bad2: 'failed', m1: 'stored' });
      assert.equal(subject.outcomes.length, 3);
      for (const { outcome, reason } of subject.outcomes)
        if (outcome === 'failed') assert.ok(reason !== undefined && reason !== '', 'What failed has a reason.');
      assert.ok(subject.queue.stats().deadLettered > 0, 'What was given up is not counted.');
      assert.deepEqual([subject.queue.stats().pending, subject.queue.stats().inFlight], [0, 0]);
    },
  },
  {
    name: 'says of a unit when it is idle, whatever the others do, and lets go of who waits no more',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      const goOn = new Signal();
      subject.derive = async ({ sessionId }) => (sessionId === 'slow' ? goOn.given : undefined);
      queue.start();
      await queue.whenIdle();
      await queue.enqueue(task('slow', ['m1']));
      await queue.enqueue(task('quick', ['m2']));
      await queue.whenIdle({ observer: MINA, sessionId: 'quick' });
      await queue.whenIdle({ observer: MINA, sessionId: 'never' });
      assert.deepEqual(subject.endings, { m2: 'stored' });
      let idle = false;
      const whole = queue.whenIdle().then(() => (idle = true));
      const abort = new AbortController();
      const aborted = errorOf(() => queue.whenIdle({ observer: MINA, sessionId: 'slow' }, abort.signal), 'Waiting');
      aborted.catch(() => undefined);
      await nextTurn();
      assert.ok(!idle, 'It is idle while it works.');
      abort.abort(new Error('The caller has left.'));
      assert.match(String(await aborted), /The caller has left/);
      assert.match(
        String(await errorOf(() => queue.whenIdle(undefined, abort.signal), 'Waiting')),
        /The caller has left/,
      );
      assert.ok(queue.stats().inFlight > 0);
      goOn.give();
      await whole;
      assert.deepEqual(subject.endings, { m1: 'stored', m2: 'stored' });
    },
  },
  {
    name: 'tells every listener, until it listens no more, also when one of them fails',
    run: async (subject: DerivationQueueUnderTest) => {
      const heard: string[] = [];
      subject.queue.onOutcome(() => {
        throw new Error('A listener fails.');
      });
      const unsubscribe = subject.queue.onOutcome(({ messageId }) => heard.push(messageId));
      subject.queue.start();
      await subject.queue.enqueue(task('s', ['m1']));
      await subject.queue.whenIdle();
      unsubscribe();
      await subject.queue.enqueue(task('s', ['m2']));
      await subject.queue.whenIdle();
      assert.deepEqual(heard, ['m1']);
      assert.deepEqual(subject.endings, { m1: 'stored', m2: 'stored' });
    },
  },
];
