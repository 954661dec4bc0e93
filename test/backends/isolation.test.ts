import fc from 'fast-check';
import {
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  assembleMemory,
  MemorySpec,
  type MemoryStack,
  type Observation,
  PeerView,
  Principal,
  requireTier,
  Workspace,
} from '@aimon/nestjs-memory';
import { identity, peer } from '../support/arbitraries.js';

const stackOf = (): Promise<MemoryStack> =>
  assembleMemory(
    MemorySpec.perCaller(Workspace.of({ id: 'configured' }))
      .observationStore(new InMemoryObservationStore())
      .representationStore(new InMemoryRepresentationStore())
      .build(),
  );

interface Fact {
  readonly subject: PeerView;
  readonly sessionId: string;
  readonly word: string;
}

/** A few peers, most of them alike in a part of their identity, and facts about them that share words. */
const facts: fc.Arbitrary<readonly Fact[]> = fc
  .tuple(
    fc.uniqueArray(identity, { minLength: 2, maxLength: 3 }),
    fc.uniqueArray(identity, { minLength: 2, maxLength: 3 }),
    fc.array(peer, { maxLength: 2 }),
  )
  .chain(([workspaceIds, ids, strangers]) => {
    const crossed = fc
      .tuple(fc.constantFrom(...workspaceIds), peer, fc.constantFrom(...ids))
      .map(([workspaceId, { principal }, id]) =>
        PeerView.of(Workspace.of({ id: workspaceId }), Principal.of({ type: principal.type, id })),
      );
    const subject = strangers.length === 0 ? crossed : fc.oneof(crossed, fc.constantFrom(...strangers));
    return fc.array(
      fc.record({
        subject,
        sessionId: fc.constantFrom(...ids),
        word: fc.constantFrom('server', 'database', '서버', 'printer'),
      }),
      { minLength: 2, maxLength: 14 },
    );
  });

describe('what is known about one peer', () => {
  it('shows up under no other peer, workspace or session, in no search, snapshot, count, history or export', async () => {
    await fc.assert(
      fc.asyncProperty(facts, async (all) => {
        const stack = await stackOf();
        const recorder = requireTier(stack.peerMemory, 'OBSERVE');
        for (const [index, { subject, sessionId, word }] of all.entries()) {
          await recorder.observe({
            subject,
            sessionId,
            content: `The ${word} has the number n${index}.`,
            type: 'EXPLICIT',
          });
        }
        for (const { subject, sessionId } of all) {
          const mine = all.flatMap((fact, index) => (fact.subject.key() === subject.key() ? [`n${index}.`] : []));
          const foreign = all.flatMap((fact, index) => (fact.subject.key() === subject.key() ? [] : [`n${index}.`]));
          const inSession = all.flatMap((fact, index) =>
            fact.subject.key() === subject.key() && fact.sessionId === sessionId ? [`n${index}.`] : [],
          );
          const holds = (observations: readonly Observation[], expected: readonly string[]): void =>
            expect(observations.map(({ content }) => content.split(' ').at(-1)).sort()).toEqual([...expected].sort());
          const query = 'server database 서버 printer number';
          const hits = await requireTier(stack.peerMemory, 'SEARCH').search({ subject, query, topK: 200 });
          holds(
            hits.map(({ observation }) => observation),
            mine,
          );
          const narrowed = await requireTier(stack.peerMemory, 'SEARCH').search({
            subject,
            query,
            topK: 200,
            sessionId,
          });
          holds(
            narrowed.map(({ observation }) => observation),
            inSession,
          );
          const snapshot = await requireTier(stack.peerMemory, 'SNAPSHOT').read({
            subject,
            mode: 'FULL',
            maxTokens: 0,
          });
          holds(snapshot?.observations ?? [], mine);
          for (const number of foreign) expect(` ${snapshot?.renderedText} `).not.toContain(` ${number}`);
          expect(await stack.maintenance.count(subject)).toBe(mine.length);
          holds(
            (await stack.maintenance.history(subject)).items.map(({ observation }) => observation),
            mine,
          );
          const exported: Observation[] = [];
          for await (const { observation } of stack.maintenance.exportPeer(subject)) exported.push(observation);
          holds(exported, mine);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is gone without a trace when the peer is erased, and only that', async () => {
    await fc.assert(
      fc.asyncProperty(facts, async (all) => {
        const stack = await stackOf();
        const recorder = requireTier(stack.peerMemory, 'OBSERVE');
        for (const [index, { subject, word }] of all.entries())
          await recorder.observe({ subject, content: `The ${word} has the number n${index}.`, type: 'EXPLICIT' });
        const searcher = requireTier(stack.peerMemory, 'SEARCH');
        const erased = all[0]?.subject as PeerView;
        const find = (subject: PeerView) => searcher.search({ subject, query: 'number', topK: 200 });
        const before = new Map<string, number>();
        for (const { subject } of all) before.set(subject.key(), (await find(subject)).length);
        const report = await stack.maintenance.erasePeer(erased);
        expect(report.observations).toBe(before.get(erased.key()));
        for (const { subject } of all)
          expect((await find(subject)).length).toBe(subject.equals(erased) ? 0 : before.get(subject.key()));
        expect((await stack.maintenance.history(erased)).items).toEqual([]);
        // Told again after the erasure it is a new fact, not an echo of the old one.
        const again = await recorder.observe({
          subject: erased,
          content: 'The server has the number n0.',
          type: 'EXPLICIT',
        });
        expect(again.corroborations).toBe(0);
      }),
      { numRuns: 30 },
    );
  });
});
