import { PeerView, Principal, Workspace } from '../../../lib/index.js';

import { brokenMemory } from '../support/broken-memory.js';

const PEERS = 'peers whose ids are alike';
const WORKSPACES = 'workspaces whose ids are alike';
const JOINED = 'peers and workspaces whose ids are the same when they are joined';
const TYPES = 'principals of the same id and another type';
const apart = (...worlds: readonly string[]): readonly string[] =>
  worlds.flatMap((world) => [`SEARCH keeps apart ${world}`, `SNAPSHOT keeps apart ${world}`]);

/** A memory that keeps what it is told of a peer under another one, which may be that of somebody else, too. */
const filedUnder = (name: string, caughtBy: readonly string[], filed: (peer: PeerView) => PeerView) =>
  brokenMemory(name, caughtBy, (memory) => {
    const known = new Map<string, PeerView>();
    const under = (peer: PeerView): PeerView => {
      const place = filed(peer);
      known.set(place.key(), place);
      return place;
    };
    return {
      observationRecorder: {
        ...memory.observationRecorder,
        observe: async ({ subject, observer = subject, ...draft }) => {
          const kept = await memory.observationRecorder.observe({
            ...draft,
            subject: under(subject),
            observer: under(observer),
          });
          return kept;
        },
      },
      searcher: {
        ...memory.searcher,
        search: async ({ subject, ...query }) => {
          const hits = await memory.searcher.search({ ...query, subject: under(subject), observer: under(subject) });
          // As it would come out of a database: about whoever was asked for.
          return hits.map((hit) => ({
            ...hit,
            observation: hit.observation.subject.workspace.equals(subject.workspace)
              ? hit.observation.with({ subject, observer: subject })
              : hit.observation,
          }));
        },
      },
      snapshotReader: {
        read: async ({ subject, ...query }) =>
          memory.snapshotReader.read({ ...query, subject: under(subject), observer: under(subject) }),
      },
    };
  });

const renamed = (
  name: string,
  caughtBy: readonly string[],
  change: (id: string) => string,
  { workspaces = true, peers = true } = {},
) =>
  filedUnder(name, caughtBy, ({ workspace, principal }) =>
    PeerView.of(
      Workspace.of({ id: workspaces ? change(workspace.id) : workspace.id }),
      Principal.of({ type: principal.type, id: peers ? change(principal.id) : principal.id }),
    ),
  );

const joined = (name: string, join: (workspaceId: string, type: string, id: string) => string) =>
  filedUnder(name, apart(JOINED), ({ workspace, principal }) =>
    PeerView.of(Workspace.of({ id: 'all' }), Principal.user(join(workspace.id, principal.type, principal.id))),
  );

export const ISOLATION_MUTANTS = [
  renamed('takes capital and small letters for the same', apart(PEERS, WORKSPACES), (id) => id.toLowerCase()),
  renamed('trims ids', apart(PEERS, WORKSPACES), (id) => id.trim()),
  renamed('composes ids', apart(PEERS, WORKSPACES), (id) => id.normalize('NFC')),
  renamed('folds ids', apart(PEERS, WORKSPACES), (id) => id.normalize('NFKC')),
  renamed('cuts ids at 255', apart(PEERS, WORKSPACES), (id) => id.slice(0, 255)),
  renamed('cuts ids at 64', apart(PEERS, WORKSPACES), (id) => id.slice(0, 64)),
  renamed('writes ids in UTF-8', apart(PEERS, WORKSPACES), (id) => Buffer.from(id).toString()),
  renamed('decodes ids', apart(PEERS, WORKSPACES), (id) =>
    id.replaceAll(/%(2F|3A|25)/g, (code) => decodeURIComponent(code)),
  ),
  renamed('takes ids for numbers', apart(PEERS, WORKSPACES), (id) =>
    Number.isNaN(Number(id)) ? id : String(Number(id)),
  ),
  renamed('takes ids for paths', apart(PEERS, WORKSPACES), (id) =>
    id.replaceAll(/\/{1,9}/g, '/').replace(/(?<=.)\/$/, ''),
  ),
  renamed(
    'drops what cannot be seen from ids',
    apart(PEERS, WORKSPACES),
    (id) => id.replaceAll(/[\u200b\ufeff\u202e]/g, '') || id,
  ),
  renamed('has one peer in each workspace', apart(PEERS, JOINED), () => 'one', { workspaces: false }),
  renamed('has one workspace', apart(WORKSPACES), () => 'one', { peers: false }),
  filedUnder('does not look at the type of a principal', apart(TYPES), ({ workspace, principal }) =>
    PeerView.of(workspace, Principal.user(principal.id)),
  ),
  joined('joins ids by a colon', (workspaceId, type, id) => `${workspaceId}:${type}:${id}`),
  joined('joins ids by a slash', (workspaceId, _, id) => `${workspaceId}/${id}`),
  joined('joins ids by a space', (workspaceId, _, id) => `${workspaceId} ${id}`),
  joined('joins ids by a bar', (workspaceId, type, id) => `${workspaceId}|${type}|${id}`),
  joined('does not join ids but adds them', (workspaceId, _, id) => `${[workspaceId, id].sort().join(' ')}`),
  brokenMemory('takes an id for a pattern', apart(PEERS).slice(0, 1), (memory) => {
    const told = new Map<string, PeerView>();
    return {
      observationRecorder: {
        ...memory.observationRecorder,
        observe: async (draft) => {
          told.set(draft.subject.key(), draft.subject);
          return memory.observationRecorder.observe(draft);
        },
      },
      searcher: {
        ...memory.searcher,
        search: async (query) => {
          const quoted = query.subject.principal.id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
          const like = new RegExp(`^${quoted.replaceAll('%', '[^]*').replaceAll('_', '[^]')}$`);
          const matching = [...told.values()].filter(({ principal }) => like.test(principal.id));
          const all = await Promise.all(matching.map((subject) => memory.searcher.search({ ...query, subject })));
          return all.flat();
        },
      },
    };
  }),
  brokenMemory('keeps peers in an object', apart(PEERS, WORKSPACES), (memory) => {
    // What is on every object is taken for a peer that is known.
    const known: Record<string, unknown> = {};
    const strange = (id: string): boolean => known[id] !== undefined && !Object.hasOwn(known, id);
    const search = async (query: Parameters<typeof memory.searcher.search>[0]) => {
      const { workspace, principal } = query.subject;
      if (strange(workspace.id) || strange(principal.id)) throw new TypeError('facts.filter is not a function');
      return memory.searcher.search(query);
    };
    return {
      searcher: { ...memory.searcher, search },
      snapshotReader: {
        read: async (query) => {
          const { workspace, principal } = query.subject;
          return strange(workspace.id) || strange(principal.id) ? undefined : memory.snapshotReader.read(query);
        },
      },
    };
  }),
];
