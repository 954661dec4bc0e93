import fc from 'fast-check';
import {
  EstimatingTokenCounter,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  type MemorySnapshot,
  type MemorySnapshotQuery,
  Representation,
  requireTier,
  StoreBackedPeerMemory,
} from '@aimon/nestjs-memory';
import { alice, bob, observation } from '../support/peers.js';

const memoryOf = () => {
  const observationStore = new InMemoryObservationStore();
  const representationStore = new InMemoryRepresentationStore();
  const reader = requireTier(new StoreBackedPeerMemory({ observationStore, representationStore }), 'SNAPSHOT');
  const read = (query: Partial<MemorySnapshotQuery> = {}): Promise<MemorySnapshot | undefined> =>
    reader.read({ subject: alice, mode: 'SUMMARY_ONLY', maxTokens: 0, ...query });
  const store = (summary: string, minute: number, scope: { observer?: typeof bob; sessionId?: string } = {}) =>
    representationStore.save(
      Representation.of({
        subject: alice,
        ...scope,
        summary,
        generatedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
        tokenCount: 9,
      }),
    );
  return { observationStore, read, store };
};

describe('a snapshot', () => {
  it('of somebody unknown is undefined', async () => {
    expect(await memoryOf().read()).toBeUndefined();
  });

  it('computed from observations alone is GLOBAL, and says that its count is an estimate', async () => {
    const { observationStore, read } = memoryOf();
    await observationStore.save(observation(1, { content: 'Likes tea.' }));
    expect(await read()).toMatchObject({
      resolvedScope: 'GLOBAL',
      renderedText: 'Said:\n- Likes tea.',
      truncated: false,
      tokenCountEstimated: true,
      observationsAvailable: true,
      confidenceAvailable: true,
    });
    expect(await read({ scope: 'LOCAL' })).toBeUndefined();
  });

  it('prefers the LOCAL one of the session, then the LOCAL one across sessions, then the GLOBAL one', async () => {
    const { read, store } = memoryOf();
    await store('global', 1);
    expect((await read({ observer: bob, sessionId: 's' }))?.renderedText).toBe('global');
    await store('local', 1, { observer: bob });
    expect(await read({ observer: bob, sessionId: 's' })).toMatchObject({
      renderedText: 'local',
      resolvedScope: 'LOCAL',
    });
    await store('session', 1, { observer: bob, sessionId: 's' });
    expect((await read({ observer: bob, sessionId: 's' }))?.renderedText).toBe('session');
    expect((await read({ observer: bob }))?.renderedText).toBe('local');
    expect((await read({ observer: bob, scope: 'GLOBAL' }))?.renderedText).toBe('global');
    expect(await read({ scope: 'LOCAL' })).toBeUndefined();
  });

  it('adds what was observed since, in a LOCAL one only what its observer recorded', async () => {
    const { observationStore, read, store } = memoryOf();
    await observationStore.save(observation(1, { content: 'Before.' }));
    await store('Summary.', 5);
    await store('Bob on Alice.', 5, { observer: bob });
    await observationStore.save(observation(6, { content: 'After, by Alice.' }));
    await observationStore.save(observation(7, { content: 'After, by Bob.', observer: bob }));
    expect((await read())?.renderedText).toBe('Summary.\n\nSaid:\n- After, by Alice.\n- After, by Bob.');
    expect((await read({ observer: bob }))?.renderedText).toBe('Bob on Alice.\n\nSaid:\n- After, by Bob.');
  });

  it('shows a fact once, groups by type, and says how many it does not show', async () => {
    const { observationStore, read } = memoryOf();
    await observationStore.save(observation(1, { content: 'Likes tea.' }));
    await observationStore.save(observation(2, { content: 'likes  tea', observer: bob }));
    await observationStore.save(observation(3, { content: 'Is an engineer.', type: 'DEDUCTIVE', confidence: 0.6 }));
    expect((await read())?.renderedText).toBe('Said:\n- likes tea\nConcluded:\n- Is an engineer.');
    for (let n = 10; n < 110; n++) await observationStore.save(observation(n));
    const { renderedText } = (await read()) as MemorySnapshot;
    expect(renderedText).toContain('(62 more observations are not shown here.)');
    expect(renderedText).toContain('Fact 109.');
    expect((await read())?.truncated).toBe(true);
  });

  it('keeps to its budget, dropping the weakest and oldest first, and says so', async () => {
    const counter = new EstimatingTokenCounter();
    const { observationStore, read } = memoryOf();
    for (let n = 0; n < 30; n++)
      await observationStore.save(
        observation(n, { content: `지난 회의에서 ${n}번 서버를 옮기기로 했다.`, confidence: n === 0 ? 1 : 0.9 }),
      );
    const whole = (await read({ mode: 'FULL' })) as MemorySnapshot;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: whole.tokenCount + 5 }),
        fc.constantFrom('FULL' as const, 'SUMMARY_ONLY' as const),
        async (maxTokens, mode) => {
          const snapshot = (await read({ mode, maxTokens })) as MemorySnapshot;
          expect(snapshot.tokenCount).toBe(counter.count(snapshot.renderedText));
          expect(snapshot.tokenCount).toBeLessThanOrEqual(maxTokens);
          expect(snapshot.truncated).toBe(maxTokens < whole.tokenCount);
        },
      ),
    );
    const cut = (await read({ maxTokens: 80 })) as MemorySnapshot;
    expect(cut.renderedText).toContain(' 0번 서버');
    expect(cut.renderedText).toContain('29번 서버');
    expect(cut.renderedText).not.toContain(' 1번 서버');
  });

  it('shortens a stored summary at a sentence, only when it alone is too long', async () => {
    const { observationStore, read, store } = memoryOf();
    await store('Alice runs the database team. She is in Seoul. She reports to Kim.', 5);
    await observationStore.save(observation(9, { content: 'A fact that is younger than the summary.' }));
    expect((await read({ maxTokens: 18 }))?.renderedText).toBe(
      'Alice runs the database team. She is in Seoul. She reports to Kim.',
    );
    expect(await read({ maxTokens: 12 })).toMatchObject({
      renderedText: 'Alice runs the database team. She is in Seoul.',
      truncated: true,
    });
  });

  it('lists no observation that was retired after the representation was made', async () => {
    const observationStore = new InMemoryObservationStore();
    const representationStore = new InMemoryRepresentationStore();
    const reader = requireTier(new StoreBackedPeerMemory({ observationStore, representationStore }), 'SNAPSHOT');
    const [kept, gone] = [observation(1), observation(2)];
    await observationStore.save(kept);
    await representationStore.save(
      Representation.of({
        subject: alice,
        summary: 'Both.',
        observations: [kept, gone],
        generatedAt: new Date(Date.UTC(2026, 1)),
        tokenCount: 1,
      }),
    );
    const snapshot = await reader.read({ subject: alice, mode: 'FULL', maxTokens: 0 });
    expect(snapshot?.observations.map(({ id }) => id.localId)).toEqual(['o1']);
  });

  it('never reads as empty when something is known, however small the budget', async () => {
    const { observationStore, read, store } = memoryOf();
    await observationStore.save(observation(1, { content: '서버를 어젯밤에 재시작했습니다.' }));
    expect((await read({ maxTokens: 1 }))?.renderedText).toBe('…');
    expect((await read({ maxTokens: 4 }))?.renderedText).toBe('서버를…');
    await store('A summary without an early end', 5);
    expect((await read({ maxTokens: 3 }))?.renderedText).toBe('A summary w…');
  });

  it('says that something is cut or may be missing on a field and in the text', async () => {
    const { observationStore, read, store } = memoryOf();
    await observationStore.save(observation(1, { content: 'x'.repeat(500) }));
    expect(await read()).toMatchObject({ truncated: true });
    await store('Summary.', 5);
    for (let n = 10; n < 610; n++) await observationStore.save(observation(n));
    expect((await read())?.renderedText).toContain('(460 or more observations are not shown here.)');
  });

  it('comes from a representation store alone, too', async () => {
    const representationStore = new InMemoryRepresentationStore();
    await representationStore.save(
      Representation.of({ subject: alice, summary: 'Stored.', generatedAt: new Date(0), tokenCount: 1 }),
    );
    const memory = new StoreBackedPeerMemory({ representationStore });
    expect(
      (await requireTier(memory, 'SNAPSHOT').read({ subject: alice, mode: 'FULL', maxTokens: 0 }))?.renderedText,
    ).toBe('Stored.');
  });
});
