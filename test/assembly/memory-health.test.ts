import {
  assembleMemory,
  type Degradation,
  Degradations,
  DegradationKey,
  InMemoryObservationStore,
  IngestOutcomes,
  MEMORY_CAPABILITIES,
  MemoryHealth,
  type MemoryHealthParts,
  type MemoryLogger,
  MemorySpec,
  type PeerMemory,
  SILENT_LOGGER,
  StoreError,
} from '@aimon/nestjs-memory';
import fc from 'fast-check';
import { assemblyDegradations } from '../../lib/assembly/assembly-degradations.js';
import { MemoryHealthTexts } from '../../lib/assembly/memory-health-texts.js';
import { alice, ops } from '../support/peers.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

// Put together here, so that no file holds what a scanner takes for a live secret.
const SECRET = ['hT7q', 'Vx29', 'LmPz', 'w4Rk'].join('');
const DSN = `postgres://memory:${SECRET}@db.internal/memory`;

const choice = (change: Partial<Degradation> = {}): Degradation => ({
  ...{ key: 'memory-chat', kind: 'choice', capability: 'CHAT', backendId: 'test' },
  ...{ consequence: 'No answers in words.', remedy: 'Give it an engine.' },
  ...change,
});
const fault = (change: Partial<Degradation> = {}): Degradation =>
  choice({ key: 'memory-context', kind: 'fault', capability: 'SNAPSHOT', ...change });

function healthOf(
  change: Partial<MemoryHealthParts> & { readonly raised?: readonly Degradation[] } = {},
): MemoryHealth {
  const { raised = [], ...parts } = change;
  const degradations = new Degradations();
  for (const one of raised) degradations.raise(one);
  return new MemoryHealth({
    ...{ backendId: 'test', capabilities: new Set(MEMORY_CAPABILITIES), degradations, outcomes: new IngestOutcomes() },
    ...parts,
  });
}

const statusOf = async (change: Parameters<typeof healthOf>[0]): Promise<string> =>
  (await healthOf(change).check()).status;

describe('the health of a memory', () => {
  it('is up where there is none, and says nothing else', async () => {
    expect(await new MemoryHealth().check()).toEqual({ status: 'up', detail: { backend: 'none' } });
  });

  it('is up with its choices listed, its queue and what became of the messages', async () => {
    const outcomes = new IngestOutcomes();
    outcomes.record({ messageId: 'm', sessionId: 's', outcome: 'stored', observationIds: [] });
    const queue = { stats: () => ({ pending: 3, inFlight: 1, deadLettered: 0 }) };
    expect(await healthOf({ raised: [choice()], outcomes, queue }).check()).toEqual({
      status: 'up',
      detail: {
        backend: 'test',
        capabilities: ['SNAPSHOT', 'SEARCH', 'CHAT', 'OBSERVE', 'INGEST'],
        degradations: [{ key: 'memory-chat', consequence: 'No answers in words.', remedy: 'Give it an engine.' }],
        queue: { pending: 3, inFlight: 1, deadLettered: 0 },
        ingest: { stored: 1, nothingFound: 0, accepted: 0, failed: 0, skipped: 0 },
      },
    });
  });

  it('lists capabilities in the order of the tiers, and no ingestion where there is no INGEST', async () => {
    const { detail } = await healthOf({ capabilities: new Set(['OBSERVE', 'SNAPSHOT'] as const) }).check();
    expect(detail).toEqual({ backend: 'test', capabilities: ['SNAPSHOT', 'OBSERVE'], degradations: [] });
  });

  it('is degraded by a fault as long as it is raised', async () => {
    const degradations = new Degradations();
    const health = healthOf({ degradations });
    expect((await health.check()).status).toBe('up');
    degradations.raise(fault());
    expect((await health.check()).status).toBe('degraded');
    degradations.lift('memory-context');
    expect((await health.check()).status).toBe('up');
  });

  it('is degraded by a choice that is required, by its capability or by its key, and by no other', async () => {
    const tools = choice({ key: 'memory-tools', capability: undefined });
    const raised = [choice(), tools];
    expect(await statusOf({ raised })).toBe('up');
    expect(await statusOf({ raised, required: ['CHAT'] })).toBe('degraded');
    expect(await statusOf({ raised, required: ['memory-chat'] })).toBe('degraded');
    expect(await statusOf({ raised, required: ['memory-tools'] })).toBe('degraded');
    expect(await statusOf({ raised, required: ['SEARCH', 'memory-search', 'memory-ingest'] })).toBe('up');
  });

  it('is degraded by a required capability that is not there, also when no degradation says so', async () => {
    const capabilities = new Set(['SEARCH'] as const);
    expect(await healthOf({ capabilities, required: ['SEARCH', 'CHAT', 'OBSERVE'] }).check()).toEqual({
      status: 'degraded',
      detail: {
        backend: 'test',
        reason: 'required and not there: CHAT, OBSERVE',
        capabilities: ['SEARCH'],
        degradations: [],
      },
    });
  });

  it('takes the key of a fault as required, which changes nothing', async () => {
    const required = [DegradationKey.DEAD_LETTERS];
    expect(await statusOf({ required })).toBe('up');
    expect(await statusOf({ required, raised: [fault({ key: DegradationKey.DEAD_LETTERS })] })).toBe('degraded');
  });

  it('is down instead of degraded where the application wants that, and says so', async () => {
    const down = await healthOf({ raised: [fault()], degradedIsDown: true }).check();
    expect(down.status).toBe('down');
    expect(down.detail.reason).toBe('degraded, and aimon.memory.health.degraded-is-down is true');
    expect(await statusOf({ raised: [choice()], degradedIsDown: true })).toBe('up');
  });

  it('is judged alike whatever the order and number of what is raised', async () => {
    const key = fc.constantFrom(...Object.values(DegradationKey), 'crm-sync');
    const kind = fc.constantFrom<Degradation['kind']>('choice', 'fault');
    const capability = fc.option(fc.constantFrom(...MEMORY_CAPABILITIES), { nil: undefined });
    const raised = fc.uniqueArray(fc.record({ key, kind, capability }).map(choice), { selector: (one) => one.key });
    const required = fc.uniqueArray(fc.constantFrom<string>(...MEMORY_CAPABILITIES, ...Object.values(DegradationKey)));
    await fc.assert(
      fc.asyncProperty(raised, required, fc.boolean(), async (raised, required, degradedIsDown) => {
        const named = (name: string | undefined): boolean => name !== undefined && required.includes(name);
        const bad = raised.some((one) => one.kind === 'fault' || named(one.key) || named(one.capability));
        const { status, detail } = await healthOf({ raised, required, degradedIsDown }).check();
        expect(status).toBe(!bad ? 'up' : degradedIsDown ? 'down' : 'degraded');
        expect(detail.degradations?.map((one) => one.key)).toEqual(raised.map((one) => one.key).sort());
        expect(JSON.parse(JSON.stringify(detail))).toEqual(detail);
      }),
    );
  });
});

describe('a health check', () => {
  const broken = (): never => {
    throw new Error(`cannot read ${DSN}`);
  };

  it('does not reject when what it reads fails, and says what could not be read', async () => {
    const report = await healthOf({
      queue: { stats: broken },
      outcomes: { counts: broken },
      degradations: { all: broken },
    }).check();
    expect(report).toEqual({
      status: 'degraded',
      detail: {
        backend: 'test',
        reason:
          'degradations cannot be read; the figures of the queue cannot be read; the figures of the ingestion cannot be read',
        capabilities: [...MEMORY_CAPABILITIES],
        degradations: [],
      },
    });
  });

  it.each([
    ['nothing', undefined],
    ['a promise', Promise.resolve({ pending: 0, inFlight: 0, deadLettered: 0 })],
    ['a figure that JSON has no word for', { pending: 1n, inFlight: 0, deadLettered: 0 }],
    ['no figure', { pending: Number.NaN, inFlight: 0, deadLettered: 0 }],
  ])('does not hand on %s from a queue', async (_, stats) => {
    const { status, detail } = await healthOf({ queue: { stats: () => stats as never } }).check();
    expect(status).toBe('degraded');
    expect(detail.reason).toBe('the figures of the queue cannot be read');
    expect(JSON.stringify(detail)).not.toContain('"queue"');
  });

  it('hands on no figure of a queue that it does not know', async () => {
    const stats = () => ({ pending: 0, inFlight: 0, deadLettered: 0, last: `Alice said ${SECRET}` });
    expect((await healthOf({ queue: { stats } }).check()).detail.queue).toEqual({
      ...{ pending: 0, inFlight: 0, deadLettered: 0 },
    });
  });

  it('does not reject when a capability cannot be looked at', async () => {
    const capabilities = { has: broken } as unknown as MemoryHealthParts['capabilities'];
    expect(await healthOf({ capabilities }).check()).toEqual({
      status: 'down',
      detail: { backend: 'test', reason: 'the check itself failed' },
    });
  });

  it('shows a degradation of the application masked, and what is no text not at all', async () => {
    const raised = [
      fault({ key: 'crm-sync', consequence: `Nothing is synchronised: connect ${DSN}`, remedy: 7 as never }),
    ];
    const { detail } = await healthOf({ raised, backendId: DSN }).check();
    expect(detail.degradations).toEqual([
      {
        key: 'crm-sync',
        consequence: 'Nothing is synchronised: connect postgres://memory:[REDACTED:SECRET]@db.internal/memory',
        remedy: '[withheld]',
      },
    ]);
    expect(detail.backend).toBe('postgres://memory:[REDACTED:SECRET]@db.internal/memory');
  });

  it('shows what the application raised anew, and not what it had said before', async () => {
    const degradations = new Degradations();
    const health = healthOf({ degradations });
    degradations.raise(fault({ consequence: 'First.' }));
    await health.check();
    degradations.raise(fault({ consequence: 'Second.' }));
    expect((await health.check()).detail.degradations?.[0]?.consequence).toBe('Second.');
  });

  it('shows the beginning of a text that is as long as a document', () => {
    const shown = new MemoryHealthTexts().masked('word '.repeat(100_000));
    expect(shown).toBe(`${'word '.repeat(400)}…`);
  });

  it('leaves every sentence of the library as it is', () => {
    const texts = new MemoryHealthTexts();
    const yesOrNo = [true, false];
    const shown = yesOrNo.flatMap((supplied) =>
      yesOrNo.flatMap((perCaller) =>
        (['off', 'session-end'] as const).flatMap((ingest) =>
          [[], ['OBSERVE'], MEMORY_CAPABILITIES].flatMap((list) => {
            const capabilities = new Set(list as typeof MEMORY_CAPABILITIES);
            const shape = { backendId: 'in-memory', masked: false, auditWindow: false };
            return assemblyDegradations({ ...shape, supplied, perCaller, ingest, capabilities });
          }),
        ),
      ),
    );
    expect(new Set(shown.map(({ key }) => key)).size).toBe(8);
    for (const one of shown) {
      const { key, consequence, remedy } = one;
      expect(texts.degradation(one)).toEqual({ key, consequence, remedy });
    }
  });
});

describe('INGEST that is required', () => {
  const shape = { backendId: 'in-memory', supplied: false, masked: true, auditWindow: true };
  const capabilities = new Set(MEMORY_CAPABILITIES);

  it.each([
    [
      'is there in caller mode, where sessions of one principal take in',
      { perCaller: true, ingest: 'execution-end' },
      'up',
    ],
    ['is missing where nothing is handed over', { perCaller: true, ingest: 'off' }, 'degraded'],
    ['is there for one peer', { perCaller: false, ingest: 'session-end' }, 'up'],
  ] as const)('%s', async (_, how, status) => {
    const all = () => assemblyDegradations({ ...shape, ...how, capabilities });
    const outcomes = { counts: () => ({ stored: 0, nothingFound: 0, accepted: 0, failed: 0, skipped: 0 }) };
    const parts = { backendId: 'in-memory', capabilities, degradations: { all }, outcomes, required: ['INGEST'] };
    expect((await new MemoryHealth(parts).check()).status).toBe(status);
  });
});

describe('the health of an assembled memory', () => {
  const forAlice = (): MemorySpec => MemorySpec.forPeer(ops, alice);
  const assembled = (backend: PeerMemory, logger: MemoryLogger = SILENT_LOGGER) =>
    assembleMemory(forAlice().peerMemory(backend).withoutRedaction().build(), { logger });

  it('is down once it is taken down, without asking the backend', async () => {
    const backend = new RecordingPeerMemory();
    let pings = 0;
    const stack = await assembled(Object.assign(backend, { ping: async () => void (pings += 1) }));
    expect((await stack.health.check()).status).toBe('degraded');
    await stack.teardown.run('SESSIONS');
    const { status, detail } = await stack.health.check();
    expect([status, detail.reason, pings]).toEqual(['down', 'the memory was closed', 1]);
    await stack.close();
  });

  it('lists what it lacks, and is degraded by what the application requires of it', async () => {
    const spec = forAlice().parts({ observationStore: new InMemoryObservationStore() }).withoutRedaction().build();
    const stack = await assembleMemory(spec, { health: { required: ['SNAPSHOT'] } });
    const { status, detail } = await stack.health.check();
    expect(status).toBe('degraded');
    expect(detail.capabilities).toEqual(['SEARCH', 'OBSERVE']);
    expect(detail.degradations).toEqual(
      stack.degradations.all().map(({ key, consequence, remedy }) => ({ key, consequence, remedy })),
    );
    await stack.close();
  });

  it('is never down for a supplied backend without a ping', async () => {
    const stack = await assembled(new RecordingPeerMemory());
    expect((await stack.health.check()).status).toBe('degraded');
    expect((await stack.health.check()).detail.reason).toBeUndefined();
    await stack.close();
  });

  it('is down while the ping of a supplied backend fails, and up when it answers again', async () => {
    let failure: Error | undefined = new StoreError(`no connection to ${DSN}`);
    const backend = Object.assign(new RecordingPeerMemory(), {
      ping: async () => {
        if (failure !== undefined) throw failure;
      },
    });
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const spec = forAlice().peerMemory(backend).build();
    const stack = await assembleMemory(spec, { logger: { log: write, warn: write, error: write } });
    lines.length = 0;
    const { status, detail } = await stack.health.check();
    await stack.health.check();
    expect(status).toBe('down');
    expect(detail).toMatchObject({ reason: 'ping failed', error: 'STORE_FAILED' });
    failure = undefined;
    expect((await stack.health.check()).status).toBe('up');
    await stack.health.check();
    failure = new TypeError(SECRET);
    expect((await stack.health.check()).detail).toMatchObject({ reason: 'ping failed', error: 'TypeError' });
    const rest =
      'The message of an error is not written, since it may hold a password. Further cases of this kind are not logged until it answers again.';
    expect(lines).toEqual([
      `The memory "recording" is down: ping failed (STORE_FAILED). ${rest}`,
      'The memory "recording" answers again.',
      `The memory "recording" is down: ping failed (TypeError). ${rest}`,
    ]);
    expect(JSON.stringify(detail)).not.toContain(SECRET);
    await stack.close();
  });

  it('does not fail with a logger that does', async () => {
    const backend = Object.assign(new RecordingPeerMemory(), { ping: async () => Promise.reject(new Error('no')) });
    let quiet = true;
    const write = (): void => {
      if (!quiet) throw new Error('the disk is full');
    };
    const stack = await assembled(backend, { log: write, warn: write, error: write });
    quiet = false;
    expect((await stack.health.check()).detail.reason).toBe('ping failed');
    quiet = true;
    await stack.close();
  });
});
