import 'reflect-metadata';

import { Type } from 'class-transformer';
import { IsOptional, ValidateNested } from 'class-validator';

import type { MemoryOptions } from '../settings/memory-settings.js';
import { IsMemorySetting } from './is-memory-setting.js';

/** The settings below `aimon.memory.session`. */
export class SessionConfiguration implements NonNullable<MemoryOptions['session']> {
  /** When a session that nobody uses is closed; at most `24d`, default `30m`. */
  @IsMemorySetting('session.idle-timeout')
  readonly idleTimeout?: NonNullable<MemoryOptions['session']>['idleTimeout'];
}

/** The settings below `aimon.memory.llm`. */
export class LlmConfiguration implements NonNullable<MemoryOptions['llm']> {
  /** The model's name, as the server knows it. Without it there is none. */
  @IsMemorySetting('llm.model')
  readonly model?: NonNullable<MemoryOptions['llm']>['model'];

  /** The server's key; may be absent with a `baseUrl`. */
  @IsMemorySetting('llm.api-key')
  readonly apiKey?: NonNullable<MemoryOptions['llm']>['apiKey'];

  /** The server, with the version in the path; default OpenAI's own. */
  @IsMemorySetting('llm.base-url')
  readonly baseUrl?: NonNullable<MemoryOptions['llm']>['baseUrl'];

  /** How long one call may take; at most `1h`, default `60s`. */
  @IsMemorySetting('llm.timeout')
  readonly timeout?: NonNullable<MemoryOptions['llm']>['timeout'];

  /** How often a call is tried again at once when the model is away for a moment; at least 0, default 2. */
  @IsMemorySetting('llm.max-retries')
  readonly maxRetries?: NonNullable<MemoryOptions['llm']>['maxRetries'];
}

/** The settings below `aimon.memory.queue`. */
export class QueueConfiguration implements NonNullable<MemoryOptions['queue']> {
  /** How many sessions are derived at once; at least 1, default 4. */
  @IsMemorySetting('queue.worker-count')
  readonly workerCount?: NonNullable<MemoryOptions['queue']>['workerCount'];

  /** The most tokens derived in one go; at least 1, default 8000. */
  @IsMemorySetting('queue.batch-max-tokens')
  readonly batchMaxTokens?: NonNullable<MemoryOptions['queue']>['batchMaxTokens'];

  /** How long a failed batch waits before its second attempt, then twice as long each time; at most `1h`, default `500ms`. */
  @IsMemorySetting('queue.poll-interval')
  readonly pollInterval?: NonNullable<MemoryOptions['queue']>['pollInterval'];

  /** How often a batch is tried; at least 1, default 5. */
  @IsMemorySetting('queue.max-attempts')
  readonly maxAttempts?: NonNullable<MemoryOptions['queue']>['maxAttempts'];

  /** How many messages may wait; beyond it a message fails as "queue full". At least 1, default 100 000. */
  @IsMemorySetting('queue.max-pending')
  readonly maxPending?: NonNullable<MemoryOptions['queue']>['maxPending'];
}

/** The settings below `aimon.memory.maintenance`. */
export class MaintenanceConfiguration implements NonNullable<MemoryOptions['maintenance']> {
  /** How often the store is tidied, `in-memory` only; at most `24d`, default `6h`. */
  @IsMemorySetting('maintenance.interval')
  readonly interval?: NonNullable<MemoryOptions['maintenance']>['interval'];

  /** How long a retired observation is kept; default `30d`. */
  @IsMemorySetting('maintenance.audit-window')
  readonly auditWindow?: NonNullable<MemoryOptions['maintenance']>['auditWindow'];

  /** How long a representation is kept that a newer one has replaced; default `90d`. */
  @IsMemorySetting('maintenance.representation-retention')
  readonly representationRetention?: NonNullable<MemoryOptions['maintenance']>['representationRetention'];
}

/** The settings below `aimon.memory.health`. */
export class HealthConfiguration implements NonNullable<MemoryOptions['health']> {
  /** Capabilities or keys of degradations: while one of these is missing, health is degraded. Default none. */
  @IsMemorySetting('health.required')
  readonly required?: NonNullable<MemoryOptions['health']>['required'];

  /** Whether degraded is told as down, with HTTP status 503; default false. */
  @IsMemorySetting('health.degraded-is-down')
  readonly degradedIsDown?: NonNullable<MemoryOptions['health']>['degradedIsDown'];
}

/**
 * The options of `MemoryModule.forRoot` as a class, for an application that binds its configuration with class-transformer
 * and checks it with class-validator: `plainToInstance(MemoryConfiguration, raw)`, `validateSync(configuration)`. Each
 * value is checked as when the application starts, with the same message; the groups are checked by class-validator's own
 * rules. Whether values go together is checked only at the start.
 */
export class MemoryConfiguration implements MemoryOptions {
  /** What stands behind the memory; default `none`, which wires nothing. */
  @IsMemorySetting('backend')
  readonly backend?: MemoryOptions['backend'];

  /** A `.properties`, `.yaml` or `.json` file with further settings, weaker than every other source. */
  @IsMemorySetting('settings-file')
  readonly settingsFile?: MemoryOptions['settingsFile'];

  /** The tenant; required unless the backend is `none` or `workspaceMode` is `caller`. */
  @IsMemorySetting('workspace-id')
  readonly workspaceId?: MemoryOptions['workspaceId'];

  /** `caller`: every session names its workspace. Default `fixed`. */
  @IsMemorySetting('workspace-mode')
  readonly workspaceMode?: MemoryOptions['workspaceMode'];

  /** `fixed`: one peer's memory. `caller`: that of whoever calls. Default `fixed`. */
  @IsMemorySetting('peer-mode')
  readonly peerMode?: MemoryOptions['peerMode'];

  /** Whose memory it is; required in `fixed`, refused in `caller`. */
  @IsMemorySetting('peer-id')
  readonly peerId?: MemoryOptions['peerId'];

  /** The peer's name for people and prompts; default its id. */
  @IsMemorySetting('peer-name')
  readonly peerName?: MemoryOptions['peerName'];

  /** What the peer is; default `USER`, refused in `caller`. */
  @IsMemorySetting('peer-type')
  readonly peerType?: MemoryOptions['peerType'];

  /** What a prompt starts with: the summary, or single observations too. Default `SUMMARY_ONLY`. */
  @IsMemorySetting('injection-mode')
  readonly injectionMode?: MemoryOptions['injectionMode'];

  /** The most tokens of memory in a prompt; default 0, no limit. */
  @IsMemorySetting('max-tokens')
  readonly maxTokens?: MemoryOptions['maxTokens'];

  /** How long a prompt waits for memory; at most `1h`, default `300ms`. */
  @IsMemorySetting('context-timeout')
  readonly contextTimeout?: MemoryOptions['contextTimeout'];

  /** What is masked before it is kept; default `default`. */
  @IsMemorySetting('redaction')
  readonly redaction?: MemoryOptions['redaction'];

  /** When sessions hand their conversation over; default `off`. */
  @IsMemorySetting('ingest')
  readonly ingest?: MemoryOptions['ingest'];

  /** Whether executions without a session of their own are taken in under the invoking session's id; default false. */
  @IsMemorySetting('ingest-forks')
  readonly ingestForks?: MemoryOptions['ingestForks'];

  /** How observations are drawn from conversations; default `none`. */
  @IsMemorySetting('deriver')
  readonly deriver?: MemoryOptions['deriver'];

  /** How long the application's shutdown waits for memory; at most `1h`, default `10s`. */
  @IsMemorySetting('shutdown-timeout')
  readonly shutdownTimeout?: MemoryOptions['shutdownTimeout'];

  /** What a session is held to. */
  @IsOptional()
  @ValidateNested()
  @Type(() => SessionConfiguration)
  readonly session?: SessionConfiguration;

  /** The language model that answers questions, and derives where `deriver` says so. */
  @IsOptional()
  @ValidateNested()
  @Type(() => LlmConfiguration)
  readonly llm?: LlmConfiguration;

  /** How the derivation queue works; refused without a `deriver`. */
  @IsOptional()
  @ValidateNested()
  @Type(() => QueueConfiguration)
  readonly queue?: QueueConfiguration;

  /** What is removed from the stores of the backend `in-memory`, and how often; refused with any other. */
  @IsOptional()
  @ValidateNested()
  @Type(() => MaintenanceConfiguration)
  readonly maintenance?: MaintenanceConfiguration;

  /** What the health of the memory is judged by. */
  @IsOptional()
  @ValidateNested()
  @Type(() => HealthConfiguration)
  readonly health?: HealthConfiguration;
}
