import { AsyncLocalStorage } from 'node:async_hooks';

import { shown } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';
import { Principal } from '../domain/principal.js';
import { Workspace } from '../domain/workspace.js';

/** Who calls: whose memory work is about that names nobody itself. */
export interface MemoryCaller {
  /** Whose memory it is. */
  readonly principal: Principal;
  /** The tenant; needed where `aimon.memory.workspace-mode` is `caller`, and otherwise left out or the configured one. */
  readonly workspace?: Workspace;
}

const scope = new AsyncLocalStorage<MemoryCaller | undefined>();

/**
 * Runs `work` for `caller`: in caller mode a session, a prompt or a conversation that names neither principal nor
 * workspace is the caller's, in `work` and in all that it awaits or starts. `undefined` is nobody, also where an outer
 * caller is bound. A memory with a fixed peer does not look at it.
 *
 * @param caller `{ principal }`, with a `workspace` where each tenant has its own
 * @throws InvalidArgumentError when `caller` is neither a caller nor nobody; `work` is not run
 */
export function runAsCaller<T>(caller: MemoryCaller | undefined, work: () => T): T {
  return scope.run(requireCaller('The caller that runAsCaller was given', caller), work);
}

/** The caller for whom this runs; `undefined` for nobody. */
export function boundCaller(): MemoryCaller | undefined {
  return scope.getStore();
}

/**
 * The caller as it is now, so that changing it later changes nothing here. `null` is taken for nobody.
 * @throws InvalidArgumentError when `value` is neither a caller nor nobody
 */
export function requireCaller(field: string, value: unknown): MemoryCaller | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') {
    throw new InvalidArgumentError(
      `${field} is ${kind(value)}; it takes { principal: Principal.user('alice') }, with a workspace where each tenant has its own, or undefined for nobody.`,
    );
  }
  const { principal, workspace } = value as Readonly<Record<keyof MemoryCaller, unknown>>;
  if (!(principal instanceof Principal)) {
    throw new InvalidArgumentError(
      `${field} has a principal that is ${kind(principal)}; it takes a Principal, such as Principal.user('alice'). For nobody answer undefined instead of an object.`,
    );
  }
  if (workspace === undefined || workspace === null) return Object.freeze({ principal });
  if (!(workspace instanceof Workspace)) {
    throw new InvalidArgumentError(
      `${field} has a workspace that is ${kind(workspace)}; it takes a Workspace, such as Workspace.of({ id: 'ops' }), or is left out.`,
    );
  }
  return Object.freeze({ principal, workspace });
}

// A text is not shown: what a request says of its caller may be a token.
const kind = (value: unknown): string => (typeof value === 'string' ? 'text' : shown(value));
