import type { MemoryLogger } from '../../domain/memory-logger.js';
import type { LlmClient } from '../../ports/llm-client.js';
import type { ObservationRecorder } from '../../spi/observe.js';
import type { MemorySearcher } from '../../spi/search.js';
import type { SessionRepresentations } from './session-representations.js';

/** What a deriver that asks a language model is made of. */
export interface LlmDeriverOptions {
  /** The model. */
  readonly llm: LlmClient;
  /** Where observations go; the one that masks. */
  readonly recorder: ObservationRecorder;
  /** Finds what is known, so that it is not written a second time. Default: nothing is looked for. */
  readonly searcher?: MemorySearcher;
  /** Writes the session's LOCAL representation after each batch from which something was derived. Default: none is written. */
  readonly representations?: SessionRepresentations;
  /** The names under which the agent speaks in messages of role `assistant`; default none. */
  readonly agentNames?: readonly string[];
  /** The time of a message that has none. Default: the system's. */
  readonly clock?: () => Date;
  /** Where it is said that an answer could not be used. Default: nowhere. */
  readonly logger?: MemoryLogger;
}
