import {
  type MemorySnapshot,
  type MemorySnapshotQuery,
  type MemorySnapshotReader,
  PeerView,
  Principal,
} from '../../../lib/index.js';

import { brokenMemory, brokenReader } from '../support/broken-memory.js';

type Change = (snapshot: MemorySnapshot, query: MemorySnapshotQuery) => Partial<MemorySnapshot>;

/** A reader whose snapshots are other than they should be. */
const changed =
  (change: Change) =>
  (sound: MemorySnapshotReader): MemorySnapshotReader => ({
    read: async (query) => {
      const snapshot = await sound.read(query);
      return snapshot === undefined ? undefined : { ...snapshot, ...change(snapshot, query) };
    },
  });

const asked =
  (change: (query: MemorySnapshotQuery) => Partial<MemorySnapshotQuery>) =>
  (sound: MemorySnapshotReader): MemorySnapshotReader => ({
    read: async (query) => sound.read({ ...query, ...change(query) }),
  });

const ANSWERS = 'SNAPSHOT answers every scope';
const BUDGET = 'SNAPSHOT keeps to the budget';
const KNOWS = 'SNAPSHOT knows something as soon as';
const SCOPES = 'SNAPSHOT of scope LOCAL is LOCAL';
const VIEWS = 'SNAPSHOT prefers the view of the session';
const LISTS = 'SNAPSHOT lists single observations';

export const SNAPSHOT_MUTANTS = [
  brokenReader('has no scope LOCAL', [ANSWERS, SCOPES], (sound) => ({
    read: async (query) => {
      if (query.scope === 'LOCAL') throw new Error('LOCAL is not supported.');
      return sound.read(query);
    },
  })),
  brokenReader('fails for a peer that it does not know', [ANSWERS, 'SNAPSHOT knows nothing of a peer'], (sound) => ({
    read: async (query) => {
      const snapshot = await sound.read(query);
      if (snapshot === undefined) throw new Error('404');
      return snapshot;
    },
  })),
  brokenReader(
    'answers with a blank snapshot where nothing is known',
    ['SNAPSHOT knows nothing of a peer', ANSWERS],
    (sound) => ({
      read: async (query) =>
        (await sound.read(query)) ?? {
          ...{ renderedText: '', resolvedScope: 'GLOBAL', generatedAt: new Date(), tokenCount: 0 },
          ...{ tokenCountEstimated: true, truncated: false, observationsAvailable: true, confidenceAvailable: true },
          observations: [],
        },
    }),
  ),
  brokenReader('makes something up where nothing is known', ['SNAPSHOT knows nothing of a peer'], (sound) => ({
    read: async (query) =>
      (await sound.read(query)) ?? {
        ...{ renderedText: 'No memories.', resolvedScope: 'GLOBAL', generatedAt: new Date(), tokenCount: 3 },
        ...{ tokenCountEstimated: true, truncated: false, observationsAvailable: true, confidenceAvailable: true },
        observations: [],
      },
  })),
  brokenReader('knows nothing in a session in which nothing was said', [KNOWS], (sound) => ({
    read: async (query) => (query.sessionId === 'never' ? undefined : sound.read(query)),
  })),
  brokenReader('knows nothing when another observer asks', [KNOWS], (sound) => ({
    read: async (query) => (query.observer?.equals(query.subject) === false ? undefined : sound.read(query)),
  })),
  brokenReader('has no summary', [KNOWS], (sound) => ({
    read: async (query) => (query.mode === 'SUMMARY_ONLY' ? undefined : sound.read(query)),
  })),
  brokenReader('remembers its first answer for ever', [KNOWS, 'SNAPSHOT that was read does not change'], (sound) => {
    const answers = new Map<string, MemorySnapshot | undefined>();
    return {
      read: async (query) => {
        const key = JSON.stringify([
          query.subject.key(),
          query.observer?.key(),
          query.scope,
          query.mode,
          query.sessionId,
        ]);
        if (!answers.has(key)) answers.set(key, await sound.read(query));
        return answers.get(key);
      },
    };
  }),
  brokenReader(
    'knows no budget',
    [BUDGET],
    asked(() => ({ maxTokens: 0 })),
  ),
  brokenReader('knows no budget and says that it is truncated', [BUDGET], (sound) => ({
    read: async (query) => {
      const snapshot = await sound.read({ ...query, maxTokens: 0 });
      return snapshot && { ...snapshot, truncated: query.maxTokens > 0 };
    },
  })),
  brokenReader(
    'never says that it is truncated',
    [BUDGET],
    changed(() => ({ truncated: false })),
  ),
  brokenReader('always has as many tokens as were asked for', [BUDGET], (sound) => ({
    read: async (query) => {
      const snapshot = await sound.read({ ...query, maxTokens: 0 });
      return snapshot && { ...snapshot, tokenCount: query.maxTokens || snapshot.tokenCount };
    },
  })),
  brokenReader('leaves nothing when the budget is small', [BUDGET], (sound) => ({
    read: async (query) => (query.maxTokens === 1 ? undefined : sound.read(query)),
  })),
  brokenReader(
    'counts no tokens',
    [ANSWERS],
    changed(() => ({ tokenCount: Number.NaN })),
  ),
  brokenReader(
    'tells the time as a text',
    [ANSWERS, KNOWS],
    changed(({ generatedAt }) => ({ generatedAt: generatedAt.toISOString() as unknown as Date })),
  ),
  brokenReader(
    'does not say whether it is truncated',
    [ANSWERS],
    changed(() => ({ truncated: undefined })),
  ),
  brokenReader(
    'answers with the scope that was asked for',
    [ANSWERS, SCOPES],
    changed((_, { scope }) => ({ resolvedScope: scope as 'LOCAL' })),
  ),
  brokenReader(
    'lists observations and says that it cannot',
    [LISTS],
    changed(() => ({ observationsAvailable: false })),
  ),
  brokenReader(
    'lists none and says that it can',
    [LISTS],
    changed(() => ({ observations: [] })),
  ),
  brokenReader(
    'lists observations about somebody else',
    [LISTS],
    changed(({ observations }) => ({
      observations: observations.map((one) => {
        const subject = PeerView.of(one.subject.workspace, Principal.user('somebody'));
        return one.with({ subject });
      }),
    })),
  ),
  brokenReader('takes GLOBAL for LOCAL', [SCOPES], (sound) => ({
    read: async (query) => sound.read(query.scope === 'LOCAL' ? { ...query, scope: 'GLOBAL' } : query),
  })),
  brokenReader('does not fall back to GLOBAL', [KNOWS, SCOPES], (sound) => ({
    read: async (query) => sound.read(query.scope === 'LOCAL_THEN_GLOBAL' ? { ...query, scope: 'LOCAL' } : query),
  })),
  brokenReader('prefers GLOBAL', [VIEWS], (sound) => ({
    read: async (query) =>
      query.scope === 'LOCAL_THEN_GLOBAL'
        ? ((await sound.read({ ...query, scope: 'GLOBAL' })) ?? (await sound.read({ ...query, scope: 'LOCAL' })))
        : sound.read(query),
  })),
  brokenReader(
    'looks at no session',
    [VIEWS],
    asked(() => ({ sessionId: undefined })),
  ),
  brokenReader(
    'looks at no observer',
    [VIEWS],
    asked(({ subject }) => ({ observer: PeerView.of(subject.workspace, Principal.user('lee')) })),
  ),
  brokenReader('answers with a list that grows', ['SNAPSHOT that was read does not change'], (sound, memory) => {
    const lists = new Map<string, MemorySnapshot['observations'][number][]>();
    const { observe } = memory.observationRecorder;
    memory.observationRecorder.observe = async (draft) => {
      const one = await observe(draft);
      lists.get(one.subject.key())?.push(one);
      return one;
    };
    return {
      read: async (query) => {
        const snapshot = await sound.read(query);
        if (snapshot === undefined) return undefined;
        const observations = [...snapshot.observations];
        lists.set(query.subject.key(), observations);
        return { ...snapshot, observations };
      },
    };
  }),
  brokenReader(
    'shows another confidence than was recorded',
    ['SNAPSHOT shows the confidence'],
    changed(({ observations }) => ({ observations: observations.map((one) => one.with({ confidence: 0.5 })) })),
  ),
  brokenMemory(
    'says that a confidence is there which is not stored',
    ['SNAPSHOT shows the confidence', 'SEARCH explains its hits'],
    (memory) => ({
      observationRecorder: { ...memory.observationRecorder, storesConfidence: false },
    }),
  ),
];
