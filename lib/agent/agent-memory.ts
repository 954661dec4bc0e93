import { requireIdentity, requireOneOf, shown } from '../domain/checks.js';
import { AimonError, InvalidArgumentError } from '../domain/errors.js';
import { joinKey } from '../domain/joined-key.js';
import { SILENT_LOGGER, type MemoryLogger } from '../domain/memory-logger.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Principal } from '../domain/principal.js';
import type { Workspace } from '../domain/workspace.js';
import type { PeerMemory } from '../spi/peer-memory.js';
import { abortable, reasonOf } from '../domain/abortable.js';
import { SYSTEM_CLOCK, type Clock } from '../domain/clock.js';
import { boundCaller } from './caller-scope.js';
import { withBoundCaller } from './context/bound-caller-resolver.js';
import type { MemoryContextProvider } from './context/memory-context-provider.js';
import { resolvedPeer, type MemoryPeerRequest, type MemoryPeerResolver } from './context/memory-peer-resolver.js';
import { isInside } from './execution-scope.js';
import type { ExecutionMemorySink } from './ingest/execution-memory-sink.js';
import { INGEST_MODES, type IngestMode } from './ingest/ingest-mode.js';
import { IngestOutcomes } from './ingest/ingest-outcomes.js';
import { MemorySession } from './memory-session.js';
import { requireObject } from './require-object.js';
import { createMemoryTools } from './tools/create-memory-tools.js';
import type { MemoryTool } from './tools/memory-tool.js';

/** Half an hour, in milliseconds. */
export const DEFAULT_IDLE_TIMEOUT_MS = 30 * 60 * 1000;

/** What an {@link AgentMemory} is made of; the assembly makes it. */
export interface AgentMemoryOptions {
  /** The memory as the assembly hands it out; absent: everything works and does nothing. */
  readonly memory: PeerMemory | undefined;
  /** Whose memory a session is; needed with a memory. */
  readonly resolver?: MemoryPeerResolver;
  /** The one peer of a fixed memory, for {@link AgentMemory.peer}; the resolver decides. */
  readonly peer?: PeerView;
  /** Absent: prompts stay as they are. */
  readonly contextProvider?: MemoryContextProvider;
  /** Absent: nothing is taken in. */
  readonly sink?: ExecutionMemorySink;
  /** Where it is recorded what becomes of messages; default: one of its own. Without a memory it is not used. */
  readonly outcomes?: IngestOutcomes;
  /** When a session hands over what was said; one of {@link INGEST_MODES}. */
  readonly ingest: IngestMode;
  /** After how long a session that nothing is asked of is closed, in milliseconds; `Infinity`: never. Default 30 min. */
  readonly idleTimeoutMs?: number;
  /** Where failures of the memory are warned of, once for each kind. Default: nowhere. */
  readonly logger?: MemoryLogger;
  /** The time of messages that come without one, and what idle sessions wait by. Default: the system's. */
  readonly clock?: Clock;
}

/** Which session is wanted. */
export interface AgentSessionOptions {
  /** Who the session is with; needed in caller mode, where no caller is bound. */
  readonly principal?: Principal;
  /** The tenant; needed where the workspace is the caller's, together with the principal. */
  readonly workspace?: Workspace;
  /**
   * Ends the waiting for the session, which is then refused with its reason; a session that is there does not hear it.
   */
  readonly signal?: AbortSignal;
}

/** The memory as an agent uses it: sessions. */
export class AgentMemory {
  readonly #options: AgentMemoryOptions;
  readonly #tools: readonly MemoryTool[];
  readonly #outcomes: IngestOutcomes;
  readonly #idleTimeoutMs: number;
  // By peer and id; a session that closes leaves, so that its id is free for a new one.
  readonly #sessions = new Map<string, MemorySession>();
  readonly #unfinished = new Set<MemorySession>();
  #accepting = true;
  #closing: Promise<void> | undefined;

  /** @throws InvalidArgumentError naming the option */
  constructor(options: AgentMemoryOptions) {
    requireObject('AgentMemory options', options, 'an object of options');
    const { memory, resolver, ingest, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = options;
    requireOneOf('AgentMemory.ingest', ingest, INGEST_MODES);
    if (memory !== undefined && resolver === undefined) {
      throw new InvalidArgumentError(
        'AgentMemory.resolver is missing; a memory takes MemoryPeerResolver.fixed(peer) or MemoryPeerResolver.caller().',
      );
    }
    if (typeof idleTimeoutMs !== 'number' || !(idleTimeoutMs > 0)) {
      throw new InvalidArgumentError(
        `AgentMemory.idleTimeoutMs is ${shown(idleTimeoutMs)}; it takes a number of milliseconds above 0.`,
      );
    }
    this.#options = options;
    this.#idleTimeoutMs = idleTimeoutMs;
    this.#tools = memory === undefined ? [] : createMemoryTools(memory, { logger: options.logger });
    // Without a memory there is nothing whose outcome could be told.
    this.#outcomes = memory === undefined ? new IngestOutcomes() : (options.outcomes ?? new IngestOutcomes());
  }

  /** The one peer of a fixed memory: whom to erase, export or search for. Absent in caller mode, and without a memory. */
  get peer(): PeerView | undefined {
    return this.#options.peer;
  }

  /** How many sessions are open or have not finished closing. */
  get openSessions(): number {
    return this.#unfinished.size;
  }

  /** The sessions that are open or have not finished closing. @internal */
  get unfinishedSessions(): readonly MemorySession[] {
    return [...this.#unfinished];
  }

  /**
   * The session of this id with the caller, or the fixed peer: the same object as long as it is open, also while the memory
   * shuts down. Cheap. In caller
   * mode one that names nobody is with the caller who is bound, by `MemoryInterceptor` or `runAsCaller`.
   *
   * @param id 1 to 256 characters
   * @throws InvalidArgumentError when it names nobody, or a peer or workspace that this memory is not for
   * @throws AimonError with code `MEMORY_CLOSED` when the memory was closed
   */
  async session(id: string, options: AgentSessionOptions = {}): Promise<MemorySession> {
    requireIdentity('AgentMemory.session id', id);
    requireObject('AgentMemory.session options', options);
    const { principal, workspace, signal } = options;
    if (signal?.aborted) throw reasonOf(signal);
    const peer = await abortable(this.#peerOf(id, principal, workspace), signal);
    const key = joinKey([peer?.key() ?? strangersKey({ principal, workspace }), id]);
    const open = this.#sessions.get(key);
    if (open !== undefined) {
      open.touch();
      return open;
    }
    this.#requireAccepting();
    return this.#open(key, id, peer, options);
  }

  /**
   * Takes no new session, execution or fork, and settles when none runs. In `session-end` each session in which nothing
   * runs begins to close at once, however long others still run. Rejects when `signal` aborts.
   */
  async drain(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    requireObject('AgentMemory.drain options', options);
    this.#accepting = false;
    await abortable(Promise.all([...this.#unfinished].map((session) => session.drain())), options.signal);
  }

  /**
   * Takes nothing new, waits for what runs, closes every session (in `session-end` that hands over its conversation) and
   * settles when all of it was handed on. Idempotent. When `signal` aborts it rejects with its reason, having handed over
   * what was said until then. An execution from which it is called is not waited for.
   */
  async close(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    requireObject('AgentMemory.close options', options);
    this.#accepting = false;
    this.#closing ??= this.#finish();
    try {
      await abortable(this.#closing, options.signal);
    } catch (error) {
      if (options.signal?.aborted) for (const session of this.#unfinished) session.abandon();
      throw error;
    }
  }

  /**
   * Forgets what the open sessions of some peers, and the forks that run in them, hold and have not handed over, each
   * message as `skipped: erased`, and settles when what they handed over before has been handed on. The sessions stay open. For an erasure.
   */
  async discard(belongsTo: (peer: PeerView) => boolean): Promise<void> {
    for (const session of this.#unfinished) {
      if (session.peer !== undefined && belongsTo(session.peer)) session.discard();
    }
    await this.#options.sink?.flush?.();
  }

  async #finish(): Promise<void> {
    const others = [...this.#unfinished].map(async (session) => {
      const closed = session.beginClose();
      if (!isInside(session)) await closed;
    });
    await Promise.all(others);
    await this.#options.sink?.flush?.();
  }

  #open(key: string, id: string, peer: PeerView | undefined, options: AgentSessionOptions): MemorySession {
    const { memory, contextProvider, sink, ingest, clock = SYSTEM_CLOCK, logger = SILENT_LOGGER } = this.#options;
    const { principal, workspace } = options;
    const session = new MemorySession({
      ...{ id, peer, principal, workspace, tools: this.#tools, outcomes: this.#outcomes, ingest },
      ...{ idleTimeoutMs: this.#idleTimeoutMs, clock, logger },
      contextProvider: memory === undefined ? undefined : contextProvider,
      sink: memory === undefined ? undefined : sink,
      onClosing: (closing, closed) => {
        if (this.#sessions.get(key) === closing) this.#sessions.delete(key);
        void closed.then(() => this.#unfinished.delete(closing));
      },
    });
    this.#sessions.set(key, session);
    this.#unfinished.add(session);
    return session;
  }

  async #peerOf(
    sessionId: string,
    principal: Principal | undefined,
    workspace: Workspace | undefined,
  ): Promise<PeerView | undefined> {
    if (this.#options.memory === undefined) return undefined;
    const answer = await this.#options.resolver?.resolve({ sessionId, principal, workspace });
    const peer = resolvedPeer('The answer of the MemoryPeerResolver', answer);
    if (peer !== undefined) return peer;
    throw new InvalidArgumentError(
      `AgentMemory.session(${shown(sessionId)}) has no peer: ${whatIsMissing({ principal, workspace })}.`,
    );
  }

  #requireAccepting(): void {
    if (this.#accepting) return;
    throw new AimonError(
      'MEMORY_CLOSED',
      this.#closing === undefined
        ? 'AgentMemory.session was asked for a new session while the memory shuts down; it takes no new work.'
        : 'AgentMemory.session was called after the memory was closed.',
    );
  }
}

/** Whose session it is where there is no memory and so no peer: callers have no conversation in common all the same. */
function strangersKey(request: MemoryPeerRequest): string {
  const { workspace, principal } = withBoundCaller(request);
  return joinKey([workspace?.id, principal?.type, principal?.id].map((part) => String(part ?? '')));
}

function whatIsMissing({ principal, workspace }: MemoryPeerRequest): string {
  const bound = boundCaller();
  const none = 'the resolver of this application found none for';
  if (principal === undefined && workspace === undefined) {
    if (bound === undefined) {
      return (
        'no principal was given; pass { principal: Principal.user(…) }, whose memory it is, or let MemoryInterceptor, or ' +
        'runAsCaller, bind the caller of the request'
      );
    }
    return bound.workspace === undefined
      ? 'the caller who is bound has no workspace; answer { principal, workspace } where callers are bound, with the tenant as workspace'
      : `${none} the caller who is bound`;
  }
  const unmixed = bound === undefined ? '' : ', or leave out the other, too, to take the caller who is bound';
  if (principal === undefined) {
    return `no principal was given; pass { principal: Principal.user(…) }, whose memory it is${unmixed}`;
  }
  return workspace === undefined
    ? `no workspace was given; pass { workspace: Workspace.of({ id: … }) }, the tenant${unmixed}`
    : `${none} the principal and workspace that were given`;
}
