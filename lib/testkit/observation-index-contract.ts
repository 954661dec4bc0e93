import assert from 'node:assert/strict';

import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import type { IndexHit, ObservationIndex } from '../ports/observation-index.js';
import { checkedMaker, requireExpected } from './checked-options.js';
import { assertAnswers } from './clear-error.js';
import { declareContract, type ContractOptions, type ContractTest } from './contract.js';
import { HOSTILE_IDENTITIES } from './hostile-identities.js';
import { HOSTILE_TEXTS, LONG_TEXT } from './hostile-texts.js';
import { idOf, LEE, MINA, observed, OPS, peerOf } from './stores/store-facts.js';

/** An index to be tested: empty, and nobody else's for the length of one test. */
export interface ObservationIndexToTest {
  /** The index. */
  readonly index: ObservationIndex;
  /** Lets go of the index. Default: nothing is. */
  close?(): Promise<void>;
  /** Settles when what was indexed can be found. Default: at once. */
  settle?(): Promise<void>;
}

/** What an index may do: `SCORES` and `SESSIONS` are its two signals, `FILLS` are `holds` and `fill`. */
export const OBSERVATION_INDEX_ABILITIES = ['SCORES', 'SESSIONS', 'FILLS'] as const;
/** `SCORES` or `SESSIONS`, the signals of an index, or `FILLS`: it has `holds` and `fill`. */
export type ObservationIndexAbility = (typeof OBSERVATION_INDEX_ABILITIES)[number];

/** What is tested by `describeObservationIndexContract`, and what it is expected to do. */
export interface ObservationIndexContractOptions extends ContractOptions {
  /** What the index does; the first test fails when it says something else. Tests of the rest are skipped by name. */
  readonly expects: readonly ObservationIndexAbility[];
  /** Called before each test; answers with an empty index. */
  readonly makeIndex: () => ObservationIndexToTest | Promise<ObservationIndexToTest>;
}

/** The index in the hands of a test. */
export class ObservationIndexUnderTest {
  readonly index: ObservationIndex;

  constructor(
    private readonly made: ObservationIndexToTest,
    readonly expects: readonly ObservationIndexAbility[],
  ) {
    this.index = made.index;
  }

  /** Indexes them, as a store does: an index that is filled on demand is filled with nothing first. */
  async add(...observations: readonly Observation[]): Promise<void> {
    for (const one of observations) {
      await this.hold(one.subject);
      await this.index.index(one);
    }
  }

  async hold(subject: PeerView): Promise<void> {
    if (this.index.holds?.(subject) === false) await this.index.fill?.(subject, []);
  }

  async search(
    query: string,
    options: { readonly topK?: number; readonly sessionId?: string; readonly of?: PeerView } = {},
  ) {
    const { topK = 200, sessionId, of = MINA } = options;
    await this.made.settle?.();
    return this.index.search(of, query, { topK, ...(sessionId !== undefined && { sessionId }) });
  }

  async close(): Promise<void> {
    await this.made.close?.();
  }
}

const FACTS = [
  'The printer in the kitchen prints invoices.',
  'The printer beside reception is out of toner.',
  'The database cluster was moved to Dublin.',
  'The printer of the studio takes glossy paper.',
];
const facts = (): readonly Observation[] => FACTS.map((content, n) => observed(n, { content }));
const printer = (n: number, subject = MINA): Observation =>
  observed(n, { subject, content: `The printer number p${n} jams.` });
const found = (hits: readonly IndexHit[]): number[] => hits.map(({ id }) => Number(id.localId.slice(1)));
const sorted = (hits: readonly IndexHit[]): number[] => found(hits).sort((a, b) => a - b);

/** All tests of the contract, in the order in which they are declared. @internal */
export const OBSERVATION_INDEX_CONTRACT: readonly ContractTest<ObservationIndexUnderTest>[] = Object.freeze([
  {
    name: 'does exactly what it is expected to do',
    run: async ({ index, expects }: ObservationIndexUnderTest) => {
      const does = { SCORES: index.scores, SESSIONS: index.narrowsBySession, FILLS: typeof index.fill === 'function' };
      for (const signal of ['scores', 'narrowsBySession'] as const)
        assert.equal(typeof index[signal], 'boolean', `${signal} has to be true or false.`);
      assert.deepEqual(
        OBSERVATION_INDEX_ABILITIES.filter((ability) => does[ability]),
        OBSERVATION_INDEX_ABILITIES.filter((ability) => expects.includes(ability)),
      );
      assert.equal(typeof index.holds, typeof index.fill, 'holds and fill come both or not at all.');
    },
  },
  {
    name: 'finds an observation by its own words, before all others, each once, and at most topK',
    run: async (subject: ObservationIndexUnderTest) => {
      await subject.add(...facts());
      for (const [n, content] of FACTS.entries()) {
        assert.deepEqual(found(await subject.search(content, { topK: 1 })), [n]);
        assert.equal(found(await subject.search(content))[0], n);
      }
      assert.equal((await subject.search('printer', { topK: 2 })).length, 2);
      const all = sorted(await subject.search('printer'));
      assert.deepEqual(
        all.filter((n) => n !== 2),
        [0, 1, 3],
      );
      for (const { id } of await subject.search('printer')) assert.equal(id.workspaceId, 'ops');
    },
  },
  {
    name: 'answers equal questions with equal lists',
    run: async (subject: ObservationIndexUnderTest) => {
      await subject.add(...facts());
      const first = found(await subject.search('printer paper'));
      assert.ok(first.length > 1);
      for (let time = 0; time < 5; time++) assert.deepEqual(found(await subject.search('printer paper')), first);
    },
  },
  {
    name: 'scores from 0 to 1, and does not rise',
    needs: ['SCORES'],
    run: async (subject: ObservationIndexUnderTest) => {
      await subject.add(...facts());
      const hits = await subject.search('printer with glossy paper');
      assert.ok(hits.length > 1);
      for (const [at, { score, signals = {} }] of hits.entries()) {
        assert.ok(score !== undefined && score >= 0 && score <= 1, `The score ${score} is not from 0 to 1.`);
        assert.ok(score <= (hits[at - 1]?.score ?? 1), 'A score rises.');
        for (const value of Object.values(signals)) assert.ok(Number.isFinite(value), 'A signal has to be a number.');
      }
    },
  },
  {
    name: 'finds that session only',
    needs: ['SESSIONS'],
    run: async (subject: ObservationIndexUnderTest) => {
      const sessions = ['monday', 'monday ', 'Monday', 'mon%', '__proto__', undefined];
      await subject.add(...sessions.map((sessionId, n) => printer(n).with({ sessionId })));
      for (const [n, sessionId] of sessions.entries()) {
        if (sessionId !== undefined)
          assert.deepEqual(found(await subject.search('printer', { sessionId })), [n], sessionId);
      }
      assert.equal((await subject.search('printer')).length, sessions.length);
      assert.deepEqual(await subject.search('printer', { sessionId: 'never' }), []);
    },
  },
  {
    name: 'takes an observation in the place of the one of its id, also under another subject',
    run: async (subject: ObservationIndexUnderTest) => {
      await subject.add(printer(0), printer(1));
      await subject.add(observed(0, { content: 'The scanner is new.' }));
      assert.deepEqual(found(await subject.search('printer')), [1]);
      assert.deepEqual(found(await subject.search('scanner')), [0]);
      await subject.add(printer(1, LEE));
      assert.deepEqual(found(await subject.search('printer')), []);
      assert.deepEqual(found(await subject.search('printer', { of: LEE })), [1]);
    },
  },
  {
    name: 'finds no more what was deleted, and does not mind an id that it does not know',
    run: async (subject: ObservationIndexUnderTest) => {
      await subject.add(printer(0), printer(1), printer(2));
      await subject.index.delete(idOf(1));
      await subject.index.delete(idOf(1));
      await subject.index.delete(idOf(0, 'elsewhere'));
      assert.deepEqual(sorted(await subject.search('printer')), [0, 2]);
      await subject.add(printer(1));
      assert.deepEqual(sorted(await subject.search('printer')), [0, 1, 2]);
    },
  },
  {
    name: 'forgets a subject, and a workspace, and nothing else',
    run: async (subject: ObservationIndexUnderTest) => {
      const worlds = ['ops', 'op', 'ops:', 'Ops', 'o%'];
      for (const id of worlds) await subject.add(printer(1, peerOf('mina', id)));
      await subject.add(printer(2, LEE), printer(3, peerOf('min')));
      await subject.index.eraseSubject(MINA);
      assert.deepEqual(await subject.search('printer'), []);
      for (const [of, n] of [
        [LEE, 2],
        [peerOf('min'), 3],
        [peerOf('mina', 'op'), 1],
      ] as const)
        assert.deepEqual(found(await subject.search('printer', { of })), [n], of.key());
      await subject.index.eraseWorkspace(OPS);
      assert.deepEqual(await subject.search('printer', { of: LEE }), []);
      for (const id of worlds.slice(1))
        assert.deepEqual(found(await subject.search('printer', { of: peerOf('mina', id) })), [1], id);
    },
  },
  {
    name: 'keeps apart peers and workspaces whose ids are alike',
    run: async (subject: ObservationIndexUnderTest) => {
      for (const world of [(id: string) => peerOf(id), (id: string) => peerOf('mina', id)]) {
        for (const [n, id] of HOSTILE_IDENTITIES.entries()) await subject.add(printer(n, world(id)));
        for (const [n, id] of HOSTILE_IDENTITIES.entries())
          assert.deepEqual(found(await subject.search('printer', { of: world(id) })), [n], JSON.stringify(id));
      }
    },
  },
  {
    name: 'takes any text, and answers whatever is asked',
    run: async (subject: ObservationIndexUnderTest) => {
      for (const [n, { what, text }] of [...HOSTILE_TEXTS, { what: '100 kB', text: LONG_TEXT }].entries()) {
        await assertAnswers(() => subject.add(observed(n, { content: `unmistakable${n}x ${text}` })), what);
        assert.deepEqual(found(await subject.search(`unmistakable${n}x`, { topK: 1 })), [n], what);
      }
      for (const query of ['"', "'", '%', '*', '(', 'AND', 'NOT', 'a:b', '\u0000', '\ud83d', '🙂', 'the', LONG_TEXT])
        await assertAnswers(() => subject.search(query), `The query ${JSON.stringify(query.slice(0, 20))}`);
    },
  },
  {
    name: 'finds nothing for a subject of whom it was told nothing',
    run: async (subject: ObservationIndexUnderTest) => {
      await subject.add(printer(0));
      await subject.hold(LEE);
      assert.deepEqual(await assertAnswers(() => subject.search('printer', { of: LEE }), 'A search of nothing'), []);
    },
  },
  {
    name: 'loses nothing when many index and search at once',
    run: async (subject: ObservationIndexUnderTest) => {
      await subject.hold(MINA);
      const numbers = Array.from({ length: 60 }, (_, n) => n);
      await Promise.all(
        numbers.flatMap((n) => [
          subject.index.index(printer(n)),
          assertAnswers(async () => void (await subject.search('printer')), 'A search among writes'),
        ]),
      );
      assert.deepEqual(sorted(await subject.search('printer')), numbers);
    },
  },
  {
    name: 'holds a subject that it was filled with, and nothing that was there before',
    needs: ['FILLS'],
    run: async (subject: ObservationIndexUnderTest) => {
      const { index } = subject;
      assert.equal(index.holds?.(MINA), false, 'It holds a subject that it was told nothing of.');
      await index.fill?.(MINA, [printer(0), printer(1)]);
      assert.equal(index.holds?.(MINA), true);
      assert.equal(index.holds?.(LEE), false);
      assert.deepEqual(sorted(await subject.search('printer')), [0, 1]);
      await index.fill?.(MINA, [printer(1), printer(2)]);
      assert.deepEqual(sorted(await subject.search('printer')), [1, 2]);
      await index.index(printer(3));
      assert.deepEqual(sorted(await subject.search('printer')), [1, 2, 3]);
      await index.fill?.(LEE, []);
      assert.equal(index.holds?.(LEE), true, 'A subject of whom nothing is known is held too.');
      await index.eraseSubject(MINA);
      assert.equal(index.holds?.(MINA), false, 'It holds a subject that it was told to forget.');
      await index.eraseWorkspace(OPS);
      assert.equal(index.holds?.(LEE), false, 'It holds a subject of a workspace that it was told to forget.');
    },
  },
]);

/**
 * Declares the tests that every `ObservationIndex` has to pass.
 *
 * @param name what is tested, such as `the lexical index`
 * @throws InvalidArgumentError when there is no runner, or `expects` names what no index can do
 */
export function describeObservationIndexContract(name: string, options: ObservationIndexContractOptions): void {
  const { expects, makeIndex, runner, timeoutMs } = options;
  requireExpected(expects, OBSERVATION_INDEX_ABILITIES);
  const make = checkedMaker('makeIndex', 'index', makeIndex);
  declareContract({
    ...{ name, runner, timeoutMs },
    tests: OBSERVATION_INDEX_CONTRACT,
    abilities: expects,
    make: async () => {
      const subject = new ObservationIndexUnderTest(await make(), expects);
      return { subject, close: () => subject.close() };
    },
  });
}
