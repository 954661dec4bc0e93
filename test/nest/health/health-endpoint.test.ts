import { Controller, Get } from '@nestjs/common';
import { HealthCheck, HealthCheckService } from '@nestjs/terminus';
import {
  AgentMemory,
  DegradationKey,
  Degradations,
  InjectMemory,
  IngestOutcomes,
  MemoryModule,
  type MemoryModuleExtras,
  type MemoryModuleOptions,
  getMemoryToken,
  PEER_MEMORY_BACKEND,
  type PeerMemory,
} from '@aimon/nestjs-memory';
import { MemoryHealthIndicator, MemoryHealthModule } from '@aimon/nestjs-memory/health';
import { RecordingPeerMemory } from '../../support/recording-peer-memory.js';
import { ADAPTERS, HealthController, type HealthHost, serve, type Adapter } from './health-host.js';

// Put together here, so that no file holds what a scanner takes for a live secret.
const SECRET = ['hT7q', 'Vx29', 'LmPz', 'w4Rk'].join('');
const DSN = `postgres://memory:${SECRET}@db.internal:5432/memory`;

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice', deriver: 'extractive' } as const;
const SUPPLIED = { backend: 'supplied', workspaceId: 'ops', peerId: 'alice' } as const;

type Options = MemoryModuleOptions & MemoryModuleExtras;

const served = (adapter: Adapter, options: Options): Promise<HealthHost> =>
  serve(adapter, {
    imports: [MemoryModule.forRoot({ env: {}, ...options }), MemoryHealthModule],
    controllers: [HealthController],
  });

const suppliedWith = (backend: PeerMemory): Options => ({
  ...SUPPLIED,
  providers: [{ provide: PEER_MEMORY_BACKEND, useValue: backend }],
});

describe.each(ADAPTERS)('a health endpoint on %s', (adapter) => {
  it('answers 200 and up, and nothing else, where there is no memory', async () => {
    const host = await served(adapter, { backend: 'none' });
    const { httpStatus, overall, details } = await host.health();
    expect({ httpStatus, overall, details }).toEqual({
      ...{ httpStatus: 200, overall: 'ok' },
      details: { memory: { status: 'up', backend: 'none' } },
    });
    await host.close();
  });

  it('answers 200 and up with the choices listed, and counts what was taken in', async () => {
    const host = await served(adapter, { ...ALICE, ingest: 'execution-end' });
    const session = await host.get<AgentMemory>(AgentMemory).session('monday');
    await session.execution((transcript) => {
      transcript.append({ role: 'user', content: `We deploy on Tuesdays; my password is ${SECRET}.` });
    });
    await host.get<IngestOutcomes>(IngestOutcomes).settled();
    const { httpStatus, overall, details, text } = await host.health();
    expect({ httpStatus, overall }).toEqual({ httpStatus: 200, overall: 'ok' });
    const [chat] = host.get<Degradations>(Degradations).all();
    expect(details).toEqual({
      memory: {
        status: 'up',
        backend: 'in-memory',
        capabilities: ['SNAPSHOT', 'SEARCH', 'OBSERVE', 'INGEST'],
        degradations: [{ key: 'memory-chat', consequence: chat?.consequence, remedy: chat?.remedy }],
        queue: { pending: 0, inFlight: 0, deadLettered: 0 },
        ingest: { stored: 1, nothingFound: 0, accepted: 0, failed: 0, skipped: 0 },
      },
    });
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('Tuesdays');
    await host.close();
  });

  it('answers 200 and degraded while there is a fault, and up when it has passed', async () => {
    const host = await served(adapter, ALICE);
    const degradations = host.get<Degradations>(Degradations);
    degradations.raise({
      ...{ key: 'crm-sync', kind: 'fault', backendId: 'crm' },
      ...{ consequence: `Customers are not synchronised: ${DSN}`, remedy: `Renew the token ${SECRET}.` },
    });
    const degraded = await host.health();
    expect(degraded).toMatchObject({
      httpStatus: 200,
      overall: 'degraded',
      details: { memory: { status: 'degraded' } },
    });
    expect(degraded.text).toContain('Customers are not synchronised: postgres://memory:[REDACTED:SECRET]@db.internal');
    expect(degraded.text).not.toContain(SECRET);
    degradations.lift('crm-sync');
    expect(await host.health()).toMatchObject({ overall: 'ok', details: { memory: { status: 'up' } } });
    await host.close();
  });

  it.each([['CHAT'], ['memory-chat']])('answers 200 and degraded when the application requires %s', async (name) => {
    const host = await served(adapter, { ...ALICE, health: { required: [name] } });
    expect(await host.health()).toMatchObject({ httpStatus: 200, details: { memory: { status: 'degraded' } } });
    await host.close();
  });

  it('answers up when what is required is there, or is a fault that is not', async () => {
    const required = ['SEARCH', 'memory-ingest', DegradationKey.DEAD_LETTERS];
    const host = await served(adapter, { ...ALICE, ingest: 'session-end', health: { required } });
    expect(await host.health()).toMatchObject({ httpStatus: 200, details: { memory: { status: 'up' } } });
    await host.close();
  });

  it('answers 503 instead of degraded where the application wants that', async () => {
    const host = await served(adapter, { ...ALICE, health: { required: ['CHAT'], degradedIsDown: true } });
    expect(await host.health()).toMatchObject({
      httpStatus: 503,
      overall: 'error',
      details: {
        memory: { status: 'down', reason: 'degraded, and aimon.memory.health.degraded-is-down is true' },
      },
    });
    await host.close();
  });

  it('answers 503 while the ping of a supplied backend fails, without a word of its error, and 200 afterwards', async () => {
    let works = false;
    const ping = async (): Promise<void> => {
      if (works) return;
      const error = new Error(`Authorization: Bearer ${SECRET} was refused by ${DSN}; Alice said so`);
      throw Object.assign(error, { code: 'ECONNREFUSED', config: { password: SECRET } });
    };
    const host = await served(adapter, suppliedWith(Object.assign(new RecordingPeerMemory(), { ping })));
    const down = await host.health();
    expect(down).toMatchObject({
      httpStatus: 503,
      overall: 'error',
      details: {
        memory: {
          status: 'down',
          backend: 'recording',
          reason: 'ping failed',
          error: 'ECONNREFUSED',
          capabilities: ['SNAPSHOT', 'SEARCH', 'CHAT', 'OBSERVE', 'INGEST'],
          ingest: { stored: 0, nothingFound: 0, accepted: 0, failed: 0, skipped: 0 },
        },
      },
    });
    for (const secret of [SECRET, 'db.internal', 'Bearer', 'Alice']) expect(down.text).not.toContain(secret);
    works = true;
    expect(await host.health()).toMatchObject({ httpStatus: 200, details: { memory: { status: 'up' } } });
    works = false;
    expect(await host.health()).toMatchObject({ httpStatus: 503 });
    await host.close();
  });

  it('answers 503 to every probe of a backend whose ping hangs and ignores the abort', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const backend = Object.assign(new RecordingPeerMemory(), {
      ping: (signal?: AbortSignal) => {
        signals.push(signal);
        return new Promise<void>(() => undefined);
      },
    });
    const host = await served(adapter, suppliedWith(backend));
    const probes = await Promise.all([host.health(), host.health(), host.health()]);
    for (const probe of probes) {
      expect(probe).toMatchObject({
        httpStatus: 503,
        details: { memory: { status: 'down', reason: 'ping took longer than 2000 ms' } },
      });
    }
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
    await host.close();
  });

  it('is never 503 for a supplied backend without a ping', async () => {
    const host = await served(adapter, suppliedWith(new RecordingPeerMemory()));
    expect(await host.health()).toMatchObject({ httpStatus: 200, details: { memory: { status: 'up' } } });
    await host.close();
  });

  it('tells of two memories separately, one down and one up', async () => {
    @Controller('health')
    class TwoMemoriesController {
      constructor(
        private readonly health: HealthCheckService,
        private readonly memory: MemoryHealthIndicator,
        @InjectMemory(MemoryHealthIndicator, 'ops') private readonly ops: MemoryHealthIndicator,
      ) {}

      @Get()
      @HealthCheck()
      all() {
        return this.health.check([() => this.memory.check(), () => this.ops.check()]);
      }

      @Get('ops')
      @HealthCheck()
      one() {
        return this.health.check([() => this.ops.check('operations')]);
      }
    }
    let works = false;
    const ping = async (): Promise<void> => {
      if (!works) throw new Error(DSN);
    };
    const backend = Object.assign(new RecordingPeerMemory(), { ping });
    const host = await serve(adapter, {
      imports: [
        MemoryModule.forRoot({ env: {}, ...ALICE, isGlobal: false }),
        MemoryModule.forRoot({ ...suppliedWith(backend), name: 'ops' }),
        MemoryHealthModule,
        MemoryHealthModule.forMemory('ops'),
      ],
      controllers: [TwoMemoriesController],
    });
    expect(await host.health()).toMatchObject({
      httpStatus: 503,
      details: {
        memory: { status: 'up', backend: 'in-memory' },
        'memory-ops': { status: 'down', backend: 'recording', reason: 'ping failed' },
      },
    });
    works = true;
    host.get<Degradations>(getMemoryToken(Degradations, 'ops')).raise({
      ...{ key: 'own', kind: 'fault', backendId: 'recording', consequence: 'None.', remedy: 'None.' },
    });
    expect(await host.health()).toMatchObject({
      httpStatus: 200,
      details: { memory: { status: 'up' }, 'memory-ops': { status: 'degraded' } },
    });
    expect(Object.keys((await host.health('health/ops')).details)).toEqual(['operations']);
    await host.close();
  });
});
