import { requireText, shown } from '../domain/checks.js';
import { AimonError, InvalidArgumentError } from '../domain/errors.js';
import type { MemoryLogger } from '../domain/memory-logger.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Principal } from '../domain/principal.js';
import type { Workspace } from '../domain/workspace.js';
import { abortable, reasonOf } from '../domain/abortable.js';
import type { Clock } from '../domain/clock.js';
import type { MemoryContextProvider } from './context/memory-context-provider.js';
import { isInside, runInside } from './execution-scope.js';
import { describeFailure, failureKind } from '../domain/failure.js';
import type { ExecutionMemorySink } from './ingest/execution-memory-sink.js';
import { HandOvers } from './ingest/hand-overs.js';
import type { IngestMode } from './ingest/ingest-mode.js';
import type { IngestOutcomes } from './ingest/ingest-outcomes.js';
import { SessionIngestion } from './ingest/session-ingestion.js';
import { TranscriptBuffer } from './ingest/transcript-buffer.js';
import { OnceLog } from '../domain/once-log.js';
import { requireObject } from './require-object.js';
import { SessionActivity } from './session-activity.js';
import { bindMemoryTools, type BoundMemoryTool } from './tools/bind-memory-tools.js';
import { MemoryToolContextEnricher } from './tools/memory-tool-context-enricher.js';
import type { MemoryTool } from './tools/memory-tool.js';
import { ToolResult } from './tools/tool-result.js';

/** What every method of a session takes besides its own arguments. */
export interface MemorySessionCallOptions {
  /** Gives up on the call, which then rejects with its reason. Each method says what goes on all the same. */
  readonly signal?: AbortSignal;
}

/** What a session is made of; `AgentMemory` puts it together. */
export interface MemorySessionParts {
  /** The id of the session; 1 to 256 characters. */
  readonly id: string;
  /** Absent where there is no memory at all. */
  readonly peer: PeerView | undefined;
  /** Who was named when the session was asked for; `undefined` where nobody was. */
  readonly principal: Principal | undefined;
  /** The tenant that was named when the session was asked for; `undefined` where none was. */
  readonly workspace: Workspace | undefined;
  /** What prompts are completed by; `undefined`: they stay as they are. */
  readonly contextProvider: MemoryContextProvider | undefined;
  /** The tools of the memory, which the session binds to its peer and its id. */
  readonly tools: readonly MemoryTool[];
  /** What takes over what was said; `undefined`: nothing is taken in, and each message is recorded as skipped. */
  readonly sink: ExecutionMemorySink | undefined;
  /** Where it is recorded what becomes of messages. */
  readonly outcomes: IngestOutcomes;
  /** When what was said is handed over; one of {@link INGEST_MODES}. */
  readonly ingest: IngestMode;
  /** After how long without a call the session closes, in milliseconds; `Infinity`: never. */
  readonly idleTimeoutMs: number;
  /** The time of messages that come without one, and what the idle time is waited for by. */
  readonly clock: Clock;
  /** Where failures are warned of, once for each kind. */
  readonly logger: MemoryLogger;
  /** Called once, when the session begins to close; `closed` settles when it has and never rejects. */
  readonly onClosing: (session: MemorySession, closed: Promise<void>) => void;
}

/**
 * One conversation with one peer: its prompt, its tools and its transcript. Made by `AgentMemory.session()`; closed by
 * {@link close}, or after a while in which nothing is asked of it.
 */
export class MemorySession {
  /** The id of the session. */
  readonly id: string;
  /** Whose memory it is; absent where there is no memory at all. */
  readonly peer: PeerView | undefined;
  readonly #parts: MemorySessionParts;
  readonly #transcript: TranscriptBuffer;
  readonly #ingestion: SessionIngestion;
  // Of the forks that run.
  readonly #forks = new Set<SessionIngestion>();
  readonly #activity: SessionActivity;
  readonly #handOvers: HandOvers | undefined;
  readonly #log: OnceLog;
  #tail: Promise<void> = Promise.resolve();
  #draining = false;
  #abandoned = false;
  #closing: Promise<void> | undefined;

  /** To be had from `AgentMemory.session()`, which keeps track of it. */
  constructor(parts: MemorySessionParts) {
    this.id = parts.id;
    this.peer = parts.peer;
    this.#parts = parts;
    this.#log = new OnceLog(parts.logger);
    const { sink, outcomes } = parts;
    this.#handOvers = sink && new HandOvers({ sink, outcomes, log: this.#log, sessionId: this.id });
    this.#transcript = new TranscriptBuffer({ clock: parts.clock });
    this.#ingestion = this.#ingestionOf(this.#transcript, { sessionId: this.id });
    const { idleTimeoutMs, clock } = parts;
    this.#activity = new SessionActivity({ idleTimeoutMs, clock, onIdle: () => void this.#close() });
  }

  /** Whether the session was closed, or is closing: it takes no more calls. */
  get closed(): boolean {
    return this.#closing !== undefined || this.#abandoned;
  }

  /**
   * `base`, a blank line and what is remembered; `base` alone when nothing is, or when memory is slow or down.
   * Rejects when `signal` aborts, with its reason.
   *
   * @throws InvalidArgumentError when `base` is no text
   * @throws AimonError with code `SESSION_CLOSED` when the session was closed
   */
  async systemPrompt(base: string, options: MemorySessionCallOptions = {}): Promise<string> {
    this.#requireOpen('systemPrompt');
    requireText('MemorySession.systemPrompt base', base);
    requireObject('MemorySession.systemPrompt options', options);
    const { signal } = options;
    const { contextProvider, principal, workspace } = this.#parts;
    if (signal?.aborted) throw reasonOf(signal);
    const request = { sessionId: this.id, principal, workspace, peer: this.peer, signal };
    return this.#activity.during(async () => {
      try {
        const block = await abortable(Promise.resolve(contextProvider?.provide(request)), signal);
        if (block === undefined || block.trim() === '') return base;
        return base.trim() === '' ? block : `${base}\n\n${block}`;
      } catch (error) {
        if (signal?.aborted) throw error;
        this.#log.warn(failureKind(error), `A prompt went without memory: ${describeFailure(error)}.`);
        return base;
      }
    });
  }

  /**
   * The tools of this memory, bound to the session's peer and id; none where there is no memory. One that is called after
   * the session was closed answers with an error.
   *
   * @throws AimonError with code `SESSION_CLOSED` when the session was closed
   */
  tools(): readonly BoundMemoryTool[] {
    this.#requireOpen('tools');
    this.#activity.touch();
    if (this.peer === undefined) return Object.freeze([]);
    const context = new MemoryToolContextEnricher(this.peer).enrich(this.id);
    return Object.freeze(bindMemoryTools(this.#parts.tools, context).map((tool) => this.#watched(tool)));
  }

  /**
   * Runs `work` on the session's transcript and answers what it answers. What it adds is taken in afterwards, in the
   * background, also when it throws: what was said was said. Executions of one session run one after another; `signal`
   * ends the waiting for its turn, and is not heard any more once the work runs.
   *
   * @throws what `work` throws
   * @throws InvalidArgumentError when `work` is no function, or when called inside an execution of the same session, which
   * would wait for itself
   * @throws AimonError with code `SESSION_CLOSED` when the session was closed, `MEMORY_CLOSED` while the memory shuts down
   */
  async execution<T>(
    work: (transcript: TranscriptBuffer) => T | Promise<T>,
    options: MemorySessionCallOptions = {},
  ): Promise<T> {
    this.#requireOpen('execution');
    requireWork('execution', work, options);
    if (options.signal?.aborted) throw reasonOf(options.signal);
    if (isInside(this, 'execution')) {
      throw new InvalidArgumentError(
        `execution() was called inside an execution of the same session ${JSON.stringify(this.id)}. Executions of a ` +
          'session run one after another, so it would wait for itself. Use the transcript you were given, or fork().',
      );
    }
    const before = this.#tail;
    let done = (): void => undefined;
    const mine = new Promise<void>((resolve) => (done = resolve));
    // Behind the one before also where this one gives up waiting.
    this.#tail = before.then(() => mine);
    return this.#activity.during(async () => {
      try {
        await abortable(before, options.signal);
        if (this.#abandoned) throw this.#closedError('execution');
        return await runInside(this, 'execution', () => work(this.#transcript)).finally(() =>
          this.#ingestion.afterExecution(),
        );
      } finally {
        done();
      }
    });
  }

  /**
   * Runs `work` on a transcript of its own: a side task that is not part of this conversation. What is said there is
   * taken in only where forks are (`aimon.memory.ingest-forks`), under this session's id. Forks run at once; `signal` is
   * not heard once the work runs.
   *
   * @throws what `work` throws
   * @throws InvalidArgumentError when `work` is no function
   * @throws AimonError with code `SESSION_CLOSED` when the session was closed, `MEMORY_CLOSED` while the memory shuts down
   */
  async fork<T>(
    work: (transcript: TranscriptBuffer) => T | Promise<T>,
    options: MemorySessionCallOptions = {},
  ): Promise<T> {
    this.#requireOpen('fork');
    requireWork('fork', work, options);
    if (options.signal?.aborted) throw reasonOf(options.signal);
    const transcript = new TranscriptBuffer({ clock: this.#parts.clock });
    const ingestion = this.#ingestionOf(transcript, { invokingSessionId: this.id });
    this.#forks.add(ingestion);
    return this.#activity.during(() =>
      runInside(this, 'fork', () => work(transcript)).finally(() => {
        this.#forks.delete(ingestion);
        ingestion.finish();
      }),
    );
  }

  /**
   * Takes no more calls, waits for what runs, hands over what is due (in `session-end` the whole conversation) and
   * settles when it was handed on. Idempotent. `signal` ends the waiting, not the closing.
   *
   * @throws InvalidArgumentError when called inside an execution or a fork of the session, which it would wait for
   */
  async close(options: MemorySessionCallOptions = {}): Promise<void> {
    requireObject('MemorySession.close options', options);
    if (isInside(this)) {
      throw new InvalidArgumentError(
        `close() was called inside an execution or a fork of the session ${JSON.stringify(this.id)}, which it would ` +
          'wait for. Close the session after it.',
      );
    }
    await abortable(this.#close(), options.signal);
  }

  /** What of it has not come to rest: calls that run, and messages that were not handed over. @internal */
  get unsettled(): { readonly running: number; readonly held: number } {
    const held = [this.#ingestion, ...this.#forks].reduce((sum, ingestion) => sum + ingestion.held, 0);
    return { running: this.#activity.running, held };
  }

  /** Starts the idle time anew. @internal */
  touch(): void {
    this.#activity.touch();
  }

  /** Forgets what was said and not handed over, also in forks that run, for an erasure. @internal */
  discard(): void {
    for (const ingestion of [this.#ingestion, ...this.#forks]) ingestion.discard();
  }

  /**
   * Refuses new executions and forks, and settles when none runs. In `session-end` the session then begins to close:
   * nothing more can be said in it, and what was said need not wait for other sessions. @internal
   */
  async drain(): Promise<void> {
    this.#draining = true;
    if (isInside(this)) return;
    await this.#activity.whenInactive();
    if (this.#parts.ingest === 'session-end') void this.#close();
  }

  /** Begins to close, without the check of {@link close}, for a shutdown that may be ordered from inside. @internal */
  beginClose(): Promise<void> {
    return this.#close();
  }

  /** The time is up: what was said until now is handed over, without waiting for what still runs. @internal */
  abandon(): void {
    this.#abandoned = true;
    for (const ingestion of [this.#ingestion, ...this.#forks]) ingestion.finish();
    this.#activity.release();
    void this.#close();
  }

  #close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#closing = this.#finish();
      this.#activity.stop();
      this.#parts.onClosing(this, this.#closing);
    }
    return this.#closing;
  }

  async #finish(): Promise<void> {
    if (!this.#abandoned) await this.#activity.whenInactive();
    this.#ingestion.finish();
    await this.#handOvers?.done(() => this.#abandoned);
  }

  #ingestionOf(
    transcript: TranscriptBuffer,
    where: { readonly sessionId?: string; readonly invokingSessionId?: string },
  ): SessionIngestion {
    const { ingest, outcomes, principal, workspace } = this.#parts;
    const place = { ...where, principal, workspace, peer: this.peer };
    const handOvers = this.#handOvers;
    return new SessionIngestion({
      ...{ mode: ingest, transcript, sessionId: this.id, outcomes },
      ...(handOvers && { handOver: (messages) => handOvers.hand(messages, place) }),
    });
  }

  #watched(tool: BoundMemoryTool): BoundMemoryTool {
    return Object.freeze({
      ...tool,
      execute: async (...call: Parameters<BoundMemoryTool['execute']>) => {
        if (this.closed) return ToolResult.error(`${tool.name} cannot be used: its session was closed.`);
        return this.#activity.during(() => tool.execute(...call));
      },
    });
  }

  #requireOpen(method: string): void {
    if (this.closed) throw this.#closedError(method);
    if (this.#draining && (method === 'execution' || method === 'fork')) {
      throw new AimonError(
        'MEMORY_CLOSED',
        `MemorySession.${method} was called while the memory shuts down; it takes no new work.`,
      );
    }
  }

  #closedError(method: string): AimonError {
    if (this.#draining || this.#abandoned) {
      return new AimonError(
        'SESSION_CLOSED',
        `MemorySession.${method} was called on the session ${JSON.stringify(this.id)}, which was closed, since the memory shuts down.`,
      );
    }
    return new AimonError(
      'SESSION_CLOSED',
      `MemorySession.${method} was called on the session ${JSON.stringify(this.id)}, which was closed, by close() or ` +
        'after its idle time (aimon.memory.session.idle-timeout). Take a new one with AgentMemory.session().',
    );
  }
}

function requireWork(method: 'execution' | 'fork', work: unknown, options: unknown): void {
  requireObject(`MemorySession.${method} options`, options);
  if (typeof work === 'function') return;
  throw new InvalidArgumentError(
    `MemorySession.${method} was given ${shown(work)}; it takes a function, which is given the transcript.`,
  );
}
