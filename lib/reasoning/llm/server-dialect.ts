import type { LlmRequest } from '../../ports/llm-client.js';
import { ParameterError } from './parameter-error.js';

/** What a server or its model turned out not to take. */
export type Unsupported = 'json_schema' | 'json_object' | 'max_tokens' | 'temperature' | 'stream_options';

/** What a server turned out not to take, learnt from its refusals. Only grows, so parallel calls may learn the same. */
export class ServerDialect {
  readonly #unsupported = new Set<Unsupported>();

  /**
   * What `send` answers, tried again without what the server refuses. That is remembered once the server has taken the
   * request without it: a refusal for another reason, which only mentions a parameter, teaches nothing.
   */
  async speak<T>(request: LlmRequest, send: (unsupported: ReadonlySet<Unsupported>) => Promise<T>): Promise<T> {
    const left = new Set(this.#unsupported);
    const learnt: Unsupported[] = [];
    // Ends, since each turn leaves out one thing more.
    for (;;) {
      try {
        const answer = await send(left);
        for (const one of learnt) this.#unsupported.add(one);
        return answer;
      } catch (error) {
        if (!(error instanceof ParameterError)) throw error;
        const next = withoutNext(error, request, left);
        if (next === undefined) throw error;
        left.add(next);
        // A schema that is refused says nothing of others.
        if (!error.onlyThisSchema) learnt.push(next);
      }
    }
  }
}

function withoutNext(
  { parameters }: ParameterError,
  request: LlmRequest,
  left: ReadonlySet<Unsupported>,
): Unsupported | undefined {
  const sent: Readonly<Record<Unsupported, boolean>> = {
    json_schema: parameters.has('response_format') && request.responseSchema !== undefined,
    json_object: parameters.has('response_format') && request.responseSchema !== undefined,
    max_tokens: parameters.has('max_tokens') && request.maxOutputTokens !== undefined,
    temperature: parameters.has('temperature') && request.temperature !== undefined,
    stream_options: parameters.has('stream_options'),
  };
  return (Object.keys(sent) as Unsupported[]).find((one) => sent[one] && !left.has(one));
}
