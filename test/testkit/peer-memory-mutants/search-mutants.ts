import {
  InvalidArgumentError,
  type MemoryHit,
  type MemorySearcher,
  type MemorySearchQuery,
  normaliseSearchQuery,
} from '../../../lib/index.js';

import { brokenSearcher } from '../support/broken-memory.js';

const changed =
  (change: (hits: readonly MemoryHit[], query: MemorySearchQuery) => readonly MemoryHit[]) =>
  (sound: MemorySearcher): Partial<MemorySearcher> => ({
    search: async (query) => change(await sound.search(query), query),
  });
const each = (change: (hit: MemoryHit, at: number) => Partial<MemoryHit>) =>
  changed((hits) => hits.map((hit, at) => ({ ...hit, ...change(hit, at) })));
const asked =
  (change: (query: MemorySearchQuery) => Partial<MemorySearchQuery>) =>
  (sound: MemorySearcher): Partial<MemorySearcher> => ({
    search: async (query) => sound.search(normaliseSearchQuery({ ...query, ...change(query) })),
  });

const BEST_FIRST = 'SEARCH finds a fact by its own words';
const TOP_K = 'SEARCH answers with at most topK';
const SCORES = 'SEARCH that ranks by score has scores';
const NO_SCORES = 'SEARCH that does not rank by score';
const SESSIONS = 'SEARCH that narrows by session';
const ODD = 'SEARCH answers whatever is asked';
const EXPLAINS = 'SEARCH explains its hits';

export const SEARCH_MUTANTS = [
  brokenSearcher(
    'has the best hit last',
    [BEST_FIRST, SCORES],
    changed((hits) => [...hits].reverse()),
  ),
  brokenSearcher(
    'answers in the order of the alphabet',
    [BEST_FIRST],
    changed((hits) => [...hits].sort((a, b) => (a.observation.content < b.observation.content ? -1 : 1))),
  ),
  brokenSearcher('finds one more than was asked for', [TOP_K], (sound) => ({
    search: async (query) => sound.search({ ...query, topK: Math.min(200, query.topK + 1) }),
  })),
  brokenSearcher(
    'always finds all',
    [TOP_K],
    asked(() => ({ topK: 200 })),
  ),
  brokenSearcher(
    'finds one at most',
    [TOP_K],
    changed((hits) => hits.slice(0, 1)),
  ),
  brokenSearcher(
    'finds each fact twice',
    [TOP_K],
    changed((hits, { topK }) => hits.flatMap((hit) => [hit, hit]).slice(0, topK)),
  ),
  brokenSearcher('answers in another order each time', ['SEARCH answers equal questions'], (sound) => {
    let time = 0;
    return {
      search: async (query) => {
        const hits = await sound.search(query);
        return time++ % 2 === 0 ? hits : [...hits].reverse();
      },
    };
  }),
  brokenSearcher(
    'has scores of more than one',
    [SCORES],
    each(({ score }) => ({ score: score * 40 })),
  ),
  brokenSearcher(
    'has a score that rises',
    [SCORES],
    each((_, at) => ({ score: Math.min(1, 0.1 + at / 10) })),
  ),
  brokenSearcher(
    'has no number for a score',
    [SCORES],
    each(() => ({ score: Number.NaN })),
  ),
  brokenSearcher(
    'scores everything with 0',
    [SCORES],
    each(() => ({ score: 0 })),
  ),
  brokenSearcher(
    'does not look at minScore',
    [SCORES],
    asked(() => ({ minScore: 0 })),
  ),
  brokenSearcher('leaves out what has exactly minScore', [SCORES], (sound) => ({
    search: async (query) => {
      const { minScore = 0 } = query;
      return (await sound.search({ ...query, minScore: 0 })).filter(({ score }) => minScore === 0 || score > minScore);
    },
  })),
  brokenSearcher('makes a score out of the rank', [SCORES, NO_SCORES], (sound) => ({
    ranksByScore: false,
    search: async (query) => (await sound.search(query)).map((hit, at) => ({ ...hit, score: 1 / (at + 1) })),
  })),
  brokenSearcher('has no scores and does not mind a minScore', [NO_SCORES], (sound) => ({
    ranksByScore: false,
    search: async (query) => (await sound.search({ ...query, minScore: 0 })).map((hit) => ({ ...hit, score: 0 })),
  })),
  brokenSearcher('has scores and refuses a minScore', [NO_SCORES], (sound) => ({
    search: async (query) => {
      if ((query.minScore ?? 0) > 0) throw new InvalidArgumentError('minScore is not supported.');
      return sound.search(query);
    },
  })),
  brokenSearcher(
    'looks through all sessions',
    [SESSIONS],
    asked(() => ({ sessionId: undefined })),
  ),
  brokenSearcher('narrows by no session and does not mind one', [SESSIONS], (sound) => ({
    narrowsBySession: false,
    search: async (query) => sound.search({ ...query, sessionId: undefined }),
  })),
  brokenSearcher('takes sessions that differ in white space for one', [SESSIONS], (sound) => ({
    search: async (query) => {
      if (query.sessionId === undefined) return sound.search(query);
      const hits = await sound.search({ ...query, sessionId: undefined });
      return hits.filter(({ observation }) => observation.sessionId?.trim() === query.sessionId?.trim());
    },
  })),
  brokenSearcher('takes a session for a pattern', [SESSIONS], (sound) => ({
    search: async (query) => {
      if (query.sessionId === undefined) return sound.search(query);
      const pattern = new RegExp(`^${query.sessionId.replaceAll('%', '.*')}$`);
      const hits = await sound.search({ ...query, sessionId: undefined });
      return hits.filter(({ observation }) => pattern.test(observation.sessionId ?? ''));
    },
  })),
  brokenSearcher('also finds what is of no session', [SESSIONS], (sound) => ({
    search: async (query) => {
      if (query.sessionId === undefined) return sound.search(query);
      const hits = await sound.search({ ...query, sessionId: undefined });
      return hits.filter(({ observation }) => [undefined, query.sessionId].includes(observation.sessionId));
    },
  })),
  brokenSearcher(
    'puts the older of two alike first',
    ['SEARCH puts the newer of two hits'],
    changed((hits) =>
      [...hits].sort(
        (a, b) =>
          b.score - a.score ||
          a.observation.createdAt.getTime() - b.observation.createdAt.getTime() ||
          (a.observation.id.localId < b.observation.id.localId ? 1 : -1),
      ),
    ),
  ),
  brokenSearcher('hands the query to a query language', [ODD], (sound) => ({
    search: async (query) => {
      if ((query.query.split('"').length - 1) % 2 === 1) throw new Error('fts5: syntax error near """');
      return sound.search(query);
    },
  })),
  brokenSearcher('fails where the query has no words', [ODD], (sound) => ({
    search: async (query) => {
      if (!/\p{L}/u.test(query.query)) throw new Error('A query without words is not supported.');
      return sound.search(query);
    },
  })),
  brokenSearcher('takes the operators of a query language for words that must be there', [ODD], (sound) => ({
    search: async (query) => (/\bAND\b|\bOR\b/.test(query.query) ? [] : sound.search(query)),
  })),
  brokenSearcher('cuts nothing and answers with no list', [ODD], (sound) => ({
    search: async (query) => (query.query.length > 10_000 ? (undefined as unknown as []) : sound.search(query)),
  })),
  brokenSearcher(
    'fails for a peer that it does not know',
    ['SEARCH of a peer of whom nothing is known'],
    (sound, { snapshotReader }) => ({
      search: async (query) => {
        if ((await snapshotReader.read({ subject: query.subject, mode: 'FULL', maxTokens: 0 })) === undefined)
          throw new Error('No such peer.');
        return sound.search(query);
      },
    }),
  ),
  brokenSearcher(
    'answers with nothing at all for a peer that it does not know',
    ['SEARCH of a peer of whom nothing is known'],
    (sound) => ({
      search: async (query) => {
        const hits = await sound.search(query);
        return hits.length === 0 ? (undefined as unknown as []) : hits;
      },
    }),
  ),
  brokenSearcher(
    'finds only what the one who asks recorded',
    ['SEARCH finds what any observer recorded'],
    changed((hits, { observer }) => hits.filter(({ observation }) => observer?.equals(observation.observer) !== false)),
  ),
  brokenSearcher(
    'explains nothing',
    [EXPLAINS],
    each(() => ({ signals: undefined })),
  ),
  brokenSearcher(
    'explains itself in words',
    [EXPLAINS],
    each(() => ({ signals: { lexical: 'good' as unknown as number } })),
  ),
  brokenSearcher(
    'does not say whether there is a confidence',
    [EXPLAINS],
    each(() => ({ confidenceAvailable: undefined })),
  ),
  brokenSearcher(
    'shows another confidence than was recorded',
    [EXPLAINS],
    each(({ observation }) => ({ observation: observation.with({ confidence: 0.9 }) })),
  ),
];
