import {
  AgentMemory,
  Degradations,
  MEMORY_SEARCHER,
  type MemoryLogger,
  type MemoryModuleExtras,
  type MemoryModuleOptions,
  MemoryTeardown,
  OBSERVATION_STORE,
  InMemoryObservationStore,
  PEER_MEMORY_BACKEND,
} from '@aimon/nestjs-memory';
import { boot } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' } as const;
const CONTEXT = 'AimonMemory';

/** What the memory wrote, each as `level: message`. Nest's own lines have contexts of their own. */
class MemoryLog implements MemoryLogger {
  readonly lines: string[] = [];
  log = (message: string, context?: unknown): void => this.#take('log', message, context);
  warn = (message: string, context?: unknown): void => this.#take('warn', message, context);
  // An error has its stack, or nothing, before its context.
  error = (message: string, ...rest: readonly unknown[]): void => this.#take('error', message, rest.at(-1));

  of(level: string): string[] {
    return this.lines.filter((line) => line.startsWith(`${level}: `)).map((line) => line.slice(level.length + 2));
  }

  #take(level: string, message: string, context: unknown): void {
    if (context === CONTEXT) this.lines.push(`${level}: ${message}`);
  }
}

const keysIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^(memory-[a-z-]+): /.exec(line)?.[1] ?? []).sort();

async function started(options: MemoryModuleOptions & MemoryModuleExtras) {
  const log = new MemoryLog();
  return { app: await boot(options, {}, log), log };
}

describe('at the start of an application', () => {
  const cases: readonly (readonly [string, MemoryModuleOptions & MemoryModuleExtras])[] = [
    ['in-memory', ALICE],
    ['in-memory with everything', { ...ALICE, deriver: 'extractive', ingest: 'session-end' }],
    ['in-memory per caller', { ...ALICE, peerId: undefined, peerMode: 'caller' }],
    ['in-memory that masks nothing', { ...ALICE, redaction: 'none' }],
    [
      'a whole backend',
      {
        ...{ ...ALICE, backend: 'supplied', ingest: 'session-end' },
        providers: [{ provide: PEER_MEMORY_BACKEND, useClass: RecordingPeerMemory }],
      },
    ],
    [
      'a store',
      {
        ...{ ...ALICE, backend: 'supplied' },
        providers: [{ provide: OBSERVATION_STORE, useClass: InMemoryObservationStore }],
      },
    ],
  ];

  it.each(cases)('each degradation is written once, with its consequence and its remedy: %s', async (_, options) => {
    const { app, log } = await started(options);
    const raised = app.get(Degradations).all();
    expect(keysIn([...log.of('warn'), ...log.of('error')])).toEqual(raised.map(({ key }) => key));
    for (const { key, consequence, remedy } of raised) {
      const level = key === 'memory-redaction' ? 'error' : 'warn';
      expect(log.of(level)).toContain(`${key}: ${consequence} ${remedy}`);
    }
    expect(log.of('log')).toHaveLength(1);
    expect(log.of('log')[0]).toMatch(/^The memory ".+" can do [A-Z, ]+\.$/);
    await app.close();
  });

  it('in-memory says once that what is remembered is lost', async () => {
    const lost = 'aimon.memory.backend is in-memory: what is remembered is lost when the process exits.';
    const { app, log } = await started(ALICE);
    expect(log.of('warn').filter((line) => line === lost)).toHaveLength(1);
    await app.close();
    const supplied = await started({
      ...{ ...ALICE, backend: 'supplied' },
      providers: [{ provide: PEER_MEMORY_BACKEND, useClass: RecordingPeerMemory }],
    });
    expect(supplied.log.lines.join('\n')).not.toContain('is lost');
    await supplied.app.close();
  });

  it('a memory that masks nothing is an error, and one that masks is none', async () => {
    const unmasked = await started({ ...ALICE, redaction: 'none' });
    expect(keysIn(unmasked.log.of('error'))).toEqual(['memory-redaction']);
    await unmasked.app.close();
    const masked = await started(ALICE);
    expect(masked.log.of('error')).toEqual([]);
    await masked.app.close();
  });

  it('no memory says that nothing is remembered, and no more', async () => {
    const { app, log } = await started({});
    expect(log.lines).toEqual(['log: aimon.memory.backend is none: the application remembers nothing.']);
    await app.close();
  });
});

describe('while an application runs', () => {
  it('nothing is written of what is said, asked and remembered', async () => {
    const { app, log } = await started({ ...ALICE, deriver: 'extractive', ingest: 'session-end' });
    const atStart = log.lines.length;
    const session = await app.get(AgentMemory).session('one');
    await session.execution(
      (transcript) => void transcript.append({ role: 'user', content: 'The gate code is Zulu.' }),
    );
    await session.close();
    await app.close();
    expect(log.lines.slice(atStart)).toEqual([]);
  });

  it('what a shutdown leaves behind is an error', async () => {
    const { app, log } = await started(ALICE);
    app.get(MemoryTeardown).register('CHECKPOINTS', 'mine', () => {
      throw new Error('The disk is full.');
    });
    await app.close();
    expect(log.of('error')).toEqual([
      'Taking the memory down left something behind. CHECKPOINTS mine: The disk is full.',
    ]);
  });
});

it('an application that gives no logger to a test writes nothing to the console', async () => {
  const written: unknown[] = [];
  const { write } = process.stdout;
  process.stdout.write = (chunk) => written.push(chunk) > 0;
  try {
    const app = await boot({ ...ALICE, redaction: 'none' });
    expect(app.get(MEMORY_SEARCHER)).toBeDefined();
    await app.close();
  } finally {
    process.stdout.write = write;
  }
  expect(written).toEqual([]);
});
