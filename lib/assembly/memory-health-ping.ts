import { abortable } from '../domain/abortable.js';
import { SYSTEM_CLOCK, type Clock } from '../domain/clock.js';
import { failureKind } from '../domain/failure.js';

/** How long a backend has to answer a ping, in milliseconds. */
export const PING_DEADLINE_MS = 2000;

/** The longest pause between pings that nobody ends, in milliseconds. */
export const LONGEST_PING_PAUSE_MS = 60_000;

/** How many pings that nobody ended may be left behind before there is a pause. */
export const MOST_PINGS_LEFT = 5;

/** How a ping ended; where it was not answered, why, in words of our own. */
export interface PingOutcome {
  readonly ended: 'answered' | 'failed' | 'given-up';
  readonly reason?: string;
  /** The code of the error, or its class. */
  readonly error?: string;
}

const ANSWERED: PingOutcome = Object.freeze({ ended: 'answered' });
const FAILED: PingOutcome = Object.freeze({ ended: 'failed', reason: 'ping failed' });
const TOO_SLOW: PingOutcome = Object.freeze({
  ended: 'failed',
  reason: `ping took longer than ${PING_DEADLINE_MS} ms`,
});
const PAUSED: PingOutcome = Object.freeze({
  ended: 'failed',
  reason: 'not asked now: earlier pings have not ended',
});
const GIVEN_UP: PingOutcome = Object.freeze({
  ended: 'given-up',
  reason: 'the check was given up before the ping answered',
});

// A code, or a class by its customary ending, and not a text that an error was given for a name. Digits are left out: keys
// have them, codes need none.
const SHOWN_KIND = /^(?:[A-Z][A-Z_]{1,63}|(?:[A-Z][A-Za-z]{0,59})?(?:Error|Exception))$/;

/**
 * Asks a backend whether it answers. Whoever asks while a ping runs shares it. A backend that ignores the abort leaves its
 * ping running. Once {@link MOST_PINGS_LEFT} are left behind, each further one is followed by a pause, twice as long each
 * time, up to {@link LONGEST_PING_PAUSE_MS}: a backend that hangs collects a few, not one for each probe. One that answers
 * again ends the pauses.
 */
export class MemoryHealthPing {
  readonly #ping: (signal: AbortSignal) => unknown;
  readonly #clock: Clock;
  #running: Promise<PingOutcome> | undefined;
  #leftRunning = 0;
  #pauseMs = 0;
  #endPause: (() => void) | undefined;

  constructor(ping: (signal: AbortSignal) => unknown, clock: Clock = SYSTEM_CLOCK) {
    this.#ping = ping;
    this.#clock = clock;
  }

  /** How the ping ended, within its deadline; never rejects. Who aborts leaves, and the ping goes on for the others. */
  async outcome(signal?: AbortSignal): Promise<PingOutcome> {
    if (signal?.aborted === true) return GIVEN_UP;
    if (this.#running === undefined && this.#endPause !== undefined) return PAUSED;
    this.#running ??= this.#begin();
    return abortable(this.#running, signal).catch(() => GIVEN_UP);
  }

  #begin(): Promise<PingOutcome> {
    return new Promise((resolve) => {
      const abort = new AbortController();
      let late = false;
      const end = (outcome: PingOutcome): void => {
        this.#running = undefined;
        resolve(outcome);
      };
      const stopWaiting = this.#clock.schedule(
        PING_DEADLINE_MS,
        () => {
          late = true;
          this.#leave();
          end(TOO_SLOW);
          abort.abort(new DOMException(`The ping was given ${PING_DEADLINE_MS} ms.`, 'TimeoutError'));
        },
        { keepsProcessAlive: true },
      );
      const settle = (outcome: PingOutcome): void => {
        stopWaiting();
        if (late) this.#cameBack();
        else end(outcome);
        if (!late && outcome === ANSWERED) this.#pauseMs = 0;
      };
      // Async, so that a ping which throws or answers with what is no promise ends like any other.
      (async () => this.#ping(abort.signal))().then(
        () => settle(ANSWERED),
        (error: unknown) => settle(failed(error)),
      );
    });
  }

  #leave(): void {
    this.#leftRunning += 1;
    if (this.#leftRunning < MOST_PINGS_LEFT) return;
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, PING_DEADLINE_MS), LONGEST_PING_PAUSE_MS);
    this.#endPause = this.#clock.schedule(this.#pauseMs, () => (this.#endPause = undefined));
  }

  // It says nothing about now; it only makes room for the next.
  #cameBack(): void {
    this.#leftRunning -= 1;
    if (this.#leftRunning >= MOST_PINGS_LEFT) return;
    this.#pauseMs = 0;
    this.#endPause?.();
    this.#endPause = undefined;
  }
}

function failed(error: unknown): PingOutcome {
  const kind = failureKind(error);
  return SHOWN_KIND.test(kind) ? { ...FAILED, error: kind } : FAILED;
}
