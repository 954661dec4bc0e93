import type { OpenAI } from 'openai';

import { abortable, reasonOf } from '../../domain/abortable.js';
import { requireFilledText, requireWholeNumber } from '../../domain/checks.js';
import { type Clock, LONGEST_TIMER_MS, SYSTEM_CLOCK } from '../../domain/clock.js';
import { InvalidArgumentError, LlmError, LlmUnavailableError } from '../../domain/errors.js';
import { failureKind } from '../../domain/failure.js';
import { CallDeadline } from './call-deadline.js';
import { loadOpenAiPackage } from './openai-package.js';
import type { OpenAiServerOptions } from './openai-server-options.js';
import { brokenConnection, textOf } from './response-body.js';
import { retryAfterMs } from './retry-after.js';
import { errorDetailIn } from './server-error-detail.js';
import { failureOf } from './server-failures.js';
import type { ServerLabel } from './server-label.js';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const LONGEST_ERROR_BYTES = 64 * 1024;

/** Sends one request of a call. May be called again in the same call, within the same time. */
export type SendRequest = (
  request: (client: OpenAI, options: { readonly signal: AbortSignal }) => PromiseLike<Response>,
) => Promise<Response>;

/** How a server and what was set for it are called in errors. */
export interface OpenAiServerNames {
  /** The options that it is made of, such as `OpenAiLlmClientOptions`. */
  readonly owner: string;
  /** Such as `The language model`. */
  readonly kind: string;
  /** What the settings that concern it start with, such as `aimon.memory.llm`. */
  readonly settings: string;
  /** What its `timeoutMs` is set with. */
  readonly timeoutName: string;
}

/** A server of the OpenAI API, through the package `openai`: where it is, how long it is waited for, what its failures mean. */
export class OpenAiServer {
  readonly label: ServerLabel;
  readonly #baseUrl: URL;
  readonly #apiKey: string | undefined;
  readonly #timeoutMs: number;
  readonly #clock: Clock;

  readonly #timeoutName: string;

  /** @throws InvalidArgumentError */
  constructor({ owner, kind, settings, timeoutName }: OpenAiServerNames, options: OpenAiServerOptions) {
    const { model, baseUrl, apiKey, timeoutMs = 60_000, clock = SYSTEM_CLOCK } = options;
    requireFilledText(`${owner}.model`, model, 'the name of a model');
    this.#baseUrl = requireBaseUrl(`${owner}.baseUrl`, baseUrl ?? DEFAULT_BASE_URL);
    this.#apiKey = requireApiKey(`${owner}.apiKey`, apiKey, baseUrl);
    this.#timeoutMs = requireWholeNumber(`${owner}.timeoutMs`, timeoutMs, 1, LONGEST_TIMER_MS);
    this.#clock = clock;
    this.#timeoutName = timeoutName;
    const { origin, pathname } = this.#baseUrl;
    this.label = { name: `${kind} ${model} at ${origin}${pathname.replace(/\/+$/, '')}`, settings };
  }

  /** Runs a call: what `work` sends and reads has to be done in time, and is dropped when `signal` aborts. */
  async call<T>(
    work: (send: SendRequest, deadline: CallDeadline) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    const deadline = new CallDeadline(this.#clock, this.#timeoutMs, () => this.#timedOut(), signal);
    try {
      const { OpenAI } = await abortable(loadOpenAiPackage(), deadline.signal);
      return await abortable(
        work((request) => this.#send(OpenAI, request, deadline.signal), deadline),
        deadline.signal,
      );
    } catch (error) {
      // Whatever an aborted call fails with, the reason is why it was aborted.
      throw deadline.signal.aborted ? reasonOf(deadline.signal) : error;
    } finally {
      deadline.over();
    }
  }

  async #send(Client: typeof OpenAI, request: Parameters<SendRequest>[0], signal: AbortSignal): Promise<Response> {
    let failure: LlmError | undefined;
    // The package keeps of an error's body only what is worded as it knows it, and reads bodies without end: so what is no
    // success is read here. It wraps what `fetch` throws, hence the variable; and hence a client for each request.
    const guardedFetch: typeof fetch = async (url, init) => {
      const response = await fetch(url, { ...init, headers: this.#headers(init?.headers) }).catch((error: unknown) => {
        throw (failure = brokenConnection(error, this.label, 'cannot be reached'));
      });
      if (response.ok) return response;
      throw (failure = await this.#failureIn(response));
    };
    try {
      return await request(this.#client(Client, guardedFetch), { signal });
    } catch (error) {
      throw failure ?? new LlmError(`${this.label.name} could not be asked: ${failureKind(error)}.`);
    }
  }

  // Everything that the package would else read from the environment is given.
  #client(Client: typeof OpenAI, guardedFetch: typeof fetch): OpenAI {
    return new Client({
      baseURL: this.#baseUrl.origin + this.#baseUrl.pathname,
      apiKey: 'put in by the guarded fetch',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      defaultQuery: Object.fromEntries(this.#baseUrl.searchParams),
      // Who waits for a server that is away is the queue, and not each call by itself.
      maxRetries: 0,
      timeout: LONGEST_TIMER_MS,
      logLevel: 'off',
      // A test with a document is no browser.
      dangerouslyAllowBrowser: true,
      fetch: guardedFetch,
    });
  }

  // The package adds headers that it finds in the environment, and some about the machine; neither was asked for.
  #headers(given: ConstructorParameters<typeof Headers>[0]): Headers {
    const all = new Headers(given);
    const kept = new Headers();
    for (const name of ['accept', 'content-type', 'user-agent']) {
      const value = all.get(name);
      if (value !== null) kept.set(name, value);
    }
    if (this.#apiKey !== undefined) kept.set('authorization', `Bearer ${this.#apiKey}`);
    return kept;
  }

  async #failureIn(response: Response): Promise<LlmError> {
    const text = await textOf(response, this.label, { maxBytes: LONGEST_ERROR_BYTES }).catch(() => '');
    const retryAfter = retryAfterMs(response.headers, this.#clock.now());
    return failureOf(response.status, errorDetailIn(text), this.label, retryAfter);
  }

  #timedOut(): LlmUnavailableError {
    const what = `${this.label.name} has not answered within ${this.#timeoutMs} ms`;
    return new LlmUnavailableError(`${what}; ${this.#timeoutName} is how long it may take.`, {
      outage: 'timeout',
    });
  }
}

function requireBaseUrl(field: string, value: unknown): URL {
  const accepted = 'it takes an http or https address such as http://localhost:11434/v1';
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  // The value is not shown: a password may stand in it.
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError(`${field} is no such address; ${accepted}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError(
      `${field} holds a user or a password; ${accepted}, and the secret belongs in apiKey.`,
    );
  }
  return url;
}

function requireApiKey(field: string, value: unknown, baseUrl: string | undefined): string | undefined {
  if (value === undefined && baseUrl !== undefined) return undefined;
  if (value === undefined)
    throw new InvalidArgumentError(`${field} is missing; OpenAI's own API takes no call without.`);
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new InvalidArgumentError(
      `${field} is empty or holds what no header can carry; it takes printable ASCII without spaces. Look for a line break at its end.`,
    );
  }
  return value;
}
