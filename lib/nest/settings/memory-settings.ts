import type { PrincipalType } from '../../domain/principal.js';
import type { IngestMode } from '../../agent/ingest/ingest-mode.js';
import type { SnapshotMode } from '../../spi/snapshot.js';

/** What stands behind the memory. */
export type MemoryBackend = 'none' | 'in-memory' | 'supplied';

/** The settings, read from every source, checked, with defaults filled in. Durations are in milliseconds. */
export interface MemorySettings {
  readonly backend: MemoryBackend;
  readonly workspaceId: string | undefined;
  readonly workspaceMode: 'fixed' | 'caller';
  readonly peerMode: 'fixed' | 'caller';
  readonly peerId: string | undefined;
  readonly peerName: string | undefined;
  readonly peerType: PrincipalType;
  readonly injectionMode: SnapshotMode;
  readonly maxTokens: number;
  readonly contextTimeout: number;
  readonly redaction: 'default' | 'strict' | 'supplied' | 'none';
  readonly ingest: IngestMode;
  readonly ingestForks: boolean;
  readonly sessionIdleTimeout: number;
  readonly deriver: 'none' | 'extractive' | 'llm' | 'react';
  readonly llmModel: string | undefined;
  readonly llmApiKey: string | undefined;
  readonly llmBaseUrl: string | undefined;
  readonly llmTimeout: number;
  readonly llmMaxRetries: number;
  readonly queueWorkerCount: number;
  readonly queueBatchMaxTokens: number;
  readonly queuePollInterval: number;
  readonly queueMaxAttempts: number;
  readonly queueMaxPending: number;
  readonly shutdownTimeout: number;
  readonly maintenanceInterval: number;
  readonly maintenanceAuditWindow: number;
  readonly maintenanceRepresentationRetention: number;
  /** Capabilities and keys of degradations. */
  readonly healthRequired: readonly string[];
  readonly healthDegradedIsDown: boolean;
}

/** A duration in code, as in the environment: `300ms`, `10s`, `5m`, `6h`, `2d`; each setting has its own longest. */
export type DurationText = string;

/** The settings as an application writes them in code: those of the documentation in camelCase, nested where a key has a dot. */
export interface MemoryOptions {
  /** What stands behind the memory; default `none`, which wires nothing. */
  readonly backend?: MemoryBackend;
  /** A `.properties`, `.yaml` or `.json` file with further settings, weaker than every other source. */
  readonly settingsFile?: string;
  /** The tenant; required unless the backend is `none` or `workspaceMode` is `caller`. */
  readonly workspaceId?: string;
  /** `caller`: every session names its workspace. Default `fixed`. */
  readonly workspaceMode?: 'fixed' | 'caller';
  /** `fixed`: one peer's memory. `caller`: that of whoever calls. Default `fixed`. */
  readonly peerMode?: 'fixed' | 'caller';
  /** Whose memory it is; required in `fixed`, refused in `caller`. */
  readonly peerId?: string;
  /** The peer's name for people and prompts; default its id. */
  readonly peerName?: string;
  /** What the peer is; default `USER`, refused in `caller`. */
  readonly peerType?: PrincipalType;
  /** What a prompt starts with: the summary, or single observations too. Default `SUMMARY_ONLY`. */
  readonly injectionMode?: SnapshotMode;
  /** The most tokens of memory in a prompt; default 0, no limit. */
  readonly maxTokens?: number;
  /** How long a prompt waits for memory; at most `1h`, default `300ms`. */
  readonly contextTimeout?: DurationText;
  /** What is masked before it is kept; default `default`. */
  readonly redaction?: 'default' | 'strict' | 'supplied' | 'none';
  /** When sessions hand their conversation over; default `off`. */
  readonly ingest?: IngestMode;
  /** Whether executions without a session of their own are taken in under the invoking session's id; default false. */
  readonly ingestForks?: boolean;
  /** What a session is held to, such as its `idleTimeout`. */
  readonly session?: {
    /** When a session that nobody uses is closed; at most `24d`, default `30m`. */
    readonly idleTimeout?: DurationText;
  };
  /**
   * How observations are drawn from conversations; default `none`. `extractive`: what people said, message by message;
   * `llm`, `react`: facts, by the model of `llm.model`, in one call for each batch or in steps.
   */
  readonly deriver?: 'none' | 'extractive' | 'llm' | 'react';
  /** The language model that answers questions, and derives where `deriver` says so; refused with a backend of your own. */
  readonly llm?: {
    /** The model's name, as the server knows it. Without it there is none. */
    readonly model?: string;
    /** The server's key; may be absent with a `baseUrl`. */
    readonly apiKey?: string;
    /** The server, with the version in the path; default OpenAI's own. */
    readonly baseUrl?: string;
    /** How long one call may take; at most `1h`, default `60s`. */
    readonly timeout?: DurationText;
    /** How often a call is tried again at once when the model is away for a moment; at least 0, default 2. */
    readonly maxRetries?: number;
  };
  /** How the derivation queue works; refused without a `deriver`. */
  readonly queue?: {
    /** How many sessions are derived at once; at least 1, default 4. */
    readonly workerCount?: number;
    /** The most tokens derived in one go; at least 1, default 8000. */
    readonly batchMaxTokens?: number;
    /** How long a failed batch waits before its second attempt, then twice as long each time; at most `1h`, default `500ms`. */
    readonly pollInterval?: DurationText;
    /** How often a batch is tried; at least 1, default 5. */
    readonly maxAttempts?: number;
    /** How many messages may wait; beyond it a message fails as "queue full". At least 1, default 100 000. */
    readonly maxPending?: number;
  };
  /** What is removed from the stores of the backend `in-memory`, and how often; refused with any other. */
  readonly maintenance?: {
    /** How often the store is tidied, `in-memory` only; at most `24d`, default `6h`. */
    readonly interval?: DurationText;
    /** How long a retired observation is kept; default `30d`. */
    readonly auditWindow?: DurationText;
    /** How long a representation is kept that a newer one has replaced; default `90d`. */
    readonly representationRetention?: DurationText;
  };
  /** How long the application's shutdown waits for memory; at most `1h`, default `10s`. */
  readonly shutdownTimeout?: DurationText;
  /** What the health of the memory is judged by. */
  readonly health?: {
    /** Capabilities or keys of degradations: while one of these is missing, health is degraded. Default none. */
    readonly required?: readonly string[] | string;
    /** Whether degraded is told as down, with HTTP status 503; default false. */
    readonly degradedIsDown?: boolean;
  };
}
