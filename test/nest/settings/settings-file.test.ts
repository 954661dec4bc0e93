import {
  AgentMemory,
  InvalidConfigurationError,
  loadMemorySettings,
  memorySettingsFrom,
  MemoryModule,
  type MemoryModuleOptions,
} from '@aimon/nestjs-memory';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootModules } from '../../support/boot.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { faultsOf } from './setting-sources.js';

type Environment = Readonly<Record<string, string>>;

/** A file of this name with this text. */
function fileOf(name: string, text: string | Buffer): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

const bootOf = (settingsFile: string, env: Environment = {}, options: MemoryModuleOptions = {}) =>
  MemoryModule.forRoot({ settingsFile, env, ...options });

const PROPERTIES = `\uFEFF# Memory of the operations team
aimon.memory.backend = in-memory
aimon.memory.workspace-id: ops
! Written as Java writes it
aimon.memory.peer-id=\\uBBFC\\uC544
aimon.memory.peer-name = 김민아, \\
    on call
aimon.memory.queue.worker-count 2
aimon.memory.deriver = \${DERIVER:-extractive}
server.port = 8080
`;
const YAML = `# Memory of the operations team
server: { port: 8080 }
aimon:
  memory:
    backend: in-memory
    workspace-id: ops
    peerId: 민아
    peer-name: "김민아, on call"
    queue:
      worker-count: 2
    session:
    deriver: \${DERIVER:-extractive}
`;
const JSON_TEXT = `{
\t"server": { "port": 8080 },
\t"aimon.memory.backend": "in-memory",
\t"aimon": { "memory": { "workspaceId": "ops", "peer-id": "민아", "peer-name": "김민아, on call",
\t\t"queue": { "workerCount": 2 }, "deriver": "\${DERIVER:-extractive}" } }
}
`;

describe.each([
  ['memory.properties', PROPERTIES],
  ['memory.yaml', YAML],
  ['memory.yml', YAML],
  ['memory.json', JSON_TEXT],
  ['MEMORY.JSON', JSON_TEXT],
])('%s', (name, text) => {
  it('is read by loadMemorySettings as options in code', () => {
    expect(loadMemorySettings(fileOf(name, text), { env: {} })).toEqual({
      ...{ backend: 'in-memory', workspaceId: 'ops', peerId: '민아', peerName: '김민아, on call' },
      ...{ queue: { workerCount: 2 }, deriver: 'extractive' },
    });
  });

  it('is read when the settings name it, and is weaker than they are', async () => {
    const app = await bootModules({ imports: [bootOf(fileOf(name, text), { AIMON_MEMORY_PEER_NAME: 'Mina' })] });
    const { peer } = app.get(AgentMemory);
    expect([peer?.principal.id, peer?.principal.displayName, peer?.workspace.id]).toEqual(['민아', 'Mina', 'ops']);
    await app.close();
  });

  it('takes its placeholders from the environment', async () => {
    expect(await faultsOf([bootOf(fileOf(name, text), { DERIVER: 'none' })])).toEqual([
      expect.stringContaining('but no deriver is, so there is no queue to read it'),
    ]);
    expect(await faultsOf([bootOf(fileOf(name, text), { DERIVER: 'extractiv' })])).toEqual([
      `aimon.memory.deriver (${name}) is "extractiv"; it takes one of none, extractive, llm, react. Did you mean extractive?`,
    ]);
  });

  it('names the file of a named memory too', async () => {
    const options = {
      name: 'ops',
      settingsFile: fileOf(name, text),
      env: { DERIVER: 'none', AIMON_MEMORY_PEER_ID: 'x' },
    };
    expect(await faultsOf([MemoryModule.forRoot(options)])).toEqual([
      expect.stringContaining('but no deriver is, so there is no queue to read it'),
    ]);
  });
});

describe('a file stops the boot', () => {
  const secret = 'sk-Winter4471';
  const spelling = 'settingsFile is ';
  const cases: Readonly<Record<string, readonly [string, string | Buffer, string]>> = {
    'of no kind that is read': [
      'memory.toml',
      'a = 1',
      ', which is of no kind that can be read; it takes a .properties, .yaml, .yml or .json file.',
    ],
    'in another encoding': [
      'memory.properties',
      Buffer.from('aimon.memory.peer-name = M\xfcller', 'latin1'),
      ', which is not in UTF-8; save it as UTF-8.',
    ],
    'of many megabytes': [
      'memory.yaml',
      '#'.repeat(1_000_001),
      ', which has 1000001 bytes; a file of settings has at most 1000000. Is it the right one?',
    ],
    'that is no YAML': [
      'memory.yaml',
      `aimon:\n  memory:\n    llm: { api-key: ${secret}\n    backend: in-memory\n`,
      ', which cannot be read at line 4, column 5, with BAD_INDENT; mend it there.',
    ],
    'with a key twice': [
      'memory.yaml',
      'aimon:\n  memory:\n    backend: in-memory\n    backend: none\n',
      ', which cannot be read at line 4, column 5, where a key stands for the second time; mend it there.',
    ],
    'with a property twice': [
      'memory.properties',
      'aimon.memory.backend=in-memory\naimon.memory.peer-id=a\naimon.memory.peer-id=b\n',
      ', which gives "aimon.memory.peer-id" two values, in the lines 2 and 3; leave one out.',
    ],
    'that is no JSON': [
      'memory.json',
      `{ "aimon": { "memory": { "llm": { "apiKey": "${secret}" } } },, }`,
      ', which is no valid JSON; mend it.',
    ],
    'with a name twice in JSON': [
      'memory.json',
      '{ "aimon": { "memory": { "backend": "in-memory", "backend": "none" } } }',
      ', which cannot be read at line 1, column 50, where a key stands for the second time; mend it there.',
    ],
    'with a backslash of Windows': [
      'memory.properties',
      'aimon.memory.backend=none\nlog.path=C:\\users\\memory\n',
      ', which cannot be read at line 2: after \\u four hexadecimal digits are missing. A backslash is written twice, as in C:\\\\users.',
    ],
    'with a template that was not rendered': [
      'memory.yaml',
      `aimon.memory.remote.token: {{${secret}}}\n`,
      ', which cannot be read at line 1, column 29, where a name is no text; mend it there.',
    ],
    'that is nested without end': [
      'memory.yaml',
      '['.repeat(200_000),
      ', which is nested more than 64 levels deep; no setting is.',
    ],
    'that is nested without end in JSON': [
      'memory.json',
      '['.repeat(100_000) + ']'.repeat(100_000),
      ', which is nested more than 64 levels deep; no setting is.',
    ],
    'that is a list': ['memory.yaml', '- backend\n', ', which holds no names with values; write aimon.memory.… in it.'],
    'with an unknown tag': [
      'memory.yaml',
      `aimon.memory.peer-id: !vault ${secret}\n`,
      ', which cannot be read at line 1, column 30, with a tag that is not known here; mend it there.',
    ],
    'that is empty': [
      'memory.yaml',
      '',
      ', which holds nothing below aimon.memory; write the settings there, such as aimon.memory.backend, or remove it.',
    ],
    'without the prefix': [
      'memory.properties',
      'backend=in-memory\nworkspace-id=ops\n',
      ', which holds nothing below aimon.memory, but backend, workspace-id beside it; write aimon.memory in front.',
    ],
  };

  it.each(Object.entries(cases))('%s', async (_, [name, content, why]) => {
    const path = fileOf(name, content);
    const faults = await faultsOf([bootOf(path)]);
    const shown = path.length > 80 ? `...${path.slice(-77)}` : path;
    expect(faults).toEqual([`${spelling}"${shown}"${why}`]);
    expect(() => loadMemorySettings(path)).toThrow(`The path that loadMemorySettings was given is "${shown}"${why}`);
    expect(faults.join()).not.toContain(secret);
  });

  it('that is not there, or is a folder, named as it is spelt in the environment too', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'f.yaml'));
    const fault = (path: string, code: string) =>
      `AIMON_MEMORY_SETTINGS_FILE is ${JSON.stringify(path)}, which cannot be read (${code}); give the path of a file that this process may read, or remove it.`;
    for (const [name, code] of [
      ['none.yaml', 'ENOENT'],
      ['f.yaml', 'EISDIR'],
    ] as const) {
      const path = join(folder, name);
      expect(await faultsOf([MemoryModule.forRoot({ env: { AIMON_MEMORY_SETTINGS_FILE: path } })])).toEqual([
        fault(path, code),
      ]);
    }
  });

  it('that names a further file', async () => {
    const path = fileOf('memory.yaml', 'aimon.memory.settings-file: other.yaml\naimon.memory.backend: none\n');
    expect(await faultsOf([bootOf(path)])).toEqual([
      'aimon.memory.settings-file (memory.yaml) is set to "other.yaml", but it is read from options in code and from the environment only; set it there, or remove it.',
    ]);
  });

  it.each([
    ['memory.yaml', 'aimon.memory: { backend: none, peer-id: mina, peerId: kim }\n'],
    ['memory.properties', 'aimon.memory.backend=none\naimon.memory.peer-id=mina\naimon.memory.peerId=kim\n'],
  ])('with one key in two spellings and two values: %s', async (name, text) => {
    expect(await faultsOf([bootOf(fileOf(name, text))])).toEqual([
      `aimon.memory.peer-id (${name}) and aimon.memory.peerId (${name}) are one setting with two values, "mina" and "kim"; leave one out.`,
    ]);
  });

  it('with a number where an id is to be, and says what to do', async () => {
    const path = fileOf('memory.yaml', 'aimon.memory: { backend: in-memory, workspace-id: 0042, peer-id: mina }\n');
    expect(await faultsOf([bootOf(path)])).toEqual([
      'aimon.memory.workspace-id (memory.yaml) is 42; it takes text of 1 to 256 characters, no control characters and not only white space. Put it in quotes.',
    ]);
  });

  it('with every fault in it at once, beside those of other sources', async () => {
    const path = fileOf(
      'memory.yaml',
      'aimon.memory: { backend: in-memory, max-tokens: "${MAX}", colour: red, llm: { api-key: "${KEY}" } }\n',
    );
    const faults = await faultsOf([bootOf(path, { KEY: secret, AIMON_MEMORY_PEER_ID: '' })]);
    expect(faults).toEqual([
      expect.stringContaining('AIMON_MEMORY_PEER_ID is ""'),
      expect.stringContaining('aimon.memory.colour (memory.yaml) is no setting of the memory; '),
      expect.stringContaining(
        'aimon.memory.llm.api-key (memory.yaml) is set to a value that is not shown, but aimon.memory.llm.model is not',
      ),
      'aimon.memory.max-tokens (memory.yaml) holds ${MAX}, but MAX is not set in the environment; set it, or give a default: ${MAX:-default}.',
      expect.stringContaining('aimon.memory.workspace-id (in code workspaceId'),
    ]);
    expect(faults.join()).not.toContain(secret);
  });
});

describe('a file', () => {
  it('may hold what is not ours, twice and with tags of others', async () => {
    const properties = 'server.port=1\nserver.port=2\nconstructor=x\n__proto__=y\naimon.memory.backend=none\n';
    expect(await faultsOf([bootOf(fileOf('memory.properties', properties))])).toEqual([]);
    const yaml = 'vault: !Ref Bucket\naimon.memory.backend: none\n';
    expect(await faultsOf([bootOf(fileOf('memory.yaml', yaml))])).toEqual([]);
  });

  it('may hold what Kubernetes announces, where it is an environment', async () => {
    const properties = 'AIMON_MEMORY_PORT=tcp://10.0.0.1:80\nAIMON_MEMORY_BACKEND=none\n';
    expect(await faultsOf([bootOf(fileOf('memory.properties', properties))])).toEqual([]);
  });

  it('with a placeholder that is unset in the backend is refused for that alone', async () => {
    const yaml = 'aimon.memory: { backend: "${BACKEND}", workspace-id: ops, max-tokens: 5 }\n';
    expect(await faultsOf([bootOf(fileOf('memory.yaml', yaml), {}, { peerId: 'mina' })])).toEqual([
      expect.stringContaining('aimon.memory.backend (memory.yaml) holds ${BACKEND}, but BACKEND is not set'),
    ]);
  });

  it('is not asked for a placeholder whose value a stronger source has', async () => {
    const yaml = 'aimon.memory: { backend: "${BACKEND}" }\n';
    expect(await faultsOf([bootOf(fileOf('memory.yaml', yaml), { AIMON_MEMORY_BACKEND: 'none' })])).toEqual([]);
  });

  it('takes no placeholder from what every object inherits', async () => {
    const yaml = 'aimon.memory: { backend: none, peer-name: "${toString:-Mina}", peer-id: "${constructor}" }\n';
    expect(() => loadMemorySettings(fileOf('memory.yaml', yaml), { env: {} })).toThrow(
      'but constructor is not set in the environment',
    );
  });

  it.each([
    ['a flow map without a blank after the colon', 'aimon.memory: { remote: {token:sk-Winter4471} }\n'],
    ['a placeholder in the midst of it', 'aimon.memory: { remote: { token: "tk-${Winter4471}" } }\n'],
    ['an address of it', 'aimon.memory: { remote: { base-url: "https:/app:Winter4471@host" } }\n'],
    ['an address of it with a slash', 'aimon.memory: { remote: { base-url: "https://app:Win/Winter4471@host" } }\n'],
    ['an address of it with an escape', 'aimon.memory: { remote: { base-url: "https://app:Winter4471%40host" } }\n'],
    ['an address of it with a query', 'aimon.memory: { llm: { base-url: "ftp://host/v1?api-key=Winter4471" } }\n'],
    ['a number', 'aimon.memory: { remote: { token: 4471447144714471 } }\n'],
  ])('shows nothing of a secret: %s', (_, yaml) => {
    const load = (): unknown => loadMemorySettings(fileOf('memory.yaml', yaml), { env: {} });
    expect(load).toThrow(InvalidConfigurationError);
    expect(load).not.toThrow('4471');
  });
});

describe('loadMemorySettings', () => {
  it('refuses what is no path, in a sentence', () => {
    expect(() => loadMemorySettings(undefined as never)).toThrow(
      'loadMemorySettings was given undefined; it takes the path of a file, as text.',
    );
    expect(() => memorySettingsFrom(null as never)).toThrow(
      'memorySettingsFrom was given null; it takes an object of texts by name, such as process.env.',
    );
  });

  it('refuses what the file holds by itself, and leaves what must go together to the start', () => {
    const path = fileOf(
      'memory.properties',
      'aimon.memory.backend=in-memory\naimon.memory.max-tokens=many\naimon.memory.pear=x\n',
    );
    expect(() => loadMemorySettings(path)).toThrow(InvalidConfigurationError);
    expect(() => loadMemorySettings(path)).toThrow(
      'aimon.memory.max-tokens (memory.properties) is "many"; it takes a whole number of at least 0. | aimon.memory.pear (memory.properties) is no setting of the memory; ',
    );
    expect(loadMemorySettings(fileOf('one.properties', 'aimon.memory.backend=in-memory\n'))).toEqual({
      backend: 'in-memory',
    });
  });

  it('keeps the white space that belongs to an id, and a list as one', () => {
    const path = fileOf(
      'memory.yaml',
      'aimon.memory: { peer-id: " mina ", context-timeout: " 1s ", health: { required: "SEARCH, memory-chat" }, max-tokens: "5", ingest-forks: "TRUE" }\n',
    );
    expect(() => loadMemorySettings(path)).toThrow('ingest-forks');
    const mended = fileOf(
      'memory.yaml',
      'aimon.memory: { peer-id: " mina ", context-timeout: " 1s ", health: { required: "SEARCH, memory-chat" }, max-tokens: "5", ingest-forks: "1" }\n',
    );
    expect(loadMemorySettings(mended)).toEqual({
      ...{
        peerId: ' mina ',
        contextTimeout: '1s',
        health: { required: ['SEARCH', 'memory-chat'] },
        maxTokens: 5,
        ingestForks: true,
      },
    });
  });
});
