import type { PeerView } from '../../domain/peer-view.js';
import type { Representation } from '../../domain/representation.js';
import type { Workspace } from '../../domain/workspace.js';
import type { Page, PageRequest } from '../../ports/observation-store.js';
import type { RepresentationStore } from '../../ports/representation-store.js';
import { workspacePage } from './workspace-page.js';

/** What is kept of one workspace, by subject. */
interface Shelf {
  readonly workspace: Workspace;
  readonly bySubject: Map<string, Representation[]>;
}

/** Keeps representations for as long as the process lives, apart for each subject. */
export class InMemoryRepresentationStore implements RepresentationStore {
  // By the id of the workspace, so that what is done to one workspace costs nothing in others.
  readonly #shelves = new Map<string, Shelf>();

  async save(representation: Representation): Promise<Representation> {
    const { workspace } = representation.subject;
    let shelf = this.#shelves.get(workspace.id);
    if (shelf === undefined) this.#shelves.set(workspace.id, (shelf = { workspace, bySubject: new Map() }));
    const key = representation.subject.key();
    const kept = shelf.bySubject.get(key);
    if (kept === undefined) shelf.bySubject.set(key, [representation]);
    else kept.push(representation);
    return representation;
  }

  async findLatestGlobal(subject: PeerView): Promise<Representation | undefined> {
    return this.#latest(subject, (one) => one.isGlobal);
  }

  async findLatestLocal(
    subject: PeerView,
    observer: PeerView,
    sessionId?: string,
  ): Promise<Representation | undefined> {
    return this.#latest(subject, (one) => one.observer?.equals(observer) === true && one.sessionId === sessionId);
  }

  async rewriteEach(
    workspace: Workspace,
    change: (representation: Representation) => Promise<Representation | undefined>,
  ): Promise<void> {
    const all = [...(this.#shelves.get(workspace.id)?.bySubject.values() ?? [])].flat();
    for (const one of all) {
      const changed = await change(one);
      if (changed === undefined) continue;
      const kept = this.#shelves.get(workspace.id)?.bySubject.get(one.subject.key());
      const at = kept?.indexOf(one) ?? -1;
      // What was erased meanwhile stays erased.
      if (at >= 0) kept?.splice(at, 1, changed);
    }
  }

  async findWorkspaces(page: PageRequest): Promise<Page<Workspace>> {
    return workspacePage(
      [...this.#shelves.values()].map(({ workspace }) => workspace),
      page,
    );
  }

  async deleteOlderThan(workspace: Workspace, cutoff: Date): Promise<number> {
    return this.#removeWhere(workspace, (one) => one.generatedAt < cutoff);
  }

  async eraseSubject(subject: PeerView): Promise<number> {
    // A view of somebody else that quotes the peer's observations would keep its words alive, so it goes too.
    return this.#removeWhere(
      subject.workspace,
      (one) =>
        one.subject.equals(subject) ||
        one.observer?.equals(subject) === true ||
        one.observations.some((observation) => observation.observer.equals(subject)),
    );
  }

  async eraseWorkspace(workspace: Workspace): Promise<number> {
    return this.#removeWhere(workspace, () => true);
  }

  /** Of two made at the same instant the one saved later. */
  #latest(subject: PeerView, matches: (one: Representation) => boolean): Representation | undefined {
    let latest: Representation | undefined;
    for (const one of this.#shelves.get(subject.workspace.id)?.bySubject.get(subject.key()) ?? []) {
      if (matches(one) && (latest === undefined || one.generatedAt >= latest.generatedAt)) latest = one;
    }
    return latest;
  }

  #removeWhere({ id }: Workspace, matches: (one: Representation) => boolean): number {
    const { bySubject } = this.#shelves.get(id) ?? {};
    if (bySubject === undefined) return 0;
    let removed = 0;
    for (const [key, kept] of bySubject) {
      const left = kept.filter((one) => !matches(one));
      removed += kept.length - left.length;
      if (left.length === 0) bySubject.delete(key);
      else bySubject.set(key, left);
    }
    if (bySubject.size === 0) this.#shelves.delete(id);
    return removed;
  }
}
