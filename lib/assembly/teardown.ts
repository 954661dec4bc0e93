import { LONGEST_TIMER_MS } from '../domain/clock.js';
import { setImmediate } from 'node:timers/promises';

import { isInside, runInside } from '../agent/execution-scope.js';
import { requireOneOf } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';
import { SILENT_LOGGER, type MemoryLogger } from '../domain/memory-logger.js';

/**
 * The steps in which a memory is taken down, in this order. An application may register work of its own in any of them:
 * `SESSIONS` take no new work and running work ends; `CHECKPOINTS` are the application's own saves;
 * `MEMORY_FINAL_DERIVATION` hands over what sessions still hold; `MEMORY_QUEUE` is drained; `DREAMER` and
 * `MEMORY_MAINTENANCE` end a running cycle; `MEMORY_BACKEND` is closed.
 */
export const TEARDOWN_PHASES = [
  'SESSIONS',
  'CHECKPOINTS',
  'MEMORY_FINAL_DERIVATION',
  'MEMORY_QUEUE',
  'DREAMER',
  'MEMORY_MAINTENANCE',
  'MEMORY_BACKEND',
] as const;
/** When in a shutdown a piece of work is done; the phases run in the order of {@link TEARDOWN_PHASES}. */
export type TeardownPhase = (typeof TEARDOWN_PHASES)[number];
export const TeardownPhase = Object.freeze(Object.fromEntries(TEARDOWN_PHASES.map((phase) => [phase, phase]))) as {
  readonly [P in TeardownPhase]: P;
};

/** Work to be done in a phase. What it answers is what it could not finish, in words. */
export type TeardownWork = (time: TeardownTime) => Promise<string | void> | string | void;

/** How much time is left. */
export interface TeardownTime {
  /** Aborts when the time is up; nobody waits for the work any longer then. */
  readonly signal: AbortSignal;
  /** 0 for work that begins after the time is up, so that it can still let go of what it holds. */
  readonly remainingMs: number;
}

/** What a teardown left behind. */
export interface TeardownReport {
  /** What did not finish or failed, as `PHASE name: why`; empty when all is well. */
  readonly unfinished: readonly string[];
}

/**
 * How many turns of the event loop work is given to wind up in when its time is up: to record as lost what it still has,
 * before the process may end. Counted in turns and not in time, so that work that hangs holds nothing up, however much the
 * other has to record.
 */
const LAST_TURNS = 100;

/** Takes a memory down phase by phase, within one deadline. */
export class MemoryTeardown {
  readonly #work = new Map<TeardownPhase, { readonly name: string; readonly work: TeardownWork }[]>();
  readonly #done = new Map<TeardownPhase, Promise<void>>();
  readonly #unfinished: string[] = [];
  readonly #deadlineMs: number;
  readonly #logger: MemoryLogger;
  // Only what is spent in phases counts: between two of them an application may wait long for its server to close.
  #spentMs = 0;

  /**
   * @param options.deadlineMs how long all phases together may take, in milliseconds; default 10 000
   * @param options.logger where what is left behind is reported as an error; default: nowhere
   */
  constructor(options: { readonly deadlineMs?: number; readonly logger?: MemoryLogger } = {}) {
    this.#deadlineMs = options.deadlineMs ?? 10_000;
    this.#logger = options.logger ?? SILENT_LOGGER;
  }

  /**
   * Adds work to a phase; works of one phase run side by side. What a work throws, and what does not finish in time, is in
   * the report, and later phases run all the same.
   * @param name what the report and the log call it
   * @throws InvalidArgumentError for a phase that has begun, or that there is not
   */
  register(phase: TeardownPhase, name: string, work: TeardownWork): void {
    requireOneOf('MemoryTeardown.register phase', phase, TEARDOWN_PHASES);
    if (this.#done.has(phase)) {
      throw new InvalidArgumentError(
        `MemoryTeardown.register: the phase ${phase} has begun, so "${name}" would not be run.`,
      );
    }
    const registered = this.#work.get(phase);
    if (registered === undefined) this.#work.set(phase, [{ name, work }]);
    else registered.push({ name, work });
  }

  /** Whether the first phase has begun: the memory is being taken down, or was. */
  get begun(): boolean {
    return this.#done.size > 0;
  }

  /**
   * Runs the phases up to and with `last` that have not run yet. Called again it waits for what is running and repeats
   * nothing. What failed or took too long never rejects: it is in the report and in the log, and later phases run all the same.
   * Called from a work of the teardown it sees to it that the phases run, and answers at once with what is known so far,
   * since the work would wait for itself.
   *
   * @throws InvalidArgumentError when there is no such phase
   */
  async run(last: TeardownPhase = 'MEMORY_BACKEND'): Promise<TeardownReport> {
    requireOneOf('MemoryTeardown.run last', last, TEARDOWN_PHASES);
    const phases = this.#runPhases(last);
    if (!isInside(this)) await phases;
    return Object.freeze({ unfinished: Object.freeze([...this.#unfinished]) });
  }

  async #runPhases(last: TeardownPhase): Promise<void> {
    for (const phase of TEARDOWN_PHASES) {
      let running = this.#done.get(phase);
      if (running === undefined) this.#done.set(phase, (running = this.#runPhase(phase)));
      await running;
      if (phase === last) return;
    }
  }

  async #runPhase(phase: TeardownPhase): Promise<void> {
    const began = performance.now();
    const remainingMs = Math.max(0, this.#deadlineMs - this.#spentMs);
    await Promise.all(
      (this.#work.get(phase) ?? []).map(({ name, work }) => this.#runOne(`${phase} ${name}`, work, remainingMs)),
    );
    this.#spentMs += performance.now() - began;
  }

  async #runOne(label: string, work: TeardownWork, remainingMs: number): Promise<void> {
    const overdue = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    // Work that comes after the deadline still begins, so that a backend is told to close; nobody waits for it.
    const tooLate = new Promise<string>((resolve) => {
      timer = setTimeout(
        () => {
          overdue.abort(new Error('The deadline of the teardown has passed.'));
          void someTurns().then(() =>
            resolve(`not finished within aimon.memory.shutdown-timeout (${this.#deadlineMs} ms)`),
          );
        },
        Math.min(remainingMs, LONGEST_TIMER_MS),
      );
    });
    try {
      const attempt = runInside(this, 'execution', () => work({ signal: overdue.signal, remainingMs }));
      attempt.catch(() => undefined);
      const left = await Promise.race([attempt, tooLate]);
      if (typeof left === 'string') this.#leave(`${label}: ${left}`);
    } catch (error) {
      this.#leave(`${label}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }

  #leave(what: string): void {
    this.#unfinished.push(what);
    this.#logger.error(`Taking the memory down left something behind. ${what}`);
  }
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < LAST_TURNS; turn++) await setImmediate();
}
