import { abortable } from '../../domain/abortable.js';
import { SYSTEM_CLOCK, type Clock } from '../../domain/clock.js';
import { LlmUnavailableError, type LlmOutage } from '../../domain/errors.js';
import type { LlmClient, LlmRequest, LlmResponse, LlmTextSink } from '../../ports/llm-client.js';

/** What may have passed a moment later. A key that is not taken, a model that is not there or money that is spent will not. */
const PASSES: ReadonlySet<LlmOutage> = new Set(['unreachable', 'timeout', 'rate-limited', 'server-error']);

const FIRST_DELAY_MS = 250;
/** The longest wait, in milliseconds: who needs longer is away, and the caller is told so. */
const LONGEST_DELAY_MS = 5000;

/**
 * Asks once more when a model was away for a moment, at most `maxRetries` times, after 250 ms, 500 ms and so on, or as long
 * as the server asks for. Not when it asks for more than 5 seconds, nor once a part of an answer has been told.
 */
export class RetryingLlmClient implements LlmClient {
  readonly #delegate: LlmClient;
  readonly #maxRetries: number;
  readonly #clock: Clock;

  constructor(options: { readonly delegate: LlmClient; readonly maxRetries: number; readonly clock?: Clock }) {
    this.#delegate = options.delegate;
    this.#maxRetries = options.maxRetries;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  complete(request: LlmRequest, signal?: AbortSignal): Promise<LlmResponse> {
    return this.#retried(() => this.#delegate.complete(request, signal), signal);
  }

  async stream(request: LlmRequest, sink: LlmTextSink, signal?: AbortSignal): Promise<LlmResponse> {
    let told = false;
    const noting: LlmTextSink = (delta) => {
      told = true;
      return sink(delta);
    };
    return this.#retried(
      () => this.#delegate.stream(request, noting, signal),
      signal,
      () => !told,
    );
  }

  async #retried(
    ask: () => Promise<LlmResponse>,
    signal: AbortSignal | undefined,
    mayRetry: () => boolean = () => true,
  ): Promise<LlmResponse> {
    for (let retry = 0; ; retry++) {
      try {
        return await ask();
      } catch (error) {
        const delayMs = retry < this.#maxRetries && mayRetry() ? delayAfter(error, retry) : undefined;
        if (delayMs === undefined) throw error;
        await this.#wait(delayMs, signal);
      }
    }
  }

  async #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    let cancel = (): void => undefined;
    const waited = new Promise<void>((resolve) => {
      cancel = this.#clock.schedule(ms, resolve, { keepsProcessAlive: true });
    });
    try {
      await abortable(waited, signal);
    } finally {
      cancel();
    }
  }
}

/** How long to wait before the next try, in milliseconds; `undefined` where another would be of no use now. */
function delayAfter(error: unknown, retry: number): number | undefined {
  if (!(error instanceof LlmUnavailableError) || !PASSES.has(error.outage)) return undefined;
  const delayMs = Math.max(FIRST_DELAY_MS * 2 ** retry, error.retryAfterMs ?? 0);
  return delayMs <= LONGEST_DELAY_MS ? delayMs : undefined;
}
