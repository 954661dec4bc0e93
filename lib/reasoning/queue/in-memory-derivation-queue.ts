import { setMaxListeners } from 'node:events';

import { requireWholeNumber } from '../../domain/checks.js';
import { LONGEST_TIMER_MS, SYSTEM_CLOCK } from '../../domain/clock.js';
import type { IngestOutcome } from '../../domain/ingest-outcome.js';
import { EventLoopTurns } from '../../domain/event-loop-turns.js';
import { OnceLog } from '../../domain/once-log.js';
import { outageIn } from '../../domain/outage.js';
import { PeerView } from '../../domain/peer-view.js';
import type { Workspace } from '../../domain/workspace.js';
import type {
  DerivationOutage,
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
import { deriveBatch, type BatchResult, type FailedPiece } from './batch-derivation.js';
import { DeadLetters } from './dead-letters.js';
import { DERIVATION_FAILURES, queueStopped, refusedByFullQueue } from './derivation-failures.js';
import { QueuedMessage, unitKey, type DerivationUnit } from './derivation-unit.js';
import { DerivationUnits } from './derivation-units.js';
import { IdleWaiters } from './idle-waiters.js';
import type { InMemoryDerivationQueueOptions } from './in-memory-derivation-queue-options.js';
import { Listeners } from './listeners.js';
import { piecesOf } from './message-pieces.js';
import { NextAttempts, type NextAttempt } from './next-attempts.js';
import { OutagePause, type ServiceTry } from './outage-pause.js';
import { RetryTimers } from './retry-timers.js';

/**
 * A derivation queue that lives as long as the process. A work unit is worked on by one worker at a time, in order; units
 * run side by side. What it could not finish when it stopped is reported, message by message, as failed.
 */
export class InMemoryDerivationQueue implements DerivationQueue {
  readonly #units = new DerivationUnits();
  readonly #listeners = new Listeners<IngestOutcome>();
  readonly #order = new KeyedLock();
  readonly #allIdle = new IdleWaiters();
  readonly #aborting = new AbortController();
  readonly #retries: RetryTimers;
  readonly #attempts: NextAttempts;
  readonly #pause: OutagePause;
  readonly #outageListeners = new Listeners<DerivationOutage | undefined>();
  readonly #deadLetters: DeadLetters;
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
  #enqueuing = 0;

  /**
   * Takes messages at once, and works on them once it is started.
   * @throws InvalidArgumentError when a number is out of its range
   */
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
    this.#deadLetters = new DeadLetters(maxPending);
    const { clock = SYSTEM_CLOCK } = options;
    this.#retries = new RetryTimers(clock, retryDelayMs);
    this.#pause = new OutagePause({
      clock,
      firstDelayMs: retryDelayMs,
      onDue: () => this.#work(),
      onChange: (outage) => this.#outageListeners.tell(outage),
    });
    this.#redactor = options.redactionPolicy === undefined ? undefined : new MessageRedactor(options.redactionPolicy);
    this.#tokenCounter = options.tokenCounter ?? new EstimatingTokenCounter();
    this.#log = new OnceLog(options.logger);
    const { log, tokenCounter } = { log: this.#log, tokenCounter: this.#tokenCounter };
    this.#attempts = new NextAttempts({ maxAttempts, batchMaxTokens, tokenCounter, log });
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
    const { outage } = this.#pause;
    return {
      pending: this.#unsettled - this.#inFlight,
      inFlight: this.#inFlight,
      deadLettered: this.#deadLetters.count,
      ...(outage !== undefined && { outage }),
    };
  }

  async whenIdle(unit?: DerivationWorkUnit, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (unit === undefined) {
      if (!this.#isIdle) await this.#allIdle.wait(signal);
      return;
    }
    const queued = this.#units.find(unit);
    if (queued !== undefined && !queued.isIdle) await queued.idle.wait(signal);
  }

  onOutcome(listener: (outcome: IngestOutcome) => void): () => void {
    return this.#listeners.add(listener);
  }

  onOutage(listener: (outage: DerivationOutage | undefined) => void): () => void {
    return this.#outageListeners.add(listener);
  }

  async retryDeadLettered(): Promise<number> {
    this.#requireOpen();
    let messages = 0;
    for (const { observer, sessionId, pieces } of this.#deadLetters.takeAll()) {
      const unit = this.#units.of({ observer, sessionId });
      for (const given of new Set(pieces.map(({ origin }) => origin))) {
        const ofOne = pieces.filter(({ origin }) => origin === given);
        const origin = this.#begin(given.messageId, sessionId, ofOne.length);
        for (const piece of ofOne) unit.waiting.push({ ...piece, origin, attempts: 0 });
        messages++;
      }
      this.#units.offer(unit);
    }
    this.#work();
    return messages;
  }

  async erase(what: PeerView | Workspace): Promise<void> {
    const concerns = (peer: PeerView): boolean =>
      what instanceof PeerView ? peer.equals(what) : peer.workspace.id === what.id;
    this.#deadLetters.erase(concerns);
    const { doomed, concerned } = this.#units.takeOut(concerns);
    for (const { origin } of doomed) this.#giveUp(origin, 'skipped', DERIVATION_FAILURES.ERASED);
    this.#announceIdle();
    await Promise.all(concerned.map((unit) => this.whenIdle(unit)));
  }

  get #isIdle(): boolean {
    return this.#unsettled === 0 && this.#busyWorkers === 0 && this.#enqueuing === 0;
  }

  #requireOpen(): void {
    if (this.#stopped !== undefined) {
      throw queueStopped();
    }
  }

  #take({ subject, observer, sessionId, messages }: DerivationTask): number {
    const unit = this.#units.of({ observer, sessionId });
    let taken = 0;
    for (const message of messages) {
      if (this.#unsettled >= this.#options.maxPending) {
        this.#listeners.tell(Object.freeze(refusedByFullQueue(message.id, sessionId)));
        continue;
      }
      const pieces = piecesOf(message, this.#attempts.batchMaxTokens, this.#tokenCounter);
      const origin = this.#begin(message.id, sessionId, pieces.length);
      taken++;
      for (const piece of pieces) unit.waiting.push({ ...piece, subject, origin, attempts: 0 });
    }
    this.#units.offer(unit);
    this.#work();
    return taken;
  }

  #begin(messageId: string, sessionId: string, pieces: number): QueuedMessage {
    this.#unsettled++;
    return new QueuedMessage(messageId, sessionId, pieces, (outcome) => this.#listeners.tell(Object.freeze(outcome)));
  }

  #work(): void {
    while (this.#started && this.#busyWorkers < this.#options.workerCount && this.#pause.allowsWork) {
      const unit = this.#units.next();
      if (unit === undefined) return;
      this.#busyWorkers++;
      void this.#workOn(unit).finally(() => {
        this.#busyWorkers--;
        this.#announceIdle(unit);
        this.#work();
      });
    }
  }

  async #workOn(unit: DerivationUnit): Promise<void> {
    const serviceTry = this.#pause.begin();
    await this.#turns.pause();
    const batch = unit.takeBatch(this.#attempts.batchMaxTokens);
    if (batch.length === 0) return this.#nothingToDo(unit, serviceTry);
    for (const { origin } of batch) if (origin.begin()) this.#inFlight++;
    const { deriver } = this.#options;
    const options = { tokenBudget: this.#attempts.tokenBudget, signal: this.#aborting.signal };
    const result = await deriveBatch(deriver, unit, batch, options);
    const outage = result.failed.map(({ cause }) => outageIn(cause)).find((found) => found !== undefined);
    const { again, attempts } = this.#settle(unit, result);
    for (const { origin } of batch) if (origin.end()) this.#inFlight--;
    unit.inFlight = [];
    unit.busy = false;
    unit.waiting = [...again, ...unit.waiting];
    if (attempts > 0) this.#retryLater(unit, attempts);
    else this.#units.offer(unit);
    if (outage === undefined || this.#aborting.signal.aborted) this.#pause.answered(serviceTry);
    else this.#pause.away(serviceTry, outage);
  }

  // What it was to work on has been erased.
  #nothingToDo(unit: DerivationUnit, serviceTry: ServiceTry): void {
    unit.busy = false;
    this.#units.offer(unit);
    this.#pause.untried(serviceTry);
  }

  /** Settles what is done, and gives up what was tried often enough. What is to be tried again. */
  #settle(unit: DerivationUnit, { done, failed }: BatchResult): NextAttempt {
    for (const { piece, observationIds } of done)
      if (piece.origin.pieceDone(observationIds)) this.#settled(piece.origin);
    if (this.#aborting.signal.aborted) {
      for (const { piece } of failed) this.#giveUp(piece.origin, 'failed', DERIVATION_FAILURES.STOPPED);
      return { again: [], attempts: 0, lost: [] };
    }
    const next = this.#attempts.after(failed);
    // Counted before it is told, so that who is told can see it.
    if (next.lost.length > 0) this.#keepDeadLetter(unit, next.lost);
    for (const { piece, reason } of next.lost) this.#giveUp(piece.origin, 'failed', reason);
    return next;
  }

  #keepDeadLetter({ observer, sessionId }: DerivationUnit, lost: readonly FailedPiece[]): void {
    const dropped = this.#deadLetters.add({ observer, sessionId, pieces: lost.map(({ piece }) => piece) });
    if (dropped === 0) return;
    this.#log.warn(
      'dead letters dropped',
      `More was given up after the last attempt than ${this.#options.maxPending} messages; the oldest cannot be tried again.`,
    );
  }

  #giveUp(origin: QueuedMessage, outcome: 'failed' | 'skipped', reason: string): void {
    if (origin.giveUp(outcome, reason)) this.#settled(origin);
  }

  #settled(origin: QueuedMessage): void {
    this.#unsettled--;
    if (origin.end()) this.#inFlight--;
    origin.tell();
  }

  #retryLater(unit: DerivationUnit, attempts: number): void {
    unit.resting = true;
    this.#retries.add(attempts, () => {
      unit.resting = false;
      this.#units.offer(unit);
      this.#work();
    });
  }

  async #stop(drainMs: number): Promise<DerivationStopReport> {
    const drained = new AbortController();
    // A service that came back meanwhile is used for what there is time for.
    this.#pause.tryNow();
    const deadline = setTimeout(() => drained.abort(), Math.min(drainMs, LONGEST_TIMER_MS));
    try {
      // What never started has nobody to drain it, and without time nothing is drained.
      if (this.#started && drainMs > 0) await this.whenIdle(undefined, drained.signal).catch(() => undefined);
    } finally {
      clearTimeout(deadline);
    }
    this.#started = false;
    this.#retries.cancel();
    this.#pause.cancel();
    this.#aborting.abort(queueStopped());
    const unfinished = this.#unsettled;
    for (const unit of this.#units.all()) {
      for (const { origin } of [...unit.inFlight, ...unit.waiting.splice(0)])
        this.#giveUp(origin, 'failed', DERIVATION_FAILURES.STOPPED);
    }
    this.#units.stop();
    // Also what a deriver still holds that does not heed its signal: nobody need wait for it any more.
    for (const unit of this.#units.all()) unit.idle.release();
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
    for (const one of unit === undefined ? this.#units.all() : [unit]) {
      if (one.isIdle) one.idle.release();
    }
    if (this.#isIdle) this.#allIdle.release();
  }
}
