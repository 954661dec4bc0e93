import { memoryConfig } from '@aimon/nestjs-memory/config';
import {
  AgentMemory,
  loadMemorySettings,
  MemoryModule,
  type MemoryModuleOptions,
  PEER_MEMORY,
  type PeerMemory,
  SILENT_LOGGER,
} from '@aimon/nestjs-memory';
import { ConfigModule, ConfigService, registerAs } from '@nestjs/config';
import { Global, Module, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { bootModules } from '../../support/boot.js';
import { faultsOf } from './setting-sources.js';

type Imports = NonNullable<ModuleMetadata['imports']>;
const MEMORY = { backend: 'in-memory', workspaceId: 'ops', peerId: 'mina' } as const;

const memory = (options: MemoryModuleOptions = {}) => MemoryModule.forRoot({ env: {}, ...options });
const loaded = (...load: (() => object)[]) => ConfigModule.forRoot({ ignoreEnvFile: true, load });

/** Whose memory an application of these modules has, and where. */
async function peerOf(imports: Imports): Promise<string | undefined> {
  const app = await bootModules({ imports });
  const { peer } = app.get(AgentMemory);
  await app.close();
  return peer === undefined ? undefined : `${peer.principal.id}@${peer.workspace.id}`;
}

describe('the settings that ConfigService holds are read', () => {
  it.each<[string, () => object]>([
    [
      'nested, in kebab-case',
      () => ({ aimon: { memory: { backend: 'in-memory', 'workspace-id': 'ops', 'peer-id': 'mina' } } }),
    ],
    ['nested, in camelCase', () => ({ aimon: { memory: MEMORY } })],
    ['from registerAs', registerAs('aimon.memory', () => MEMORY)],
    ['from registerAs, made asynchronously', registerAs('aimon.memory', async () => Promise.resolve(MEMORY))],
    [
      'in one name each',
      () => ({
        'aimon.memory.backend': 'in-memory',
        'aimon.memory.workspace-id': 'ops',
        'aimon.memory.peerId': 'mina',
      }),
    ],
    [
      'as an environment names them',
      () => ({ AIMON_MEMORY_BACKEND: 'in-memory', aimon: { memory: { workspaceId: 'ops', peerId: 'mina' } } }),
    ],
    [
      'beside what is not ours',
      () => ({
        aimon: { memory: MEMORY, other: { backend: 'x' } },
        database: { backend: 'y' },
        'aimon.chat.backend': 'z',
      }),
    ],
  ])('%s', async (_, load) => {
    expect(await peerOf([loaded(load), memory()])).toBe('mina@ops');
  });

  it('whether ConfigModule is global or not, and before the memory or after it', async () => {
    const load = [() => ({ aimon: { memory: MEMORY } })];
    for (const isGlobal of [true, false]) {
      const config = () => ConfigModule.forRoot({ ignoreEnvFile: true, isGlobal, load });
      expect(await peerOf([config(), memory()])).toBe('mina@ops');
      expect(await peerOf([memory(), config()])).toBe('mina@ops');
    }
  });

  it('also when a feature module of the application is where they are loaded', async () => {
    @Module({ imports: [ConfigModule.forFeature(registerAs('aimon.memory', async () => Promise.resolve(MEMORY)))] })
    class FeatureModule {}
    expect(await peerOf([memory(), FeatureModule])).toBe('mina@ops');
    expect(await peerOf([ConfigModule.forRoot({ ignoreEnvFile: true }), memory(), FeatureModule])).toBe('mina@ops');
  });

  it('also when a test has put another object in the place of ConfigService', async () => {
    const module = await Test.createTestingModule({ imports: [loaded(), memory()] })
      .overrideProvider(ConfigService)
      .useValue({ get: (path: string) => (path === 'aimon.memory' ? MEMORY : undefined) })
      .setLogger(SILENT_LOGGER)
      .compile();
    expect(module.get(AgentMemory).peer?.principal.id).toBe('mina');
    await module.close();
  });

  it('and not those of a module and a service of the application that only have these names', async () => {
    class ConfigServiceOfTheApplication {
      get(): object {
        return MEMORY;
      }
    }
    Object.defineProperty(ConfigServiceOfTheApplication, 'name', { value: 'ConfigService' });

    @Global()
    @Module({ providers: [ConfigServiceOfTheApplication], exports: [ConfigServiceOfTheApplication] })
    class ConfigModuleOfTheApplication {}
    Object.defineProperty(ConfigModuleOfTheApplication, 'name', { value: 'ConfigModule' });

    expect(await peerOf([ConfigModuleOfTheApplication, memory()])).toBeUndefined();
  });

  it('and nothing at all where they are none', async () => {
    expect(await peerOf([loaded(() => ({ database: { host: 'db' } })), memory()])).toBeUndefined();
  });
});

describe('a stronger source wins key by key', () => {
  const config = () =>
    loaded(() => ({
      aimon: { memory: { ...MEMORY, queue: { workerCount: 2, maxPending: 7 }, deriver: 'extractive' } },
    }));

  it('code over the environment over ConfigService', async () => {
    const env = { AIMON_MEMORY_WORKSPACE_ID: 'from-env', AIMON_MEMORY_PEER_ID: 'from-env' };
    expect(await peerOf([config(), memory({ env, peerId: 'from-code' })])).toBe('from-code@from-env');
  });

  it('leaf by leaf below a group, so that what is left is still read', async () => {
    const env = { AIMON_MEMORY_QUEUE_WORKER_COUNT: '3' };
    const bad = { AIMON_MEMORY_QUEUE_WORKER_COUNT: '0' };
    expect(await peerOf([config(), memory({ env })])).toBe('mina@ops');
    expect(await faultsOf([config(), memory({ env: bad })])).toEqual([
      'AIMON_MEMORY_QUEUE_WORKER_COUNT is "0"; it takes a whole number of at least 1.',
    ]);
    // The weaker maxPending is there: without a deriver it would not be read, and is named.
    expect(await faultsOf([config(), memory({ deriver: 'none' })])).toEqual(
      ['max-pending', 'worker-count'].map((name) =>
        expect.stringContaining(
          `aimon.memory.queue.${name === 'max-pending' ? 'maxPending' : 'workerCount'} (ConfigService) is set to`,
        ),
      ),
    );
  });

  it('and a value that a stronger one takes the place of is not judged', async () => {
    const bad = () => loaded(() => ({ aimon: { memory: { ...MEMORY, maxTokens: 'many' } } }));
    expect(await peerOf([bad(), memory({ env: { AIMON_MEMORY_MAX_TOKENS: '500' } })])).toBe('mina@ops');
    expect(await faultsOf([bad(), memory()])).toEqual([
      'aimon.memory.maxTokens (ConfigService) is "many"; it takes a whole number of at least 0.',
    ]);
  });

  it('and a named memory reads its options alone', async () => {
    const app = await bootModules({
      imports: [
        config(),
        memory({ env: {} }),
        MemoryModule.forRoot({ ...MEMORY, name: 'ops', workspaceId: 'named', env: { AIMON_MEMORY_PEER_ID: 'no' } }),
      ],
    });
    expect(app.get(AgentMemory).peer?.workspace.id).toBe('ops');
    await app.close();
    expect(
      await faultsOf([
        config(),
        MemoryModule.forRoot({
          backend: 'in-memory',
          workspaceId: 'ops',
          name: 'ops',
          env: { AIMON_MEMORY_PEER_ID: 'mina' },
        }),
      ]),
    ).toEqual([expect.stringContaining('aimon.memory.peer-id')]);
  });
});

describe('what is wrong in ConfigService', () => {
  it.each<[string, object, string]>([
    [
      'a prefix that is no group',
      { aimon: { memory: 'in-memory' } },
      'aimon.memory (ConfigService) is text; it takes a plain object with the settings below it.',
    ],
    [
      'a prefix that is misspelt',
      { aimon: { memroy: MEMORY } },
      'aimon.memroy (ConfigService) is no name of the memory; did you mean aimon.memory?',
    ],
    [
      'a prefix that is misspelt in one name',
      { 'aimon.memmory.backend': 'in-memory' },
      'aimon.memmory.backend (ConfigService) is no name of the memory; did you mean aimon.memory.backend?',
    ],
    [
      'a file to read',
      { aimon: { memory: { ...MEMORY, settingsFile: 'memory.yaml' } } },
      'aimon.memory.settingsFile (ConfigService) is set to "memory.yaml", but it is read from options in code and from the environment only; set it there, or remove it.',
    ],
    [
      'a prefix that is a list',
      { aimon: [{ memory: MEMORY }] },
      'aimon (ConfigService) is an array; it takes a plain object, with memory and the settings below that.',
    ],
    [
      'a prefix that is a map',
      { aimon: new Map([['memory', MEMORY]]) },
      'aimon (ConfigService) is an instance of Map; it takes a plain object, with memory and the settings below that.',
    ],
    [
      'a name of the environment that is misspelt',
      { AIMON_MEMROY_BACKEND: 'none' },
      'AIMON_MEMROY_BACKEND (ConfigService) is no name of the memory; did you mean AIMON_MEMORY_BACKEND?',
    ],
  ])('stops the boot: %s', async (_, config, fault) => {
    expect(await faultsOf([loaded(() => config), memory()])).toEqual([fault]);
  });
});

describe('several configurations', () => {
  it('are merged key by key, and the one that is loaded last wins', async () => {
    const first = () => ({ aimon: { memory: { ...MEMORY, peerId: 'first', maxTokens: 5 } } });
    const second = registerAs('aimon.memory', () => ({ peerId: 'second' }));
    expect(await peerOf([loaded(first, second), memory()])).toBe('second@ops');
    expect(await peerOf([loaded(second, first), memory()])).toBe('first@ops');
  });

  it('lose no setting without a word', async () => {
    const first = () => ({ aimon: { memory: { maxTokens: 'many', colour: 'red' } } });
    expect(await faultsOf([loaded(first, () => ({ aimon: { memory: MEMORY } })), memory()])).toEqual([
      expect.stringContaining('aimon.memory.colour (ConfigService) is no setting'),
      'aimon.memory.maxTokens (ConfigService) is "many"; it takes a whole number of at least 0.',
    ]);
  });
});

describe('what the application hands on as it is', () => {
  it('is not searched for placeholders a second time', async () => {
    const names: (string | undefined)[] = [];
    const settingsFile = join(
      temporaryFolder({ 'memory.yaml': 'aimon.memory: { peer-name: "$${literal}" }\n' }),
      'memory.yaml',
    );
    for (const load of [
      registerAs('aimon.memory', () => loadMemorySettings(settingsFile)),
      () => ({ aimon: { memory: { peerName: '${literal}' } } }),
    ]) {
      const app = await bootModules({ imports: [loaded(() => ({ aimon: { memory: MEMORY } }), load), memory()] });
      names.push(app.get(AgentMemory).peer?.principal.displayName);
      await app.close();
    }
    expect(names).toEqual(['${literal}', '${literal}']);
  });

  it('may be a whole environment, with what Kubernetes announces and a file that is named there', async () => {
    const settingsFile = join(temporaryFolder({ 'memory.yaml': 'aimon.memory: { peer-name: Mina }\n' }), 'memory.yaml');
    const env = {
      ...{ AIMON_MEMORY_BACKEND: 'in-memory', AIMON_MEMORY_WORKSPACE_ID: 'ops', AIMON_MEMORY_PEER_ID: 'mina' },
      ...{
        AIMON_MEMORY_SETTINGS_FILE: settingsFile,
        AIMON_MEMORY_PORT: 'tcp://10.0.0.1:80',
        AIMON_MEMORY_SERVICE_HOST: '10.0.0.1',
      },
    };
    expect(await peerOf([loaded(() => env), memory({ env })])).toBe('mina@ops');
  });

  it('may be what validate answered', async () => {
    const config = ConfigModule.forRoot({ ignoreEnvFile: true, validate: () => ({ aimon: { memory: MEMORY } }) });
    expect(await peerOf([config, memory()])).toBe('mina@ops');
  });

  it.each<[string, object]>([
    ['without a get', {}],
    [
      'whose get throws for what it does not know',
      {
        get: () => {
          throw new Error('sk-4471');
        },
      },
    ],
  ])('may be a ConfigService of a test %s', async (_, service) => {
    const module = await Test.createTestingModule({ imports: [loaded(), memory({ ...MEMORY })] })
      .overrideProvider(ConfigService)
      .useValue(service)
      .setLogger(SILENT_LOGGER)
      .compile();
    expect(module.get(AgentMemory).peer?.principal.id).toBe('mina');
    await module.close();
  });
});

describe('memoryConfig', () => {
  it('puts the environment into ConfigService, as options', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      AIMON_MEMORY_BACKEND: 'in-memory',
      AIMON_MEMORY_WORKSPACE_ID: 'ops',
      AIMON_MEMORY_PEER_ID: 'mina',
      AIMON_MEMORY_CONTEXT_TIMEOUT: ' 1s ',
      AIMON_MEMORY_MAX_TOKENS: '500',
    });
    try {
      const app = await bootModules({ imports: [loaded(memoryConfig), MemoryModule.forRoot()] });
      expect(app.get(ConfigService).get('aimon.memory')).toEqual({ ...MEMORY, contextTimeout: '1s', maxTokens: 500 });
      expect(app.get<PeerMemory>(PEER_MEMORY).backendId).toBe('in-memory');
      await app.close();
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    }
  });
});
