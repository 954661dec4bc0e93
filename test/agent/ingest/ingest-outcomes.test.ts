import { abortable } from '../../../lib/domain/abortable.js';
import { IngestOutcomes } from '../../../lib/agent/ingest/ingest-outcomes.js';
import { OutcomeRecordingIngestor } from '../../../lib/agent/ingest/outcome-recording-ingestor.js';
import { StoreError } from '../../../lib/domain/errors.js';
import type { IngestOutcome } from '../../../lib/domain/ingest-outcome.js';
import { deferred, settle } from '../support/deferred.js';
import { ingestor } from '../support/memories.js';
import { alice } from '../support/peers.js';
import { RecordingLogger } from '../support/recording-logger.js';

const outcome = (messageId: string, change: Partial<IngestOutcome> = {}): IngestOutcome => ({
  messageId,
  sessionId: 's',
  outcome: 'stored',
  observationIds: [],
  ...change,
});

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await settle();
  return settled;
}

describe('ingest outcomes', () => {
  it('are counted by kind, expected or not', () => {
    const outcomes = new IngestOutcomes();
    for (const kind of ['stored', 'stored', 'nothing-found', 'accepted', 'failed', 'skipped'] as const) {
      outcomes.record(outcome('m', { outcome: kind }));
    }
    expect(outcomes.counts()).toEqual({ stored: 2, nothingFound: 1, accepted: 1, failed: 1, skipped: 1 });
  });

  it('reach every listener until it unsubscribes, and a listener that fails harms nobody', async () => {
    const outcomes = new IngestOutcomes();
    const heard: string[] = [];
    outcomes.onOutcome(() => {
      throw new Error('listener');
    });
    const failing: () => unknown = () => Promise.reject(new Error('async listener'));
    outcomes.onOutcome(failing);
    const stop = outcomes.onOutcome(({ messageId }) => heard.push(messageId));
    outcomes.record(outcome('m1'));
    stop();
    stop();
    outcomes.record(outcome('m2'));
    await settle();
    expect(heard).toEqual(['m1']);
  });

  it('are logged when they are failures, once per reason', () => {
    const logger = new RecordingLogger();
    const outcomes = new IngestOutcomes({ logger });
    for (const reason of ['queue full', 'queue full', 'redaction failed', 'queue full']) {
      outcomes.record(outcome('m', { outcome: 'failed', reason }));
    }
    outcomes.record(outcome('m', { outcome: 'skipped', reason: 'fork' }));
    expect(logger.lines).toEqual([
      'A message was not taken into memory: queue full. Further cases of this kind are counted, not logged.',
      'A message was not taken into memory: redaction failed. Further cases of this kind are counted, not logged.',
    ]);
  });

  it('are settled when nothing is waited for, and only then', async () => {
    const outcomes = new IngestOutcomes();
    await outcomes.settled();
    const release = outcomes.hold();
    const expected = outcomes.expect({ sessionId: 's', messageIds: ['m1', 'm2', 'm3'] });
    const settled = outcomes.settled();
    release();
    release();
    outcomes.record(outcome('m1'));
    outcomes.record(outcome('m2', { sessionId: 'another' }));
    expect(await isSettled(settled)).toBe(false);
    expect(outcomes.pending).toBe(2);
    expected.settleRest('failed', 'backend failed');
    await settled;
    expected.settleRest('failed', 'backend failed');
    expect(outcomes.counts()).toMatchObject({ stored: 2, failed: 2 });
    expect(outcomes.pending).toBe(0);
  });

  it('keep apart two hand-overs of one message', () => {
    const outcomes = new IngestOutcomes();
    const first = outcomes.expect({ sessionId: 's', messageIds: ['m1'] });
    const second = outcomes.expect({ sessionId: 's', messageIds: ['m1'] });
    second.settleRest('failed', 'backend failed');
    second.settleRest('failed', 'backend failed');
    expect(outcomes.pending).toBe(1);
    outcomes.record(outcome('m1'));
    first.settleRest('failed', 'backend failed');
    expect(outcomes.counts()).toMatchObject({ stored: 1, failed: 1 });
  });

  it('that were announced are taken over by who records, and counted once', async () => {
    const outcomes = new IngestOutcomes();
    const announced = outcomes.announce({ sessionId: 's', messageIds: ['m1', 'm2', 'm3'] });
    const inner = outcomes.expect({ sessionId: 's', messageIds: ['m1'] });
    const reported = outcomes.expect({ sessionId: 's', messageIds: ['m2'], reported: true });
    expect(outcomes.pending).toBe(3);
    inner.settleRest('accepted');
    announced.settleRest('failed', 'backend failed');
    expect(outcomes.counts()).toMatchObject({ accepted: 1, failed: 1 });
    expect(outcomes.pending).toBe(1);
    outcomes.record(outcome('m2'));
    reported.settleRest('failed', 'backend failed');
    await outcomes.settled();
    expect(outcomes.counts()).toMatchObject({ stored: 1, accepted: 1, failed: 1 });
  });

  it('that were announced are taken over once: a second hand-over has its own', () => {
    const outcomes = new IngestOutcomes();
    const announced = outcomes.announce({ sessionId: 's', messageIds: ['m1'] });
    outcomes.expect({ sessionId: 's', messageIds: ['m1'], reported: true });
    outcomes.expect({ sessionId: 's', messageIds: ['m1'], reported: true });
    announced.settleRest('failed');
    expect(outcomes.pending).toBe(2);
  });

  it('let the waiting be given up', async () => {
    const outcomes = new IngestOutcomes();
    outcomes.expect({ sessionId: 's', messageIds: ['m1'] });
    const waiting = new AbortController();
    const settled = outcomes.settled(waiting.signal);
    waiting.abort(new Error('enough'));
    await expect(settled).rejects.toThrow('enough');
    await expect(outcomes.settled(waiting.signal)).rejects.toThrow('enough');
    const other = outcomes.settled();
    outcomes.record(outcome('m1'));
    await other;
  });
});

describe('an ingestor that records outcomes', () => {
  const request = {
    observer: alice,
    sessionId: 's',
    messages: [
      { role: 'user', content: 'one', id: 'm1' },
      { role: 'user', content: 'two' },
    ],
  } as const;

  it('records as accepted what a backend took that does not report', async () => {
    const outcomes = new IngestOutcomes();
    const ids: (string | undefined)[] = [];
    outcomes.onOutcome(({ messageId, outcome: kind }) => ids.push(`${messageId} ${kind}`));
    const taking = ingestor({
      ingest: async ({ messages }) => {
        expect(outcomes.pending).toBe(2);
        expect(messages[1]?.id).toBeDefined();
        return { accepted: 2, derived: false };
      },
    });
    const receipt = await new OutcomeRecordingIngestor({ delegate: taking, outcomes, reports: false }).ingest(request);
    expect(receipt).toEqual({ accepted: 2, derived: false });
    expect(ids[0]).toBe('m1 accepted');
    expect(outcomes.counts().accepted).toBe(2);
  });

  it('records as failed what such a backend did not take', async () => {
    const outcomes = new IngestOutcomes();
    const taking = ingestor({ ingest: async () => ({ accepted: 1, derived: false }) });
    const recording = new OutcomeRecordingIngestor({ delegate: taking, outcomes, reports: false });
    await recording.ingest(request);
    expect(outcomes.counts()).toMatchObject({ accepted: 1, failed: 1 });
    await recording.ingest({ ...request, idempotencyKey: 'once' });
    expect(outcomes.counts()).toMatchObject({ accepted: 3, failed: 1 });
  });

  it('leaves the outcomes to a backend that reports, also when it reports before it answers', async () => {
    const outcomes = new IngestOutcomes();
    const answer = deferred();
    const taking = ingestor({
      ingest: async ({ messages, sessionId }) => {
        outcomes.record(outcome(messages[0]?.id ?? '', { sessionId }));
        await answer.promise;
        return { accepted: 2, derived: false };
      },
    });
    const taken = new OutcomeRecordingIngestor({ delegate: taking, outcomes, reports: true }).ingest(request);
    expect(await isSettled(outcomes.settled())).toBe(false);
    answer.resolve();
    await taken;
    expect(outcomes.pending).toBe(1);
    expect(outcomes.counts()).toMatchObject({ stored: 1, accepted: 0 });
  });

  it('records as failed what has no outcome yet when the backend fails, and throws on', async () => {
    for (const [error, reason] of [
      [new StoreError('The folder is gone.'), 'store failed'],
      [new Error('postgres://'), 'backend failed'],
      [new DOMException('x', 'AbortError'), 'cancelled'],
    ] as const) {
      const outcomes = new IngestOutcomes();
      const reasons: (string | undefined)[] = [];
      outcomes.onOutcome((one) => reasons.push(one.reason));
      const taking = ingestor({
        ingest: ({ messages, sessionId }) => {
          outcomes.record(outcome(messages[0]?.id ?? '', { sessionId }));
          throw error;
        },
      });
      const recording = new OutcomeRecordingIngestor({ delegate: taking, outcomes, reports: true });
      await expect(recording.ingest(request)).rejects.toBe(error);
      expect(reasons).toEqual([undefined, reason]);
      await outcomes.settled();
    }
  });

  describe('whose caller gives up waiting for the derivation', () => {
    const giveUp = async (reports: boolean, take: () => Promise<void> = async () => undefined) => {
      const outcomes = new IngestOutcomes();
      const derived = deferred();
      let calls = 0;
      const taking = ingestor({
        ingest: async ({ messages, signal }) => {
          calls += 1;
          await take();
          await abortable(derived.promise, signal);
          return { accepted: messages.length, derived: true };
        },
      });
      const recording = new OutcomeRecordingIngestor({ delegate: taking, outcomes, reports });
      const caller = new AbortController();
      const keyed = { ...request, messages: request.messages.slice(0, 1), idempotencyKey: 'once' };
      const taken = recording.ingest({ ...keyed, waitForDerivation: true, signal: caller.signal });
      await settle();
      caller.abort(new Error('enough'));
      await expect(taken).rejects.toThrow('enough');
      return { outcomes, recording, derived, keyed, calls: () => calls };
    };

    it('leaves the outcome to a backend that reports, and the key in its place', async () => {
      const { outcomes, recording, derived, keyed, calls } = await giveUp(true);
      expect(outcomes.counts().failed).toBe(0);
      expect(outcomes.pending).toBe(1);
      outcomes.record(outcome('m1'));
      derived.resolve();
      await recording.ingest(keyed);
      expect(calls()).toBe(2);
      expect(outcomes.pending).toBe(0);
      expect(outcomes.counts()).toMatchObject({ stored: 1, failed: 0 });
    });

    it('counts as failed what the backend could not take after all', async () => {
      const gate = deferred();
      const { outcomes } = await giveUp(true, () => gate.promise);
      expect(outcomes.pending).toBe(1);
      gate.reject(new StoreError('The folder is gone.'));
      await outcomes.settled();
      expect(outcomes.counts()).toMatchObject({ stored: 0, failed: 1 });
    });

    it('counts as failed where nobody would report it later', async () => {
      const { outcomes } = await giveUp(false);
      await outcomes.settled();
      expect(outcomes.counts().failed).toBe(1);
    });
  });

  it('records anew what is sent again under its key because the queue had no room for it', async () => {
    const outcomes = new IngestOutcomes();
    const taking = ingestor({ ingest: async () => ({ accepted: 1, derived: false }) });
    const recording = new OutcomeRecordingIngestor({ delegate: taking, outcomes, reports: true });
    await recording.ingest({ ...request, idempotencyKey: 'once' });
    await recording.ingest({ ...request, idempotencyKey: 'once' });
    expect(outcomes.pending).toBe(4);
  });
});
