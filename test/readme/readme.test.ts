import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MemoryModule, PEER_MEMORY, SILENT_LOGGER, memoryCapabilities, type PeerMemory } from '@aimon/nestjs-memory';
import { Test } from '@nestjs/testing';

import type { SettingDefinition } from '../../lib/nest/settings/setting-definition.js';
import { SETTING_DEFINITIONS } from '../../lib/nest/settings/setting-definitions.js';
import { codeBlocks, namedSources, promisedOutput, readme, shellCommands, tableRows } from './readme-blocks.js';
import { ReadmeProject } from './readme-project.js';

const ROOT = join(import.meta.dirname, '../..');
const text = readme();
const blocks = codeBlocks(text);
const sources = namedSources(blocks);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, object>>;
};

// A program ends somewhere: one that is imported by another is run with it.
const programs = Object.keys(sources).filter((name) => {
  const imported = `./${name.replace(/\.ts$/, '.js')}`;
  return !Object.values(sources).some((source) => source.includes(`'${imported}'`));
});

describe('the code in the README', () => {
  let project: ReadmeProject;
  beforeAll(() => {
    if (!existsSync(join(ROOT, 'dist/index.d.ts'))) throw new Error('The library is not built: npm run build');
    project = new ReadmeProject(sources);
  });

  it('compiles, strictly, against the library as it is published', () => {
    expect(project.compile()).toEqual([]);
  }, 60_000);

  it('has programs to run', () => {
    expect(programs).toEqual(
      expect.arrayContaining(['main.ts', 'masking.ts', 'supplied-backend.ts', 'many-tenants.ts']),
    );
  });

  it.each(programs.filter((name) => name !== 'main.ts'))(
    '%s runs and prints what stands beside it',
    async (name) => {
      const promised = promisedOutput(sources[name] ?? '');
      expect(promised.length).toBeGreaterThan(0);
      expect((await project.run(name)).trimEnd().split('\n')).toEqual(promised);
    },
    30_000,
  );

  it('main.ts prints the lines of the block below it, in their order', async () => {
    const shown = blocks.find(({ language }) => language === 'text')?.text ?? '';
    expect(shown.split('\n').length).toBeGreaterThan(10);
    const printed = plain(await project.run('main.ts')).split('\n');
    let at = 0;
    for (const line of plain(shown).trimEnd().split('\n')) {
      const [start = '', ...more] = line.split('…');
      const found = printed.findIndex(
        (one, index) => index >= at && (more.length > 0 ? one.startsWith(start) : one === line),
      );
      if (found < 0) throw new Error(`It does not print, from line ${at + 1} on: ${line}\n\n${printed.join('\n')}`);
      at = found + 1;
    }
  }, 30_000);
});

/** Without what differs from run to run: the time, and the front that Nest puts before a log line. */
function plain(output: string): string {
  return output
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>')
    .replaceAll(/^\[Nest\].*?\s(?=(?:LOG|WARN) )/gm, '');
}

describe('the commands in the README', () => {
  const commands = shellCommands(blocks);

  it('are scripts of the package, or npm itself', () => {
    const unknown = commands.filter((command) => {
      if (command.startsWith('export ') || /^npm (?:ci|pack|install)\b/.test(command)) return false;
      const script = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([a-z:]+)\b/.exec(command)?.[1];
      return script === undefined || manifest.scripts[script] === undefined;
    });
    expect(unknown).toEqual([]);
    expect(commands.length).toBeGreaterThan(8);
  });

  it('begin with the two that do all the set-up', () => {
    const [first] = blocks.filter(({ language }) => language === 'sh');
    expect(first?.text).toBe('npm ci && npm run demo -- --once\nnpm ci && npm test\n');
  });

  it('install the archive that npm pack makes, with every peer', () => {
    const install = commands.find((command) => command.startsWith('npm install'))?.split(' ') ?? [];
    expect(install).toContain(`./${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`);
    const named = install.map((name) => name.replace(/(?<=.)@[\d.]+$/, ''));
    const needed = Object.keys(manifest.peerDependencies).filter((name) => !(name in manifest.peerDependenciesMeta));
    expect(named).toEqual(expect.arrayContaining(needed));
  });

  it('set an environment from which the same memory boots', async () => {
    const env = Object.fromEntries(
      commands
        .filter((command) => command.startsWith('export '))
        .map((command) => command.slice('export '.length).split('=') as [string, string]),
    );
    expect(Object.keys(env).length).toBeGreaterThan(3);
    const module = await Test.createTestingModule({ imports: [MemoryModule.forRoot({ env })] })
      .setLogger(SILENT_LOGGER)
      .compile();
    const memory = module.get<PeerMemory>(PEER_MEMORY, { strict: false });
    expect([...memoryCapabilities(memory)]).toEqual(['SNAPSHOT', 'SEARCH', 'OBSERVE', 'INGEST']);
    await module.close();
  });
});

describe('the settings in the README', () => {
  const rows = tableRows(text, '`aimon.memory.`');
  const keys = rows.map(([key = '']) => key.replaceAll('`', ''));
  const shown = SETTING_DEFINITIONS.filter(({ key, later }) => keys.includes(key) && later !== true);

  it('are some of this version, in their order', () => {
    expect(keys.length).toBeGreaterThan(5);
    expect(keys).toEqual(shown.map(({ key }) => key));
  });

  it.each(shown.map((definition, index) => [definition.key, definition, rows[index]] as const))(
    '%s takes what the README says, by default what it says',
    (_, definition, [, takes, fallback] = []) => {
      expect(takes).toBe(taken(definition));
      expect(fallback === '–' ? undefined : fallback?.replaceAll('`', '')).toBe(definition.shownFallback);
    },
  );
});

function taken({ accepts, values, laterValues = [] }: SettingDefinition): string {
  if (values !== undefined) {
    return values
      .filter((value) => !laterValues.includes(value))
      .map((value) => `\`${value}\``)
      .join(', ');
  }
  if (accepts.startsWith('a duration')) return 'duration';
  if (accepts.startsWith('a whole number')) return 'number';
  return accepts.startsWith('true, false') ? 'boolean' : 'text';
}

describe('the links in the README', () => {
  it('lead to files that there are', () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(3);
    expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });
});

describe('a fault in a README', () => {
  let broken: ReadmeProject;
  let faults: readonly string[];
  beforeAll(() => {
    broken = new ReadmeProject({
      'does-not-compile.ts': "import { NoSuchThing } from '@aimon/nestjs-memory';\nconsole.log(NoSuchThing);\n",
      'prints-another.ts': 'console.log(1); // 2\n',
      'fails.ts': "throw new Error('no');\n",
    });
    faults = broken.compile();
  }, 60_000);

  it('is found when a block does not compile', () => {
    expect(faults).toEqual([expect.stringMatching(/^does-not-compile\.ts:1 .+NoSuchThing/)]);
  });

  it('is found when a block prints something else, or fails', async () => {
    expect(promisedOutput('console.log(1); // 2\n')).toEqual(['2']);
    expect(await broken.run('prints-another.ts')).toBe('1\n');
    await expect(broken.run('fails.ts')).rejects.toThrow('fails.ts ended with 1');
  }, 30_000);

  it('is found when a block has no name, or one that is taken', () => {
    const block = (first: string): { language: string; text: string } => ({ language: 'ts', text: `${first}\n` });
    expect(() => namedSources([block('const a = 1;')])).toThrow('does not start with its file name');
    expect(() => namedSources([block('// a.ts'), block('// a.ts')])).toThrow('Two ts blocks are called a.ts.');
  });

  it('is found when a command stands behind another one', () => {
    expect(shellCommands([{ language: 'sh', text: 'npm ci && npm run nope\nls\n' }])).toEqual([
      'npm ci',
      'npm run nope',
      'ls',
    ]);
  });
});
