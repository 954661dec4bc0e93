import { InvalidArgumentError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import type { Workspace } from '../../domain/workspace.js';
import type { WorkspaceAccessPolicy, WorkspaceStore } from '../../ports/workspace-store.js';
import { DefaultWorkspaceAccessPolicy } from '../default-workspace-access-policy.js';

/** Keeps workspaces for as long as the process lives. */
export class InMemoryWorkspaceStore implements WorkspaceStore {
  readonly #workspaces = new Map<string, Workspace>();
  readonly #accessPolicy: WorkspaceAccessPolicy;

  /** @param accessPolicy who sees which workspace in `findAll`; default {@link DefaultWorkspaceAccessPolicy} */
  constructor(accessPolicy: WorkspaceAccessPolicy = new DefaultWorkspaceAccessPolicy()) {
    this.#accessPolicy = accessPolicy;
  }

  async create(workspace: Workspace): Promise<Workspace> {
    if (this.#workspaces.has(workspace.id)) {
      throw new InvalidArgumentError(
        `Workspace "${workspace.id}" exists already; find it with findById, or choose another id.`,
      );
    }
    this.#workspaces.set(workspace.id, workspace);
    return workspace;
  }

  async findById(id: string): Promise<Workspace | undefined> {
    return this.#workspaces.get(id);
  }

  async findAll(requester: Principal): Promise<readonly Workspace[]> {
    return [...this.#workspaces.values()]
      .filter((workspace) => this.#accessPolicy.mayRead(requester, workspace))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async delete(workspace: Workspace): Promise<void> {
    this.#workspaces.delete(workspace.id);
  }
}
