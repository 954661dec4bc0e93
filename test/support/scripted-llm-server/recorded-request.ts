import type { IncomingHttpHeaders } from 'node:http';

/** A message as it was sent to the server. */
export interface SentMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments?: string };
  }[];
  readonly tool_call_id?: string;
}

/** A tool as it was sent to the server. */
export interface SentTool {
  readonly type: string;
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
}

/** The body of a request; a member that was not sent is `undefined`. */
export interface SentBody {
  readonly model: string;
  readonly messages: readonly SentMessage[];
  readonly tools?: readonly SentTool[];
  readonly tool_choice?: unknown;
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name: string; readonly schema: unknown; readonly strict?: boolean };
  };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  /** What is to be embedded. */
  readonly input?: readonly string[];
  readonly encoding_format?: string;
  readonly dimensions?: number;
}

/** A request that reached the server. */
export interface RecordedRequest {
  /** The base path and the query included. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: SentBody;
}
