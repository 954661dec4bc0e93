import { requireIdentity } from '../../domain/checks.js';
import { PeerView } from '../../domain/peer-view.js';
import { Workspace } from '../../domain/workspace.js';
import { MemoryToolContextKeys, type MemoryToolContext, type MemoryToolContextKey } from './memory-tool-context.js';

/** The application gave a tool no usable context; the message names the key. */
export class ToolContextError extends Error {}

/** Whom a call is about and who makes it, read from its context and never from the model's input. */
export interface ToolPeers {
  readonly subject: PeerView;
  /** @throws ToolContextError when the context names none */
  observer(): PeerView;
  readonly sessionId: string | undefined;
}

/** @throws ToolContextError naming the key that is missing, of the wrong kind, or of another workspace */
export function readToolPeers(tool: string, context: MemoryToolContext): ToolPeers {
  const { WORKSPACE, OBSERVER, SUBJECT, SESSION_ID } = MemoryToolContextKeys;
  const held = (context ?? {}) as Readonly<Record<MemoryToolContextKey, unknown>>;
  const fault = (key: MemoryToolContextKey, what: string): ToolContextError =>
    new ToolContextError(
      `${tool} cannot tell whose memory this is: the tool context's "${key}" ${what}. ` +
        'The application sets it; it is no input. Go on without this tool.',
    );

  const workspace = held[WORKSPACE];
  if (workspace === undefined || workspace === null) throw fault(WORKSPACE, 'is missing');
  if (!(workspace instanceof Workspace)) throw fault(WORKSPACE, 'is not a Workspace');
  const peer = (key: MemoryToolContextKey): PeerView | undefined => {
    const value = held[key];
    if (value === undefined || value === null) return undefined;
    if (!(value instanceof PeerView)) throw fault(key, 'is not a PeerView');
    if (!value.workspace.equals(workspace)) throw fault(key, `is a peer of another workspace than "${WORKSPACE}"`);
    return value;
  };
  const observer = peer(OBSERVER);
  const subject = peer(SUBJECT) ?? observer;
  if (subject === undefined) throw fault(OBSERVER, 'is missing');
  return {
    subject,
    observer: () => {
      if (observer === undefined) throw fault(OBSERVER, 'is missing');
      return observer;
    },
    sessionId: sessionIdOf(held[SESSION_ID], () => fault(SESSION_ID, 'is not a session id of 1 to 256 characters')),
  };
}

function sessionIdOf(value: unknown, fault: () => ToolContextError): string | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    return requireIdentity(MemoryToolContextKeys.SESSION_ID, value);
  } catch {
    throw fault();
  }
}
