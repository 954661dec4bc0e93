import assert from 'node:assert/strict';

import { RedactionError, StoreError } from '../../domain/errors.js';
import { textOf } from '../../domain/memory-message.js';
import { errorOf } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { LEE, OPS, peerOf } from '../stores/store-facts.js';
import {
  KEEPS_UNFINISHED,
  LOSES_UNFINISHED,
  SECRET,
  type DerivationQueueUnderTest,
} from './derivation-queue-under-test.js';
import { nextTurn, said, Signal, task } from './tasks.js';

/** Stopping, masking and erasing: what is not worked on, and who is told. */
export const DERIVATION_QUEUE_ENDING_TESTS: readonly ContractTest<DerivationQueueUnderTest>[] = [
  {
    name: 'finishes what it has when it is stopped, and takes no more',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      subject.derive = async () => nextTurn();
      queue.start();
      await queue.enqueue(task('a', ['m1', 'm2']));
      await queue.enqueue(task('b', ['m3']));
      assert.deepEqual(await queue.stop({ drainMs: 20_000 }), { unfinishedMessages: 0 });
      assert.deepEqual(subject.endings, { m1: 'stored', m2: 'stored', m3: 'stored' });
      const error = await errorOf(() => queue.enqueue(task('a', ['m4'])), 'A message after it was stopped');
      assert.ok(error instanceof StoreError, `It has to fail with a StoreError; it failed with ${String(error)}.`);
      assert.deepEqual(await queue.stop({ drainMs: 0 }), { unfinishedMessages: 0 });
      assert.equal(subject.outcomes.length, 3);
    },
  },
  {
    name: 'says how much it had not finished when its time was up',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      subject.derive = async () => new Promise(() => undefined);
      queue.start();
      await queue.enqueue(task('a', ['m1', 'm2']));
      await queue.enqueue(task('b', ['m3']));
      assert.deepEqual(await queue.stop({ drainMs: 20 }), { unfinishedMessages: 3 });
    },
  },
  {
    name: 'says of each message that it had not finished that it is lost',
    needs: [LOSES_UNFINISHED],
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      subject.derive = async () => new Promise(() => undefined);
      queue.start();
      await queue.enqueue(task('a', ['m1']));
      await nextTurn();
      await queue.enqueue(task('a', ['m2']));
      await queue.stop({ drainMs: 0 });
      assert.deepEqual(subject.endings, { m1: 'failed', m2: 'failed' });
      for (const { reason } of subject.outcomes) assert.ok(reason !== undefined && reason !== '', 'It has a reason.');
    },
  },
  {
    name: 'says of no message that it keeps for the next start that it is lost',
    needs: [KEEPS_UNFINISHED],
    run: async (subject: DerivationQueueUnderTest) => {
      await subject.queue.enqueue(task('a', ['m1', 'm2']));
      await subject.queue.stop({ drainMs: 0 });
      assert.deepEqual(subject.endings, {});
    },
  },
  {
    name: 'masks a message before anything else sees it',
    run: async (subject: DerivationQueueUnderTest) => {
      subject.queue.start();
      await subject.queue.enqueue({ ...task('s', []), messages: [said('m1', `Say ${SECRET} to it.`)] });
      await subject.queue.whenIdle();
      const heard = subject.calls.flatMap(({ messages }) => messages.map(textOf)).join();
      assert.equal(heard, 'Say [REDACTED:SECRET] to it.');
    },
  },
  {
    name: 'takes nothing of a task that cannot be masked',
    run: async (subject: DerivationQueueUnderTest) => {
      subject.queue.start();
      subject.maskingFails = true;
      const error = await errorOf(() => subject.queue.enqueue(task('s', ['m1', 'm2'])), 'What cannot be masked');
      assert.ok(
        error instanceof RedactionError,
        `It has to fail with a RedactionError; it failed with ${String(error)}.`,
      );
      subject.maskingFails = false;
      await subject.queue.enqueue(task('s', ['m3']));
      await subject.queue.whenIdle();
      assert.deepEqual(subject.heardIn('s'), ['m3']);
      assert.deepEqual(subject.endings, { m3: 'stored' });
    },
  },
  {
    name: 'drops what waits for or about a peer that is erased, says so, and nothing else',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      await queue.enqueue(task('s', ['m1']));
      await queue.enqueue(task('s', ['l1'], { subject: LEE }));
      await queue.enqueue(task('s', ['l2'], { observer: LEE }));
      await queue.enqueue(task('s', ['m2']));
      await queue.enqueue(task('s', ['x1'], { subject: peerOf('lee', 'x'), observer: peerOf('lee', 'x') }));
      await queue.erase(LEE);
      queue.start();
      await queue.whenIdle();
      assert.deepEqual([...subject.heardIn('s')].sort(), ['m1', 'm2', 'x1']);
      const { l1, l2, ...rest } = subject.endings;
      assert.deepEqual(rest, { m1: 'stored', m2: 'stored', x1: 'stored' });
      for (const ending of [l1, l2]) assert.ok(ending === 'skipped' || ending === 'failed', `It ended as ${ending}.`);
      assert.equal(queue.stats().pending, 0);
    },
  },
  {
    name: 'drops what waits in a workspace that is erased',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      const elsewhere = peerOf('mina', 'ops:');
      await queue.enqueue(task('s', ['m1']));
      await queue.enqueue(task('s', ['e1'], { subject: elsewhere, observer: elsewhere }));
      await queue.erase(OPS);
      queue.start();
      await queue.whenIdle();
      assert.deepEqual(subject.heardIn('s'), ['e1']);
    },
  },
  {
    name: 'has erased a peer when nothing about it is being worked on any more',
    run: async (subject: DerivationQueueUnderTest) => {
      const { queue } = subject;
      const [begun, goOn] = [new Signal(), new Signal()];
      subject.derive = async () => {
        begun.give();
        await goOn.given;
      };
      queue.start();
      await queue.enqueue(task('s', ['l1'], { subject: LEE }));
      await begun.given;
      let erased = false;
      const erasing = queue.erase(LEE).then(() => (erased = true));
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      assert.ok(!erased, 'It is erased while something about it is being worked on.');
      goOn.give();
      await erasing;
      assert.equal(queue.stats().inFlight, 0);
    },
  },
];
