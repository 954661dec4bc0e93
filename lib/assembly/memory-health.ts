import type { IngestCounts, IngestOutcomes } from '../agent/ingest/ingest-outcomes.js';
import type { Clock } from '../domain/clock.js';
import { SILENT_LOGGER, type MemoryLogger } from '../domain/memory-logger.js';
import type { DerivationQueue, DerivationQueueStats } from '../ports/derivation-queue.js';
import { MEMORY_CAPABILITIES, type MemoryCapability } from '../spi/peer-memory.js';
import type { Degradation, Degradations } from './degradations.js';
import { MemoryHealthPing, type PingOutcome } from './memory-health-ping.js';
import type { MemoryHealthReport } from './memory-health-report.js';
import { MemoryHealthTexts, type ShownDegradation } from './memory-health-texts.js';

/** What an application expects of its memory. */
export interface MemoryHealthOptions {
  /**
   * Capabilities such as `SEARCH`, and keys of degradations such as `memory-tools`: a choice that is named here makes the
   * memory degraded, as a fault does unnamed. Default none.
   */
  readonly required?: readonly string[];
  /** Whether what would be `degraded` is `down`; default false. */
  readonly degradedIsDown?: boolean;
}

/** What the health of a memory is read from. */
export interface MemoryHealthParts extends MemoryHealthOptions {
  /** What the memory is called in the detail and in the log; what looks like a secret in it is masked. */
  readonly backendId: string;
  /** What the memory can do. */
  readonly capabilities: ReadonlySet<MemoryCapability>;
  /** What the memory does not do, read with each check. */
  readonly degradations: Pick<Degradations, 'all'>;
  /** How many messages ended how; shown where the memory has INGEST. */
  readonly outcomes: Pick<IngestOutcomes, 'counts'>;
  /** Where the memory derives by itself. */
  readonly queue?: Pick<DerivationQueue, 'stats'>;
  /** Settles when the backend answers, rejects when it cannot. A backend without one is never down. */
  readonly ping?: (signal: AbortSignal) => unknown;
  /** Whether the memory is being taken down, or was; it then does nothing any more. */
  readonly closed?: () => boolean;
  /** What the deadline of the ping is measured by; default the system's. */
  readonly clock?: Clock;
  /** Where a backend that does not answer is reported, once for each kind of failure, until it answers again. Default nowhere. */
  readonly logger?: MemoryLogger;
}

const NO_MEMORY: MemoryHealthReport = Object.freeze({ status: 'up', detail: Object.freeze({ backend: 'none' }) });

const QUEUE_FIGURES = [
  'pending',
  'inFlight',
  'deadLettered',
] as const satisfies readonly (keyof DerivationQueueStats)[];
const INGEST_FIGURES = [
  'stored',
  'nothingFound',
  'accepted',
  'failed',
  'skipped',
] as const satisfies readonly (keyof IngestCounts)[];

const CLOSED: PingOutcome = Object.freeze({ ended: 'failed', reason: 'the memory was closed' });

// So that kinds which vary with the call do not fill the log.
const MOST_KINDS_LOGGED = 10;

/** Whether a memory does what it was configured for; for a health endpoint of any framework. */
export class MemoryHealth {
  readonly #parts: MemoryHealthParts | undefined;
  readonly #ping: MemoryHealthPing | undefined;
  readonly #texts = new MemoryHealthTexts();
  readonly #backend: string;
  readonly #required: ReadonlySet<string>;
  readonly #logged = new Set<string>();

  /** @param parts left out where there is no memory, which is healthy */
  constructor(parts?: MemoryHealthParts) {
    this.#parts = parts;
    this.#ping = parts?.ping === undefined ? undefined : new MemoryHealthPing(parts.ping, parts.clock);
    this.#backend = this.#texts.masked(parts?.backendId);
    this.#required = new Set(parts?.required);
  }

  /**
   * Asks the backend, and reads what is degraded and what waits. Answers within 2 seconds, the time that a ping has; checks
   * that run at once share one ping. Never rejects: what cannot be read is a reason not to be up.
   *
   * @param options.signal lets go of a ping that is waited for; the answer is then `down`, since nothing is known
   */
  async check(options?: { readonly signal?: AbortSignal }): Promise<MemoryHealthReport> {
    if (this.#parts === undefined) return NO_MEMORY;
    try {
      if (this.#parts.closed?.() === true) return this.#report(this.#parts, CLOSED);
      const ping = await this.#ping?.outcome(options?.signal);
      this.#log(this.#parts, ping);
      return this.#report(this.#parts, ping);
    } catch {
      return { status: 'down', detail: { backend: this.#backend, reason: 'the check itself failed' } };
    }
  }

  #report(parts: MemoryHealthParts, ping: PingOutcome | undefined): MemoryHealthReport {
    const { capabilities, degradedIsDown = false } = parts;
    const reasons: string[] = [];
    // What an application made may fail when it is asked; that is told, and not thrown.
    const read = <T>(what: string, from: () => T): T | undefined => {
      try {
        return from();
      } catch {
        reasons.push(`${what} cannot be read`);
        return undefined;
      }
    };
    const raised = read('degradations', () => parts.degradations.all().map((one) => this.#judged(one))) ?? [];
    const { queue: stats, outcomes } = parts;
    const queue = stats && read('the figures of the queue', () => figures(QUEUE_FIGURES, stats.stats()));
    const ingest = capabilities.has('INGEST')
      ? read('the figures of the ingestion', () => figures(INGEST_FIGURES, outcomes.counts()))
      : undefined;
    const missing = MEMORY_CAPABILITIES.filter(
      (one) => this.#required.has(one) && !capabilities.has(one) && !raised.some(({ about }) => about === one),
    );
    if (missing.length > 0) reasons.push(`required and not there: ${missing.join(', ')}`);

    const degraded = reasons.length > 0 || raised.some(({ degrades }) => degrades);
    if (degraded && degradedIsDown) reasons.unshift('degraded, and aimon.memory.health.degraded-is-down is true');
    if (ping?.reason !== undefined) reasons.unshift(ping.reason);
    const down = ping?.reason !== undefined || (degraded && degradedIsDown);
    return {
      status: down ? 'down' : degraded ? 'degraded' : 'up',
      detail: {
        backend: this.#backend,
        ...(reasons.length > 0 && { reason: reasons.join('; ') }),
        ...(ping?.error !== undefined && { error: ping.error }),
        capabilities: MEMORY_CAPABILITIES.filter((one) => capabilities.has(one)),
        degradations: raised.map(({ shown }) => shown),
        ...(queue !== undefined && { queue }),
        ...(ingest !== undefined && { ingest }),
      },
    };
  }

  #judged(degradation: Degradation): {
    readonly shown: ShownDegradation;
    readonly about: MemoryCapability | undefined;
    readonly degrades: boolean;
  } {
    const { kind, key, capability: about } = degradation;
    const required = this.#required.has(key) || (about !== undefined && this.#required.has(about));
    return { shown: this.#texts.degradation(degradation), about, degrades: kind === 'fault' || required };
  }

  // Without the error's message: drivers put connection strings into theirs, and no rule recognises every password.
  #log({ logger = SILENT_LOGGER }: MemoryHealthParts, ping: PingOutcome | undefined): void {
    if (ping === undefined || ping.ended === 'given-up') return;
    try {
      if (ping.ended === 'answered') {
        if (this.#logged.size > 0) logger.log(`The memory "${this.#backend}" answers again.`);
        this.#logged.clear();
        return;
      }
      const why = `${ping.reason}${ping.error === undefined ? '' : ` (${ping.error})`}`;
      if (this.#logged.has(why) || this.#logged.size >= MOST_KINDS_LOGGED) return;
      this.#logged.add(why);
      logger.warn(
        `The memory "${this.#backend}" is down: ${why}. The message of an error is not written, since it may hold a password. ` +
          'Further cases of this kind are not logged until it answers again.',
      );
    } catch {
      // A logger that throws harms nobody.
    }
  }
}

/** These and no others of `source`, which may be the application's and hold anything. @throws TypeError for what is no number */
function figures<K extends string>(names: readonly K[], source: Readonly<Record<K, unknown>>): Record<K, number> {
  const found: Partial<Record<K, number>> = {};
  for (const name of names) {
    const figure = source[name];
    if (typeof figure !== 'number' || !Number.isFinite(figure)) throw new TypeError(`${name} is no number`);
    found[name] = figure;
  }
  return found as Record<K, number>;
}
