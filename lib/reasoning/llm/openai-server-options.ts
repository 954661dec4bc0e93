import type { Clock } from '../../domain/clock.js';

/** Where a server of the OpenAI API is, and how long it is waited for. Nothing of it is read from the environment. */
export interface OpenAiServerOptions {
  /** The model's name, as the server knows it. */
  readonly model: string;
  /**
   * Up to and with the version, such as `http://localhost:11434/v1`; every call goes there. A query, as some gateways want
   * it, is sent with each call. Default `https://api.openai.com/v1`.
   */
  readonly baseUrl?: string;
  /** May be absent with a base URL, since servers of one's own often take none. Appears in no error. */
  readonly apiKey?: string;
  /**
   * How long a call may take, to the last byte of the answer, in milliseconds; at least 1, default 60 000. For the first byte
   * Node itself waits no longer than 5 minutes.
   */
  readonly timeoutMs?: number;
  /** What time is read from and waited for by. Default: the system's. */
  readonly clock?: Clock;
}
