import type { PeerView } from '../../domain/peer-view.js';
import type { Representation } from '../../domain/representation.js';
import type { Workspace } from '../../domain/workspace.js';
import type { RepresentationStore } from '../../ports/representation-store.js';

/** Keeps representations for as long as the process lives, apart for each subject. */
export class InMemoryRepresentationStore implements RepresentationStore {
  readonly #bySubject = new Map<string, Representation[]>();

  async save(representation: Representation): Promise<Representation> {
    const key = representation.subject.key();
    const kept = this.#bySubject.get(key);
    if (kept === undefined) this.#bySubject.set(key, [representation]);
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

  async deleteOlderThan(workspace: Workspace, cutoff: Date): Promise<number> {
    return this.#removeWhere((one) => one.subject.workspace.id === workspace.id && one.generatedAt < cutoff);
  }

  async eraseSubject(subject: PeerView): Promise<number> {
    // A view of somebody else that quotes the peer's observations would keep its words alive, so it goes too.
    return this.#removeWhere(
      (one) =>
        one.subject.equals(subject) ||
        one.observer?.equals(subject) === true ||
        one.observations.some((observation) => observation.observer.equals(subject)),
    );
  }

  async eraseWorkspace(workspace: Workspace): Promise<number> {
    return this.#removeWhere((one) => one.subject.workspace.id === workspace.id);
  }

  /** Of two made at the same instant the one saved later. */
  #latest(subject: PeerView, matches: (one: Representation) => boolean): Representation | undefined {
    let latest: Representation | undefined;
    for (const one of this.#bySubject.get(subject.key()) ?? []) {
      if (matches(one) && (latest === undefined || one.generatedAt >= latest.generatedAt)) latest = one;
    }
    return latest;
  }

  #removeWhere(matches: (one: Representation) => boolean): number {
    let removed = 0;
    for (const [key, kept] of this.#bySubject) {
      const left = kept.filter((one) => !matches(one));
      removed += kept.length - left.length;
      if (left.length === 0) this.#bySubject.delete(key);
      else this.#bySubject.set(key, left);
    }
    return removed;
  }
}
