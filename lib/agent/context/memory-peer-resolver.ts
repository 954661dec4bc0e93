import { shown } from '../../domain/checks.js';
import { InvalidArgumentError } from '../../domain/errors.js';
import { PeerView } from '../../domain/peer-view.js';
import { Principal } from '../../domain/principal.js';
import { Workspace } from '../../domain/workspace.js';
import { requireObject } from '../require-object.js';

/** What is known about a call when its peer is looked for. */
export interface MemoryPeerRequest {
  /** The session that the call belongs to; absent: none. The resolvers of the two peer modes do not look at it. */
  readonly sessionId?: string;
  /** Who calls; absent: not said. */
  readonly principal?: Principal;
  /** The tenant that the caller belongs to; absent: not said. */
  readonly workspace?: Workspace;
}

/** Whose memory a call is about. One resolver serves reading and writing, so that the two never differ. */
export interface MemoryPeerResolver {
  /**
   * The peer, or `undefined` when the call names nobody: then there is no block, no tools and no ingestion. `null` is
   * taken for `undefined`; an answer that is neither and no PeerView is a fault of the resolver and never used.
   * @throws InvalidArgumentError when the request names a peer or workspace that this memory is not for
   */
  resolve(request: MemoryPeerRequest): PeerView | undefined | Promise<PeerView | undefined>;
}

/** Always `peer`. A request that names another principal or workspace is refused, since it would not be obeyed. */
export function fixedPeer(peer: PeerView): MemoryPeerResolver {
  if (!(peer instanceof PeerView)) {
    throw new InvalidArgumentError(`MemoryPeerResolver.fixed was given ${shown(peer)}; it takes a PeerView.`);
  }
  return Object.freeze({
    resolve: (request: MemoryPeerRequest): PeerView => {
      const { principal, workspace } = checked(request);
      if (principal !== undefined && !PeerView.of(peer.workspace, principal).equals(peer)) {
        throw new InvalidArgumentError(
          `The principal ${named(principal)} was given, but this memory is fixed to ${named(peer.principal)}. ` +
            'Leave the principal out, or set aimon.memory.peer-mode to "caller" for one memory per caller.',
        );
      }
      refuseOtherWorkspace(peer.workspace, workspace);
      return peer;
    },
  });
}

/**
 * The principal that the call names, in `workspace` or, without one, in the workspace that the call names. A call that
 * lacks either has no peer.
 */
export function callerPeer(options: { readonly workspace?: Workspace } = {}): MemoryPeerResolver {
  requireObject('MemoryPeerResolver.caller options', options);
  if (options.workspace !== undefined) requireWorkspace('MemoryPeerResolver.caller workspace', options.workspace);
  const configured = options.workspace;
  return Object.freeze({
    resolve: (request: MemoryPeerRequest): PeerView | undefined => {
      const { principal, workspace } = checked(request);
      if (configured !== undefined) refuseOtherWorkspace(configured, workspace);
      const home = configured ?? workspace;
      return principal === undefined || home === undefined ? undefined : PeerView.of(home, principal);
    },
  });
}

/**
 * What a resolver, which may be the application's own, has answered.
 * @throws InvalidArgumentError when it is neither a PeerView nor nobody
 */
export function resolvedPeer(field: string, answer: unknown): PeerView | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (answer instanceof PeerView) return answer;
  throw new InvalidArgumentError(
    `${field} is ${shown(answer)}; it takes a PeerView, such as PeerView.of(workspace, Principal.user('alice')), or ` +
      'undefined for nobody.',
  );
}

/** The resolvers of the two peer modes. */
export const MemoryPeerResolver: {
  /**
   * A resolver that always answers `peer`, and throws InvalidArgumentError for a request that names another principal or
   * workspace, since it would not be obeyed.
   *
   * @throws InvalidArgumentError when `peer` is no PeerView
   */
  readonly fixed: (peer: PeerView) => MemoryPeerResolver;
  /**
   * A resolver that answers the principal that the request names, in `options.workspace` or, without one, in the workspace
   * that the request names; `undefined` where either is missing. With `options.workspace` it throws InvalidArgumentError for
   * a request that names another one.
   *
   * @throws InvalidArgumentError when `options.workspace` is no Workspace
   */
  readonly caller: (options?: { readonly workspace?: Workspace }) => MemoryPeerResolver;
} = Object.freeze({ fixed: fixedPeer, caller: callerPeer });

function checked(request: MemoryPeerRequest): MemoryPeerRequest {
  const { principal, workspace } = requireObject('MemoryPeerRequest', request, 'an object');
  if (principal !== undefined && !(principal instanceof Principal)) {
    throw new InvalidArgumentError(
      `MemoryPeerRequest.principal is ${shown(principal)}; it takes a Principal, such as Principal.user('alice').`,
    );
  }
  if (workspace !== undefined) requireWorkspace('MemoryPeerRequest.workspace', workspace);
  return request;
}

function requireWorkspace(field: string, workspace: unknown): void {
  if (workspace instanceof Workspace) return;
  throw new InvalidArgumentError(
    `${field} is ${shown(workspace)}; it takes a Workspace, such as Workspace.of({ id: 'ops' }).`,
  );
}

function refuseOtherWorkspace(configured: Workspace, given: Workspace | undefined): void {
  if (given === undefined || given.equals(configured)) return;
  throw new InvalidArgumentError(
    `The workspace ${shown(given.id)} was given, but this memory is for the workspace ${shown(configured.id)}. ` +
      'Leave the workspace out, or set aimon.memory.workspace-mode to "caller" for many tenants.',
  );
}

const named = ({ type, id }: Principal): string => `${type} ${shown(id)}`;
