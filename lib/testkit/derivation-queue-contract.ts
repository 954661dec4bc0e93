import assert from 'node:assert/strict';

import { RedactionError, StoreError } from '../domain/errors.js';
import type { IngestOutcome } from '../domain/ingest-outcome.js';
import { normaliseMessage, textOf, type NormalisedMessage } from '../domain/memory-message.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import { redactionMarker } from '../domain/redaction-marker.js';
import type { DerivationQueue, DerivationTask } from '../ports/derivation-queue.js';
import type { DerivationContext, DerivationResult, Deriver } from '../ports/deriver.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import { errorOf } from './clear-error.js';
import { declareContract, type ContractOptions, type ContractTest } from './contract.js';
import { LEE, MINA, observed, OPS, peerOf } from './stores/store-facts.js';

/** What the queue that is to be tested works with. */
export interface DerivationQueueParts {
  /** What the queue hands batches to. */
  readonly deriver: Deriver;
  /** Masks every message before it is queued. */
  readonly redactionPolicy: RedactionPolicy;
}

/** A queue to be tested: not started, empty, and nobody else's for the length of one test. */
export interface DerivationQueueToTest {
  /** Tries again soon what failed, at least three times, and works on at least two units at once. */
  readonly queue: DerivationQueue;
  /** Lets go of the queue, after the test has stopped it. Default: nothing is. */
  close?(): Promise<void>;
}

/** What is tested by `describeDerivationQueueContract`. */
export interface DerivationQueueContractOptions extends ContractOptions {
  /** Called before each test; makes a queue over these parts. */
  readonly makeQueue: (parts: DerivationQueueParts) => DerivationQueueToTest | Promise<DerivationQueueToTest>;
  /** Whether what was not finished when it stopped is kept for the next start; default false: it has the outcome `failed`. */
  readonly keepsUnfinished?: boolean;
}

const KEEPS_UNFINISHED = 'queue that keeps what is unfinished';
const LOSES_UNFINISHED = 'queue that gives up what is unfinished';

/** What a deriver does with a batch: what became of its messages, or nothing to say that each is remembered. */
type Derive = (context: DerivationContext) => Promise<Partial<DerivationResult> | void>;

const SECRET = 'sesame';

/** The queue in the hands of a test, with the deriver and the policy that it works with. */
export class DerivationQueueUnderTest {
  /** What the deriver was called with, in that order. */
  readonly calls: DerivationContext[] = [];
  readonly outcomes: IngestOutcome[] = [];
  derive: Derive = async () => undefined;
  maskingFails = false;
  #made: DerivationQueueToTest | undefined;

  get queue(): DerivationQueue {
    if (this.#made === undefined) throw new Error('The queue has not been made.');
    return this.#made.queue;
  }

  async make(makeQueue: DerivationQueueContractOptions['makeQueue']): Promise<void> {
    const deriver: Deriver = {
      derive: async (context) => {
        this.calls.push(context);
        const remembered = new Map(context.messages.map(({ id }) => [id, [observed(1, { subject: context.subject })]]));
        const nothing = { created: [], updated: [], tokensUsed: 0, failures: [], byMessage: remembered };
        return { ...nothing, ...(await this.derive(context)) };
      },
    };
    const redactionPolicy: RedactionPolicy = {
      name: 'contract',
      redact: (content) => {
        if (this.maskingFails) throw new Error('The policy is broken.');
        const start = content.indexOf(SECRET);
        if (start < 0) return { redactedContent: content, matches: [], modified: false };
        const match = { category: 'SECRET', start, end: start + SECRET.length, replacement: redactionMarker('SECRET') };
        return { redactedContent: content.replace(SECRET, match.replacement), matches: [match], modified: true };
      },
    };
    this.#made = await makeQueue({ deriver, redactionPolicy });
    this.queue.onOutcome((outcome) => this.outcomes.push(outcome));
  }

  /** The ids of the messages that the deriver was given of a session, in their order. */
  heardIn(sessionId: string): readonly string[] {
    return this.calls
      .filter((call) => call.sessionId === sessionId)
      .flatMap(({ messages }) => messages.map(({ id }) => id));
  }

  /** What became of each message. */
  get endings(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.outcomes.map(({ messageId, outcome }) => [messageId, outcome]));
  }

  async close(): Promise<void> {
    await this.queue.stop({ drainMs: 0 });
    await this.#made?.close?.();
  }
}

const said = (id: string, content = `Said ${id}.`): NormalisedMessage =>
  normaliseMessage({ role: 'user', content, id });
const task = (
  sessionId: string,
  ids: readonly string[],
  { subject = MINA, observer = MINA }: { readonly subject?: PeerView; readonly observer?: PeerView } = {},
): DerivationTask => ({ subject, observer, sessionId, messages: ids.map((id) => said(id)) });
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Something that is waited for by one and done by another. */
class Signal {
  readonly given: Promise<void>;
  give: () => void = () => undefined;

  constructor() {
    this.given = new Promise((resolve) => (this.give = resolve));
  }
}

/** All tests of the contract, in the order in which they are declared. @internal */
export const DERIVATION_QUEUE_CONTRACT: readonly ContractTest<DerivationQueueUnderTest>[] = Object.freeze([
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
]);

/**
 * Declares the tests that every `DerivationQueue` has to pass.
 *
 * @param name what is tested, such as `the in-memory queue`
 * @throws InvalidArgumentError when there is no runner
 */
export function describeDerivationQueueContract(name: string, options: DerivationQueueContractOptions): void {
  const { makeQueue, keepsUnfinished = false, runner, timeoutMs } = options;
  declareContract({
    ...{ name, runner, timeoutMs },
    tests: DERIVATION_QUEUE_CONTRACT,
    abilities: [keepsUnfinished ? KEEPS_UNFINISHED : LOSES_UNFINISHED],
    make: async () => {
      const subject = new DerivationQueueUnderTest();
      await subject.make(makeQueue);
      return { subject, close: () => subject.close() };
    },
  });
}
