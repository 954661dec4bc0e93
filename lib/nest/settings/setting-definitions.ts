import { INGEST_MODES } from '../../agent/ingest/ingest-mode.js';
import { DegradationKey } from '../../assembly/degradations.js';
import { PRINCIPAL_TYPES } from '../../domain/principal.js';
import { MEMORY_CAPABILITIES } from '../../spi/peer-memory.js';
import { SNAPSHOT_MODES } from '../../spi/snapshot.js';
import type { SettingDefinition } from './setting-definition.js';
import {
  count,
  cron,
  flag,
  fraction,
  identity,
  names,
  path,
  secret,
  selector,
  size,
  span,
  text,
  url,
} from './setting-kinds.js';

// What a timer of Node can wait for is a little more.
const LONGEST_WAIT = '24d';
const LONGEST_AGE = '36500d';
const later = true;

const BACKENDS = ['none', 'in-memory', 'file', 'supplied', 'remote'];
const PROTOCOLS = ['aimon', 'honcho', 'dyad'];

/** A protocol of the remote backend was a backend of its own once. */
const protocolAdvice = (given: unknown): string | undefined =>
  given === 'honcho' || given === 'dyad'
    ? `which is a protocol of the remote backend; set aimon.memory.backend to remote and aimon.memory.remote.protocol to ${given}. The backend remote is not available in this version`
    : undefined;

/** Every setting of the library, in the order of the documentation. */
export const SETTING_DEFINITIONS: readonly SettingDefinition[] = [
  selector('backend', BACKENDS, 'none', {
    about:
      'What stands behind the memory. `none`: everything can be injected and does nothing, health is up and says so. `in-memory` is lost when the process exits. `supplied`: the application provides `PEER_MEMORY_BACKEND`, or `OBSERVATION_STORE` and/or `REPRESENTATION_STORE`. Any setting beside an unset backend is refused.',
    laterValues: ['file', 'remote'],
    adviceFor: protocolAdvice,
  }),
  path('settings-file', 'the path of a .properties, .yaml, .yml or .json file', {
    about: 'A file with further settings, weaker than every other source; relative to the working directory.',
    onlyFrom: ['options', 'environment'],
  }),
  identity('workspace-id', {
    about: 'The tenant. Required with a backend, unless `workspace-mode` is `caller`, where it is refused.',
  }),
  selector('workspace-mode', ['fixed', 'caller'], 'fixed', {
    about: '`caller`: every session names its workspace, for many tenants. Needs `peer-mode` `caller`.',
  }),
  selector('peer-mode', ['fixed', 'caller'], 'fixed', {
    about: "`fixed`: one peer's memory. `caller`: that of whoever calls; every session names its principal.",
  }),
  identity('peer-id', { about: 'Whose memory it is. Required in `fixed`, refused in `caller`.' }),
  text('peer-name', { about: 'The name in prompts; without one, the id. Refused in `caller`.' }),
  selector('peer-type', PRINCIPAL_TYPES, 'USER', { about: 'What the peer is. Refused in `caller`.' }),
  selector('injection-mode', SNAPSHOT_MODES, 'SUMMARY_ONLY', {
    about: 'What a prompt starts with: the summary, or single facts too.',
  }),
  count('max-tokens', 0, 0, { about: 'The most tokens of memory in a prompt; 0: no limit.' }),
  span('context-timeout', '300ms', '1h', { about: 'How long a prompt waits for memory; then it goes without.' }),
  selector('redaction', ['default', 'strict', 'supplied', 'none'], 'default', {
    about:
      'What is masked before it is kept. `strict`: values after misspelt keywords too. `supplied`: the application provides `MEMORY_REDACTION_POLICY`. `none` is raised as a fault, and refused with `remote`.',
  }),
  selector('ingest', INGEST_MODES, 'off', { about: 'When a session hands over what was said.' }),
  flag('ingest-forks', false, { about: 'Whether `session.fork()` is taken in too. Needs `ingest`.' }),
  span('session.idle-timeout', '30m', LONGEST_WAIT, { about: 'When a session that nobody uses is closed.' }),
  path('storage-path', 'the path of a folder', {
    about: 'Where the memory is kept. Required in `file`, refused elsewhere.',
    later,
  }),
  flag('storage-fsync', true, {
    about: 'Whether a write returns only when it is on the disk. `file` only.',
    later,
  }),
  span('maintenance.interval', '6h', LONGEST_WAIT, {
    about: 'How often the store is tidied. Here and below: `in-memory` and `file` only.',
  }),
  span('maintenance.audit-window', '30d', LONGEST_AGE, {
    about: 'How long a retired observation is kept for history and export.',
  }),
  span('maintenance.representation-retention', '90d', LONGEST_AGE, {
    about: 'How long a representation is kept that a newer one has replaced.',
  }),
  selector('deriver', ['none', 'extractive', 'llm', 'react'], 'none', {
    about:
      'How observations are drawn from what was said. `extractive`: what people said, message by message, without a model. `llm` and `react` need `llm.model`.',
  }),
  flag('reconciler-enabled', false, {
    about:
      'Whether a model decides what a new fact replaces. Needs `llm.model`, and a deriver or the dreamer to call it.',
    later,
  }),
  flag('dreamer.enabled', false, {
    about: 'Whether the memory is consolidated at rest. Needs an observation store.',
    later,
  }),
  cron('dreamer.cron', '*/30 * * * *', {
    about: 'When: five fields, weekday 0 is Sunday. Here and below: refused unless `dreamer.enabled`.',
    later,
  }),
  fraction('dreamer.surprisal-threshold', 0.25, { about: 'Below it two observations may be one.', later }),
  count('dreamer.walk-seed-count', 1, 8, { about: 'With how many observations a cycle begins.', later }),
  count('dreamer.neighbor-top-k', 1, 8, { about: 'How many neighbours of each it looks at.', later }),
  selector('dreamer.scorer.type', ['llm', 'embedding'], 'llm', {
    about:
      'What judges how surprising an observation is. `llm` needs `llm.model`, `embedding` needs `embedding.provider`.',
    later,
  }),
  text('dreamer.scorer.llm.model', { about: 'The model that judges; default `llm.model`. Scorer `llm` only.', later }),
  text('llm.model', {
    about:
      'The model of any OpenAI-compatible server; questions are answered with it (CHAT). Needs the package `openai`, and an observation store. Refused with `remote`, or a `PEER_MEMORY_BACKEND`.',
  }),
  secret('llm.api-key', {
    about: 'Its key; may be absent with a base URL. Here and below: refused without `llm.model`.',
  }),
  url('llm.base-url', {
    about: "The server, with the version in the path, such as `http://localhost:11434/v1`; default OpenAI's.",
  }),
  span('llm.timeout', '60s', '1h', { about: 'How long one call may take.' }),
  count('llm.max-retries', 0, 2, {
    about:
      'How often a call is tried again at once when the model is away for a moment. A longer outage pauses deriving, whatever is set here, and uses up no attempt.',
  }),
  selector('embedding.provider', ['none', 'openai', 'local'], 'none', {
    about: 'What makes vectors of texts. `local`: in the process, no key, no network.',
    later,
  }),
  text('embedding.model', { about: 'The model. Here and below: refused while the provider is `none`.', later }),
  count('embedding.dimensions', 1, undefined, { about: 'How long the vectors are.', later }),
  secret('embedding.api-key', { about: 'The key; may be absent with a base URL. `openai` only.', later }),
  url('embedding.base-url', { about: "The server; default OpenAI's. `openai` only.", later }),
  count('queue.worker-count', 1, 4, {
    about: 'How many sessions are derived at once. Here and below: refused without a deriver.',
  }),
  count('queue.batch-max-tokens', 1, 8000, { about: 'The most tokens derived in one go.' }),
  span('queue.poll-interval', '500ms', '1h', {
    about: 'How long a failed batch waits before it is tried again; after each attempt twice as long, up to a minute.',
  }),
  count('queue.max-attempts', 1, 5, { about: 'How often a batch is tried.' }),
  count('queue.max-pending', 1, 100_000, {
    about: 'How many messages may wait; beyond it one fails as "queue full".',
  }),
  size('index.max-bytes', {
    about: 'Above it the search indexes of subjects that nobody asked for are dropped, and rebuilt on use.',
    later,
  }),
  url('remote.base-url', {
    about: 'Where the memory service is. Required in `remote`. Here and below: refused elsewhere.',
    later,
  }),
  secret('remote.token', { about: 'What the service knows this application by.', later }),
  span('remote.timeout', '10s', '1h', { about: 'How long one call may take.', later }),
  flag('remote.wait-for-derivation', false, {
    about: 'Whether taking in waits until observations are there. Refused with protocol `honcho`.',
    later,
  }),
  flag('remote.required', false, { about: 'Whether the application starts only when the service answers.', later }),
  selector('remote.protocol', PROTOCOLS, 'aimon', { about: 'What the service speaks.', later }),
  span('shutdown-timeout', '10s', '1h', { about: 'How long a shutdown waits for memory.' }),
  names('health.required', [...MEMORY_CAPABILITIES, ...Object.values(DegradationKey)], {
    about:
      'What the application cannot do without: while one of these is missing, health is degraded. By default nothing is named.',
  }),
  flag('health.degraded-is-down', false, { about: 'Whether degraded is told as down, with HTTP status 503.' }),
];

const BY_KEY: ReadonlyMap<string, SettingDefinition> = new Map(
  SETTING_DEFINITIONS.map((definition) => [definition.key, definition]),
);

/** The setting of this key, or `undefined`. */
export const settingOf = (key: string): SettingDefinition | undefined => BY_KEY.get(key);
