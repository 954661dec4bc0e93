import type { MemoryMessage } from '../domain/memory-message.js';
import type { PeerView } from '../domain/peer-view.js';

/** Reads what was said in a session a while ago, word by word, from wherever the application keeps its conversations. */
export interface TranscriptReader {
  /**
   * The last messages of a session, oldest first; empty where nothing is kept of it. Their words are sent to a language model
   * as they are: what must not get there is masked by the reader.
   */
  recentMessages(request: TranscriptRequest): Promise<readonly MemoryMessage[]>;
}

/** Which messages are to be read. */
export interface TranscriptRequest {
  /** Who the conversation is about. */
  readonly subject: PeerView;
  /** Who asks. Of a session that this peer may not read nothing is answered. */
  readonly observer: PeerView;
  /** The session. */
  readonly sessionId: string;
  /** How many messages at most, at least 1. */
  readonly limit: number;
  /** Aborts when nobody waits for the messages any more. */
  readonly signal?: AbortSignal;
}
