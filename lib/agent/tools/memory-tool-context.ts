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
  readonly 'memory.workspace'?: Workspace;
  readonly 'memory.observer'?: PeerView;
  readonly 'memory.subject'?: PeerView;
  readonly 'memory.sessionId'?: string;
}
