import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MemoryModule, PEER_MEMORY, SILENT_LOGGER, memoryCapabilities, type PeerMemory } from '@aimon/nestjs-memory';
import { Test } from '@nestjs/testing';
import ts from 'typescript';

import { codeBlocks, namedSources, shellCommands } from '../readme/readme-blocks.js';
import { ReadmeProject } from '../readme/readme-project.js';
import { headingAnchors, linkTargets } from './support/markdown.js';

// That its commands do what it says is checked by test/package/getting-started.mjs, which needs a registry.
const ROOT = join(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8');
const blocks = codeBlocks(text);
const sources = namedSources(blocks);
const commands = shellCommands(blocks);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, object>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const archive = `./${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;

describe('the code in docs/getting-started.md', () => {
  it('is a whole application', () => {
    expect(Object.keys(sources)).toEqual([
      'app.module.ts',
      'chat.controller.ts',
      'reply.ts',
      'health.controller.ts',
      'main.ts',
    ]);
  });

  it('compiles, strictly, against the library as it is published', () => {
    if (!existsSync(join(ROOT, 'dist/index.d.ts'))) throw new Error('The library is not built: npm run build');
    expect(new ReadmeProject(sources).compile()).toEqual([]);
  }, 60_000);

  it('has the memory in four lines', () => {
    const [registration = ''] = /^ *MemoryModule\.forRoot\([\s\S]*?\}\),$/m.exec(sources['app.module.ts'] ?? '') ?? [];
    expect(registration.split('\n')).toHaveLength(4);
  });

  it('comes with options of the compiler that there are, strict ones, and that make what Nest needs', () => {
    const [block] = blocks.filter(({ language }) => language === 'jsonc');
    const parsed = ts.parseConfigFileTextToJson('tsconfig.json', block?.text ?? '');
    expect(parsed.error).toBeUndefined();
    const { compilerOptions } = parsed.config as { readonly compilerOptions: Readonly<Record<string, unknown>> };
    const { options, errors } = ts.convertCompilerOptionsFromJson(compilerOptions, ROOT);
    expect(errors).toEqual([]);
    expect(options).toMatchObject({ strict: true, experimentalDecorators: true, emitDecoratorMetadata: true });
    expect(options.module).toBe(ts.ModuleKind.NodeNext);
  });
});

describe('the commands in docs/getting-started.md', () => {
  const installed = commands
    .filter((command) => command.startsWith('npm install'))
    .flatMap((command) => command.split(' ').slice(2));

  it('install the archive that npm pack makes, with every peer', () => {
    expect(installed).toContain(archive);
    expect(text).toContain(`\`${archive.slice(2)}\``);
    const names = installed.map((name) => name.replace(/(?<=.)@[\d.]+$/, ''));
    const needed = Object.keys(manifest.peerDependencies).filter((name) => !(name in manifest.peerDependenciesMeta));
    expect(names).toEqual(expect.arrayContaining([...needed, '@nestjs/terminus', '@nestjs/platform-express']));
  });

  it('install the versions that the library is made with', () => {
    const named = installed.flatMap((name) => {
      const [, of = '', version = ''] = /^(@?[^@]+)@([\d.]+)$/.exec(name) ?? [];
      return of === '' ? [] : [{ of, version }];
    });
    expect(named.length).toBeGreaterThan(6);
    for (const { of, version } of named)
      expect(`${manifest.devDependencies[of]}.`).toMatch(new RegExp(`^${version}\\.`));
  });

  it('ask the application for what it serves', () => {
    const asked = commands.flatMap((command) => /^curl -s http:\/\/127\.0\.0\.1:3000\/(\w+)/.exec(command)?.[1] ?? []);
    expect(asked).toEqual(['health', 'chat', 'health', 'chat', 'chat', 'chat']);
    const served = Object.values(sources).flatMap((source) => /@Controller\('(\w+)'\)/.exec(source)?.[1] ?? []);
    expect([...new Set(asked)].sort()).toEqual(served.sort());
    expect(sources['main.ts']).toContain('process.env.PORT ?? 3000');
  });

  it('set an environment from which the same memory boots', async () => {
    const env = Object.fromEntries(
      commands
        .filter((command) => command.startsWith('export '))
        .flatMap((command) => command.split(' ').slice(1))
        .map((variable) => variable.split('=') as [string, string]),
    );
    const options = [...(sources['app.module.ts'] ?? '').matchAll(/(\w+): '([^']+)'/g)].map(([, , value]) => value);
    expect(Object.values(env)).toEqual(options);
    const module = await Test.createTestingModule({ imports: [MemoryModule.forRoot({ env })] })
      .setLogger(SILENT_LOGGER)
      .compile();
    const memory = module.get<PeerMemory>(PEER_MEMORY, { strict: false });
    expect([...memoryCapabilities(memory)]).toEqual(['SNAPSHOT', 'SEARCH', 'OBSERVE', 'INGEST']);
    await module.close();
  });
});

describe('the links in docs/getting-started.md', () => {
  it('lead to files that there are, and to headings in them', () => {
    const targets = linkTargets(text);
    expect(targets.length).toBeGreaterThan(7);
    for (const target of targets) {
      const [file = '', anchor] = target.split('#');
      expect([file, existsSync(join(ROOT, 'docs', file))]).toEqual([file, true]);
      if (anchor !== undefined)
        expect(headingAnchors(readFileSync(join(ROOT, 'docs', file), 'utf8'))).toContain(anchor);
    }
  });
});
