import { requireWholeNumber } from '../../domain/checks.js';
import type { Workspace } from '../../domain/workspace.js';
import type { Page, PageRequest } from '../../ports/observation-store.js';
import { readCursor, writeCursor } from '../cursor.js';

/** The page of these workspaces, by id, that was asked for. */
export function workspacePage(workspaces: readonly Workspace[], { limit, cursor }: PageRequest): Page<Workspace> {
  requireWholeNumber('PageRequest.limit', limit, 1);
  const after = cursor === undefined ? undefined : String(readCursor(cursor)[0]);
  const following = workspaces
    .filter(({ id }) => after === undefined || id > after)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const items = following.slice(0, limit);
  return { items, cursor: following.length > limit ? writeCursor([(items.at(-1) as Workspace).id]) : undefined };
}
