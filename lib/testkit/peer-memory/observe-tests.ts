import assert from 'node:assert/strict';

import { baseConfidence, OBSERVATION_TYPES } from '../../domain/observation-type.js';
import { Observation } from '../../domain/observation.js';
import { assertAnswers, isClear } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { HOSTILE_TEXTS, LONG_TEXT, type HostileText } from '../hostile-texts.js';
import { contentsOf, fact, type PeerMemoryUnderTest } from './peer-memory-under-test.js';

const CONTENT = 'The database cluster was moved to Dublin.';

export const OBSERVE_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = [
  {
    name: 'OBSERVE answers with the observation as it is kept',
    needs: ['OBSERVE'],
    run: async (memory) => {
      const subject = memory.peer();
      const observer = memory.peer('lee', subject.workspace);
      const sessionId = 'monday';
      const occurredAt = new Date('2026-03-02T09:00:00Z');
      const before = Date.now();
      const kept = await memory.observe(
        fact(subject, CONTENT, {
          ...{ observer, sessionId, occurredAt },
          sourceMessageIds: ['m1', 'm2'],
          metadata: { source: 'ticket' },
        }),
      );
      assert.ok(kept instanceof Observation, 'The answer has to be an Observation.');
      assert.ok(kept.subject.equals(subject), 'It is about another peer than was given.');
      assert.ok(kept.observer.equals(observer), 'It has another observer than was given.');
      assert.equal(kept.content, CONTENT);
      assert.equal(kept.id.workspaceId, subject.workspace.id);
      assert.equal(kept.supersededBy, undefined);
      assert.equal(kept.contradicted, false);
      assert.equal(kept.corroborations, 0, 'What is told for the first time has no corroborations.');
      assert.ok(
        Math.abs(kept.createdAt.getTime() - before) < 366 * 86_400_000 * 100,
        'createdAt is when it was recorded.',
      );
      // What a backend does not keep it leaves out; it puts nothing else in the place.
      assert.ok([undefined, sessionId].includes(kept.sessionId), `It is of the session ${kept.sessionId}.`);
      assert.ok([undefined, occurredAt.getTime()].includes(kept.occurredAt?.getTime()), 'occurredAt is another time.');
      assert.ok(
        kept.sourceMessageIds.length === 0 || kept.sourceMessageIds.join() === 'm1,m2',
        `It rests on the messages ${kept.sourceMessageIds.join()}.`,
      );
      assert.ok([undefined, 'ticket'].includes(kept.metadata['source']), 'Its metadata are others.');
    },
  },
  {
    name: 'OBSERVE takes the four types, and keeps them or says that it does not',
    needs: ['OBSERVE'],
    run: async (memory) => {
      const subject = memory.peer();
      const { storesType } = memory.tier('OBSERVE');
      assert.equal(typeof storesType, 'boolean', 'storesType has to be true or false.');
      for (const [n, type] of OBSERVATION_TYPES.entries()) {
        const kept = await assertAnswers(
          () => memory.observe(fact(subject, `Fact number f${n} of the type in question.`, { type })),
          `An observation of the type ${type}`,
        );
        assert.equal(kept.type, storesType ? type : 'EXPLICIT', `storesType is ${storesType}.`);
      }
    },
  },
  {
    name: 'OBSERVE keeps a confidence, also 0, and the base of the type without one, or says that it does not',
    needs: ['OBSERVE'],
    run: async (memory) => {
      const subject = memory.peer();
      const { storesConfidence, storesType } = memory.tier('OBSERVE');
      assert.equal(typeof storesConfidence, 'boolean', 'storesConfidence has to be true or false.');
      for (const [n, confidence] of [0, 0.05, 0.5, 1].entries()) {
        const content = `Fact number c${n} has a confidence of its own.`;
        const kept = await assertAnswers(
          () => memory.observe(fact(subject, content, { confidence })),
          `An observation with the confidence ${confidence}`,
        );
        if (storesConfidence) assert.equal(kept.confidence, confidence);
      }
      for (const type of OBSERVATION_TYPES) {
        const kept = await memory.observe(fact(subject, `A fact of type ${type} that says no confidence.`, { type }));
        if (storesConfidence && storesType) assert.equal(kept.confidence, baseConfidence(type), `the base of ${type}`);
      }
    },
  },
  {
    name: 'OBSERVE makes a fact that SEARCH finds',
    needs: ['OBSERVE', 'SEARCH'],
    run: async (memory) => {
      const subject = memory.peer();
      const others = Array.from({ length: 20 }, (_, n) => fact(subject, `The machine m${n} is in hall number h${n}.`));
      for (const draft of others) await memory.observe(draft);
      const kept = await memory.observe(fact(subject, CONTENT));
      await memory.settle();
      const [best] = await memory.search({ subject, query: 'Where is the database cluster?' });
      assert.equal(best?.observation.content, CONTENT);
      assert.ok(best.observation.id.equals(kept.id), 'SEARCH finds it under another id than OBSERVE answered with.');
      for (const { content } of others) assert.equal(await memory.timesFound(subject, content), 1, content);
    },
  },
  {
    name: 'OBSERVE makes a fact that SNAPSHOT knows of',
    needs: ['OBSERVE', 'SNAPSHOT'],
    run: async (memory) => {
      const subject = memory.peer();
      const observer = memory.peer('lee', subject.workspace);
      await memory.observe(fact(subject, CONTENT, { observer, sessionId: 'monday' }));
      await memory.settle();
      for (const asking of [subject, observer]) {
        const { renderedText } = await memory.readKnown({ subject, observer: asking });
        assert.match(renderedText, /Dublin/, 'The one fact that is known is not in the snapshot.');
      }
    },
  },
  ...[...HOSTILE_TEXTS, { what: 'a length of 100 kB', text: LONG_TEXT }].map(keepsUnchanged),
  {
    name: 'OBSERVE records a draft with an idempotency key once, also when it comes many times at once',
    needs: ['OBSERVE'],
    run: async (memory) => {
      const subject = memory.peer();
      const draft = fact(subject, CONTENT, { idempotencyKey: 'once', sourceMessageIds: ['m1'] });
      const all = await Promise.all(Array.from({ length: 20 }, () => memory.observe(draft)));
      all.push(await memory.observe(draft));
      assert.equal(new Set(all.map(({ id }) => id.toString())).size, 1, 'It was recorded under several ids.');
      for (const { corroborations } of all) assert.equal(corroborations, 0, 'Sent again it counts as told again.');
      if (!memory.has('SEARCH')) return;
      await memory.settle();
      assert.equal(await memory.timesFound(subject, CONTENT), 1, 'It is found more than once.');
    },
  },
  {
    name: 'OBSERVE takes the same idempotency key for another subject as another draft',
    needs: ['OBSERVE'],
    run: async (memory) => {
      const mina = memory.peer('mina');
      for (const subject of [mina, memory.peer('lee', mina.workspace), memory.peer('mina')]) {
        const content = `A fact about ${subject.key()} and nobody else.`;
        const kept = await memory.observe(fact(subject, content, { idempotencyKey: 'k' }));
        assert.equal(kept.content, content);
        assert.ok(kept.subject.equals(subject), 'The answer is about another peer.');
      }
    },
  },
  {
    name: 'OBSERVE takes metadata with any key',
    needs: ['OBSERVE'],
    run: async (memory) => {
      const metadata = { constructor: 'a', 'a.b': 'c', 'a b': '', 서버: '이름', '"': '\\' };
      const kept = await assertAnswers(
        () => memory.observe(fact(memory.peer(), CONTENT, { metadata })),
        'An observation with odd metadata',
      );
      for (const [key, value] of Object.entries(metadata)) {
        if (Object.hasOwn(kept.metadata, key)) assert.equal(kept.metadata[key], value, `metadata ${key}`);
      }
    },
  },
];

function keepsUnchanged({ what, text }: HostileText): ContractTest<PeerMemoryUnderTest> {
  return {
    name: `OBSERVE keeps a text with ${what} unit for unit, or refuses it`,
    needs: ['OBSERVE'],
    run: async (memory) => {
      const subject = memory.peer();
      const content = `unmistakable ${text}`;
      let kept: Observation | undefined;
      try {
        kept = await memory.observe(fact(subject, content));
      } catch (error) {
        assert.ok(isClear(error), `It is refused with an error that explains nothing: ${String(error)}.`);
      }
      if (kept !== undefined) assert.equal(kept.content, content, 'OBSERVE answers with another text.');
      if (!memory.has('SEARCH')) return;
      await memory.settle();
      assert.deepEqual(
        contentsOf(await memory.search({ subject, query: 'unmistakable' })),
        kept === undefined ? [] : [content],
        kept === undefined ? 'It was refused, and something was kept.' : 'SEARCH finds another text.',
      );
    },
  };
}
