import { boundCaller } from '../caller-scope.js';
import { requireObject } from '../require-object.js';
import type { MemoryPeerRequest, MemoryPeerResolver } from './memory-peer-resolver.js';

/**
 * `resolver`, asked with the bound caller where a request names nobody. A request that names a principal or a workspace is
 * asked as it is: one half of an identity with another one's second half would be a peer that nobody meant.
 */
export function boundCallerResolver(resolver: MemoryPeerResolver): MemoryPeerResolver {
  return Object.freeze({
    resolve: (request: MemoryPeerRequest) => resolver.resolve(withBoundCaller(request)),
  });
}

/** `request`, with the bound caller where it names neither principal nor workspace. */
export function withBoundCaller(request: MemoryPeerRequest): MemoryPeerRequest {
  const { principal, workspace } = requireObject('MemoryPeerRequest', request, 'an object');
  const caller = principal === undefined && workspace === undefined ? boundCaller() : undefined;
  return caller === undefined ? request : { ...request, ...caller };
}
