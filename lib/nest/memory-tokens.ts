import { TOKEN_PREFIX } from './token-prefix.js';

const token = (name: string): symbol => Symbol.for(TOKEN_PREFIX + name);

/** The memory itself, a `PeerMemory`, checked and masked; `undefined` under `backend = none`. */
export const PEER_MEMORY = token('PEER_MEMORY');

/** SNAPSHOT: a `MemorySnapshotReader`; `undefined` when the backend lacks it. */
export const MEMORY_SNAPSHOT_READER = token('MEMORY_SNAPSHOT_READER');
/** SEARCH: a `MemorySearcher`; `undefined` when the backend lacks it. */
export const MEMORY_SEARCHER = token('MEMORY_SEARCHER');
/** CHAT: a `DialecticEngine`; `undefined` when the backend lacks it. */
export const MEMORY_DIALECTIC_ENGINE = token('MEMORY_DIALECTIC_ENGINE');
/** OBSERVE: an `ObservationRecorder`; `undefined` when the backend lacks it. */
export const MEMORY_OBSERVATION_RECORDER = token('MEMORY_OBSERVATION_RECORDER');
/** INGEST: a `MemoryIngestor`; `undefined` when the backend lacks it. */
export const MEMORY_INGESTOR = token('MEMORY_INGESTOR');

/** The application-wide tools, a readonly array: one for each capability that has one; empty in caller mode and under none. */
export const MEMORY_TOOLS = token('MEMORY_TOOLS');

/** What a prompt starts with; it gives `undefined` where there is nothing to start with. */
export const MEMORY_CONTEXT_PROVIDER = token('MEMORY_CONTEXT_PROVIDER');

/** Takes in what an execution of an agent added to the conversation. */
export const MEMORY_EXECUTION_SINK = token('MEMORY_EXECUTION_SINK');

/** For the application to provide with `backend = supplied`: a `PeerMemory`. */
export const PEER_MEMORY_BACKEND = token('PEER_MEMORY_BACKEND');

/** For the application to provide with `backend = supplied`, instead of a `PeerMemory`: an `ObservationStore`. */
export const OBSERVATION_STORE = token('OBSERVATION_STORE');

/** For the application to provide with `backend = supplied`, instead of a `PeerMemory`: a `RepresentationStore`. */
export const REPRESENTATION_STORE = token('REPRESENTATION_STORE');

/** For the application to provide, where the default backend is built: an `ObservationIndex` instead of ours. */
export const OBSERVATION_INDEX = token('OBSERVATION_INDEX');

/** For the application to provide with `redaction = supplied`: a `RedactionPolicy`. */
export const MEMORY_REDACTION_POLICY = token('MEMORY_REDACTION_POLICY');

/** For the application to provide in caller mode, where the session's own principal is not enough: a `MemoryPeerResolver`. */
export const MEMORY_PEER_RESOLVER = token('MEMORY_PEER_RESOLVER');

/** For the application to provide where `MemoryInterceptor` is used: a `MemoryCallerFunction`, who calls in a request. */
export const MEMORY_CALLER = token('MEMORY_CALLER');
