import {
  DegradationKey,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  LexicalIndex,
  MEMORY_CAPABILITIES,
  MEMORY_PEER_RESOLVER,
  MEMORY_REDACTION_POLICY,
  MemoryPeerResolver,
  OBSERVATION_INDEX,
  OBSERVATION_STORE,
  PEER_MEMORY_BACKEND,
  REPRESENTATION_STORE,
} from '@aimon/nestjs-memory';
import type { Provider } from '@nestjs/common';
import { RecordingPeerMemory } from '../../support/recording-peer-memory.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { faultsOf, SOURCES, type Settings, type Source } from './setting-sources.js';

const IN_MEMORY = { backend: 'in-memory', 'workspace-id': 'ops', 'peer-id': 'mina' };
const SUPPLIED = { ...IN_MEMORY, backend: 'supplied' };
const FILE = { ...IN_MEMORY, backend: 'file', 'storage-path': '/var/lib/memory' };
const REMOTE = { ...IN_MEMORY, backend: 'remote', 'remote.base-url': 'https://memory.example.com' };
const MODEL = { 'llm.model': 'small-1', 'llm.base-url': 'http://localhost:8000/v1' };

/** What a setting without an implementation is refused with, beside whatever else is wrong. */
const later = (key: string, value: string) =>
  `{${key}} is set to ${value}, but it is not available in this version; remove it.`;
const LATER_FILE =
  '{backend} is "file", which is not available in this version; it takes one of none, in-memory, supplied.';
const LATER_REMOTE =
  '{backend} is "remote", which is not available in this version; it takes one of none, in-memory, supplied.';
const LATER_PATH = later('storage-path', '"/var/lib/memory"');
const LATER_URL = later('remote.base-url', '"https://memory.example.com"');
const LATER_DREAMER = later('dreamer.enabled', '"true"');
const HIDDEN = 'a value that is not shown';

const ID = 'it takes text of 1 to 256 characters, no control characters and not only white space.';
const DURATION = (longest: string) =>
  `it takes a duration such as 300ms, 10s, 5m, 6h or 2d, at least 1ms and at most ${longest}.`;
const URL = 'it takes an address that begins with http:// or https:// and holds no user name and no password.';
const REQUIRABLE = [...MEMORY_CAPABILITIES, ...Object.values(DegradationKey)].join(', ');
const UNREAD = 'so it would not be read;';
const BY_ITSELF =
  'but the memory service derives, queues, indexes and calls models by itself, so it would not be read; remove it.';
const BY_BACKEND =
  'but the application provides PEER_MEMORY_BACKEND, which derives, queues, indexes and calls models by itself, so it would not be read; remove it, or provide OBSERVATION_STORE instead of a PeerMemory.';

const backend: Provider = { provide: PEER_MEMORY_BACKEND, useValue: new RecordingPeerMemory() };
const engine: Provider = {
  provide: PEER_MEMORY_BACKEND,
  useValue: { backendId: 'runbook', dialecticEngine: { query: () => undefined, queryStream: () => undefined } },
};
const observations: Provider = { provide: OBSERVATION_STORE, useValue: new InMemoryObservationStore() };
const representations: Provider = { provide: REPRESENTATION_STORE, useValue: new InMemoryRepresentationStore() };
const index: Provider = { provide: OBSERVATION_INDEX, useValue: new LexicalIndex() };
const policy: Provider = { provide: MEMORY_REDACTION_POLICY, useValue: { name: 'mine', redact: () => undefined } };
const resolver: Provider = { provide: MEMORY_PEER_RESOLVER, useValue: MemoryPeerResolver.caller() };

/**
 * `{key}` stands for the key as the source spells it, `<key>` for the key as the source would offer it. The faults are all
 * that the application is refused with.
 */
interface Case {
  readonly settings: Settings;
  readonly providers?: Provider[];
  readonly faults: readonly string[];
}

const ITSELF: Readonly<Record<string, Case>> = {
  'a misspelt key, with the nearest': {
    settings: { ...IN_MEMORY, backned: 'file' },
    faults: ['{backned} is no setting of the memory; did you mean <backend>? Otherwise remove it.'],
  },
  'a misspelt key below another': {
    settings: { ...IN_MEMORY, deriver: 'extractive', 'queue.worker-cuont': '2' },
    faults: [
      '{queue.worker-cuont} is no setting of the memory; did you mean <queue.worker-count>? Otherwise remove it.',
    ],
  },
  'a key like no other': {
    settings: { ...IN_MEMORY, colour: 'red' },
    faults: ['{colour} is no setting of the memory; remove it. The nearest name is <context-timeout>.'],
  },
  'a misspelt selector, with the nearest': {
    settings: { ...IN_MEMORY, backend: 'in-memmory' },
    faults: [
      '{backend} is "in-memmory"; it takes one of none, in-memory, supplied (not in this version: file, remote). Did you mean in-memory?',
    ],
  },
  'a selector like no other': {
    settings: { ...IN_MEMORY, ingest: 'sometimes' },
    faults: ['{ingest} is "sometimes"; it takes one of off, execution-end, session-end.'],
  },
  'a backend that is a protocol': {
    settings: { ...IN_MEMORY, backend: 'honcho' },
    faults: [
      '{backend} is "honcho", which is a protocol of the remote backend; set aimon.memory.backend to remote and aimon.memory.remote.protocol to honcho. The backend remote is not available in this version.',
    ],
  },
  'the other backend that is a protocol': {
    settings: { ...IN_MEMORY, backend: 'dyad' },
    faults: [
      '{backend} is "dyad", which is a protocol of the remote backend; set aimon.memory.backend to remote and aimon.memory.remote.protocol to dyad. The backend remote is not available in this version.',
    ],
  },
  'a blank workspace': {
    settings: { ...IN_MEMORY, 'workspace-id': '\u3000' },
    faults: [`{workspace-id} is "\u3000"; ${ID}`],
  },
  'a workspace that is too long': {
    settings: { ...IN_MEMORY, 'workspace-id': 'w'.repeat(257) },
    faults: [`{workspace-id} is "${'w'.repeat(77)}..."; ${ID}`],
  },
  'a blank peer': { settings: { ...IN_MEMORY, 'peer-id': '' }, faults: [`{peer-id} is ""; ${ID}`] },
  'a peer that is too long': {
    settings: { ...IN_MEMORY, 'peer-id': 'p'.repeat(257) },
    faults: [`{peer-id} is "${'p'.repeat(77)}..."; ${ID}`],
  },
  'a blank peer name': {
    settings: { ...IN_MEMORY, 'peer-name': '' },
    faults: [
      '{peer-name} is ""; it takes text of 1 to 256 characters, no control characters and not only white space.',
    ],
  },
  'a peer type of no kind': {
    settings: { ...IN_MEMORY, 'peer-type': 'user' },
    faults: ['{peer-type} is "user"; it takes one of USER, SYSTEM, SERVICE, GROUP. Did you mean USER?'],
  },
  'an injection mode in small letters': {
    settings: { ...IN_MEMORY, 'injection-mode': 'full' },
    faults: ['{injection-mode} is "full"; it takes one of SUMMARY_ONLY, FULL. Did you mean FULL?'],
  },
  'a number that is none': {
    settings: { ...IN_MEMORY, 'max-tokens': 'many' },
    faults: ['{max-tokens} is "many"; it takes a whole number of at least 0.'],
  },
  'a number below what is taken': {
    settings: { ...IN_MEMORY, deriver: 'extractive', 'queue.worker-count': '0' },
    faults: ['{queue.worker-count} is "0"; it takes a whole number of at least 1.'],
  },
  'a duration without a unit': {
    settings: { ...IN_MEMORY, 'context-timeout': '300' },
    faults: [`{context-timeout} is "300"; ${DURATION('1h')}`],
  },
  'a duration of nothing': {
    settings: { ...IN_MEMORY, 'shutdown-timeout': '0s' },
    faults: [`{shutdown-timeout} is "0s"; ${DURATION('1h')}`],
  },
  'a duration that no timer can wait for': {
    settings: { ...IN_MEMORY, 'session.idle-timeout': '25d' },
    faults: [`{session.idle-timeout} is "25d"; ${DURATION('24d')}`],
  },
  'an interval that no timer can wait for': {
    settings: { ...IN_MEMORY, 'maintenance.interval': '30d' },
    faults: [`{maintenance.interval} is "30d"; ${DURATION('24d')}`],
  },
  'a boolean in words': {
    settings: { ...IN_MEMORY, ingest: 'session-end', 'ingest-forks': 'yes' },
    faults: ['{ingest-forks} is "yes"; it takes true, false, 1 or 0.'],
  },
  'a required name that is none': {
    settings: { ...IN_MEMORY, 'health.required': 'SEARCH, memory-cht' },
    faults: [
      `{health.required} is "SEARCH, memory-cht", of which "memory-cht" is none that it takes, which are ${REQUIRABLE}. Did you mean memory-chat?`,
    ],
  },
  'a selector that is nearly one of a later version': {
    settings: { ...IN_MEMORY, backend: 'fil' },
    faults: [
      '{backend} is "fil"; it takes one of none, in-memory, supplied (not in this version: file, remote). Did you mean file? It is not available in this version.',
    ],
  },
  'a part of a name': {
    settings: { ...IN_MEMORY, 'idle-timeout': '5m', peer: 'kim' },
    faults: [
      '{idle-timeout} is no setting of the memory; did you mean <session.idle-timeout>? Otherwise remove it.',
      '{peer} is no setting of the memory; did you mean <peer-id>? Otherwise remove it.',
    ],
  },
  'a misspelt deriver': {
    settings: { ...IN_MEMORY, ...MODEL, deriver: 'lm' },
    faults: ['{deriver} is "lm"; it takes one of none, extractive, llm, react. Did you mean llm?'],
  },
  'a backend that is not there yet': { settings: FILE, faults: [LATER_FILE, LATER_PATH] },
  'the other backend that is not there yet': { settings: REMOTE, faults: [LATER_REMOTE, LATER_URL] },
  'a path with a line break': {
    settings: { ...FILE, 'storage-path': '/var\t/memory' },
    faults: [LATER_FILE, '{storage-path} is "/var\\t/memory"; it takes the path of a folder.'],
  },
  'a model without a name': {
    settings: { ...IN_MEMORY, 'llm.model': '', 'llm.base-url': 'http://localhost/v1' },
    faults: [
      '{llm.model} is ""; it takes text of 1 to 256 characters, no control characters and not only white space.',
    ],
  },
  'a key that no header can hold': {
    settings: { ...IN_MEMORY, ...MODEL, 'llm.api-key': 'sk-one two' },
    faults: [`{llm.api-key} is ${HIDDEN}; it takes text of 1 to 8192 ASCII characters without spaces.`],
  },
  'an address that is none': {
    settings: { ...IN_MEMORY, ...MODEL, 'llm.base-url': 'localhost:8000' },
    faults: [`{llm.base-url} is "localhost:8000"; ${URL}`],
  },
  'an address with a password': {
    settings: { ...REMOTE, 'remote.base-url': 'https://app:Winter4471@memory.example.com' },
    faults: [LATER_REMOTE, `{remote.base-url} is "https://…@memory.example.com"; ${URL}`],
  },
  'a number of retries below zero': {
    settings: { ...IN_MEMORY, ...MODEL, 'llm.max-retries': '-1' },
    faults: ['{llm.max-retries} is "-1"; it takes a whole number of at least 0.'],
  },
  'six fields of cron, with the five': {
    settings: { ...IN_MEMORY, ...MODEL, 'dreamer.enabled': 'true', 'dreamer.cron': '0 */30 * * * *' },
    faults: [
      '{dreamer.cron} is "0 */30 * * * *", that has six fields, the first of which would be seconds; it takes five: */30 * * * *.',
      LATER_DREAMER,
    ],
  },
  'a weekday that there is not': {
    settings: { ...IN_MEMORY, ...MODEL, 'dreamer.enabled': 'true', 'dreamer.cron': '0 3 * * 8' },
    faults: [
      '{dreamer.cron} is "0 3 * * 8"; it takes five fields, minute, hour, day of the month, month and weekday (0 is Sunday), such as */30 * * * *.',
      LATER_DREAMER,
    ],
  },
  'a threshold above one': {
    settings: { ...IN_MEMORY, ...MODEL, 'dreamer.enabled': 'true', 'dreamer.surprisal-threshold': '25' },
    faults: ['{dreamer.surprisal-threshold} is "25"; it takes a number from 0 to 1.', LATER_DREAMER],
  },
  'a size that is none': {
    settings: { ...IN_MEMORY, 'index.max-bytes': '512 megabytes' },
    faults: [
      '{index.max-bytes} is "512 megabytes"; it takes none, or a size such as 500000, 64kb, 512mb or 2gb (1kb is 1024 bytes), at least 1.',
    ],
  },
};

const TOGETHER: Readonly<Record<string, Case>> = {
  'settings without a backend': {
    settings: { 'workspace-id': 'ops' },
    faults: [
      '{workspace-id} is set to "ops", but no backend is, so nothing would be remembered; set aimon.memory.backend (none, to switch memory off), or remove it.',
    ],
  },
  'neither a workspace nor a peer': {
    settings: { backend: 'in-memory' },
    faults: [
      'aimon.memory.workspace-id (in code workspaceId, in the environment AIMON_MEMORY_WORKSPACE_ID) is not set; it takes the id of the tenant whose memory this is. Set it, or, for many tenants, set aimon.memory.workspace-mode and aimon.memory.peer-mode to caller.',
      'aimon.memory.peer-id (in code peerId, in the environment AIMON_MEMORY_PEER_ID) is not set; it takes the id of the peer whose memory this is. Set it, or set aimon.memory.peer-mode to caller for one memory per caller.',
    ],
  },
  'no peer, but a name of one': {
    settings: { backend: 'in-memory', 'workspace-id': 'ops', 'peer-name': 'Mina' },
    faults: [
      'aimon.memory.peer-id (in code peerId, in the environment AIMON_MEMORY_PEER_ID) is not set; it takes the id of the peer whose memory this is. Set it, or set aimon.memory.peer-mode to caller for one memory per caller, who has a name and a type already.',
    ],
  },
  'a peer in caller mode': {
    settings: { ...IN_MEMORY, 'peer-name': 'Mina', 'peer-type': 'USER', 'peer-mode': 'caller' },
    faults: ['{peer-id} is set to "mina"', '{peer-name} is set to "Mina"', '{peer-type} is set to "USER"'].map(
      (start) =>
        `${start}, but with peer-mode caller the peer is whoever calls; remove it, or set aimon.memory.peer-mode to fixed.`,
    ),
  },
  'a workspace in caller mode': {
    settings: { backend: 'in-memory', 'peer-mode': 'caller', 'workspace-mode': 'caller', 'workspace-id': 'ops' },
    faults: [
      '{workspace-id} is set to "ops", but with workspace-mode caller every session names its workspace; remove it, or set aimon.memory.workspace-mode to fixed.',
    ],
  },
  'one peer in the workspace of whoever calls': {
    settings: { backend: 'in-memory', 'workspace-mode': 'caller', 'peer-id': 'mina' },
    faults: [
      '{workspace-mode} is "caller", but the peer is fixed, and a peer lives in one workspace; set aimon.memory.peer-mode to caller, or aimon.memory.workspace-mode to fixed.',
    ],
  },
  'forks without ingestion': {
    settings: { ...IN_MEMORY, 'ingest-forks': 'true' },
    faults: [
      `{ingest-forks} is set to "true", but ingest is off, ${UNREAD} set aimon.memory.ingest to execution-end or session-end, or remove it.`,
    ],
  },
  'a queue without a deriver': {
    settings: { ...IN_MEMORY, 'queue.max-attempts': '3', 'queue.poll-interval': '1s' },
    faults: ['{queue.max-attempts} is set to "3"', '{queue.poll-interval} is set to "1s"'].map(
      (start) =>
        `${start}, but no deriver is, so there is no queue to read it; set aimon.memory.deriver to extractive, or remove it.`,
    ),
  },
  'a folder without the backend that uses it': {
    settings: { ...IN_MEMORY, 'storage-path': '/var/lib/memory', 'storage-fsync': 'false' },
    faults: [
      LATER_PATH,
      later('storage-fsync', '"false"'),
      ...['{storage-path} is set to "/var/lib/memory"', '{storage-fsync} is set to "false"'].map(
        (start) => `${start}, but the backend is in-memory, ${UNREAD} set aimon.memory.backend to file, or remove it.`,
      ),
    ],
  },
  'a file without a folder': {
    settings: { ...IN_MEMORY, backend: 'file' },
    faults: [
      LATER_FILE,
      'aimon.memory.storage-path (in code storagePath, in the environment AIMON_MEMORY_STORAGE_PATH) is not set; the backend file takes the folder that the memory is kept in. Set it, or choose another aimon.memory.backend.',
    ],
  },
  'a service without the backend that calls it': {
    settings: { ...IN_MEMORY, 'remote.base-url': 'https://memory.example.com', 'remote.token': 'tk-4471-winter' },
    faults: [
      LATER_URL,
      later('remote.token', HIDDEN),
      ...['{remote.base-url} is set to "https://memory.example.com"', `{remote.token} is set to ${HIDDEN}`].map(
        (start) =>
          `${start}, but the backend is in-memory, ${UNREAD} set aimon.memory.backend to remote, or remove it.`,
      ),
    ],
  },
  'a remote without an address': {
    settings: { ...IN_MEMORY, backend: 'remote' },
    faults: [
      LATER_REMOTE,
      'aimon.memory.remote.base-url (in code remote.baseUrl, in the environment AIMON_MEMORY_REMOTE_BASE_URL) is not set; the backend remote takes the address of the memory service. Set it, or choose another aimon.memory.backend.',
    ],
  },
  'a remote without redaction': {
    settings: { ...REMOTE, redaction: 'none' },
    faults: [
      LATER_REMOTE,
      LATER_URL,
      '{redaction} is "none", but with the backend remote what is said leaves this process; set it to default, or remove it.',
    ],
  },
  'a wait that the protocol cannot': {
    settings: { ...REMOTE, 'remote.protocol': 'honcho', 'remote.wait-for-derivation': 'true' },
    faults: [
      LATER_REMOTE,
      LATER_URL,
      later('remote.protocol', '"honcho"'),
      later('remote.wait-for-derivation', '"true"'),
      '{remote.wait-for-derivation} is set to true, but the protocol honcho cannot wait; remove it, or set aimon.memory.remote.protocol to aimon.',
    ],
  },
  'work of our own beside a remote': {
    settings: {
      ...REMOTE,
      deriver: 'extractive',
      'queue.worker-count': '2',
      'reconciler-enabled': 'true',
      'dreamer.enabled': 'true',
      'embedding.provider': 'local',
      'index.max-bytes': '1gb',
      'llm.model': 'small-1',
    },
    faults: [
      LATER_REMOTE,
      LATER_URL,
      later('reconciler-enabled', '"true"'),
      LATER_DREAMER,
      later('embedding.provider', '"local"'),
      later('index.max-bytes', '"1gb"'),
      ...[
        '{deriver} is set to "extractive"',
        '{queue.worker-count} is set to "2"',
        '{reconciler-enabled} is set to "true"',
        '{dreamer.enabled} is set to "true"',
        '{embedding.provider} is set to "local"',
        '{index.max-bytes} is set to "1gb"',
        '{llm.model} is set to "small-1"',
      ].map((start) => `${start}, ${BY_ITSELF}`),
    ],
  },
  'maintenance of what is not ours': {
    settings: { ...REMOTE, 'maintenance.audit-window': '7d' },
    faults: [
      LATER_REMOTE,
      LATER_URL,
      `{maintenance.audit-window} is set to "7d", but the backend is remote, ${UNREAD} set aimon.memory.backend to in-memory, or remove it.`,
    ],
  },
  'a deriver without a model': {
    settings: { ...IN_MEMORY, deriver: 'react' },
    faults: [
      '{deriver} is "react", which derives with a model, but aimon.memory.llm.model is not set; set it, or set aimon.memory.deriver to extractive.',
    ],
  },
  'a reconciler without a model and without anybody to call it': {
    settings: { ...IN_MEMORY, 'reconciler-enabled': 'true' },
    faults: [
      later('reconciler-enabled', '"true"'),
      '{reconciler-enabled} is set to true, but the reconciler needs a model (aimon.memory.llm.model) and a deriver or the dreamer to call it (aimon.memory.deriver, aimon.memory.dreamer.enabled); set them, or remove it.',
    ],
  },
  'settings of a model without one': {
    settings: { ...IN_MEMORY, 'llm.api-key': 'sk-4471-winter', 'llm.timeout': '5s' },
    faults: [
      ...[`{llm.api-key} is set to ${HIDDEN}`, '{llm.timeout} is set to "5s"'].map(
        (start) =>
          `${start}, but aimon.memory.llm.model is not, so no model is called and it would not be read; set aimon.memory.llm.model, or remove it.`,
      ),
    ],
  },
  'a model with neither a key nor an address': {
    settings: { ...IN_MEMORY, 'llm.model': 'small-1' },
    faults: [
      '{llm.model} is set to "small-1", but neither aimon.memory.llm.api-key nor aimon.memory.llm.base-url is, and OpenAI\'s own server asks for a key; set one of them, or remove it.',
    ],
  },
  'settings of vectors without a provider': {
    settings: { ...IN_MEMORY, 'embedding.model': 'small-1' },
    faults: [
      later('embedding.model', '"small-1"'),
      `{embedding.model} is set to "small-1", but aimon.memory.embedding.provider is none, ${UNREAD} set it to openai or local, or remove it.`,
    ],
  },
  'a key for vectors that are made here': {
    settings: { ...IN_MEMORY, 'embedding.provider': 'local', 'embedding.api-key': 'sk-4471-winter' },
    faults: [
      later('embedding.provider', '"local"'),
      later('embedding.api-key', HIDDEN),
      `{embedding.api-key} is set to ${HIDDEN}, but the provider is local, in this process, ${UNREAD} set aimon.memory.embedding.provider to openai, or remove it.`,
    ],
  },
  'vectors of a server with neither a key nor an address': {
    settings: { ...IN_MEMORY, 'embedding.provider': 'openai' },
    faults: [
      later('embedding.provider', '"openai"'),
      '{embedding.provider} is "openai", but neither aimon.memory.embedding.api-key nor aimon.memory.embedding.base-url is set, and OpenAI\'s own server asks for a key; set one of them, or set it to none or local.',
    ],
  },
  'settings of a dreamer that is not enabled': {
    settings: { ...IN_MEMORY, 'dreamer.cron': '0 3 * * *' },
    faults: [
      later('dreamer.cron', '"0 3 * * *"'),
      '{dreamer.cron} is set to "0 3 * * *", but aimon.memory.dreamer.enabled is not, so it would not be read; set aimon.memory.dreamer.enabled to true, or remove it.',
    ],
  },
  'a scorer without a model': {
    settings: { ...IN_MEMORY, 'dreamer.enabled': 'true' },
    faults: [
      LATER_DREAMER,
      'aimon.memory.dreamer.scorer.type is "llm", its default, which judges with a model, but aimon.memory.llm.model is not set; set it, or set aimon.memory.dreamer.scorer.type to embedding.',
    ],
  },
  'a scorer without vectors, and with the model of the other': {
    settings: {
      ...IN_MEMORY,
      'dreamer.enabled': 'true',
      'dreamer.scorer.type': 'embedding',
      'dreamer.scorer.llm.model': 'small-1',
    },
    faults: [
      LATER_DREAMER,
      later('dreamer.scorer.type', '"embedding"'),
      later('dreamer.scorer.llm.model', '"small-1"'),
      '{dreamer.scorer.type} is "embedding", which compares vectors, but aimon.memory.embedding.provider is none; set it to openai or local, or set aimon.memory.dreamer.scorer.type to llm.',
      `{dreamer.scorer.llm.model} is set to "small-1", but the scorer is embedding, ${UNREAD} set aimon.memory.dreamer.scorer.type to llm, or remove it.`,
    ],
  },
};

const PROVIDERS: Readonly<Record<string, Case>> = {
  'a backend beside none': {
    settings: { backend: 'none' },
    providers: [backend],
    faults: [
      '{backend} is "none", but the application provides PEER_MEMORY_BACKEND, which would be ignored; set aimon.memory.backend to supplied, or remove the provider.',
    ],
  },
  'parts beside none': {
    settings: { backend: 'none' },
    providers: [index, policy, resolver],
    faults: [
      '{backend} is "none", but the application provides OBSERVATION_INDEX, MEMORY_REDACTION_POLICY and MEMORY_PEER_RESOLVER, which would be ignored; set aimon.memory.backend to another, or remove the provider.',
    ],
  },
  'stores beside in-memory': {
    settings: IN_MEMORY,
    providers: [observations, representations],
    faults: [
      '{backend} is "in-memory", but the application provides OBSERVATION_STORE and REPRESENTATION_STORE, which would be ignored; set aimon.memory.backend to supplied, or remove the provider.',
    ],
  },
  'a store beside file': {
    settings: FILE,
    providers: [observations],
    faults: [
      LATER_FILE,
      LATER_PATH,
      '{backend} is "file", but the application provides OBSERVATION_STORE, which would be ignored; set aimon.memory.backend to supplied, or remove the provider.',
    ],
  },
  'a backend and an index beside remote': {
    settings: REMOTE,
    providers: [backend, index],
    faults: [
      LATER_REMOTE,
      LATER_URL,
      '{backend} is "remote", but the application provides PEER_MEMORY_BACKEND, which would be ignored; set aimon.memory.backend to supplied, or remove the provider.',
      '{backend} is "remote", but the application provides OBSERVATION_INDEX, which would be ignored; remove the provider, or choose a backend that this process searches.',
    ],
  },
  'supplied, and nobody supplies': {
    settings: SUPPLIED,
    faults: [
      '{backend} is "supplied", but the application provides no backend; provide PEER_MEMORY_BACKEND (a PeerMemory), or OBSERVATION_STORE and/or REPRESENTATION_STORE, through forRoot({ providers, imports }) or a global module.',
    ],
  },
  'supplied with both kinds': {
    settings: SUPPLIED,
    providers: [backend, observations],
    faults: [
      'The application provides PEER_MEMORY_BACKEND and OBSERVATION_STORE; a PeerMemory brings its own, and they would be ignored. Provide one or the other.',
    ],
  },
  'work of our own beside a whole backend': {
    settings: { ...SUPPLIED, deriver: 'extractive', 'queue.worker-count': '2', 'index.max-bytes': '1gb' },
    providers: [backend],
    faults: [
      later('index.max-bytes', '"1gb"'),
      ...[
        '{deriver} is set to "extractive"',
        '{queue.worker-count} is set to "2"',
        '{index.max-bytes} is set to "1gb"',
      ].map((start) => `${start}, ${BY_BACKEND}`),
    ],
  },
  'maintenance of a supplied backend': {
    settings: { ...SUPPLIED, 'maintenance.interval': '1h' },
    providers: [observations],
    faults: [
      `{maintenance.interval} is set to "1h", but the backend is supplied, ${UNREAD} set aimon.memory.backend to in-memory, or remove it.`,
    ],
  },
  'a deriver with nowhere to record': {
    settings: { ...SUPPLIED, deriver: 'extractive' },
    providers: [representations],
    faults: [
      '{deriver} is "extractive", but the application provides REPRESENTATION_STORE alone, and observations need a store; provide OBSERVATION_STORE too, or remove it.',
    ],
  },
  'an index with nothing to index': {
    settings: SUPPLIED,
    providers: [representations, index],
    faults: [
      'The application provides OBSERVATION_INDEX and REPRESENTATION_STORE, but no OBSERVATION_STORE to index, so it would be ignored; provide OBSERVATION_STORE too, or remove OBSERVATION_INDEX.',
    ],
  },
  'a queue beside a whole backend, said once': {
    settings: { ...SUPPLIED, 'queue.worker-count': '2', 'llm.timeout': '5s' },
    providers: [backend],
    faults: [
      ...['{queue.worker-count} is set to "2"', '{llm.timeout} is set to "5s"'].map(
        (start) => `${start}, ${BY_BACKEND}`,
      ),
    ],
  },
  'a dreamer with nothing to dream of': {
    settings: { ...SUPPLIED, ...MODEL, 'dreamer.enabled': 'true' },
    providers: [representations],
    faults: [
      LATER_DREAMER,
      '{dreamer.enabled} is set to true, but the application provides REPRESENTATION_STORE alone, and observations need a store; provide OBSERVATION_STORE too, or remove it.',
    ],
  },
  'a model with nothing to look for answers in': {
    settings: { ...SUPPLIED, ...MODEL },
    providers: [representations],
    faults: [
      '{llm.model} is set, but the application provides REPRESENTATION_STORE alone, and answers are looked for among observations; provide OBSERVATION_STORE too, or remove it.',
    ],
  },
  'a memory per caller without SNAPSHOT': {
    settings: { backend: 'supplied', 'workspace-id': 'ops', 'peer-mode': 'caller' },
    providers: [observations],
    faults: [
      '{peer-mode} is "caller", which needs SNAPSHOT, but the application provides OBSERVATION_STORE alone; provide REPRESENTATION_STORE too, or set aimon.memory.peer-mode to fixed.',
    ],
  },
  'a memory per caller whose backend has no SNAPSHOT': {
    settings: { backend: 'supplied', 'workspace-id': 'ops', 'peer-mode': 'caller' },
    providers: [engine],
    faults: [
      '{peer-mode} is "caller", which needs SNAPSHOT, but PEER_MEMORY_BACKEND has no snapshotReader; give it one, or set aimon.memory.peer-mode to fixed.',
    ],
  },
  'redaction supplied without a policy': {
    settings: { ...IN_MEMORY, redaction: 'supplied' },
    faults: [
      '{redaction} is "supplied", but the application provides no MEMORY_REDACTION_POLICY; provide one, or set aimon.memory.redaction to default.',
    ],
  },
  'a policy that would be ignored': {
    settings: { ...IN_MEMORY, redaction: 'none' },
    providers: [policy],
    faults: [
      '{redaction} is "none", but the application provides MEMORY_REDACTION_POLICY, which would be ignored; set aimon.memory.redaction to supplied, or remove the provider.',
    ],
  },
  'a resolver in fixed mode': {
    settings: { ...IN_MEMORY, 'peer-mode': 'fixed' },
    providers: [resolver],
    faults: [
      '{peer-mode} is "fixed", but the application provides MEMORY_PEER_RESOLVER, which would be ignored; set aimon.memory.peer-mode to caller, or remove the provider.',
    ],
  },
};

const MANY: Case = {
  settings: {
    backend: 'in-memory',
    'peer-mode': 'caller',
    'peer-id': 'mina',
    colour: 'red',
    'max-tokens': '-1',
    ingest: 'on',
  },
  providers: [observations, policy],
  faults: [
    '{colour} is no setting of the memory; remove it. The nearest name is <context-timeout>.',
    '{max-tokens} is "-1"; it takes a whole number of at least 0.',
    '{ingest} is "on"; it takes one of off, execution-end, session-end.',
    '{peer-id} is set to "mina", but with peer-mode caller the peer is whoever calls; remove it, or set aimon.memory.peer-mode to fixed.',
    'aimon.memory.workspace-id (in code workspaceId, in the environment AIMON_MEMORY_WORKSPACE_ID) is not set; it takes the id of the tenant whose memory this is. Set it, or, for many tenants, set aimon.memory.workspace-mode and aimon.memory.peer-mode to caller.',
    '{backend} is "in-memory", but the application provides OBSERVATION_STORE, which would be ignored; set aimon.memory.backend to supplied, or remove the provider.',
    'aimon.memory.redaction is "default", but the application provides MEMORY_REDACTION_POLICY, which would be ignored; set aimon.memory.redaction to supplied, or remove the provider.',
  ],
};

const worded = (text: string, { spelled, offered }: Source): string =>
  text
    .replaceAll(/\{([a-z-]+(?:\.[a-z-]+)*)\}/g, (_, key: string) => spelled(key))
    .replaceAll(/<([a-z.-]+)>/g, (_, key: string) => offered(key));

describe.each(SOURCES.map((source) => [source.name, source] as const))(
  'a boot is refused by what is in %s',
  (_, source) => {
    const check = async ({ settings, providers = [], faults }: Case): Promise<void> => {
      const expected = faults.map((text) => worded(text, source)).sort();
      expect(await faultsOf(source.modules(settings, providers, temporaryFolder()))).toEqual(expected);
    };

    describe('when a setting is wrong by itself', () => {
      it.each(Object.entries(ITSELF))('%s', (__, one) => check(one));
    });

    describe('when settings do not go together', () => {
      it.each(Object.entries(TOGETHER))('%s', (__, one) => check(one));
    });

    describe('when providers do not go with the settings', () => {
      it.each(Object.entries(PROVIDERS))('%s', (__, one) => check(one));
    });

    it('with all of it at once, sorted', () => check(MANY));
  },
);
