import {
  IndexedObservationStore,
  InMemoryObservationStore,
  LexicalIndex,
  type Observation,
  ObservationId,
  type ObservationStore,
  type Page,
  PeerView,
  Principal,
  type SearchableObservationStore,
  StoreError,
} from '../../lib/index.js';
import { OBSERVATION_STORE_CONTRACT } from '../../lib/testkit/stores/describe-observation-store-contract.js';
import {
  OBSERVATION_STORE_ABILITIES,
  ObservationStoreUnderTest,
} from '../../lib/testkit/stores/observation-store-under-test.js';
import { idOf, MINA, minute } from '../../lib/testkit/stores/store-facts.js';
import { broken } from './support/bound.js';
import { describeMutants, type Mutant } from './support/mutants.js';

type Full = SearchableObservationStore & Required<ObservationStore>;

const ABILITIES = 'has exactly the optional methods';
const FIELDS = 'keeps every field';
const TEXTS = 'keeps a text unit for unit';
const UNKNOWN = 'finds nothing under an id';
const REPLACES = 'replaces the observation of the same id';
const TWO_WORKSPACES = 'keeps two observations of one local id';
const ORDER = 'lists observations newest first';
const GOES_ON = 'goes on with a page';
const REFUSES = 'refuses a limit below one';
const SUBJECTS = 'lists each peer of a workspace once';
const WEAK = 'finds what has less confidence';
const COUNTS = 'counts what is live';
const DELETES = 'deletes without a trace';
const WORKSPACES = 'lists the workspaces of which anything is kept';
const STILL = 'hands out lists that do not change';
const AT_ONCE = 'loses nothing and doubles nothing';
const EXPORTS = 'exports everything about a subject';
const ERASES = 'erases a peer as subject';
const ERASES_WORKSPACE = 'erases a workspace';
const AGAIN = 'takes a fact again';
const NOT_LIVE = 'fails clearly when it is given the id of nothing live';
const SUPERSEDES = 'supersede puts the replacement';
const TWO_PEERS = 'supersede and merge refuse';
const ONE_WINS = 'supersede of one observation at the same time';
const MERGES = 'merge saves the merged one';
const RETIRES = 'soft deletion retires';
const LIVE_AGAIN = 'saves what was retired as live again';
const DELETES_RETIRED = 'deletes also what was retired';
const NO_MORE = 'lists a subject no more';
const PURGES = 'purges what was retired';
const REWRITES = 'rewrites in its place';
const KEPT_SUBJECTS = 'lists also the peers of whom only retired';
const KEPT_WORKSPACES = 'lists a workspace of which only retired';
const APART = 'keeps apart peers and workspaces';
const FINDS = 'search finds a fact by its own words';
const SCORES = 'search scores from 0 to 1';
const SESSIONS = 'search finds that session only';
const FOLLOWS = 'search follows what is saved';
const SHOWS = 'search shows the fact as it is kept';
const SEARCH_APART = 'search keeps apart peers';
const ANY_QUERY = 'search answers whatever is asked';

function mutant(
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: Full) => Partial<Full>,
): Mutant<ObservationStoreUnderTest> {
  return {
    name,
    caughtBy,
    make: async () => {
      const sound = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex()) as unknown as Full;
      const subject = new ObservationStoreUnderTest(
        { store: broken<Full>(sound, breaking) },
        OBSERVATION_STORE_ABILITIES,
      );
      return { subject, close: () => subject.close() };
    },
  };
}

const saving =
  (change: (one: Observation) => Observation) =>
  (sound: Full): Partial<Full> => ({
    save: async (one) => sound.save(change(one)),
  });
const content = (change: (text: string) => string) => saving((one) => one.with({ content: change(one.content) }));
const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const everything = async (sound: Full, subject: PeerView): Promise<readonly Observation[]> =>
  (await sound.findBySubject(subject, { limit: 10_000 })).items;
/** A listing whose pages are cut out of a list by a number. */
const byOffset = (all: readonly Observation[], limit: number, cursor?: string): Page<Observation> => {
  const start = Number(cursor ?? 0);
  return {
    items: all.slice(start, start + limit),
    ...(start + limit < all.length && { cursor: String(start + limit) }),
  };
};

describeMutants('the contract of an observation store', OBSERVATION_STORE_CONTRACT, [
  mutant('has lost a method', [ABILITIES], () => ({ findWorkspaces: undefined })),
  mutant('has one of two methods', [ABILITIES], () => ({ softDelete: undefined })),
  mutant(
    'keeps no session',
    [FIELDS],
    saving((one) => one.with({ sessionId: undefined })),
  ),
  mutant(
    'keeps no metadata',
    [FIELDS],
    saving((one) => one.with({ metadata: {} })),
  ),
  mutant(
    'sorts the sources',
    [FIELDS],
    saving((one) => one.with({ sourceMessageIds: [...one.sourceMessageIds].sort() })),
  ),
  mutant(
    'keeps seconds',
    [FIELDS],
    saving((one) =>
      one.with({
        createdAt: new Date(Math.floor(one.createdAt.getTime() / 1000) * 1000),
      }),
    ),
  ),
  mutant(
    'keeps no time of the event',
    [FIELDS],
    saving((one) => one.with({ occurredAt: undefined })),
  ),
  mutant(
    'takes a confidence of 0 for none',
    [FIELDS],
    saving((one) => one.with({ confidence: one.confidence || 0.5 })),
  ),
  mutant(
    'rounds confidences',
    [FIELDS],
    saving((one) => one.with({ confidence: Math.round(one.confidence * 10) / 10 })),
  ),
  mutant('takes no CONTRADICTION', [FIELDS], (sound) => ({
    save: async (one) => {
      if (one.type === 'CONTRADICTION') throw new StoreError('CONTRADICTION is no type of this store.');
      return sound.save(one);
    },
  })),
  mutant(
    'takes the subject for the observer',
    [FIELDS, ERASES],
    saving((one) => one.with({ observer: one.subject })),
  ),
  mutant('answers with nothing when it saves', [FIELDS], (sound) => ({
    save: async (one) => {
      await sound.save(one);
      return undefined as unknown as Observation;
    },
  })),
  mutant(
    'trims texts',
    [TEXTS],
    content((text) => text.trim()),
  ),
  mutant(
    'composes letters',
    [TEXTS],
    content((text) => text.normalize('NFC')),
  ),
  mutant(
    'ends texts at a NUL',
    [TEXTS],
    content((text) => text.split('\u0000')[0] as string),
  ),
  mutant(
    'writes UTF-8',
    [TEXTS, SHOWS],
    content((text) => Buffer.from(text).toString()),
  ),
  mutant(
    'cuts texts',
    [TEXTS],
    content((text) => text.slice(0, 65_535)),
  ),
  mutant('refuses with an accident', [TEXTS], (sound) => ({
    save: async (one) => {
      if (one.content.includes('\u0000')) throw new TypeError('Cannot read properties of undefined');
      return sound.save(one);
    },
  })),
  mutant('fails where it finds nothing', [UNKNOWN], (sound) => ({
    findById: async (id) => {
      const found = await sound.findById(id);
      if (found === undefined) throw new StoreError('No such observation.');
      return found;
    },
  })),
  mutant('answers null where it finds nothing', [UNKNOWN], (sound) => ({
    findById: async (id) => (await sound.findById(id)) ?? (null as unknown as undefined),
  })),
  mutant('looks at the local id only', [UNKNOWN, TWO_WORKSPACES], (sound) => {
    const places = new Map<string, ObservationId>();
    return {
      save: async (one) => {
        places.set(one.id.localId, one.id);
        return sound.save(one);
      },
      findById: async (id) => sound.findById(places.get(id.localId) ?? id),
      delete: async (id) => sound.delete(places.get(id.localId) ?? id),
    };
  }),
  mutant('keeps what it had of the same id', [REPLACES], (sound) => ({
    save: async (one) => ((await sound.findById(one.id)) === undefined ? sound.save(one) : one),
  })),
  mutant('keeps two of the same id', [REPLACES], (sound) => ({
    save: async (one) => {
      const earlier = await sound.findById(one.id);
      if (earlier !== undefined && !earlier.subject.equals(one.subject))
        await sound.save(earlier.with({ id: ObservationId.generate(one.id.workspaceId) }));
      return sound.save(one);
    },
  })),
  mutant('lists the oldest first', [ORDER], (sound) => ({
    findBySubject: async (subject, { limit, cursor }) =>
      byOffset([...(await everything(sound, subject))].reverse(), limit, cursor),
  })),
  mutant('pages by time and loses what shares it', [ORDER], (sound) => ({
    findBySubject: async (subject, { limit, cursor }) => {
      const all = await everything(sound, subject);
      const rest = cursor === undefined ? all : all.filter(({ createdAt }) => createdAt.getTime() < Number(cursor));
      const items = rest.slice(0, limit);
      return { items, ...(rest.length > limit && { cursor: String(items.at(-1)?.createdAt.getTime()) }) };
    },
  })),
  mutant('pages by number', [GOES_ON, REFUSES], (sound) => ({
    findBySubject: async (subject, { limit, cursor }) => byOffset(await everything(sound, subject), limit, cursor),
  })),
  mutant('has one more page than there is', [ORDER], (sound) => ({
    findBySubject: async (subject, page) => {
      const found = await sound.findBySubject(subject, page);
      return {
        ...found,
        items: [...found.items, ...(await everything(sound, subject)).slice(-1)].slice(0, page.limit),
      };
    },
  })),
  mutant('takes a limit of 0 for none', [REFUSES], (sound) => ({
    findBySubject: async (subject, page) => sound.findBySubject(subject, { ...page, limit: page.limit || 100 }),
  })),
  mutant('takes any limit for how many of the weak to find', [REFUSES], (sound) => ({
    findByConfidenceBelow: async (subject, threshold, limit) =>
      sound.findByConfidenceBelow(subject, threshold, Math.max(1, Math.floor(limit || 1))),
  })),
  mutant('starts again at a cursor that is not its own', [REFUSES], (sound) => ({
    history: async (subject, page = {}) =>
      sound.history(subject, page.cursor?.includes(' ') ? { limit: page.limit } : page),
  })),
  mutant('lists subjects of all workspaces', [SUBJECTS], (sound) => {
    const subjects = new Map<string, PeerView>();
    return {
      save: async (one) => {
        subjects.set(one.subject.key(), one.subject);
        return sound.save(one);
      },
      findSubjects: async (workspace, page) => ({
        items: [...(await sound.findSubjects(workspace, page)).items, ...[...subjects.values()].slice(-1)],
      }),
    };
  }),
  mutant('lists subjects on one page', [SUBJECTS], (sound) => ({
    findSubjects: async (workspace, { limit, cursor }) => ({
      items: (await sound.findSubjects(workspace, cursor === undefined ? { limit } : { limit, cursor })).items,
    }),
  })),
  mutant('finds what has exactly the confidence', [WEAK], (sound) => ({
    findByConfidenceBelow: async (subject, threshold, limit) =>
      sound.findByConfidenceBelow(subject, threshold + 1e-9, limit),
  })),
  mutant('finds the most certain of the weak first', [WEAK], (sound) => ({
    findByConfidenceBelow: async (subject, threshold, limit) =>
      [...(await sound.findByConfidenceBelow(subject, threshold, 1000))].reverse().slice(0, limit),
  })),
  mutant('cuts the weak before it sorts them', [WEAK], (sound) => ({
    findByConfidenceBelow: async (subject, threshold, limit) => {
      const { items } = await sound.findBySubject(subject, { limit: 1000 });
      const weak = items.filter(({ confidence }) => confidence < threshold).slice(0, limit);
      return weak.sort((a, b) => a.confidence - b.confidence);
    },
  })),
  mutant('counts saves', [COUNTS], (sound) => {
    const saves = new Map<string, number>();
    return {
      save: async (one) => {
        const key = one.subject.key();
        saves.set(key, (saves.get(key) ?? 0) + 1);
        return sound.save(one);
      },
      count: async (subject) => saves.get(subject.key()) ?? 0,
    };
  }),
  mutant('retires where it should delete', [DELETES], (sound) => ({ delete: async (id) => sound.softDelete(id) })),
  mutant('always says that it has deleted', [DELETES], (sound) => ({
    delete: async (id) => {
      await sound.delete(id);
      return true;
    },
  })),
  mutant('lists workspaces as they come', [WORKSPACES], (sound) => ({
    findWorkspaces: async ({ limit, cursor }) => {
      const all = [...(await sound.findWorkspaces({ limit: 100 })).items].reverse();
      const start = Number(cursor ?? 0);
      return {
        items: all.slice(start, start + limit),
        ...(start + limit < all.length && { cursor: String(start + limit) }),
      };
    },
  })),
  mutant('remembers a workspace of which nothing is left', [WORKSPACES], (sound) => {
    const seen = new Map<string, Observation>();
    return {
      save: async (one) => {
        seen.set(one.subject.workspace.id, one);
        return sound.save(one);
      },
      findWorkspaces: async () => ({
        items: [...seen.keys()].sort().map((id) => (seen.get(id) as Observation).subject.workspace),
      }),
    };
  }),
  mutant('hands out its own list', [STILL], (sound) => {
    const lists = new Map<string, Observation[]>();
    return {
      save: async (one) => {
        lists.get(one.subject.key())?.unshift(one);
        return sound.save(one);
      },
      findBySubject: async (subject, page) => {
        const found = await sound.findBySubject(subject, page);
        const items = [...found.items];
        lists.set(subject.key(), items);
        return { ...found, items };
      },
    };
  }),
  mutant('loses what is saved at the same time', [AT_ONCE], (sound) => {
    let writing = 0;
    return {
      save: async (one) => {
        if (writing > 0) return one;
        writing++;
        await later();
        writing--;
        return sound.save(one);
      },
    };
  }),
  mutant('fails while somebody writes', [AT_ONCE], (sound) => {
    let writing = 0;
    return {
      save: async (one) => {
        writing++;
        await later();
        return sound.save(one).finally(() => writing--);
      },
      count: async (subject) => {
        if (writing > 0) throw new StoreError('The database is locked.');
        return sound.count(subject);
      },
    };
  }),
  mutant('exports the newest first', [EXPORTS], (sound) => ({
    async *exportSubject(subject) {
      const all = [];
      for await (const entry of sound.exportSubject(subject)) all.push(entry);
      yield* all.reverse();
    },
  })),
  mutant('exports what is live only', [RETIRES], (sound) => ({
    async *exportSubject(subject) {
      for await (const entry of sound.exportSubject(subject)) if (entry.retiredAt === undefined) yield entry;
    },
  })),
  mutant('erases a peer as subject only', [ERASES, FOLLOWS], (sound) => ({
    eraseSubject: async (subject) => {
      const all = await everything(sound, subject);
      for (const { id } of all) await sound.delete(id);
      return { observations: all.length, alsoAbout: [] };
    },
  })),
  mutant('retires where it should erase', [ERASES], (sound) => ({
    eraseSubject: async (subject) => {
      for (const { id } of await everything(sound, subject)) await sound.softDelete(id);
      return { observations: 3, alsoAbout: [] };
    },
  })),
  mutant('erases all peers of that name', [ERASES], (sound) => {
    const subjects = new Map<string, PeerView>();
    return {
      save: async (one) => {
        subjects.set(one.subject.key(), one.subject);
        return sound.save(one);
      },
      eraseSubject: async (subject) => {
        const report = await sound.eraseSubject(subject);
        for (const other of subjects.values())
          if (other.principal.id === subject.principal.id) await sound.eraseSubject(other);
        return report;
      },
    };
  }),
  mutant('erases workspaces whose ids begin so', [ERASES_WORKSPACE], (sound) => ({
    eraseWorkspace: async (workspace) => {
      let erased = 0;
      for (const other of (await sound.findWorkspaces({ limit: 100 })).items)
        if (other.id.startsWith(workspace.id)) erased += await sound.eraseWorkspace(other);
      return erased;
    },
  })),
  mutant('erases what is live in a workspace', [ERASES_WORKSPACE], (sound) => ({
    eraseWorkspace: async (workspace) => {
      let erased = 0;
      for (const subject of (await sound.findSubjects(workspace, { limit: 100 })).items)
        for (const { id } of await everything(sound, subject)) if (await sound.delete(id)) erased++;
      return erased;
    },
  })),
  mutant('never takes again what was erased', [AGAIN], (sound) => {
    const erased = new Set<string>();
    return {
      delete: async (id) => {
        erased.add(id.toString());
        return sound.delete(id);
      },
      save: async (one) => (erased.has(one.id.toString()) ? one : sound.save(one)),
    };
  }),
  mutant('saves the replacement of what is not there', [NOT_LIVE, RETIRES], (sound) => ({
    supersede: async (old, replacement) => {
      if ((await sound.findById(old)) === undefined) return sound.save(replacement);
      return sound.supersede(old, replacement);
    },
  })),
  mutant('merges what is not there', [NOT_LIVE], (sound) => ({
    merge: async (winner, loser, merged) => {
      if ((await sound.findById(loser)) === undefined) return sound.save(merged);
      return sound.merge(winner, loser, merged);
    },
  })),
  mutant('keeps what was superseded', [SUPERSEDES, FOLLOWS], (sound) => ({
    supersede: async (_, replacement) => sound.save(replacement),
  })),
  mutant('deletes what was superseded', [SUPERSEDES], (sound) => ({
    supersede: async (old, replacement) => {
      await sound.supersede(old, replacement);
      await sound.delete(old);
      return replacement;
    },
  })),
  mutant('does not say by what something was superseded', [SUPERSEDES], (sound) => ({
    supersede: async (old, replacement) => {
      const saved = await sound.save(replacement);
      await sound.softDelete(old);
      return saved;
    },
  })),
  mutant('supersedes by what is about somebody else', [TWO_PEERS], (sound) => ({
    supersede: async (old, replacement) => {
      const known = await sound.findById(old);
      if (known?.subject.equals(replacement.subject) !== false) return sound.supersede(old, replacement);
      await sound.softDelete(old);
      return sound.save(replacement);
    },
  })),
  mutant('supersedes what is superseded already', [ONE_WINS], (sound) => ({
    supersede: async (old, replacement) => {
      const known = await sound.findById(old);
      await later();
      if (known === undefined) throw new StoreError(`${old.toString()} is not live.`);
      if ((await sound.findById(old)) === undefined) return sound.save(replacement);
      return sound.supersede(old, replacement);
    },
  })),
  mutant('merges into a third', [TWO_PEERS], (sound) => ({
    merge: async (winner, loser, merged) =>
      merged.id.equals(winner) ? sound.merge(winner, loser, merged) : sound.save(merged),
  })),
  mutant('keeps the winner as it was', [MERGES], (sound) => ({
    merge: async (winner, loser, merged) => {
      const known = (await sound.findById(winner)) as Observation;
      await sound.merge(winner, loser, merged);
      await sound.rewrite(known);
      return merged;
    },
  })),
  mutant('keeps the loser', [MERGES, FOLLOWS], (sound) => ({
    merge: async (_winner, _loser, merged) => sound.save(merged),
  })),
  mutant('finds what was retired by its id', [RETIRES, SUPERSEDES], (sound) => {
    const retired = new Map<string, Observation>();
    const remember = async (id: ObservationId): Promise<void> => {
      const one = await sound.findById(id);
      if (one !== undefined) retired.set(id.toString(), one);
    };
    return {
      softDelete: async (id) => {
        await remember(id);
        return sound.softDelete(id);
      },
      supersede: async (old, replacement) => {
        await remember(old);
        return sound.supersede(old, replacement);
      },
      findById: async (id) => (await sound.findById(id)) ?? retired.get(id.toString()),
    };
  }),
  mutant('deletes where it should retire', [RETIRES], (sound) => ({ softDelete: async (id) => sound.delete(id) })),
  mutant('retires again what is retired', [RETIRES], (sound) => ({
    softDelete: async (id) => {
      await sound.softDelete(id);
      return true;
    },
  })),
  mutant('keeps what was retired retired', [LIVE_AGAIN], (sound) => {
    const retired = new Set<string>();
    return {
      softDelete: async (id) => {
        retired.add(id.toString());
        return sound.softDelete(id);
      },
      save: async (one) => {
        if (!retired.has(one.id.toString())) return sound.save(one);
        await sound.rewrite(one);
        return one;
      },
    };
  }),
  mutant('deletes what is live only', [DELETES_RETIRED], (sound) => ({
    delete: async (id) => ((await sound.findById(id)) === undefined ? false : sound.delete(id)),
  })),
  mutant('lists a subject for ever', [NO_MORE], (sound) => ({
    findSubjects: async (workspace, page) => sound.findKeptSubjects(workspace, page),
  })),
  mutant('has one page of history', [NO_MORE, ORDER], (sound) => ({
    history: async (subject, page) => ({ items: (await sound.history(subject, page)).items }),
  })),
  mutant('purges at the cutoff', [PURGES], (sound) => ({
    purgeSoftDeletedBefore: async (workspace, cutoff) =>
      sound.purgeSoftDeletedBefore(workspace, new Date(cutoff.getTime() + 1000)),
  })),
  mutant('purges nothing', [PURGES], () => ({ purgeSoftDeletedBefore: async () => 0 })),
  mutant('purges all workspaces', [PURGES], (sound) => ({
    purgeSoftDeletedBefore: async (workspace, cutoff) => {
      for (const other of (await sound.findWorkspaces({ limit: 100 })).items)
        if (!other.equals(workspace)) await sound.purgeSoftDeletedBefore(other, cutoff);
      return sound.purgeSoftDeletedBefore(workspace, cutoff);
    },
  })),
  mutant('purges by when something was recorded', [PURGES], (sound) => ({
    purgeSoftDeletedBefore: async (workspace, cutoff) => {
      let purged = 0;
      for (const subject of (await sound.findKeptSubjects(workspace, { limit: 100 })).items)
        for (const { observation } of (await sound.history(subject, { limit: 100 })).items)
          if (observation.createdAt < cutoff && (await sound.delete(observation.id))) purged++;
      return purged;
    },
  })),
  mutant('brings back what it rewrites', [REWRITES], (sound) => ({
    rewrite: async (one) => {
      const there = await sound.rewrite(one);
      if (there) await sound.save(one);
      return there;
    },
  })),
  mutant('saves what it has nothing to rewrite of', [REWRITES], (sound) => ({
    rewrite: async (one) => {
      if (await sound.rewrite(one)) return true;
      await sound.save(one);
      return false;
    },
  })),
  mutant('rewrites what is live only', [REWRITES], (sound) => ({
    rewrite: async (one) => ((await sound.findById(one.id)) === undefined ? false : sound.rewrite(one)),
  })),
  mutant('lists live subjects where it is asked for kept ones', [KEPT_SUBJECTS], (sound) => ({
    findKeptSubjects: async (workspace, page) => sound.findSubjects(workspace, page),
  })),
  mutant('lists workspaces with something live', [KEPT_WORKSPACES], (sound) => ({
    findWorkspaces: async (page) => {
      const found = await sound.findWorkspaces(page);
      const live = await Promise.all(
        found.items.map(async (each) => (await sound.findSubjects(each, { limit: 1 })).items.length > 0),
      );
      return { items: found.items.filter((_, at) => live[at]) };
    },
  })),
  mutant('folds ids', [APART, SEARCH_APART], (sound) => {
    const folded = ({ workspace, principal }: PeerView): PeerView =>
      PeerView.of(workspace, Principal.user(principal.id.normalize('NFKC').toLowerCase()));
    const filed = (one: Observation): Observation =>
      one.with({ subject: folded(one.subject), observer: folded(one.observer) });
    return {
      save: async (one) => sound.save(filed(one)),
      findBySubject: async (subject, page) => sound.findBySubject(folded(subject), page),
      count: async (subject) => sound.count(folded(subject)),
      semanticSearch: async (subject, query, options) => sound.semanticSearch(folded(subject), query, options),
    };
  }),
  mutant('has the best hit last', [FINDS, SCORES], (sound) => ({
    semanticSearch: async (...asked) => [...(await sound.semanticSearch(...asked))].reverse(),
  })),
  mutant('finds one more than was asked for', [FINDS], (sound) => ({
    semanticSearch: async (subject, query, options) =>
      sound.semanticSearch(subject, query, { ...options, topK: options.topK + 1 }),
  })),
  mutant('has scores of more than one', [SCORES], (sound) => ({
    semanticSearch: async (...asked) =>
      (await sound.semanticSearch(...asked)).map((hit) => ({ ...hit, score: 40 * (hit.score ?? 0) })),
  })),
  mutant('has scores and says that it has none', [SCORES], () => ({ ranksByScore: false })),
  mutant('looks through all sessions', [SESSIONS], (sound) => ({
    semanticSearch: async (subject, query, { topK }) => sound.semanticSearch(subject, query, { topK }),
  })),
  mutant('does not index what is saved again', [FOLLOWS], (sound) => {
    const saved = new Map<string, Observation>();
    return {
      save: async (one) => {
        if (!saved.has(one.id.toString())) saved.set(one.id.toString(), one);
        return sound.save(one);
      },
      semanticSearch: async (subject, query, options) => {
        const hits = await sound.semanticSearch(subject, query, options);
        const stale = [...saved.values()].filter(
          (one) => one.subject.equals(subject) && one.content.includes(query) && one.id.equals(idOf(0)),
        );
        return [...hits, ...stale.map((observation) => ({ observation, score: 0 }))].slice(0, options.topK);
      },
    };
  }),
  mutant('finds what was deleted', [FOLLOWS], (sound) => {
    let deleted: Observation | undefined;
    return {
      delete: async (id) => {
        deleted = await sound.findById(id);
        return sound.delete(id);
      },
      semanticSearch: async (subject, query, options) => [
        ...(await sound.semanticSearch(subject, query, options)),
        ...(deleted?.subject.equals(subject) === true ? [{ observation: deleted, score: 0 }] : []),
      ],
    };
  }),
  mutant('shows what it has indexed', [SHOWS], (sound) => ({
    semanticSearch: async (...asked) =>
      (await sound.semanticSearch(...asked)).map((hit) => ({
        ...hit,
        observation: hit.observation.with({ content: hit.observation.content.normalize('NFKC').toLowerCase() }),
      })),
  })),
  mutant('hands the query to a query language', [ANY_QUERY], (sound) => ({
    semanticSearch: async (subject, query, options) => {
      if (query === '"' || query === 'AND') throw new StoreError('fts5: syntax error');
      return sound.semanticSearch(subject, query, options);
    },
  })),
  mutant('forgets what is older than today', [ORDER, GOES_ON, EXPORTS], (sound) => ({
    save: async (one) => (one.createdAt.getTime() <= minute(1).getTime() ? one : sound.save(one)),
  })),
  mutant('finds what is about others for a peer it does not know', [UNKNOWN, EXPORTS], (sound) => ({
    findBySubject: async (subject, page) => {
      const found = await sound.findBySubject(subject, page);
      return found.items.length > 0 ? found : sound.findBySubject(MINA, page);
    },
    async *exportSubject(subject) {
      let any = false;
      for await (const entry of sound.exportSubject(subject)) {
        any = true;
        yield entry;
      }
      if (!any) yield* sound.exportSubject(MINA);
    },
  })),
]);
