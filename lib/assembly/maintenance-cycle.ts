import { abortable } from '../domain/abortable.js';
import { AimonError, StoreError } from '../domain/errors.js';
import type { Clock } from '../domain/clock.js';
import { EventLoopTurns } from '../domain/event-loop-turns.js';
import { describeFailure, failureKind } from '../domain/failure.js';
import type { MemoryLogger } from '../domain/memory-logger.js';
import { OnceLog } from '../domain/once-log.js';
import type { Workspace } from '../domain/workspace.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import { DegradationKey, type Degradations } from './degradations.js';
import { maintenanceFault } from './runtime-faults.js';

/** How often a memory is maintained, and what it keeps; all in milliseconds. */
export interface MaintenanceTimes {
  /** From the start of one cycle to the next; 1 to 2³¹ - 1, the longest that a timer of Node can wait. */
  readonly intervalMs: number;
  /** How long an observation that was retired can still be looked at; at least 1. */
  readonly auditWindowMs: number;
  /** How long a representation is kept; at least 1. */
  readonly representationRetentionMs: number;
}

/** What a maintenance cycle did. */
export interface MaintenanceReport {
  /** How many workspaces it went through. */
  readonly workspaces: number;
  /** How many retired observations it removed for good. */
  readonly observations: number;
  /** How many representations it removed. */
  readonly representations: number;
}

/** What a {@link MaintenanceCycle} works on and with. */
export interface MaintenanceCycleParts {
  /** What the memory is called in the fault that a failed cycle raises. */
  readonly backendId: string;
  /** What is kept for how long, and how often a cycle is due. */
  readonly times: MaintenanceTimes;
  /** Where retired observations are removed; left alone when it is absent or has no `findWorkspaces`. */
  readonly observationStore?: ObservationStore;
  /** Where representations are removed; left alone when it is absent or has no `findWorkspaces`. */
  readonly representationStore?: RepresentationStore;
  /** What ages are measured by, and what a {@link MaintenanceCycleTimer} waits by. */
  readonly clock: Clock;
  /** Where `memory-maintenance` is raised by a cycle that fails, and lifted by one that goes well. */
  readonly degradations: Degradations;
  /** Where failures are warned of, once for each kind. */
  readonly logger: MemoryLogger;
}

/** How many workspaces are asked for at a time. */
const WORKSPACES_PAGE = 1000;

/**
 * Removes what a memory need not keep any longer, in every workspace of which it keeps anything: observations that were
 * retired longer ago than the audit window, and representations older than their retention. One cycle at a time. A
 * workspace that fails does not keep the others from their turn.
 */
export class MaintenanceCycle {
  readonly #parts: MaintenanceCycleParts;
  readonly #log: OnceLog;
  readonly #turns = new EventLoopTurns();
  readonly #aborting = new AbortController();
  #running: Promise<unknown> | undefined;
  #stopped = false;

  /** Nothing runs until {@link run} or {@link tick} is called. */
  constructor(parts: MaintenanceCycleParts) {
    this.#parts = parts;
    this.#log = new OnceLog(parts.logger);
  }

  /** How long it is from one cycle to the next, in milliseconds. */
  get intervalMs(): number {
    return this.#parts.times.intervalMs;
  }

  /** The time that it goes by. */
  get clock(): Clock {
    return this.#parts.clock;
  }

  /** Whether a cycle runs now. */
  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Whether no cycle begins any more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * Runs a cycle that is due, unless one still runs: then this one is left out. Never rejects; what failed is in the log
   * and raised as `memory-maintenance` until a cycle goes well.
   */
  async tick(): Promise<void> {
    if (this.#stopped) return;
    if (this.#running !== undefined) {
      this.#log.warn('overrun', 'A maintenance cycle was due while the one before it still ran; it was left out.');
      return;
    }
    await this.run().catch(() => undefined);
  }

  /**
   * Runs a cycle now, after the one that runs. `signal` ends the waiting at once, and the cycle between two workspaces.
   *
   * @throws StoreError when it failed in any workspace, after the others had their turn
   * @throws AimonError with code `MEMORY_CLOSED` when the memory was closed
   */
  async run(signal?: AbortSignal): Promise<MaintenanceReport> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#stopped) {
        throw new AimonError('MEMORY_CLOSED', 'The maintenance cycle was asked for after the memory was closed.');
      }
      if (this.#running === undefined) break;
      await abortable(this.#running, signal);
    }
    const cycle = this.#guarded(
      signal === undefined ? this.#aborting.signal : AbortSignal.any([signal, this.#aborting.signal]),
    );
    const running = cycle
      .catch(() => undefined)
      .finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
    this.#running = running;
    return abortable(cycle, signal);
  }

  /** Lets no cycle begin any more; one that runs goes on. */
  stop(): void {
    this.#stopped = true;
  }

  /** Lets no cycle begin any more, ends the one that runs between two workspaces, and settles when it has ended. */
  async abort(): Promise<void> {
    this.stop();
    this.#aborting.abort(
      new AimonError('MEMORY_CLOSED', 'The maintenance cycle was ended, since the memory was closed.'),
    );
    await this.#running;
  }

  async #guarded(signal: AbortSignal): Promise<MaintenanceReport> {
    const { degradations, backendId } = this.#parts;
    try {
      const report = await this.#cycle(signal);
      degradations.lift(DegradationKey.MAINTENANCE);
      return report;
    } catch (error) {
      if (signal.aborted) throw error;
      const cause = error instanceof StoreError ? (error.cause ?? error) : error;
      this.#log.warn(failureKind(cause), `The maintenance cycle failed with ${describeFailure(cause)}.`);
      degradations.raise(maintenanceFault(backendId));
      throw error;
    }
  }

  async #cycle(signal: AbortSignal): Promise<MaintenanceReport> {
    const { observationStore, representationStore, clock, times } = this.#parts;
    const now = clock.now().getTime();
    const retiredBefore = new Date(now - times.auditWindowMs);
    const generatedBefore = new Date(now - times.representationRetentionMs);
    const seen = new Set<string>();
    const failures: unknown[] = [];
    const inEach = async (
      store: ListsWorkspaces | undefined,
      remove: (workspace: Workspace) => Promise<number> | undefined,
    ): Promise<number> => {
      let removed = 0;
      for await (const workspace of workspacesOf(store)) {
        signal.throwIfAborted();
        seen.add(workspace.id);
        try {
          removed += (await remove(workspace)) ?? 0;
        } catch (error) {
          failures.push(error);
        }
        await this.#turns.pause();
      }
      return removed;
    };
    const observations = await inEach(observationStore, (workspace) =>
      observationStore?.purgeSoftDeletedBefore?.(workspace, retiredBefore),
    );
    const representations = await inEach(representationStore, (workspace) =>
      representationStore?.deleteOlderThan(workspace, generatedBefore),
    );
    if (failures.length > 0) {
      throw new StoreError(
        `Maintenance failed in ${failures.length === 1 ? 'a workspace' : `${failures.length} workspaces`}; the others had their turn. The first failure: ${describeFailure(failures[0])}.`,
        { cause: failures[0] },
      );
    }
    return Object.freeze({ workspaces: seen.size, observations, representations });
  }
}

type ListsWorkspaces = Pick<ObservationStore, 'findWorkspaces'>;

async function* workspacesOf(store: ListsWorkspaces | undefined): AsyncGenerator<Workspace> {
  let cursor: string | undefined;
  do {
    const page = await store?.findWorkspaces?.({ limit: WORKSPACES_PAGE, cursor });
    yield* page?.items ?? [];
    cursor = page?.cursor;
  } while (cursor !== undefined);
}
