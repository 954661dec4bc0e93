import type { Clock } from '../../domain/clock.js';
import type { Outage } from '../../domain/outage.js';
import type { DerivationOutage } from '../../ports/derivation-queue.js';

/** The longest wait between two tries, in milliseconds, where the service names no time. */
const LONGEST_DELAY_MS = 60_000;
/** The longest time that a service may ask for, in milliseconds: a slip of its configuration must not end the memory. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** A try of the service: one while it is away, any number while it is there. */
export interface ServiceTry {
  readonly isProbe: boolean;
}

/**
 * Holds work back while the service that it needs is away. One try is let through after a while; as long as that fails the
 * wait doubles, up to a minute, and is at least as long as the service asks for.
 */
export class OutagePause {
  #outage: DerivationOutage | undefined;
  #delayMs = 0;
  #probe: 'none' | 'waiting' | 'due' | 'running' = 'none';
  #cancel: () => void = () => undefined;

  /**
   * @param options.firstDelayMs the wait before the first try, in milliseconds
   * @param options.onDue called when it is time for a try
   * @param options.onChange called with the outage when it begins, and without one when it has passed
   */
  constructor(
    private readonly options: {
      readonly clock: Clock;
      readonly firstDelayMs: number;
      readonly onDue: () => void;
      readonly onChange: (outage: DerivationOutage | undefined) => void;
    },
  ) {}

  /** The outage that is on. */
  get outage(): DerivationOutage | undefined {
    return this.#outage;
  }

  /** Whether work may begin: any while the service is there, one piece when it is time for a try. */
  get allowsWork(): boolean {
    return this.#outage === undefined || this.#probe === 'due';
  }

  /** Work begins. The answer is to be handed back to {@link away} or {@link answered}. */
  begin(): ServiceTry {
    const isProbe = this.#probe === 'due';
    if (isProbe) this.#probe = 'running';
    return { isProbe };
  }

  /** The service was away when it was needed. */
  away({ isProbe }: ServiceTry, { reason, retryAfterMs = 0 }: Outage): void {
    // What was under way when the outage began says nothing new.
    if (this.#outage !== undefined && !isProbe) return;
    const { clock, firstDelayMs } = this.options;
    this.#delayMs =
      this.#outage === undefined
        ? firstDelayMs
        : Math.max(firstDelayMs, Math.min(LONGEST_DELAY_MS, Math.max(1, this.#delayMs) * 2));
    const began = this.#outage === undefined;
    this.#outage = Object.freeze({ reason, since: this.#outage?.since ?? clock.now() });
    const asked = Math.min(LONGEST_RETRY_AFTER_MS, retryAfterMs);
    this.#probe = 'waiting';
    // The process is kept alive for it: somebody waits for what is held back.
    this.#cancel = clock.schedule(Math.max(this.#delayMs, asked), () => this.tryNow(), { keepsProcessAlive: true });
    if (began) this.options.onChange(this.#outage);
  }

  /** The service was there, whatever else went wrong. */
  answered({ isProbe }: ServiceTry): void {
    if (!isProbe || this.#outage === undefined) return;
    this.#outage = undefined;
    this.#probe = 'none';
    this.options.onChange(undefined);
  }

  /** There was nothing to try the service with, after all. */
  untried({ isProbe }: ServiceTry): void {
    if (isProbe) this.#probe = 'due';
  }

  /** Lets the next try through without waiting any longer. */
  tryNow(): void {
    if (this.#probe !== 'waiting') return;
    this.#cancel();
    this.#probe = 'due';
    this.options.onDue();
  }

  /** Calls the next try off. */
  cancel(): void {
    this.#cancel();
  }
}
