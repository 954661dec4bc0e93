import {
  MEMORY_REDACTION_POLICY,
  MemoryModule,
  type MemoryModuleOptions,
  OBSERVATION_STORE,
  InMemoryObservationStore,
  PEER_MEMORY_BACKEND,
  MEMORY_PEER_RESOLVER,
  MemoryPeerResolver,
  OBSERVATION_INDEX,
  LexicalIndex,
  REPRESENTATION_STORE,
  InMemoryRepresentationStore,
} from '@aimon/nestjs-memory';
import type { Provider } from '@nestjs/common';
import { boot, bootFailure, bootModules } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' } as const;
const PREFIX = 'Memory configuration error: ';

const refusal = (options: unknown, providers: Provider[] = []): Promise<string> =>
  bootFailure(() => boot({ ...(options as MemoryModuleOptions), providers }));

const backend: Provider = { provide: PEER_MEMORY_BACKEND, useValue: new RecordingPeerMemory() };
const observations: Provider = { provide: OBSERVATION_STORE, useValue: new InMemoryObservationStore() };
const representations: Provider = { provide: REPRESENTATION_STORE, useValue: new InMemoryRepresentationStore() };

describe('a setting that is wrong by itself stops the boot', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    [
      'an unknown backend, with the nearest',
      { ...ALICE, backend: 'in-memroy' },
      'backend is "in-memroy"; it takes one of none, in-memory, supplied, file, remote. Did you mean in-memory?',
    ],
    [
      'a backend that is not there yet',
      { ...ALICE, backend: 'file' },
      'backend is "file", which is not available in this version; it takes one of none, in-memory, supplied.',
    ],
    [
      'a deriver that is not there yet',
      { ...ALICE, deriver: 'llm' },
      'deriver is "llm", which is not available in this version; it takes one of none, extractive.',
    ],
    [
      'a key that is not there yet',
      { ...ALICE, storagePath: '/var/memory' },
      'storagePath is set, but it is not available in this version; remove it.',
    ],
    [
      'a nested key that is not there yet',
      { ...ALICE, llm: { model: 'a' } },
      'llm.model is set, but it is not available in this version; remove it.',
    ],
    [
      'a misspelt key, with the nearest',
      { ...ALICE, workspceId: 'ops' },
      'workspceId is no setting of the memory; did you mean workspaceId? Otherwise remove it.',
    ],
    ['a key like no other', { ...ALICE, colour: 'red' }, 'colour is no setting of the memory; remove it.'],
    [
      'a misspelt nested key',
      { ...ALICE, deriver: 'extractive', queue: { workers: 2 } },
      'queue.workers is no setting of the memory;',
    ],
    [
      'a group that is no object',
      { ...ALICE, deriver: 'extractive', queue: 4 },
      'queue is 4; it takes a plain object with the settings below it.',
    ],
    [
      'a blank workspace id',
      { ...ALICE, workspaceId: ' ' },
      'workspaceId is " "; it takes 1 to 256 characters, no control characters and not only white space.',
    ],
    ['a peer id that is too long', { ...ALICE, peerId: 'x'.repeat(257) }, 'peerId is "'],
    ['a fraction of a token', { ...ALICE, maxTokens: 1.5 }, 'maxTokens is 1.5; it takes a whole number of at least 0.'],
    [
      'a duration without a unit',
      { ...ALICE, contextTimeout: '300' },
      'contextTimeout is "300"; it takes a duration such as 300ms, 10s or 5m, at least 1ms and at most 1h.',
    ],
    ...['shutdownTimeout', 'contextTimeout'].map(
      (name) =>
        [
          `a ${name} that no timer can wait for`,
          { ...ALICE, [name]: '30d' },
          `${name} is "30d"; it takes a duration such as 300ms, 10s or 5m, at least 1ms and at most 1h.`,
        ] as const,
    ),
    [
      'a queue that waits longer than a timer can',
      { ...ALICE, deriver: 'extractive', queue: { pollInterval: '61m' } },
      'queue.pollInterval is "61m"; it takes a duration such as 300ms, 10s or 5m, at least 1ms and at most 1h.',
    ],
    [
      'a session that is idle longer than a timer can wait',
      { ...ALICE, session: { idleTimeout: '25d' } },
      'session.idleTimeout is "25d"; it takes a duration such as 300ms, 10s or 5m, at least 1ms and at most 24d.',
    ],
    ['no time at all', { ...ALICE, contextTimeout: '0s' }, 'contextTimeout is "0s"; it takes a duration'],
    [
      'a boolean in words',
      { ...ALICE, deriver: 'extractive', ingest: 'session-end', ingestForks: 'yes' },
      'ingestForks is "yes"; it takes true, false, 1 or 0.',
    ],
    [
      'an unknown injection mode',
      { ...ALICE, injectionMode: 'summary-only' },
      'injectionMode is "summary-only"; it takes one of SUMMARY_ONLY, FULL. Did you mean SUMMARY_ONLY?',
    ],
    [
      'a name twice with two values',
      { ...ALICE, 'workspace-id': 'other' },
      'workspaceId and workspace-id are one setting with two values, "ops" and "other"; leave one out.',
    ],
  ];

  it.each(cases)('%s', async (_, options, text) => {
    const message = await refusal(options);
    expect(message.startsWith(PREFIX)).toBe(true);
    expect(message).toContain(text);
  });

  it('and a duration that is just short enough does not', async () => {
    const longest = { ...ALICE, deriver: 'extractive', queue: { pollInterval: '1h' }, session: { idleTimeout: '24d' } };
    const app = await boot({ ...(longest as MemoryModuleOptions), shutdownTimeout: '60m', contextTimeout: '3600s' });
    await app.close();
  });

  it('names a key of the environment as it is spelt there', async () => {
    const env = {
      AIMON_MEMORY_BACKEND: 'in-memory',
      AIMON_MEMORY_WORKSPACEID: 'ops',
      AIMON_MEMORY_PEER_ID: '',
      AIMON_MEMORY_MAX_TOKENS: 'many',
    };
    const message = await refusal({ env });
    expect(message).toContain(
      'AIMON_MEMORY_WORKSPACEID is no setting of the memory; did you mean AIMON_MEMORY_WORKSPACE_ID? Otherwise remove it.',
    );
    expect(message).toContain('AIMON_MEMORY_PEER_ID is ""; it takes 1 to 256 characters');
    expect(message).toContain('AIMON_MEMORY_MAX_TOKENS is "many"; it takes a whole number of at least 0.');
  });

  it('shows no secret', async () => {
    const env = { AIMON_MEMORY_LLM_API_KEY: 'abcdef-secret' };
    const message = await refusal({ ...ALICE, env });
    expect(message).toContain('AIMON_MEMORY_LLM_API_KEY is set, but it is not available in this version; remove it.');
    expect(message).not.toContain('abcdef');
  });

  it('reports all faults together, sorted', async () => {
    const message = await refusal({ backend: 'in-memory', injectionMode: 'ALL', maxTokens: -1, colour: 1 });
    const faults = message.slice(PREFIX.length).split(' | ');
    expect(faults).toHaveLength(5);
    expect(faults).toEqual([...faults].sort());
    expect(message).toContain('aimon.memory.workspace-id (workspaceId) is not set');
    expect(message).toContain('aimon.memory.peer-id (peerId) is not set');
  });
});

describe('settings that contradict each other stop the boot', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    [
      'settings without a backend',
      { workspaceId: 'ops' },
      'workspaceId is set, but no backend is, so nothing would be remembered; set aimon.memory.backend (none, to switch memory off), or remove it.',
    ],
    [
      'a fixed peer without an id',
      { backend: 'in-memory', workspaceId: 'ops' },
      'aimon.memory.peer-id (peerId) is not set;',
    ],
    [
      'a peer id in caller mode',
      { ...ALICE, peerMode: 'caller' },
      'peerId is set to "alice", but with peer-mode caller the peer is whoever calls; remove it, or set peer-mode to fixed.',
    ],
    [
      'a workspace id in caller mode',
      { backend: 'in-memory', peerMode: 'caller', workspaceMode: 'caller', workspaceId: 'ops' },
      'workspaceId is set to "ops", but with workspace-mode caller every session names its workspace;',
    ],
    [
      'a fixed peer in a workspace of the caller',
      { backend: 'in-memory', workspaceMode: 'caller', peerId: 'alice' },
      'workspaceMode is "caller", but the peer is fixed, and a peer lives in one workspace;',
    ],
    [
      'a queue without a deriver',
      { ...ALICE, queue: { workerCount: 2 } },
      'queue.workerCount is set to 2, but no deriver is, so there is no queue to read it;',
    ],
    [
      'forks without ingestion',
      { ...ALICE, ingestForks: true },
      'ingestForks is set to true, but ingest is off, so it would not be read;',
    ],
  ];

  it.each(cases)('%s', async (_, options, text) => {
    expect(await refusal(options)).toContain(text);
  });
});

describe('providers that contradict the settings stop the boot', () => {
  const SUPPLIED = { ...ALICE, backend: 'supplied' } as const;
  const policy: Provider = { provide: MEMORY_REDACTION_POLICY, useValue: { name: 'mine', redact: () => undefined } };
  const resolver: Provider = { provide: MEMORY_PEER_RESOLVER, useValue: MemoryPeerResolver.caller() };
  const cases: readonly (readonly [string, unknown, Provider[], string])[] = [
    [
      'a backend beside none',
      {},
      [backend],
      'aimon.memory.backend is "none", but the application provides PEER_MEMORY_BACKEND, which would be ignored; set aimon.memory.backend to supplied, or remove the provider.',
    ],
    [
      'stores beside in-memory',
      ALICE,
      [observations, representations],
      'aimon.memory.backend is "in-memory", but the application provides OBSERVATION_STORE and REPRESENTATION_STORE, which would be ignored;',
    ],
    [
      'supplied without any',
      SUPPLIED,
      [],
      'aimon.memory.backend is "supplied", but the application provides no backend; provide PEER_MEMORY_BACKEND',
    ],
    [
      'supplied with both kinds',
      SUPPLIED,
      [backend, observations],
      'The application provides PEER_MEMORY_BACKEND and OBSERVATION_STORE; a PeerMemory brings its own, and they would be ignored. Provide one or the other.',
    ],
    [
      'a deriver beside a whole backend',
      { ...SUPPLIED, deriver: 'extractive' },
      [backend],
      'deriver is "extractive", but the application provides PEER_MEMORY_BACKEND, which derives by itself;',
    ],
    [
      'an index beside a whole backend',
      SUPPLIED,
      [backend, { provide: OBSERVATION_INDEX, useValue: new LexicalIndex() }],
      'The application provides PEER_MEMORY_BACKEND and OBSERVATION_INDEX;',
    ],
    [
      'a deriver with nowhere to record',
      { ...SUPPLIED, deriver: 'extractive' },
      [representations],
      'deriver is "extractive", but the application provides REPRESENTATION_STORE alone',
    ],
    [
      'a memory per caller without SNAPSHOT',
      { backend: 'supplied', workspaceId: 'ops', peerMode: 'caller' },
      [observations],
      'aimon.memory.peer-mode is "caller", which needs SNAPSHOT, but the application provides OBSERVATION_STORE alone;',
    ],
    [
      'redaction supplied without a policy',
      { ...ALICE, redaction: 'supplied' },
      [],
      'aimon.memory.redaction is "supplied", but the application provides no MEMORY_REDACTION_POLICY;',
    ],
    [
      'a policy that would be ignored',
      ALICE,
      [policy],
      'aimon.memory.redaction is "default", but the application provides MEMORY_REDACTION_POLICY, which would be ignored;',
    ],
    [
      'a resolver in fixed mode',
      ALICE,
      [resolver],
      'aimon.memory.peer-mode is "fixed", but the application provides MEMORY_PEER_RESOLVER, which would be ignored;',
    ],
  ];

  it.each(cases)('%s', async (_, options, providers, text) => {
    expect(await refusal(options, providers)).toContain(text);
  });
});

describe('forRootAsync', () => {
  it('refuses to be given nothing, in a sentence', () => {
    expect(() => MemoryModule.forRootAsync({})).toThrow(
      'MemoryModule.forRootAsync was given no useFactory, useClass or useExisting',
    );
  });

  it('refuses a factory that answers no object', async () => {
    const start = () =>
      bootModules({ imports: [MemoryModule.forRootAsync({ useFactory: () => 'in-memory' as never })] });
    expect(await bootFailure(start)).toContain('What the factory of MemoryModule.forRootAsync answered is text;');
  });

  it('checks what a factory answers as it checks options in code', async () => {
    const start = () =>
      bootModules({
        imports: [
          MemoryModule.forRootAsync({ useFactory: () => ({ env: {}, backend: 'in-memory', workspaceId: 'ops' }) }),
        ],
      });
    expect(await bootFailure(start)).toContain('aimon.memory.peer-id (peerId) is not set');
  });
});
