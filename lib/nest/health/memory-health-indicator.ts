import type { HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';

import type { MemoryHealth } from '../../assembly/memory-health.js';
import type { MemoryHealthReport } from '../../assembly/memory-health-report.js';

/** What a {@link MemoryHealthIndicator} is made of; `MemoryHealthModule` makes it. */
export interface MemoryHealthIndicatorParts {
  /** The health of the memory; `undefined` while the application has none. */
  readonly health: () => Pick<MemoryHealth, 'check'> | undefined;
  /** The service of terminus that makes answers. */
  readonly indicators: HealthIndicatorService;
  /** What the memory is called in an answer that names nothing else. */
  readonly key: string;
}

/**
 * The memory among the health indicators of terminus. Made by `MemoryHealthModule`; inject it by its class, that of a named
 * memory with `@InjectMemory(MemoryHealthIndicator, name)`.
 */
export class MemoryHealthIndicator {
  readonly #parts: MemoryHealthIndicatorParts;

  /** To be injected; made by hand where there is no `MemoryHealthModule`. */
  constructor(parts: MemoryHealthIndicatorParts) {
    this.#parts = parts;
  }

  /**
   * `up`, `degraded`, with which an endpoint of terminus still answers 200, or `down`, with which it answers 503. The detail
   * is that of `MemoryHealth`: plain JSON, without secrets and without anything that was said. Never rejects, and answers
   * within 2 seconds.
   *
   * @param key what the memory is called in the answer; default `memory`, and `memory-<name>` for a named one
   */
  async check(key: string = this.#parts.key): Promise<HealthIndicatorResult> {
    const { status, detail } = await this.#report();
    const indicator = this.#parts.indicators.check(key);
    if (status === 'up') return indicator.up({ ...detail });
    return status === 'degraded' ? indicator.degraded({ ...detail }) : indicator.down({ ...detail });
  }

  // An application may have put something else in the place of the health.
  async #report(): Promise<MemoryHealthReport> {
    try {
      const report = await this.#parts.health()?.check();
      return report ?? { status: 'down', detail: { backend: 'none', reason: 'no memory is registered' } };
    } catch {
      return { status: 'down', detail: { backend: 'unknown', reason: 'the check itself failed' } };
    }
  }
}
