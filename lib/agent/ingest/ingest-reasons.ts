import { SHUT_DOWN_REASON } from '../../domain/failure.js';

/** Why a message was left out on purpose: the reasons of `skipped` outcomes that the agent side gives. */
export const SKIP_REASONS = Object.freeze({
  /** Its history was rewritten before it was sent, by a compaction or a clearing. */
  REWRITTEN: 'rewritten',
  /** It is a summary that a compaction put in the place of what was said. */
  COMPACTION_SUMMARY: 'compaction summary',
  /** It was said in a fork, and forks are not taken in. */
  FORK: 'fork',
  /** The call names nobody whose memory it could be. */
  NO_PEER: 'no peer',
  /** It came after the memory was closed. */
  CLOSED: 'closed',
  /** It holds nothing but a memory block that was injected. */
  INJECTED_MEMORY: 'injected memory',
  /** It is the call or the result of one of our own tools. */
  MEMORY_TOOL: 'memory tool',
  /** Its peer was erased before it was handed over. */
  ERASED: 'erased',
  /** Ingestion is switched off. */
  OFF: 'ingest off',
  /** The memory has no INGEST tier. */
  NO_INGEST_TIER: 'no ingest tier',
} as const);

/** Why a message was lost before a backend had it: the reasons of `failed` outcomes that the agent side gives. */
export const FAILURE_REASONS = Object.freeze({
  /** Whose memory it is could not be found out. */
  NO_RESOLUTION: 'peer not resolved',
  /** The session's id is none. */
  INVALID_SESSION: 'invalid session id',
  /** It is no chat-completions message. */
  INVALID_MESSAGE: 'invalid message',
  /** Too much waits to be handed over. */
  QUEUE_FULL: 'queue full',
  /** It still waited when the memory had to close. */
  SHUT_DOWN: SHUT_DOWN_REASON,
  /** A backend that derives elsewhere took fewer messages than it was given. */
  NOT_ACCEPTED: 'not accepted',
  /** A sink of the application's own failed. */
  SINK: 'sink failed',
} as const);
