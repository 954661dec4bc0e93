import { setMaxListeners } from 'node:events';

import { requireWholeNumber } from '../../domain/checks.js';
import { LONGEST_TIMER_MS, SYSTEM_CLOCK } from '../../domain/clock.js';
import { StoreError } from '../../domain/errors.js';
import type { IngestOutcome } from '../../domain/ingest-outcome.js';
import { EventLoopTurns } from '../../domain/event-loop-turns.js';
import { describeFailure, failureKind } from '../../domain/failure.js';
import type { ObservationId } from '../../domain/observation-id.js';
import { OnceLog } from '../../domain/once-log.js';
import { PeerView } from '../../domain/peer-view.js';
import type { Workspace } from '../../domain/workspace.js';
import type {
  DerivationQueue,
  DerivationQueueStats,
  DerivationStopReport,
  DerivationTask,
  DerivationWorkUnit,
} from '../../ports/derivation-queue.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import { MessageRedactor } from '../../redaction/message-redactor.js';
import { KeyedLock } from '../../stores/keyed-lock.js';
import { EstimatingTokenCounter } from '../estimating-token-counter.js';
import { DERIVATION_FAILURES } from './derivation-failures.js';
import { DerivationUnit, QueuedMessage, unitKey, type QueuedPiece } from './derivation-unit.js';
import { IdleWaiters } from './idle-waiters.js';
import type { InMemoryDerivationQueueOptions } from './in-memory-derivation-queue-options.js';
import { piecesOf } from './message-pieces.js';
import { OutcomeListeners } from './outcome-listeners.js';
import { RetryTimers } from './retry-timers.js';

/**
 * A derivation queue that lives as long as the process. A work unit is worked on by one worker at a time, in order; units
 * run side by side. What it could not finish when it stopped is reported, message by message, as failed.
 */
export class InMemoryDerivationQueue implements DerivationQueue {
  readonly #units = new Map<string, DerivationUnit>();
  // Units with something to do, in the order in which they got it; a unit that is being worked on is not among them.
  readonly #ready = new Set<DerivationUnit>();
  readonly #listeners = new OutcomeListeners();
  readonly #order = new KeyedLock();
  readonly #allIdle = new IdleWaiters();
  readonly #aborting = new AbortController();
  readonly #retries: RetryTimers;
  readonly #redactor: MessageRedactor | undefined;
  readonly #tokenCounter: TokenCounter;
  readonly #log: OnceLog;
  readonly #turns = new EventLoopTurns();
  readonly #options: Required<
    Pick<InMemoryDerivationQueueOptions, 'deriver' | 'workerCount' | 'batchMaxTokens' | 'maxAttempts' | 'maxPending'>
  >;
  #started = false;
  #stopped: Promise<DerivationStopReport> | undefined;
  #busyWorkers = 0;
  // Messages taken whose outcome is not known yet, waiting or being worked on.
  #unsettled = 0;
  // Those of them that are being worked on.
  #inFlight = 0;
  #deadLettered = 0;
  #enqueuing = 0;

  /** @throws InvalidArgumentError when a number is out of its range */
  constructor(options: InMemoryDerivationQueueOptions) {
    const {
      deriver,
      workerCount = 4,
      batchMaxTokens = 8000,
      maxAttempts = 5,
      maxPending = 100_000,
      retryDelayMs = 500,
    } = options;
    // Everything that is being masked listens, and that may be any number of conversations.
    setMaxListeners(Infinity, this.#aborting.signal);
    requireWholeNumber('workerCount', workerCount, 1);
    requireWholeNumber('batchMaxTokens', batchMaxTokens, 1);
    requireWholeNumber('maxAttempts', maxAttempts, 1);
    requireWholeNumber('maxPending', maxPending, 1);
    requireWholeNumber('retryDelayMs', retryDelayMs, 0);
    this.#options = { deriver, workerCount, batchMaxTokens, maxAttempts, maxPending };
    this.#retries = new RetryTimers(options.clock ?? SYSTEM_CLOCK, retryDelayMs);
    this.#redactor = options.redactionPolicy === undefined ? undefined : new MessageRedactor(options.redactionPolicy);
    this.#tokenCounter = options.tokenCounter ?? new EstimatingTokenCounter();
    this.#log = new OnceLog(options.logger);
  }

  async enqueue(task: DerivationTask): Promise<number> {
    this.#requireOpen();
    this.#enqueuing++;
    try {
      // Masking takes time, more of it for a long message: what came first must still be queued first.
      return await this.#order.run(unitKey(task), async () => {
        const messages = (await this.#redactor?.redactMessages(task.messages, this.#aborting.signal)) ?? task.messages;
        this.#requireOpen();
        return this.#take({ ...task, messages });
      });
    } finally {
      this.#enqueuing--;
      this.#announceIdle();
    }
  }

  start(): void {
    if (this.#stopped !== undefined) return;
    this.#started = true;
    this.#work();
  }

  stop({ drainMs }: { readonly drainMs: number }): Promise<DerivationStopReport> {
    this.#stopped ??= this.#stop(drainMs);
    return this.#stopped;
  }

  stats(): DerivationQueueStats {
    return { pending: this.#unsettled - this.#inFlight, inFlight: this.#inFlight, deadLettered: this.#deadLettered };
  }

  async whenIdle(unit?: DerivationWorkUnit, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (unit === undefined) {
      if (!this.#isIdle) await this.#allIdle.wait(signal);
      return;
    }
    const queued = this.#units.get(unitKey(unit));
    if (queued !== undefined && !queued.isIdle) await queued.idle.wait(signal);
  }

  onOutcome(listener: (outcome: IngestOutcome) => void): () => void {
    return this.#listeners.add(listener);
  }

  async erase(what: PeerView | Workspace): Promise<void> {
    const concerns = (peer: PeerView): boolean =>
      what instanceof PeerView ? peer.equals(what) : peer.workspace.id === what.id;
    const concerned: DerivationUnit[] = [];
    for (const unit of [...this.#units.values()]) {
      const mine = concerns(unit.observer);
      const doomed = new Set(unit.waiting.filter((piece) => mine || concerns(piece.subject)));
      if (doomed.size > 0) {
        unit.waiting = unit.waiting.filter((piece) => !doomed.has(piece));
        for (const { origin } of doomed) this.#giveUp(origin, 'skipped', DERIVATION_FAILURES.ERASED);
        if (unit.isIdle && !unit.busy) {
          this.#ready.delete(unit);
          this.#units.delete(unitKey(unit));
          unit.idle.release();
        }
      }
      if (mine || unit.inFlight.some((piece) => concerns(piece.subject))) concerned.push(unit);
    }
    this.#announceIdle();
    await Promise.all(concerned.map((unit) => this.whenIdle(unit)));
  }

  get #isIdle(): boolean {
    return this.#unsettled === 0 && this.#busyWorkers === 0 && this.#enqueuing === 0;
  }

  #requireOpen(): void {
    if (this.#stopped !== undefined) {
      throw stopped();
    }
  }

  #take({ subject, observer, sessionId, messages }: DerivationTask): number {
    const key = unitKey({ observer, sessionId });
    let unit = this.#units.get(key);
    if (unit === undefined) this.#units.set(key, (unit = new DerivationUnit(observer, sessionId)));
    let taken = 0;
    for (const message of messages) {
      const pieces = piecesOf(message, this.#options.batchMaxTokens, this.#tokenCounter);
      const origin = new QueuedMessage(message.id, sessionId, pieces.length, (outcome) =>
        this.#listeners.tell(outcome),
      );
      if (this.#unsettled >= this.#options.maxPending) {
        origin.giveUp('failed', DERIVATION_FAILURES.QUEUE_FULL);
        origin.tell();
        continue;
      }
      this.#unsettled++;
      taken++;
      for (const piece of pieces) unit.waiting.push({ ...piece, subject, origin, attempts: 0 });
    }
    if (unit.isIdle) this.#units.delete(key);
    else if (!unit.busy && !unit.resting) this.#ready.add(unit);
    this.#work();
    return taken;
  }

  #work(): void {
    while (this.#started && this.#busyWorkers < this.#options.workerCount) {
      const [unit] = this.#ready;
      if (unit === undefined) return;
      this.#ready.delete(unit);
      unit.busy = true;
      this.#busyWorkers++;
      void this.#workOn(unit).finally(() => {
        this.#busyWorkers--;
        this.#announceIdle(unit);
        this.#work();
      });
    }
  }

  async #workOn(unit: DerivationUnit): Promise<void> {
    await this.#turns.pause();
    const batch = unit.takeBatch(this.#options.batchMaxTokens);
    for (const { origin } of batch) if (origin.begin()) this.#inFlight++;
    let failed: readonly FailedPiece[];
    try {
      failed = await this.#derive(unit, batch);
    } catch (cause) {
      failed = batch.map((piece) => ({ piece, reason: DERIVATION_FAILURES.DEAD_LETTERED, cause }));
    }
    const again = this.#again(failed);
    for (const { origin } of batch) if (origin.end()) this.#inFlight--;
    unit.inFlight = [];
    unit.busy = false;
    unit.waiting = [...again, ...unit.waiting];
    if (unit.waiting.length === 0) this.#units.delete(unitKey(unit));
    else if (again.length === 0) this.#ready.add(unit);
    else this.#retryLater(unit);
  }

  /** Settles what went well, and answers the rest. */
  async #derive(unit: DerivationUnit, batch: readonly QueuedPiece[]): Promise<readonly FailedPiece[]> {
    const first = batch[0];
    if (first === undefined) return [];
    const { subject } = first;
    const result = await this.#options.deriver.derive({
      workspace: subject.workspace,
      sessionId: unit.sessionId,
      subject,
      observer: unit.observer,
      messages: batch.map(({ message }) => message),
      tokenBudget: this.#options.batchMaxTokens,
      signal: this.#aborting.signal,
    });
    const failures = new Map(result.failures.map((failure) => [failure.messageId, failure]));
    const failed: FailedPiece[] = [];
    for (const piece of batch) {
      const { message, origin } = piece;
      const failure = failures.get(message.id);
      if (origin.settled) continue;
      if (failure !== undefined) {
        failed.push({ piece, reason: failure.reason, cause: failure.cause });
        continue;
      }
      const ids: readonly ObservationId[] = (result.byMessage.get(message.id) ?? []).map(({ id }) => id);
      if (origin.pieceDone(ids)) this.#settled(origin);
    }
    return failed;
  }

  /** The pieces that are to be tried again; the others are given up. */
  #again(failed: readonly FailedPiece[]): readonly QueuedPiece[] {
    const stopping = this.#aborting.signal.aborted;
    const again: QueuedPiece[] = [];
    const lost: FailedPiece[] = [];
    for (const one of failed) {
      one.piece.attempts++;
      if (one.piece.origin.settled) continue;
      if (!stopping && one.piece.attempts < this.#options.maxAttempts) again.push(one.piece);
      else lost.push(one);
    }
    // Counted before it is told, so that who is told can see it.
    if (lost.length > 0 && !stopping) this.#deadLettered++;
    for (const { piece, reason } of lost)
      this.#giveUp(piece.origin, 'failed', stopping ? DERIVATION_FAILURES.STOPPED : reason);
    const cause = failed[0]?.cause;
    if (cause !== undefined && !stopping) {
      const tries = `each message is tried ${this.#options.maxAttempts} times`;
      this.#log.warn(failureKind(cause), `Deriving observations failed with ${describeFailure(cause)}; ${tries}.`);
    }
    return again;
  }

  #giveUp(origin: QueuedMessage, outcome: 'failed' | 'skipped', reason: string): void {
    if (origin.giveUp(outcome, reason)) this.#settled(origin);
  }

  #settled(origin: QueuedMessage): void {
    this.#unsettled--;
    if (origin.end()) this.#inFlight--;
    origin.tell();
  }

  #retryLater(unit: DerivationUnit): void {
    unit.resting = true;
    this.#retries.add(() => {
      unit.resting = false;
      if (unit.waiting.length > 0) this.#ready.add(unit);
      this.#work();
    });
  }

  async #stop(drainMs: number): Promise<DerivationStopReport> {
    const drained = new AbortController();
    const deadline = setTimeout(() => drained.abort(), Math.min(drainMs, LONGEST_TIMER_MS));
    try {
      // What never started has nobody to drain it, and without time nothing is drained.
      if (this.#started && drainMs > 0) await this.whenIdle(undefined, drained.signal).catch(() => undefined);
    } finally {
      clearTimeout(deadline);
    }
    this.#started = false;
    this.#retries.cancel();
    this.#aborting.abort(stopped());
    const unfinished = this.#unsettled;
    for (const unit of [...this.#units.values()]) {
      for (const { origin } of [...unit.inFlight, ...unit.waiting.splice(0)])
        this.#giveUp(origin, 'failed', DERIVATION_FAILURES.STOPPED);
    }
    this.#ready.clear();
    // Also what a deriver still holds that does not heed its signal: nobody need wait for it any more.
    for (const unit of this.#units.values()) unit.idle.release();
    this.#allIdle.release();
    await this.#refused();
    return { unfinishedMessages: unfinished };
  }

  // What is being masked to be queued is refused, and who hands it in has to hear that before the process may end.
  async #refused(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#enqueuing > 0);
  }

  #announceIdle(unit?: DerivationUnit): void {
    for (const one of unit === undefined ? [...this.#units.values()] : [unit]) {
      if (one.isIdle) one.idle.release();
    }
    if (this.#isIdle) this.#allIdle.release();
  }
}

/** A piece of which nothing was derived this time. */
interface FailedPiece {
  readonly piece: QueuedPiece;
  readonly reason: string;
  readonly cause: unknown;
}

// With a code of its own, so that the outcome of a message that came too late says so and blames no store.
const stopped = (): StoreError =>
  new StoreError(
    'The derivation queue has been stopped; it takes no more messages. Nothing was taken.',
    undefined,
    'QUEUE_STOPPED',
  );
