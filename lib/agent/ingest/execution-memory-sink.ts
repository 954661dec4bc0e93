import type { MemoryMessage } from '../../domain/memory-message.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { MemoryPeerRequest } from '../context/memory-peer-resolver.js';

/** What one execution said, and in whose session. */
export interface ExecutionMemoryUpdate extends MemoryPeerRequest {
  /** Absent: the execution was a fork, without a session of its own. */
  readonly sessionId?: string;
  /** The session that started a fork. */
  readonly invokingSessionId?: string;
  /** The peer, where the same resolver has answered already; absent: it is resolved from the rest. */
  readonly peer?: PeerView;
  /** What this execution added, in its order; not the whole transcript. */
  readonly messages: readonly MemoryMessage[];
}

/** Where an agent hands what was said when an execution has ended. */
export interface ExecutionMemorySink {
  /**
   * Takes the messages. Never fails the execution; what is answered may be waited for by who wants to know that they
   * were handed on, and need not be.
   */
  afterExecution(update: ExecutionMemoryUpdate): Promise<void> | void;

  /** Settles when everything taken so far was handed on. Rejects when `signal` aborts. */
  flush?(signal?: AbortSignal): Promise<void>;
}
