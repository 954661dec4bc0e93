import assert from 'node:assert/strict';

import { PeerView } from '../../domain/peer-view.js';
import { Principal, PRINCIPAL_TYPES } from '../../domain/principal.js';
import { Workspace } from '../../domain/workspace.js';
import { assertAnswers } from '../clear-error.js';
import type { ContractTest } from '../contract.js';
import { HOSTILE_IDENTITIES } from '../hostile-identities.js';
import { fact, type PeerMemoryUnderTest } from './peer-memory-under-test.js';

const peerIn = (workspaceId: string, id: string): PeerView =>
  PeerView.of(Workspace.of({ id: workspaceId }), Principal.user(id));

/** Pairs that a key of joined parts makes one peer. */
const SHIFTED: readonly (readonly [string, string])[] = [
  ['a', 'b:USER:c'],
  ['a:USER:b', 'c'],
  ['a/b', 'c'],
  ['a', 'b/c'],
  ['a b', 'c'],
  ['a', 'b c'],
  ['a|USER|b', 'c'],
  ['a', 'b|USER|c'],
  ['a%3Ab', 'c'],
  ['a:b', 'c'],
  ['a', 'USER:c'],
  ['a:USER', 'c'],
  ['c', 'a'],
  ['a', 'c'],
];

/** Each set of peers is one world: nobody in it is anybody else. */
const WORLDS: readonly (readonly [string, () => readonly PeerView[]])[] = [
  ['peers whose ids are alike', () => HOSTILE_IDENTITIES.map((id) => peerIn('one', id))],
  ['workspaces whose ids are alike', () => HOSTILE_IDENTITIES.map((id) => peerIn(id, 'mina'))],
  ['peers and workspaces whose ids are the same when they are joined', () => SHIFTED.map(([a, b]) => peerIn(a, b))],
  [
    'principals of the same id and another type',
    () => PRINCIPAL_TYPES.map((type) => PeerView.of(Workspace.of({ id: 'one' }), Principal.of({ type, id: 'mina' }))),
  ],
];

export const ISOLATION_TESTS: readonly ContractTest<PeerMemoryUnderTest>[] = WORLDS.flatMap(([what, world]) => [
  {
    name: `SEARCH keeps apart ${what}`,
    needs: ['SEARCH'],
    run: async (memory: PeerMemoryUnderTest) => {
      const peers = await inhabit(memory, world());
      for (const [n, subject] of peers.entries()) {
        const hits = await assertAnswers(
          () => memory.search({ subject, query: 'server' }),
          `A search of ${subject.key()}`,
        );
        for (const { observation } of hits)
          assert.ok(observation.subject.equals(subject), `${subject.key()} is shown what is about another peer.`);
        assert.deepEqual(
          hits.map(({ observation: { content } }) => numberIn(content)),
          [n],
          `What is found under ${subject.key()}`,
        );
      }
    },
  },
  {
    name: `SNAPSHOT keeps apart ${what}`,
    needs: ['SNAPSHOT'],
    run: async (memory: PeerMemoryUnderTest) => {
      const peers = await inhabit(memory, world());
      for (const [n, subject] of peers.entries()) {
        const { renderedText, observations } = await memory.readKnown({ subject });
        const shown = [renderedText, ...observations.map(({ content }) => content)].flatMap(numbersIn);
        assert.deepEqual(
          shown.filter((number) => number !== n),
          [],
          `The snapshot of ${subject.key()} holds what is about others.`,
        );
      }
    },
  },
]);

/** One fact for each peer, with a number of its own. */
async function inhabit(memory: PeerMemoryUnderTest, peers: readonly PeerView[]): Promise<readonly PeerView[]> {
  await memory.know(
    ...peers.map((subject, n) =>
      fact(subject, `The server has the number n${n}x.`, { sessionId: 'monday', idempotencyKey: 'the same' }),
    ),
  );
  return peers;
}

const numbersIn = (text: string): number[] => [...text.matchAll(/\bn(\d+)x\b/g)].map(([, number]) => Number(number));
const numberIn = (text: string): number => numbersIn(text)[0] ?? -1;
