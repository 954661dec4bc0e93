import { LlmError } from '../../domain/errors.js';

/** A parameter, or a value of one, that some servers of the API do not take. */
export type OptionalParameter =
  'response_format' | 'max_tokens' | 'max_completion_tokens' | 'temperature' | 'stream_options' | 'dimensions';

/** A server refuses a request because of parameters, without which it may take it. */
export class ParameterError extends LlmError {
  constructor(
    message: string,
    readonly parameters: ReadonlySet<OptionalParameter>,
    /** Whether it takes the parameter, but not this JSON Schema in it. */
    readonly onlyThisSchema: boolean,
  ) {
    super(message);
  }
}
