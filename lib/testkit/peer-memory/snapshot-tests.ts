import assert from 'node:assert/strict';

import type { PeerView } from '../../domain/peer-view.js';
import { SNAPSHOT_MODES, SNAPSHOT_SCOPES, type MemorySnapshot } from '../../spi/snapshot.js';
import { assertAnswers } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { fact, SEEDED_SNAPSHOTS, type PeerMemoryUnderTest } from './peer-memory-under-test.js';

const FACTS = Array.from(
  { length: 60 },
  (_, n) =>
    `The machine m${n} of hall number ${n} runs service s${n}, which mina looks after on day d${n} of the month.`,
);

export const SNAPSHOT_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = [
  {
    name: 'SNAPSHOT answers every scope, mode, budget, session and observer, of a peer it knows and of one it does not',
    needs: ['SNAPSHOT'],
    run: async (memory) => {
      const known = memory.peer('known');
      await memory.know(fact(known, FACTS[0] as string, { sessionId: 'monday' }));
      for (const subject of [known, memory.peer('unknown', known.workspace)])
        for (const scope of SNAPSHOT_SCOPES)
          for (const mode of SNAPSHOT_MODES)
            for (const maxTokens of [0, 1, 1000])
              for (const sessionId of [undefined, 'monday', 'never'])
                for (const observer of [undefined, memory.peer('other', known.workspace)]) {
                  const snapshot = await assertAnswers(
                    () => memory.read({ subject, scope, mode, maxTokens, sessionId, observer }),
                    `A ${mode} snapshot of scope ${scope} and at most ${maxTokens} tokens`,
                  );
                  if (snapshot != null) assertWellFormed(snapshot);
                }
    },
  },
  {
    name: 'SNAPSHOT knows nothing of a peer of whom nothing was said',
    needs: ['SNAPSHOT'],
    run: async (memory) => {
      const known = memory.peer('known');
      await memory.know(fact(known, FACTS[0] as string));
      const snapshot = await memory.read({ subject: memory.peer('stranger', known.workspace) });
      assert.equal(snapshot ?? undefined, undefined, 'Where nothing is known the answer is undefined, not a snapshot.');
    },
  },
  {
    name: 'SNAPSHOT knows something as soon as something was written, whoever asks and for whichever session',
    needs: ['SNAPSHOT'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.read({ subject });
      await memory.know(fact(subject, FACTS[0] as string, { sessionId: 'monday' }));
      for (const sessionId of [undefined, 'monday', 'never'])
        for (const observer of [undefined, memory.peer('other', subject.workspace)])
          for (const mode of SNAPSHOT_MODES)
            assertWellFormed(await memory.readKnown({ subject, sessionId, observer, mode }));
    },
  },
  {
    name: 'SNAPSHOT keeps to the budget of tokens, and says when it leaves something out for it',
    needs: ['SNAPSHOT'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(...FACTS.map((content) => fact(subject, content)));
      for (const mode of SNAPSHOT_MODES) {
        const whole = await memory.readKnown({ subject, mode });
        const size = whole.tokenCount;
        for (const maxTokens of [1, 20, Math.ceil(size / 4), Math.ceil(size / 2), size, size + 1000]) {
          const part = await memory.readKnown({ subject, mode, maxTokens });
          const what = `A ${mode} snapshot of ${size} tokens, asked for with at most ${maxTokens},`;
          assertWellFormed(part);
          assert.ok(
            part.tokenCount <= maxTokens || part.truncated,
            `${what} has ${part.tokenCount} and does not say that it is truncated.`,
          );
          if (part.renderedText.length < whole.renderedText.length) {
            assert.ok(part.truncated, `${what} is shorter than the whole one and does not say that it is truncated.`);
          }
          if (part.renderedText === whole.renderedText) {
            assert.equal(part.tokenCount, size, `${what} has the same text and another number of tokens.`);
          }
          // Of sixty facts more can be left out than it takes to come down to a half.
          if (maxTokens >= size / 4) {
            assert.ok(part.tokenCount <= maxTokens, `${what} has ${part.tokenCount}.`);
            assert.equal(part.renderedText === whole.renderedText, maxTokens >= size, `${what} is not what fits.`);
          }
        }
      }
    },
  },
  {
    name: 'SNAPSHOT lists single observations where it says that it can, and none where it says that it cannot',
    needs: ['SNAPSHOT'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(...FACTS.slice(0, 3).map((content) => fact(subject, content)));
      const { observations, observationsAvailable } = await memory.readKnown({ subject });
      if (!observationsAvailable) assert.deepEqual(observations, [], 'observationsAvailable is false.');
      else
        assert.ok(observations.length > 0, 'observationsAvailable is true, three facts are known, and none is listed.');
      for (const one of observations) assert.ok(one.subject.equals(subject), 'It lists a fact about another peer.');
    },
  },
  {
    name: 'SNAPSHOT of scope LOCAL is LOCAL, of GLOBAL is GLOBAL, and of LOCAL_THEN_GLOBAL the first of the two that there is',
    needs: ['SNAPSHOT'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(fact(subject, FACTS[0] as string, { sessionId: 'monday' }));
      for (const sessionId of [undefined, 'monday', 'never']) {
        const local = await memory.read({ subject, sessionId, scope: 'LOCAL' });
        const global = await memory.read({ subject, sessionId, scope: 'GLOBAL' });
        const either = await memory.readKnown({ subject, sessionId, scope: 'LOCAL_THEN_GLOBAL' });
        if (local != null) assert.equal(local.resolvedScope, 'LOCAL');
        if (global != null) assert.equal(global.resolvedScope, 'GLOBAL');
        assert.equal(either.resolvedScope, local == null ? 'GLOBAL' : 'LOCAL');
        assert.equal(either.renderedText, (local ?? global)?.renderedText, 'LOCAL_THEN_GLOBAL is neither of the two.');
      }
    },
  },
  {
    name: 'SNAPSHOT prefers the view of the session, then the one across sessions, then the GLOBAL one, and mixes no observers',
    needs: ['SNAPSHOT', SEEDED_SNAPSHOTS],
    run: async (memory) => {
      const subject = memory.peer();
      const [lee, kim] = [memory.peer('lee', subject.workspace), memory.peer('kim', subject.workspace)];
      await memory.knowSnapshot({ subject, text: 'Nobody in particular saw globalia.' });
      await memory.knowSnapshot({ subject, observer: lee, text: 'Lee saw acrossia.' });
      await memory.knowSnapshot({ subject, observer: lee, sessionId: 'monday', text: 'Lee saw mondayia.' });
      await memory.knowSnapshot({ subject, observer: kim, sessionId: 'tuesday', text: 'Kim saw tuesdayia.' });
      const VIEWS = ['globalia', 'acrossia', 'mondayia', 'tuesdayia'];
      const seen = async (query: Parameters<PeerMemoryUnderTest['read']>[0]): Promise<string> => {
        const text = (await memory.read(query))?.renderedText ?? '';
        return VIEWS.filter((view) => text.includes(view)).join(' ');
      };
      const expected: readonly (readonly [{ observer?: PeerView; sessionId?: string }, string, string])[] = [
        [{ observer: lee, sessionId: 'monday' }, 'mondayia', 'mondayia'],
        [{ observer: lee, sessionId: 'tuesday' }, 'acrossia', 'acrossia'],
        [{ observer: lee }, 'acrossia', 'acrossia'],
        [{ observer: kim, sessionId: 'tuesday' }, 'tuesdayia', 'tuesdayia'],
        [{ observer: kim, sessionId: 'monday' }, '', 'globalia'],
        [{ observer: kim }, '', 'globalia'],
        [{}, '', 'globalia'],
      ];
      for (const [asked, local, either] of expected) {
        const what = `asked by ${asked.observer?.principal.id ?? 'the peer'} in session ${asked.sessionId ?? 'none'}`;
        assert.equal(await seen({ subject, ...asked, scope: 'LOCAL' }), local, `LOCAL, ${what}`);
        assert.equal(await seen({ subject, ...asked }), either, `LOCAL_THEN_GLOBAL, ${what}`);
        assert.equal(await seen({ subject, ...asked, scope: 'GLOBAL' }), 'globalia', `GLOBAL, ${what}`);
      }
    },
  },
  {
    name: 'SNAPSHOT that was read does not change when more becomes known',
    needs: ['SNAPSHOT'],
    run: async (memory) => {
      const subject = memory.peer();
      await memory.know(fact(subject, FACTS[0] as string));
      const snapshot = await memory.readKnown({ subject });
      const before = pictureOf(snapshot);
      await memory.know(...FACTS.slice(1, 5).map((content) => fact(subject, content)));
      assert.deepEqual(pictureOf(snapshot), before);
      const later = await memory.readKnown({ subject });
      assert.notDeepEqual(pictureOf(later), before, 'What became known afterwards is not in a later snapshot.');
    },
  },
  {
    name: 'SNAPSHOT shows the confidence that was recorded, or says that it has none',
    needs: ['SNAPSHOT', 'OBSERVE'],
    run: async (memory) => {
      const subject = memory.peer();
      const content = FACTS[0] as string;
      await memory.observe(fact(subject, content, { confidence: 0.35 }));
      await memory.settle();
      const { confidenceAvailable, observations } = await memory.readKnown({ subject });
      if (!memory.tier('OBSERVE').storesConfidence) {
        assert.equal(confidenceAvailable, false, 'storesConfidence is false, so there is none to be available.');
      } else if (confidenceAvailable) {
        for (const one of observations) if (one.content === content) assert.equal(one.confidence, 0.35);
      }
    },
  },
];

function pictureOf({ renderedText, generatedAt, tokenCount, observations }: MemorySnapshot): unknown {
  return JSON.parse(JSON.stringify({ renderedText, generatedAt, tokenCount, observations })) as unknown;
}

/** Each field is of its kind, and says something. */
function assertWellFormed(snapshot: MemorySnapshot): void {
  const { renderedText, resolvedScope, generatedAt, tokenCount, observations } = snapshot;
  assert.equal(typeof renderedText, 'string', 'renderedText has to be a text.');
  assert.notEqual(renderedText.trim(), '', 'A snapshot of nothing is undefined, not a blank text.');
  assert.ok(resolvedScope === 'LOCAL' || resolvedScope === 'GLOBAL', 'resolvedScope has to be LOCAL or GLOBAL.');
  assert.ok(
    generatedAt instanceof Date && !Number.isNaN(generatedAt.getTime()),
    'generatedAt has to be a Date with a time.',
  );
  assert.ok(Number.isSafeInteger(tokenCount) && tokenCount > 0, 'tokenCount has to be the size of renderedText.');
  for (const flag of ['tokenCountEstimated', 'truncated', 'observationsAvailable', 'confidenceAvailable'] as const) {
    assert.equal(typeof snapshot[flag], 'boolean', `${flag} has to be true or false.`);
  }
  assert.ok(Array.isArray(observations), 'observations has to be a list.');
}
