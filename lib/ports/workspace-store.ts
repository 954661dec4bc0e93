import type { Principal } from '../domain/principal.js';
import type { Workspace } from '../domain/workspace.js';

/** Keeps workspaces. */
export interface WorkspaceStore {
  /**
   * Keeps a new workspace, and answers it as it is kept.
   * @throws InvalidArgumentError when a workspace of that id is there already; it is left as it is.
   */
  create(workspace: Workspace): Promise<Workspace>;

  /**
   * The workspace of that id, or `undefined`. The one method of any store that takes a bare id: it is where a `Workspace`
   * comes from.
   */
  findById(id: string): Promise<Workspace | undefined>;

  /** The workspaces that `requester` may see, by id. */
  findAll(requester: Principal): Promise<readonly Workspace[]>;

  /** Forgets the workspace itself; what it holds is erased by `MemoryMaintenance.eraseWorkspace`. */
  delete(workspace: Workspace): Promise<void>;
}

/** Decides who may see which workspace. */
export interface WorkspaceAccessPolicy {
  /** Whether `requester` may see `workspace`. */
  mayRead(requester: Principal, workspace: Workspace): boolean;
}
