import type { PeerView } from '../../domain/peer-view.js';
import type { Workspace } from '../../domain/workspace.js';

/** The keys under which an agent framework hands a tool the identity of its call. */
export const MemoryToolContextKeys = Object.freeze({
  /** A `Workspace`; required. */
  WORKSPACE: 'memory.workspace',
  /** A `PeerView`: who observes and asks. Required, except where only the global view of a subject is recalled. */
  OBSERVER: 'memory.observer',
  /** A `PeerView`: whom it is about; the observer when absent. */
  SUBJECT: 'memory.subject',
  /** A session id; optional. */
  SESSION_ID: 'memory.sessionId',
} as const);

/** One of the keys under which a tool of an application finds whose memory it works on. */
export type MemoryToolContextKey = (typeof MemoryToolContextKeys)[keyof typeof MemoryToolContextKeys];

/**
 * Who a tool call is about, by {@link MemoryToolContextKeys}; a framework's context may hold more. It is the application's
 * word and never the model's.
 */
export interface MemoryToolContext {
  /** The tenant. Required: without it every tool answers with an error. */
  readonly 'memory.workspace'?: Workspace;
  /**
   * Who observes and asks, a peer of that workspace. Required, except where the global view of a subject is recalled.
   */
  readonly 'memory.observer'?: PeerView;
  /** Whom the call is about, a peer of that workspace; default: the observer. */
  readonly 'memory.subject'?: PeerView;
  /** The session in which the model calls; 1 to 256 characters. Default: none. */
  readonly 'memory.sessionId'?: string;
}
