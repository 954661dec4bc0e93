import type { Principal } from '../domain/principal.js';
import type { Workspace } from '../domain/workspace.js';
import type { WorkspaceAccessPolicy } from '../ports/workspace-store.js';

/**
 * SYSTEM and SERVICE see every workspace. USER and GROUP see those that nobody owns, and those whose metadata names
 * them: `acl.owner` holds one id, `acl.members` ids separated by commas. An id with a comma in it is only ever an owner.
 */
export class DefaultWorkspaceAccessPolicy implements WorkspaceAccessPolicy {
  mayRead(requester: Principal, workspace: Workspace): boolean {
    if (requester.type === 'SYSTEM' || requester.type === 'SERVICE') return true;
    const owner = workspace.metadata['acl.owner'];
    const members = workspace.metadata['acl.members'];
    if (owner === undefined && members === undefined) return true;
    return owner === requester.id || (members ?? '').split(',').some((member) => member.trim() === requester.id);
  }
}
