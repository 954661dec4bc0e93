import {
  InMemoryRepresentationStore,
  InMemoryWorkspaceStore,
  PeerView,
  Principal,
  Representation,
  type RepresentationStore,
  StoreError,
  Workspace,
  type WorkspaceStore,
} from '../../lib/index.js';
import {
  REPRESENTATION_STORE_CONTRACT,
  type RepresentationStoreUnderTest,
} from '../../lib/testkit/stores/representation-store-contract.js';
import { WORKSPACE_STORE_CONTRACT } from '../../lib/testkit/stores/workspace-store-contract.js';
import { broken } from './support/bound.js';
import { describeMutants, type Mutant } from './support/mutants.js';

type Representations = Required<RepresentationStore>;

const representations = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: Representations) => Partial<Representations>,
): Mutant<RepresentationStoreUnderTest> => ({
  name,
  caughtBy,
  make: async () => ({
    subject: {
      store: broken<Representations>(new InMemoryRepresentationStore(), breaking),
      expects: ['REWRITE', 'WORKSPACES'],
    },
    close: async () => undefined,
  }),
});

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const remade = (one: Representation, change: Partial<Parameters<typeof Representation.of>[0]>): Representation => {
  const { subject, observer, sessionId, summary, generatedAt, tokenCount, observations } = one;
  const init = { subject, observer, sessionId, summary, generatedAt, tokenCount, observations };
  return Representation.of({ ...init, ...change });
};
const saving =
  (change: (one: Representation) => Representation) =>
  (sound: Representations): Partial<Representations> => ({
    save: async (one) => sound.save(change(one)),
  });

const FIELDS = 'keeps every field';
const NEWEST = 'finds the newest of each view';
const BEFORE = 'keeps what was saved before';
const OLDER = 'deletes what is older';
const APART = 'keeps apart peers, observers';
const ERASES = 'erases what is about a peer';
const REWRITES = 'offers every representation';

describeMutants('the contract of a representation store', REPRESENTATION_STORE_CONTRACT, [
  representations('has lost a method', ['has exactly the optional methods'], () => ({ rewriteEach: undefined })),
  representations(
    'keeps no observations',
    [FIELDS],
    saving((one) => remade(one, { observations: [] })),
  ),
  representations(
    'keeps no number of tokens',
    [FIELDS],
    saving((one) => remade(one, { tokenCount: 0 })),
  ),
  representations(
    'trims summaries',
    ['keeps a summary unit for unit'],
    saving((one) => remade(one, { summary: one.summary.trim() })),
  ),
  representations(
    'composes letters',
    ['keeps a summary unit for unit'],
    saving((one) => remade(one, { summary: one.summary.normalize('NFC') })),
  ),
  representations('finds what was saved last', [NEWEST], (sound) => {
    const last = new Map<string, Representation>();
    return {
      save: async (one) => {
        if (one.isGlobal) last.set(one.subject.key(), one);
        return sound.save(one);
      },
      findLatestGlobal: async (subject) => last.get(subject.key()),
    };
  }),
  representations('looks at no session', [NEWEST], (sound) => ({
    findLatestLocal: async (subject, observer, sessionId) =>
      (await sound.findLatestLocal(subject, observer, sessionId)) ?? sound.findLatestLocal(subject, observer),
  })),
  representations('looks at no observer', [NEWEST], (sound) => ({
    findLatestLocal: async (subject, observer, sessionId) =>
      (await sound.findLatestLocal(subject, observer, sessionId)) ??
      (sessionId === undefined ? sound.findLatestGlobal(subject) : undefined),
  })),
  representations('answers null where it finds nothing', [BEFORE], (sound) => ({
    findLatestGlobal: async (subject) => (await sound.findLatestGlobal(subject)) ?? (null as unknown as undefined),
  })),
  representations('keeps one of each view', [BEFORE], (sound) => ({
    save: async (one) => {
      const views = async () =>
        one.isGlobal
          ? sound.findLatestGlobal(one.subject)
          : sound.findLatestLocal(one.subject, one.observer as PeerView, one.sessionId);
      const known = await views();
      if (known !== undefined && known.generatedAt > one.generatedAt) return one;
      if (known !== undefined && one.isGlobal) await sound.deleteOlderThan(one.subject.workspace, one.generatedAt);
      return sound.save(one);
    },
  })),
  representations('deletes at the cutoff', [OLDER, BEFORE], (sound) => ({
    deleteOlderThan: async (workspace, cutoff) => sound.deleteOlderThan(workspace, new Date(cutoff.getTime() + 1)),
  })),
  representations('never deletes the newest', [BEFORE, OLDER], (sound) => ({
    deleteOlderThan: async () => {
      void sound;
      return 0;
    },
  })),
  representations('deletes what is older in all workspaces', [OLDER], (sound) => ({
    deleteOlderThan: async (workspace, cutoff) => {
      for (const other of (await sound.findWorkspaces({ limit: 100 })).items)
        if (!other.equals(workspace)) await sound.deleteOlderThan(other, cutoff);
      return sound.deleteOlderThan(workspace, cutoff);
    },
  })),
  representations('folds ids', [APART], (sound) => {
    const folded = ({ workspace, principal }: PeerView): PeerView =>
      PeerView.of(workspace, Principal.user(principal.id.trim().toLowerCase()));
    return {
      save: async (one) => sound.save(remade(one, { subject: folded(one.subject) })),
      findLatestGlobal: async (subject) => sound.findLatestGlobal(folded(subject)),
    };
  }),
  representations('keeps what a peer thought of others', [ERASES], (sound) => ({
    eraseSubject: async (subject) => {
      const kept: Representation[] = [];
      await sound.rewriteEach(subject.workspace, async (one) => {
        if (!one.subject.equals(subject)) kept.push(one);
        return undefined;
      });
      const erased = await sound.eraseSubject(subject);
      for (const one of kept) await sound.save(one);
      return erased;
    },
  })),
  representations('erases all that are there', [ERASES], (sound) => ({
    eraseSubject: async (subject) => sound.eraseWorkspace(subject.workspace),
  })),
  representations('erases workspaces whose ids begin so', ['erases a workspace'], (sound) => ({
    eraseWorkspace: async (workspace) => {
      let erased = 0;
      for (const other of (await sound.findWorkspaces({ limit: 100 })).items)
        if (other.id.startsWith(workspace.id)) erased += await sound.eraseWorkspace(other);
      return erased;
    },
  })),
  representations('loses what is saved at the same time', ['loses nothing when many'], (sound) => {
    let writing = false;
    return {
      save: async (one) => {
        if (writing) return one;
        writing = true;
        await later();
        writing = false;
        return sound.save(one);
      },
    };
  }),
  representations('adds what it was to rewrite', [REWRITES], (sound) => ({
    rewriteEach: async (workspace, change) => {
      const added: Representation[] = [];
      await sound.rewriteEach(workspace, async (one) => {
        const changed = await change(one);
        if (changed !== undefined) added.push(changed);
        return undefined;
      });
      for (const one of added) await sound.save(one);
    },
  })),
  representations('offers the newest only', [REWRITES], (sound) => ({
    rewriteEach: async (workspace, change) =>
      sound.rewriteEach(workspace, async (one) =>
        (await sound.findLatestGlobal(one.subject)) === one || !one.isGlobal ? change(one) : undefined,
      ),
  })),
  representations('lists workspaces as they come', ['lists the workspaces'], (sound) => ({
    findWorkspaces: async (page) => ({
      items: [...(await sound.findWorkspaces({ ...page, limit: 100 })).items].reverse(),
    }),
  })),
]);

const workspaces = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: WorkspaceStore) => Partial<WorkspaceStore>,
): Mutant<WorkspaceStore> => ({
  name,
  caughtBy,
  make: async () => ({
    subject: broken<WorkspaceStore>(new InMemoryWorkspaceStore(), breaking),
    close: async () => undefined,
  }),
});

const SECOND = 'refuses a second workspace';
const ALIKE = 'keeps apart ids that are alike';
const ACCESS = 'shows people and groups';

describeMutants('the contract of a workspace store', WORKSPACE_STORE_CONTRACT, [
  workspaces('keeps no metadata', ['keeps every field', ACCESS], (sound) => ({
    create: async ({ id, displayName, createdAt }) => sound.create(Workspace.of({ id, displayName, createdAt })),
  })),
  workspaces('takes the time of creation for that of saving', ['keeps every field'], (sound) => ({
    create: async ({ id, displayName, metadata }) => sound.create(Workspace.of({ id, displayName, metadata })),
  })),
  workspaces('takes ids for patterns', ['finds nothing under an id'], (sound) => ({
    findById: async (id) =>
      (await sound.findAll(Principal.system('x'))).find((each) =>
        new RegExp(`^${id.trim().replaceAll('%', '.*')}$`).test(each.id),
      ),
  })),
  workspaces('fails where it finds nothing', ['finds nothing under an id'], (sound) => ({
    findById: async (id) => {
      const found = await sound.findById(id);
      if (found === undefined) throw new StoreError('No such workspace.');
      return found;
    },
  })),
  workspaces('replaces a workspace of the same id', [SECOND], (sound) => ({
    create: async (workspace) => {
      await sound.delete(workspace);
      return sound.create(workspace);
    },
  })),
  workspaces('answers with the workspace that is there', [SECOND], (sound) => ({
    create: async (workspace) => (await sound.findById(workspace.id)) ?? sound.create(workspace),
  })),
  workspaces('looks whether an id is taken, and creates it afterwards', [SECOND], (sound) => ({
    create: async (workspace) => {
      if ((await sound.findById(workspace.id)) !== undefined) return sound.create(workspace);
      await later();
      await sound.delete(workspace);
      return sound.create(workspace);
    },
  })),
  workspaces('folds ids', [ALIKE], (sound) => ({
    create: async ({ id, displayName }) => sound.create(Workspace.of({ id: id.normalize('NFKC'), displayName })),
    findById: async (id) => sound.findById(id.normalize('NFKC')),
  })),
  workspaces('deletes what matches a pattern', [ALIKE], (sound) => ({
    delete: async ({ id }) => {
      for (const each of await sound.findAll(Principal.system('x')))
        if (each.id === id || (id.endsWith('%') && each.id.startsWith(id.slice(0, -1)))) await sound.delete(each);
    },
  })),
  workspaces('fails when it has nothing to delete', ['forgets a workspace'], (sound) => ({
    delete: async (workspace) => {
      if ((await sound.findById(workspace.id)) === undefined) throw new StoreError('No such workspace.');
      await sound.delete(workspace);
    },
  })),
  workspaces('never takes an id again', ['forgets a workspace'], (sound) => {
    const used = new Set<string>();
    return {
      create: async (workspace) => {
        if (used.has(workspace.id)) throw new StoreError('The id was used before.');
        used.add(workspace.id);
        return sound.create(workspace);
      },
    };
  }),
  workspaces('lists workspaces as they come', ['hands out lists by id'], (sound) => {
    const order: string[] = [];
    return {
      create: async (workspace) => {
        order.push(workspace.id);
        return sound.create(workspace);
      },
      findAll: async (requester) =>
        [...(await sound.findAll(requester))].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id)),
    };
  }),
  workspaces('hands out its own list', ['hands out lists by id'], (sound) => {
    const list: Workspace[] = [];
    return {
      create: async (workspace) => {
        list.push(workspace);
        list.sort((a, b) => (a.id < b.id ? -1 : 1));
        return sound.create(workspace);
      },
      findAll: async () => list,
    };
  }),
  workspaces('shows everybody everything', [ACCESS], (sound) => ({
    findAll: async () => sound.findAll(Principal.system('x')),
  })),
  workspaces('shows services what it shows people', [ACCESS], (sound) => ({
    findAll: async ({ id }) => sound.findAll(Principal.user(id)),
  })),
]);
