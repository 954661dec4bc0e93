/**
 * The root of every error that this library throws on purpose.
 *
 * `code` is stable and made for programs, `message` is a sentence for the person who must act.
 */
export class AimonError extends Error {
  /** A stable, upper-snake name of the kind of error, such as `INVALID_ARGUMENT`. */
  readonly code: string;

  /**
   * @param code upper snake, stable
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/**
 * A value handed to the library is not acceptable; the message names the field, the value and what is accepted. Its `code`
 * is `INVALID_ARGUMENT`.
 */
export class InvalidArgumentError extends AimonError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, options?: { cause?: unknown }) {
    super('INVALID_ARGUMENT', message, options);
  }
}

/**
 * The settings contradict each other or the providers that are there; thrown while the application starts. Its `code` is
 * `INVALID_CONFIGURATION`.
 */
export class InvalidConfigurationError extends AimonError {
  /** One sentence per fault, sorted. */
  readonly faults: readonly string[];

  /**
   * @param faults one sentence per fault, in any order; the message holds them all
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(faults: readonly string[], options?: { cause?: unknown }) {
    const sorted = [...faults].sort();
    super('INVALID_CONFIGURATION', `Memory configuration error: ${sorted.join(' | ')}`, options);
    this.faults = Object.freeze(sorted);
  }
}

/** A tier was demanded that the backend does not have. Its `code` is `CAPABILITY_MISSING`. */
export class CapabilityMissingError extends AimonError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, options?: { cause?: unknown }) {
    super('CAPABILITY_MISSING', message, options);
  }
}

/** A redaction policy failed or ran out of time. Nothing was written or sent. Its `code` is `REDACTION_FAILED`. */
export class RedactionError extends AimonError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, options?: { cause?: unknown }) {
    super('REDACTION_FAILED', message, options);
  }
}

/**
 * A store could not do what it was asked, or a memory or queue was closed; the driver's own error is the `cause`. Its `code`
 * is `STORE_FAILED`, unless a kind of its own has another.
 */
export class StoreError extends AimonError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   * @param code upper snake, stable; default `STORE_FAILED`
   */
  constructor(message: string, options?: { cause?: unknown }, code = 'STORE_FAILED') {
    super(code, message, options);
  }
}

/** Another process holds the store's lock. Its `code` is `STORE_LOCKED`. */
export class StoreLockedError extends StoreError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options, 'STORE_LOCKED');
  }
}

/** What is stored cannot be read back; nothing was changed. Its `code` is `STORE_CORRUPTED`. */
export class StoreCorruptedError extends StoreError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options, 'STORE_CORRUPTED');
  }
}

/** A remote memory service refused, failed or did not answer. Its `code` is `REMOTE_MEMORY_FAILED`. */
export class RemoteMemoryError extends AimonError {
  /** The HTTP status, or `undefined` when there was no answer. */
  readonly status: number | undefined;
  /** Whether the same call may be sent again. */
  readonly retryable: boolean;

  /**
   * @param message a sentence for the person who must act
   * @param init.status the HTTP status; absent when there was no answer
   * @param init.retryable whether the same call may be sent again
   * @param init.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, init: { status?: number; retryable: boolean; cause?: unknown }) {
    super('REMOTE_MEMORY_FAILED', message, { cause: init.cause });
    this.status = init.status;
    this.retryable = init.retryable;
  }
}

/** A language model or embedding server failed, refused a request or gave an unusable answer. Its `code` begins with `LLM_`. */
export class LlmError extends AimonError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   * @param code of a subclass; default `LLM_FAILED`
   */
  constructor(message: string, options?: { cause?: unknown }, code = 'LLM_FAILED') {
    super(code, message, options);
  }
}

/**
 * Why a language model or embedding server is away. `unreachable`: no connection, or a broken one; `timeout`: no answer in
 * time; `rate-limited`: asked too often; `quota`: nothing left to spend; `server-error`: it failed; `unauthorised`: it does
 * not take the key; `not-found`: there is no such model, or no such service at the address; `wrong-dimensions`: its vectors
 * are not of the size of those that are there; `not-installed`: the package that it is asked with is missing.
 */
export const LLM_OUTAGES = [
  'unreachable',
  'timeout',
  'rate-limited',
  'quota',
  'server-error',
  'unauthorised',
  'not-found',
  'wrong-dimensions',
  'not-installed',
] as const;
/** One of {@link LLM_OUTAGES}. */
export type LlmOutage = (typeof LLM_OUTAGES)[number];

/**
 * A language model or embedding server is away, or refuses whatever it is asked: any other request would fail as well, and
 * this one may succeed later. Who has work waiting pauses, and counts it as no attempt.
 */
export class LlmUnavailableError extends LlmError {
  /** Why. */
  readonly outage: LlmOutage;
  /** How long the server asks to be left alone, in milliseconds, at least 0; `undefined` when it does not say. */
  readonly retryAfterMs: number | undefined;

  /**
   * @param message a sentence for the person who must act
   * @param init.outage why
   * @param init.retryAfterMs how long the server asks to be left alone, in milliseconds; default: it does not say
   * @param init.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, init: { outage: LlmOutage; retryAfterMs?: number; cause?: unknown }) {
    super(message, { cause: init.cause }, 'LLM_UNAVAILABLE');
    this.outage = init.outage;
    this.retryAfterMs = init.retryAfterMs;
  }
}

/** A request is longer than the model can read. Sent again it fails again; a shorter one may not. */
export class LlmContextLengthError extends LlmError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options, 'LLM_CONTEXT_TOO_LONG');
  }
}

/** A language model or embedding server answered what cannot be used; asked again it may do better. */
export class LlmAnswerError extends LlmError {
  /**
   * @param message a sentence for the person who must act
   * @param options.cause what was thrown before it; kept as `cause`
   */
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options, 'LLM_ANSWER_UNUSABLE');
  }
}
