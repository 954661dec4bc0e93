import assert from 'node:assert/strict';

import { LlmUnavailableError } from '../../domain/errors.js';
import type { DerivationOutage } from '../../ports/derivation-queue.js';
import type { ContractTest } from '../contract.js';
import { MINA } from '../stores/store-facts.js';
import type { DerivationQueueUnderTest } from './derivation-queue-under-test.js';
import { nextTurn, task } from './tasks.js';

const away = (): LlmUnavailableError => new LlmUnavailableError('The service is away.', { outage: 'unreachable' });

/** How often the service is away in a row: more often than a batch is tried, if that counted. */
const OUTAGES = 6;

/** A service that is away, and what was given up: nothing is lost by either. */
export const DERIVATION_QUEUE_FAILING_TESTS: readonly ContractTest<DerivationQueueUnderTest>[] = [
  {
    name: 'waits for a service that is away, says so, and loses nothing by it',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      const said: (DerivationOutage | undefined)[] = [];
      queue.onOutage(() => {
        throw new Error('A listener fails.');
      });
      const unsubscribe = queue.onOutage((outage) => void said.push(outage));
      let left = OUTAGES;
      let outage: DerivationOutage | undefined;
      subject.derive = async () => {
        outage ??= queue.stats().outage;
        if (left-- > 0) throw away();
      };
      queue.start();
      await queue.enqueue(task('a', ['m1', 'm2']));
      await queue.whenIdle();
      assert.deepEqual(subject.endings, { m1: 'stored', m2: 'stored' });
      assert.equal(subject.outcomes.length, 2, 'A message that waited has one outcome.');
      const [began, passed] = said;
      assert.equal(
        said.length,
        2,
        `It says when an outage begins and when it has passed; it said ${said.length} things.`,
      );
      assert.ok(
        began !== undefined && began.reason !== '' && began.since instanceof Date,
        'It says why, and since when.',
      );
      assert.equal(passed, undefined, 'Nothing is said of an outage that has passed but that.');
      assert.deepEqual(outage, began, 'Its stats hold the outage while it is on.');
      assert.deepEqual(queue.stats(), { pending: 0, inFlight: 0, deadLettered: 0 });
      unsubscribe();
      left = 1;
      await queue.enqueue(task('a', ['m3']));
      await queue.whenIdle();
      assert.equal(said.length, 2, 'It tells a listener that listens no more.');
    },
  },
  {
    name: 'lets one batch at a time try a service that is away',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      let left = OUTAGES;
      let running = 0;
      let most = 0;
      let isAway = false;
      queue.onOutage((outage) => (isAway = outage !== undefined));
      subject.derive = async () => {
        running++;
        if (isAway) most = Math.max(most, running);
        for (let turn = 0; turn < 20; turn++) await nextTurn();
        running--;
        if (left-- > 0) throw away();
      };
      const sessions = ['a', 'b', 'c', 'd'];
      await queue.enqueue(task('first', ['m0']));
      queue.start();
      // What is under way when an outage begins is nobody's fault, so the others come when it has begun.
      while (!isAway && left > 0) await nextTurn();
      for (const session of sessions) await queue.enqueue(task(session, [`${session}1`]));
      await queue.whenIdle();
      assert.equal(most, 1, `${most} batches tried a service at once that was away.`);
      assert.equal(Object.values(subject.endings).filter((ending) => ending === 'stored').length, 5);
    },
  },
  {
    name: 'has what it gave up tried again, and says of it once more what became of it',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      let broken = true;
      subject.derive = async ({ messages }) => {
        if (broken && messages.some(({ id }) => id !== 'm3')) throw new Error('It cannot be read.');
      };
      queue.start();
      await queue.enqueue(task('a', ['m1', 'm2']));
      await queue.whenIdle();
      assert.deepEqual(subject.endings, { m1: 'failed', m2: 'failed' });
      assert.ok(queue.stats().deadLettered > 0, 'It does not count what it gave up.');
      await queue.enqueue(task('a', ['m3']));
      await queue.whenIdle();
      broken = false;
      assert.equal(await queue.retryDeadLettered(), 2, 'retryDeadLettered answers how many messages are tried again.');
      await queue.whenIdle();
      assert.deepEqual(subject.endings, { m1: 'stored', m2: 'stored', m3: 'stored' });
      assert.equal(subject.outcomes.length, 5);
      assert.equal(queue.stats().deadLettered, 0);
      assert.equal(await queue.retryDeadLettered(), 0, 'What was tried again is not given up any more.');
    },
  },
  {
    name: 'forgets what it gave up of a peer that is erased',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      subject.derive = async () => {
        throw new Error('It cannot be read.');
      };
      queue.start();
      await queue.enqueue(task('a', ['m1']));
      await queue.whenIdle();
      await queue.erase(MINA);
      assert.equal(queue.stats().deadLettered, 0, 'It still counts what was erased.');
      assert.equal(await queue.retryDeadLettered(), 0);
    },
  },
];
