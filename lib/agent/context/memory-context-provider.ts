import type { PeerView } from '../../domain/peer-view.js';
import type { MemoryPeerRequest } from './memory-peer-resolver.js';

/** The prompt that memory is wanted for. */
export interface MemoryContextRequest extends MemoryPeerRequest {
  /** The peer, where the same resolver has answered already; absent: it is resolved from the rest. */
  readonly peer?: PeerView;
  /** Ends the waiting: `provide` then rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Gives the piece of a system prompt that holds what is remembered. */
export interface MemoryContextProvider {
  /**
   * The block, or `undefined` when there is nothing to say, so that the prompt keeps its shape. A memory that is slow or
   * down never fails a prompt: it gives `undefined`. Rejects when `signal` aborts, with its reason, and otherwise only for
   * what the caller did wrong.
   *
   * @throws InvalidArgumentError when the request names a peer or workspace that this memory is not for, or is no request
   */
  provide(request: MemoryContextRequest): Promise<string | undefined>;
}
