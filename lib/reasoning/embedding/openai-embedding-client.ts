import { requireFilledText, requireWholeNumber } from '../../domain/checks.js';
import { LlmUnavailableError } from '../../domain/errors.js';
import type { EmbeddingClient } from '../../ports/embedding-client.js';
import { throwIfError } from '../llm/chat-answer.js';
import { isObject } from '../llm/json-value.js';
import { OpenAiServer, type SendRequest } from '../llm/openai-server.js';
import type { OpenAiServerOptions } from '../llm/openai-server-options.js';
import { ParameterError } from '../llm/parameter-error.js';
import { jsonOf } from '../llm/response-body.js';
import { embeddingVectors } from './embedding-vectors.js';

/** What an OpenAI-compatible embedding model is asked with. */
export interface OpenAiEmbeddingClientOptions extends OpenAiServerOptions {
  /**
   * How many numbers a vector has; at least 1. A model that can choose is asked for as many, and vectors of another size are
   * refused. Default: as many as the first vector has.
   */
  readonly dimensions?: number;
  /** The most texts of one request; at least 1, default 32, which servers of one's own take too. */
  readonly maxBatchSize?: number;
  /** The most bytes of an answer; a longer one is cut off and unusable. At least 1, default 67 108 864. */
  readonly maxResponseBytes?: number;
}

/**
 * An embedding model behind the embeddings API of OpenAI or of any server that speaks it. Needs the package `openai`, which
 * the first call loads. `timeoutMs` bounds each request, of which many texts need several, one after another.
 */
export class OpenAiEmbeddingClient implements EmbeddingClient {
  readonly model: string;
  readonly #server: OpenAiServer;
  readonly #configured: number | undefined;
  readonly #maxBatchSize: number;
  readonly #maxResponseBytes: number;
  #dimensions: number | undefined;
  #choosesSize = true;

  /** @throws InvalidArgumentError */
  constructor(options: OpenAiEmbeddingClientOptions) {
    const owner = 'OpenAiEmbeddingClientOptions';
    const { model, dimensions, maxBatchSize = 32, maxResponseBytes = 64 * 1024 * 1024 } = options;
    const settings = 'aimon.memory.embedding';
    const names = { owner, kind: 'The embedding model', settings, timeoutName: `${owner}.timeoutMs` };
    this.#server = new OpenAiServer(names, options);
    this.model = model;
    if (dimensions !== undefined) requireWholeNumber(`${owner}.dimensions`, dimensions, 1);
    this.#configured = dimensions;
    this.#dimensions = dimensions;
    this.#maxBatchSize = requireWholeNumber(`${owner}.maxBatchSize`, maxBatchSize, 1);
    this.#maxResponseBytes = requireWholeNumber(`${owner}.maxResponseBytes`, maxResponseBytes, 1);
  }

  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    signal?.throwIfAborted();
    texts.forEach((text, index) => requireFilledText(`texts[${index}]`, text, 'text to embed'));
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += this.#maxBatchSize) {
      const batch = texts.slice(start, start + this.#maxBatchSize);
      vectors.push(...(await this.#server.call((send) => this.#embedBatch(batch, send), signal)));
    }
    return vectors;
  }

  async #embedBatch(batch: readonly string[], send: SendRequest): Promise<readonly Float32Array[]> {
    const response = await this.#ask(batch, send);
    const { label } = this.#server;
    const body = await jsonOf(response, label, { maxBytes: this.#maxResponseBytes });
    if (isObject(body)) throwIfError(body, label);
    const vectors = embeddingVectors(body, batch.length, label);
    for (const { length } of vectors) this.#requireSize(length);
    return vectors;
  }

  async #ask(batch: readonly string[], send: SendRequest): Promise<Response> {
    const dimensions = this.#choosesSize ? this.#configured : undefined;
    const request = (size: number | undefined): Promise<Response> =>
      send((client, options) =>
        client.embeddings
          .create(
            {
              model: this.model,
              input: [...batch],
              // Else the package asks for base64, which some servers do not know.
              encoding_format: 'float',
              ...(size !== undefined && { dimensions: size }),
            },
            options,
          )
          .asResponse(),
      );
    try {
      return await request(dimensions);
    } catch (error) {
      if (!(error instanceof ParameterError) || !error.parameters.has('dimensions') || dimensions === undefined)
        throw error;
      const response = await request(undefined);
      this.#choosesSize = false;
      return response;
    }
  }

  #requireSize(got: number): void {
    this.#dimensions ??= got;
    if (got === this.#dimensions) return;
    const { name, settings } = this.#server.label;
    throw new LlmUnavailableError(
      this.#configured === undefined
        ? `${name} answered with a vector of ${got} numbers after one of ${this.#dimensions}.`
        : `${name} answered with a vector of ${got} numbers, but ${settings}.dimensions is ${this.#configured}. Set it to ${got} and embed anew what was stored, or choose a model of that size.`,
      { outage: 'wrong-dimensions' },
    );
  }
}
