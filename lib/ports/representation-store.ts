import type { PeerView } from '../domain/peer-view.js';
import type { Representation } from '../domain/representation.js';
import type { Workspace } from '../domain/workspace.js';
import type { Page, PageRequest } from './observation-store.js';

/** Keeps representations; append-only. Safe under concurrent calls. A driver's error arrives as a `StoreError`. */
export interface RepresentationStore {
  /** Adds it to those that are there, and answers it as it is kept; none is replaced. */
  save(representation: Representation): Promise<Representation>;

  /** The newest about the subject without an observer; `undefined` when there is none. */
  findLatestGlobal(subject: PeerView): Promise<Representation | undefined>;

  /**
   * The newest of that observer and session, without a session the newest across sessions; `undefined` when there is
   * none.
   */
  findLatestLocal(subject: PeerView, observer: PeerView, sessionId?: string): Promise<Representation | undefined>;

  /** Removes what was generated before `cutoff`, also where it is the newest of its subject; how many. */
  deleteOlderThan(workspace: Workspace, cutoff: Date): Promise<number>;

  /**
   * Offers every representation in the workspace to `change`, and keeps what it answers in the place of the one that it was
   * given; `undefined` leaves that as it is. For a sweep that masks what was stored unmasked.
   */
  rewriteEach?(
    workspace: Workspace,
    change: (representation: Representation) => Promise<Representation | undefined>,
  ): Promise<void>;

  /** The workspaces of which anything is kept, by id: what a maintenance cycle goes through. */
  findWorkspaces?(page: PageRequest): Promise<Page<Workspace>>;

  /** Removes every representation about or by the peer; how many. */
  eraseSubject(subject: PeerView): Promise<number>;

  /** Removes every representation in the workspace; how many. */
  eraseWorkspace(workspace: Workspace): Promise<number>;
}
