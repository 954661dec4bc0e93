import { ConfigModule } from '@nestjs/config';
import { Inject, Injectable, Logger, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';

import {
  AgentMemory,
  Degradations,
  getMemoryToken,
  MEMORY_SEARCHER,
  MEMORY_REDACTION_POLICY,
  type MemoryLogger,
  MemoryModule,
  type MemorySearcher,
  PeerView,
  Principal,
  runAsCaller,
  SILENT_LOGGER,
  Workspace,
} from '@aimon/nestjs-memory';
import { MemoryTesting, MemoryTestingModule, type MemoryTestingOptions, TestClock } from '@aimon/nestjs-memory/testing';

const open: TestingModule[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const logged: string[] = [];
const NEST_LOG: MemoryLogger & { debug(): void } = {
  log: (message) => void logged.push(String(message)),
  warn: (message) => void logged.push(String(message)),
  error: (message) => void logged.push(String(message)),
  debug: () => undefined,
};

async function start(
  options?: MemoryTestingOptions,
  imports: NonNullable<Parameters<typeof Module>[0]['imports']> = [],
) {
  const module = await Test.createTestingModule({ imports: [MemoryTestingModule.forRoot(options), ...imports] })
    .setLogger(SILENT_LOGGER)
    .compile();
  open.push(module);
  return module.init();
}

async function refusal(options: unknown): Promise<string> {
  try {
    await start(options as MemoryTestingOptions);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It started, although it should have been refused.');
}

const say = async (memory: AgentMemory, ...texts: string[]): Promise<void> => {
  const session = await memory.session('chat');
  await session.execution((transcript) => {
    for (const content of texts) transcript.append({ role: 'user', content });
  });
};

/** A feature of an application, which knows nothing of tests. */
@Injectable()
class Assistant {
  constructor(
    @Inject(AgentMemory) private readonly memory: AgentMemory,
    @Inject(MEMORY_SEARCHER) readonly searcher: MemorySearcher,
  ) {}

  async tell(text: string): Promise<string> {
    const session = await this.memory.session('chat');
    const prompt = await session.systemPrompt('You help.');
    await session.execution((transcript) => void transcript.append({ role: 'user', content: text }));
    return prompt;
  }
}

@Module({ providers: [Assistant], exports: [Assistant] })
class FeatureModule {}

describe('MemoryTestingModule', () => {
  it('stands in the place of the application’s MemoryModule, and remembers', async () => {
    const module = await start(undefined, [FeatureModule]);
    const assistant = module.get(Assistant);
    const testing = module.get(MemoryTesting);
    expect(await assistant.tell('The payment database runs on db-prod-07.')).toBe('You help.');
    await testing.settled();
    expect(await testing.remembered()).toEqual(['The payment database runs on db-prod-07.']);
    expect(await assistant.tell('Thanks!')).toContain(
      '[2026-01-01 00:00 UTC] tester: The payment database runs on db-prod-07.',
    );
    expect(module.get(AgentMemory).peer?.key()).toBe('test:USER:tester');
  });

  it('takes the place of a MemoryModule that an application imports itself', async () => {
    const memory = MemoryModule.forRoot({ env: {}, backend: 'in-memory', workspaceId: 'production', peerId: 'x' });
    @Module({ imports: [memory, FeatureModule] })
    class AppModule {}
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .overrideModule(memory)
      .useModule(MemoryTestingModule.forRoot())
      .compile();
    open.push(module);
    await module.get(Assistant).tell('The gate code is 1234.');
    await module.get(MemoryTesting).settled();
    expect(await module.get(MemoryTesting).remembered()).toEqual(['The gate code is 1234.']);
  });

  it('is of whoever calls with peerMode caller, and of each tenant with workspaceMode caller', async () => {
    const kim = { principal: Principal.user('kim') };
    const perCaller = await start({ peerMode: 'caller' });
    await runAsCaller(kim, () => say(perCaller.get(AgentMemory), 'I ride a red bicycle.'));
    await perCaller.get(MemoryTesting).settled();
    expect(await perCaller.get(MemoryTesting).remembered(kim)).toEqual(['I ride a red bicycle.']);
    expect(await perCaller.get(MemoryTesting).remembered({ principal: Principal.user('lee') })).toEqual([]);
    await expect(perCaller.get(MemoryTesting).remembered()).rejects.toThrow(
      'MemoryTesting.remembered was not told about whom, and this memory is of whoever calls; pass a PeerView, or { principal: Principal.user(…) }.',
    );

    const perTenant = await start({ workspaceMode: 'caller' });
    const atHome = PeerView.of(Workspace.of({ id: 'home' }), kim.principal);
    await runAsCaller(atHome, () => say(perTenant.get(AgentMemory), 'I sleep until nine.'));
    await perTenant.get(MemoryTesting).settled();
    expect(await perTenant.get(MemoryTesting).remembered(atHome)).toEqual(['I sleep until nine.']);
    expect(await perTenant.get(MemoryTesting).remembered({ ...kim, workspace: Workspace.of({ id: 'work' }) })).toEqual(
      [],
    );
    await expect(perTenant.get(MemoryTesting).remembered(kim)).rejects.toThrow(
      'MemoryTesting.remembered was not told in which workspace, and here each tenant has its own; pass { principal, workspace }.',
    );
  });

  it('remembers in the order in which it was said, although time stands still, and shows it so', async () => {
    const module = await start();
    const texts = Array.from({ length: 20 }, (_, at) => `Ticket ${at} is assigned to queue ${at * 7}.`);
    await (
      await module.get(AgentMemory).session('chat')
    ).execution((transcript) => void transcript.append(texts.map((content) => ({ role: 'user', content }))));
    await module.get(MemoryTesting).settled();
    expect(await module.get(MemoryTesting).remembered()).toEqual(texts);
    const prompt = await (await module.get(AgentMemory).session('other')).systemPrompt('');
    expect(prompt.match(/Ticket .*/g)).toEqual(texts);
  });

  it('takes the settings of an application in code, and refuses them as it does', async () => {
    const module = await start({
      peerId: 'ann',
      peerName: 'Ann',
      workspaceId: undefined,
      ingest: 'off',
      deriver: 'none',
    });
    expect(module.get(AgentMemory).peer?.principal.label).toBe('Ann');
    expect(module.get(Degradations).has('memory-ingest')).toBe(true);
    expect(await refusal({ peerIdd: 'ann' })).toContain('peerIdd is no setting of the memory; did you mean peerId?');
    expect(await refusal({ providers: [{ provide: AgentMemory, useValue: {} }] })).toContain(
      'AgentMemory is provided in the providers of MemoryModule',
    );
  });

  it.each([
    [
      'text',
      'in-memory',
      "Memory configuration error: What MemoryTestingModule.forRoot was given is text; it takes a plain object of settings, such as { peerMode: 'caller' }, or nothing.",
    ],
    [
      'a backend and an environment',
      { backend: 'in-memory', env: {} },
      'Memory configuration error: backend is given to MemoryTestingModule.forRoot, whose memory is always in memory; leave it out, or use MemoryModule.forRoot({ backend: …, env: {} }) to test another. | env is given to MemoryTestingModule.forRoot, which reads no environment; give the settings themselves.',
    ],
    [
      'another clock and no logger',
      { clock: { now: () => new Date() }, logger: {} },
      'Memory configuration error: clock is an object; MemoryTestingModule.forRoot takes a TestClock there. | logger is an object; MemoryTestingModule.forRoot takes an object with log(), warn() and error() there.',
    ],
  ])('refuses %s', async (_, options, message) => {
    expect(await refusal(options)).toBe(message);
  });

  it('reads neither the environment nor ConfigService', async () => {
    const before = process.env.AIMON_MEMORY_PEER_ID;
    process.env.AIMON_MEMORY_PEER_ID = 'from the environment';
    process.env.AIMON_MEMORY_NO_SUCH_KEY = '1';
    try {
      const config = ConfigModule.forRoot({
        ...{ ignoreEnvFile: true, isGlobal: true },
        load: [() => ({ aimon: { memory: { 'workspace-id': 'from ConfigService', nonsense: true } } })],
      });
      const module = await start(undefined, [config]);
      expect(module.get(AgentMemory).peer?.key()).toBe('test:USER:tester');
    } finally {
      delete process.env.AIMON_MEMORY_NO_SUCH_KEY;
      if (before === undefined) delete process.env.AIMON_MEMORY_PEER_ID;
      else process.env.AIMON_MEMORY_PEER_ID = before;
    }
  });

  it('writes nothing to the log of Nest, and everything to a logger that it is given', async () => {
    logged.splice(0);
    Logger.overrideLogger(NEST_LOG);
    const silent = await start({ redaction: 'none' });
    await silent.close();
    expect(logged.filter((line) => /memory/i.test(line) && !line.includes('dependencies initialized'))).toEqual([]);
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    await start({ redaction: 'none', logger: { log: write, warn: write, error: write } });
    expect(lines.join('\n')).toContain('memory-redaction: ');
    Logger.overrideLogger(SILENT_LOGGER);
  });

  it('has named memories beside the unnamed one, with clocks of their own or one for all', async () => {
    const clock = new TestClock(new Date('2030-01-01T00:00:00Z'));
    const module = await start({ clock }, [
      MemoryTestingModule.forRoot({ name: 'ops', clock }),
      MemoryTestingModule.forRoot({ name: 'other' }),
    ]);
    const named = <T>(token: unknown, name: string): T => module.get<T>(getMemoryToken(token as never, name));
    expect(module.get(TestClock)).toBe(clock);
    expect(named(TestClock, 'ops')).toBe(clock);
    expect(named(TestClock, 'other')).not.toBe(clock);
    await say(named(AgentMemory, 'ops'), 'The pager is with Ann.');
    await named<MemoryTesting>(MemoryTesting, 'ops').settled();
    expect(await named<MemoryTesting>(MemoryTesting, 'ops').remembered()).toEqual(['The pager is with Ann.']);
    expect(await named<MemoryTesting>(MemoryTesting, 'other').remembered()).toEqual([]);
    expect(await module.get(MemoryTesting).remembered()).toEqual([]);
  });

  it('gives each application that is made of one registration a memory and a clock of its own', async () => {
    const registration = MemoryTestingModule.forRoot();
    const make = async (): Promise<TestingModule> => {
      const module = await Test.createTestingModule({ imports: [registration] })
        .setLogger(SILENT_LOGGER)
        .compile();
      open.push(module);
      return module.init();
    };
    const [one, two] = [await make(), await make()];
    await say(one.get(AgentMemory), 'The first one knows this.');
    await one.get(TestClock).advance('1d');
    const end = one.get(MemoryTesting).outage('SEARCH');
    await one.get(MemoryTesting).settled();
    expect(await two.get(MemoryTesting).remembered()).toEqual([]);
    expect(two.get(TestClock).now().toISOString()).toBe('2026-01-01T00:00:00.000Z');
    two.get(MemoryTesting).outage('SEARCH')();
    end();
  });

  it('takes custom parts as the application does, and can be kept to the modules that import it', async () => {
    const policy = {
      name: 'pets',
      redact: (redactedContent: string) => {
        const start = redactedContent.indexOf('Miso');
        const match = { category: 'PET', start, end: start + 4, replacement: '[REDACTED:PET]' };
        if (start < 0) return { redactedContent, matches: [], modified: false };
        const masked = redactedContent.replace('Miso', match.replacement);
        return { redactedContent: masked, matches: [match], modified: true };
      },
    };
    const module = await start({
      ...{ redaction: 'supplied', isGlobal: false },
      providers: [{ provide: MEMORY_REDACTION_POLICY, useValue: policy }],
    });
    await say(module.get(AgentMemory), 'The cat is called Miso.');
    await module.get(MemoryTesting).settled();
    expect(await module.get(MemoryTesting).remembered()).toEqual(['The cat is called [REDACTED:PET].']);
    await expect(start({ isGlobal: false }, [FeatureModule])).rejects.toThrow('Nest can');
  });
});
