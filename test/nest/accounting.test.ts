import {
  AgentMemory,
  IngestOutcomes,
  type IngestOutcome,
  MemoryMaintenance,
  type Observation,
  PeerView,
  Principal,
  Workspace,
} from '@aimon/nestjs-memory';
import { boot } from '../support/boot.js';

const alice = PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('alice'));
const PER_EXECUTION = 50;

describe.each([
  [10_000, 'execution-end'],
  [2_000, 'session-end'],
] as const)('%i messages with ingest=%s', (MESSAGES, ingest) => {
  it('are all accounted for and none twice, with a compaction and a shutdown in the middle', async () => {
    const app = await boot({
      backend: 'in-memory',
      workspaceId: 'ops',
      peerId: 'alice',
      deriver: 'extractive',
      ingest,
      // Of the machine that runs this, nothing is known.
      shutdownTimeout: '30m',
    });
    const outcomes: IngestOutcome[] = [];
    app.get(IngestOutcomes).onOutcome((outcome) => void outcomes.push(outcome));
    const maintenance = app.get(MemoryMaintenance);
    const memory = app.get(AgentMemory);
    const appended = new Set<string>();
    let executions = 0;
    const sessions = await Promise.all(['one', 'two', 'three', 'four'].map((id) => memory.session(id)));
    for (let at = 0; at < MESSAGES; at += PER_EXECUTION) {
      const session = sessions[executions++ % sessions.length] as (typeof sessions)[number];
      await session.execution((transcript) => {
        for (let n = at; n < at + PER_EXECUTION; n++) {
          const [message] = transcript.append(
            n % 10 === 9
              ? { role: 'assistant', content: `Noted ${n}.` }
              : { role: 'user', content: `Ticket ${n} is assigned to queue ${n * 7}.` },
          );
          appended.add(message?.id as string);
        }
        // In the middle of one conversation the older half gives way to a summary.
        if (executions === MESSAGES / PER_EXECUTION / 2) {
          const [summary] = transcript.replaceWith(
            [
              { role: 'system', content: 'Summary: tickets were assigned.', id: 'summary' },
              ...transcript.messages.slice(-20),
            ],
            { summaries: ['summary'] },
          );
          appended.add(summary?.id as string);
        }
      });
    }
    // Nobody waits for the background, and nobody closes a session.
    const kept: Observation[] = [];
    const closed = app.close();
    await closed;
    for await (const { observation } of maintenance.exportPeer(alice)) kept.push(observation);

    expect(new Set(outcomes.map(({ messageId }) => messageId)).size).toBe(outcomes.length);
    expect(new Set(outcomes.map(({ messageId }) => messageId))).toEqual(appended);
    const counts = app.get(IngestOutcomes).counts();
    expect(counts.stored + counts.nothingFound + counts.accepted + counts.failed + counts.skipped).toBe(MESSAGES + 1);
    expect(counts.failed).toBe(0);
    expect(counts.skipped).toBeGreaterThan(0);
    const sources = kept.flatMap(({ sourceMessageIds }) => sourceMessageIds);
    expect(new Set(sources).size).toBe(sources.length);
    expect(sources.length).toBe(counts.stored);
    expect(new Set(kept.map(({ content }) => content)).size).toBe(kept.length);
    expect(outcomes.filter(({ outcome }) => outcome === 'skipped').every(({ reason }) => reason !== undefined)).toBe(
      true,
    );
  });
});

describe('a shutdown that has no time', () => {
  it('reports each message that was taken in and not derived as failed', async () => {
    const app = await boot({
      backend: 'in-memory',
      workspaceId: 'ops',
      peerId: 'alice',
      deriver: 'extractive',
      ingest: 'session-end',
      shutdownTimeout: '1ms',
    });
    const outcomes = app.get(IngestOutcomes);
    const session = await app.get(AgentMemory).session('one');
    await session.execution((transcript) => {
      for (let n = 0; n < 5000; n++)
        transcript.append({ role: 'user', content: `Ticket ${n} is assigned to queue ${n * 7}.` });
    });
    await app.close();
    await outcomes.settled();
    const counts = outcomes.counts();
    expect(counts.stored + counts.failed).toBe(5000);
    expect(counts.failed).toBeGreaterThan(0);
  });
});
