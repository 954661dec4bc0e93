import { requireWholeNumber } from '../domain/checks.js';
import { RedactionError } from '../domain/errors.js';
import { SILENT_LOGGER, type MemoryLogger } from '../domain/memory-logger.js';
import type { DialecticEngine, DialecticQuery } from '../spi/chat.js';
import type { MemoryIngestor, MemoryIngestRequest } from '../spi/ingest.js';
import type { ObservationDraft, ObservationRecorder } from '../spi/observe.js';
import type { MemoryCapability, PeerMemory } from '../spi/peer-memory.js';
import type { MemorySearcher, MemorySearchQuery } from '../spi/search.js';
import type { MemorySnapshotReader } from '../spi/snapshot.js';
import { ContentRedactor } from './content-redactor.js';
import { MessageRedactor } from './message-redactor.js';
import { ObservationRedactor } from './observation-redactor.js';
import { DEFAULT_REDACTION_DEADLINE_MS, RedactionBudget } from './redaction-budget.js';
import type { RedactionPolicy } from './redaction-policy.js';

/** How a {@link RedactingPeerMemory} works; every field is optional. */
export interface RedactingPeerMemoryOptions {
  /**
   * How long masking one request may take, in milliseconds, at least 1; default 10 000. Waiting for other texts to be
   * masked does not count.
   */
  readonly deadlineMs?: number;
  /** Where a failure to mask is reported, without any of the text; default: nowhere. */
  readonly logger?: MemoryLogger;
}

/**
 * The one gate: masks every text that a caller wrote before it reaches the memory inside. It has the tiers that the
 * memory inside has, and says of them what that memory says. SNAPSHOT takes no free text and is handed through.
 *
 * Ids, session ids and display names are identities and are not masked.
 *
 * Every tier that masks rejects with a {@link RedactionError} when the policy fails or the deadline passes, and with the
 * signal's reason when it aborts; the memory inside was not called then.
 */
export class RedactingPeerMemory implements PeerMemory {
  declare ping?: (signal?: AbortSignal) => Promise<void>;
  declare close?: () => Promise<void>;

  private readonly contents: ContentRedactor;
  private readonly messages: MessageRedactor;
  private readonly observations: ObservationRedactor;
  private readonly deadlineMs: number;
  private readonly logger: MemoryLogger;
  // By tier and not by object: one object may serve several.
  private readonly tiers = new Map<MemoryCapability, { readonly around: unknown; readonly wrapper: unknown }>();

  /**
   * @param delegate the memory inside; closed with this one
   * @param policy what finds and masks
   * @param options the deadline of masking one request, and where failures are reported; default 10 seconds and nowhere
   * @throws InvalidArgumentError when `deadlineMs` is not a whole number of at least 1
   */
  constructor(
    private readonly delegate: PeerMemory,
    private readonly policy: RedactionPolicy,
    options: RedactingPeerMemoryOptions = {},
  ) {
    const { deadlineMs = DEFAULT_REDACTION_DEADLINE_MS, logger = SILENT_LOGGER } = options;
    this.deadlineMs = requireWholeNumber('RedactingPeerMemoryOptions.deadlineMs', deadlineMs, 1);
    this.logger = logger;
    this.contents = new ContentRedactor(policy);
    this.messages = new MessageRedactor(policy, { deadlineMs });
    this.observations = new ObservationRedactor(policy);
    if (typeof delegate.ping === 'function') this.ping = async (signal) => delegate.ping?.(signal);
    if (typeof delegate.close === 'function') this.close = async () => delegate.close?.();
  }

  get backendId(): string {
    return this.delegate.backendId;
  }

  get snapshotReader(): MemorySnapshotReader | undefined {
    return this.delegate.snapshotReader;
  }

  get searcher(): MemorySearcher | undefined {
    return this.around('SEARCH', this.delegate.searcher, (searcher) => ({
      get ranksByScore() {
        return searcher.ranksByScore;
      },
      get narrowsBySession() {
        return searcher.narrowsBySession;
      },
      search: async (query) => searcher.search(await this.masked('SEARCH', query, this.maskSearch)),
    }));
  }

  get dialecticEngine(): DialecticEngine | undefined {
    return this.around('CHAT', this.delegate.dialecticEngine, (engine) => ({
      query: async (query) => engine.query(await this.masked('CHAT', query, this.maskQuestion)),
      queryStream: async (query, sink) => engine.queryStream(await this.masked('CHAT', query, this.maskQuestion), sink),
    }));
  }

  get observationRecorder(): ObservationRecorder | undefined {
    return this.around('OBSERVE', this.delegate.observationRecorder, (recorder) => ({
      get storesConfidence() {
        return recorder.storesConfidence;
      },
      get storesType() {
        return recorder.storesType;
      },
      observe: async (draft) => recorder.observe(await this.masked('OBSERVE', draft, this.maskDraft)),
    }));
  }

  get ingestor(): MemoryIngestor | undefined {
    return this.around('INGEST', this.delegate.ingestor, (ingestor) => ({
      ingest: async (request) => ingestor.ingest(await this.masked('INGEST', request, this.maskMessages)),
    }));
  }

  // One wrapper for each tier of the delegate, and none where it has none.
  private around<T extends object>(
    capability: MemoryCapability,
    tier: T | undefined | null,
    wrap: (tier: T) => T,
  ): T | undefined {
    if (tier === undefined || tier === null) return undefined;
    const known = this.tiers.get(capability);
    if (known?.around === tier) return known.wrapper as T;
    const wrapper = Object.freeze(wrap(tier));
    this.tiers.set(capability, { around: tier, wrapper });
    return wrapper;
  }

  private async masked<R extends { readonly signal?: AbortSignal }>(
    tier: MemoryCapability,
    request: R,
    mask: (request: R, budget: RedactionBudget) => Promise<R>,
  ): Promise<R> {
    try {
      const budget = new RedactionBudget(this.deadlineMs, request.signal);
      const masked = await mask(request, budget);
      budget.check();
      return masked;
    } catch (error) {
      if (error === request.signal?.reason && request.signal?.aborted === true) throw error;
      const failure = error instanceof RedactionError ? error : this.unforeseen(error);
      this.logger.error(`${tier} was refused, since its text could not be masked: ${failure.message}`);
      throw failure;
    }
  }

  // A fault of ours must not let text through either, nor quote it.
  private unforeseen(error: unknown): RedactionError {
    const kind = error instanceof Error ? error.constructor.name : typeof error;
    return new RedactionError(
      `Masking with the policy "${this.policy.name}" failed (${kind}). Nothing was written or sent.`,
    );
  }

  private readonly maskSearch = async (query: MemorySearchQuery, budget: RedactionBudget): Promise<MemorySearchQuery> =>
    Object.freeze({ ...query, query: (await this.contents.redact(query.query, budget)).content });

  private readonly maskQuestion = async (query: DialecticQuery, budget: RedactionBudget): Promise<DialecticQuery> =>
    Object.freeze({ ...query, question: (await this.contents.redact(query.question, budget)).content });

  private readonly maskMessages = async (
    request: MemoryIngestRequest,
    budget: RedactionBudget,
  ): Promise<MemoryIngestRequest> =>
    Object.freeze({ ...request, messages: await this.messages.redactWithin(request.messages, budget) });

  private readonly maskDraft = async (draft: ObservationDraft, budget: RedactionBudget): Promise<ObservationDraft> => {
    const { categories: _, ...masked } = await this.observations.mask(draft, budget);
    return Object.freeze({ ...draft, ...masked });
  };
}
