import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '../support/temporary-folder.js';
import { entrySources, filesUnder, nameFaults, unlistedInMatrix } from './file-rules.js';
import { importGraph, importRules, packageOf, ROOT, type ImportGraph } from './import-graph.js';

interface Manifest {
  readonly name: string;
  readonly exports: Parameters<typeof entrySources>[0];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const matrix = readJson('test/architecture/import-matrix.json') as Readonly<Record<string, readonly string[]>>;
const manifest = readJson('package.json') as Manifest;
const folders = Object.keys(matrix);

/** Packages that lib/ imports and package.json does not declare for whoever installs it. */
function undeclared({ imports }: ImportGraph, declared: Readonly<Record<string, string>>): string[] {
  return imports.flatMap((each) => {
    const name = packageOf(each);
    return each.file.startsWith('lib/') && name !== undefined && !Object.hasOwn(declared, name)
      ? [`${each.file} imports ${name}`]
      : [];
  });
}

describe('the import rules', () => {
  let project: ImportGraph;
  beforeAll(async () => {
    project = await importGraph(ROOT);
  }, 60_000);

  it('are kept by lib and sample-app', () => {
    expect(project.violations).toEqual([]);
  });

  it('see what there is to see', () => {
    const seen = new Set(project.imports.map((each) => each.file));
    expect(seen).toContain('lib/spi/search.ts');
    expect(project.imports.length).toBeGreaterThan(50);
  });

  it('have a row for every folder of lib', () => {
    expect(unlistedInMatrix(filesUnder(ROOT, 'lib'), matrix)).toEqual([]);
  });

  it('find every package that lib imports in dependencies or peerDependencies', () => {
    expect(undeclared(project, { ...manifest.dependencies, ...manifest.peerDependencies })).toEqual([]);
  });

  it('find every dependency imported by lib', () => {
    const used = new Set(project.imports.filter(({ file }) => file.startsWith('lib/')).map(packageOf));
    expect(Object.keys(manifest.dependencies).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('the import matrix', () => {
  it.each([
    ['domain', 'spi'],
    ['spi', 'ports'],
    ['ports', 'stores'],
    ['redaction', 'search-index'],
    ['redaction', 'stores'],
    ['redaction', 'reasoning'],
    ['search-index', 'redaction'],
    ['search-index', 'stores'],
    ['search-index', 'reasoning'],
    ['stores', 'redaction'],
    ['stores', 'reasoning'],
    ['reasoning', 'backends'],
    ['backends', 'agent'],
    ['agent', 'ports'],
    ['agent', 'reasoning'],
    ['assembly', 'nest'],
    ['nest', 'server'],
    ['server', 'cli'],
  ])('keeps %s from importing %s', (folder, other) => {
    expect(matrix[folder]).not.toContain(other);
  });

  it('names only folders that it has, and never both ways', () => {
    for (const [folder, mayImport] of Object.entries(matrix)) {
      for (const other of mayImport) {
        expect(folders).toContain(other);
        expect([folder, matrix[other]?.includes(folder)]).toEqual([folder, false]);
      }
    }
  });
});

describe('each import rule can fail', () => {
  /** One break of each rule: the rule, the file that breaks it, its source, and what is found there. */
  const breaks = [
    ...folders.map((folder) => {
      const forbidden = folders.filter((other) => other !== folder && !matrix[folder]?.includes(other));
      const targets = [...forbidden.map((other) => `${other}/leaf`), 'index'];
      return {
        rule: `lib/${folder} imports only what it may`,
        file: `lib/${folder}/reaches-up.ts`,
        source: targets.map((target) => `export type * from '../${target}.js';\n`).join(''),
        found: targets.map((target) => `lib/${target}.ts`),
      };
    }),
    {
      rule: 'Nest is imported only where it is at home',
      file: 'lib/assembly/knows-nest.ts',
      source: `import { Module } from '@nestjs/common';\nexport { Module };\n`,
      found: ['@nestjs/common'],
    },
    {
      rule: 'openai is imported only where it is at home',
      file: 'lib/reasoning/deriver/knows-openai.ts',
      source: `export const client = () => import('openai');\n`,
      found: ['openai'],
    },
    {
      rule: 'a database driver is imported only where it is at home',
      file: 'lib/stores/knows-drivers.ts',
      source: `import type { Pool } from 'pg';\nimport { PGlite } from '@electric-sql/pglite';\nimport Boss from 'pg-boss';\nexport { sql } from 'kysely';\nexport { PGlite, Boss, type Pool };\n`,
      found: ['@electric-sql/pglite', 'kysely', 'pg', 'pg-boss'],
    },
    {
      rule: 'OpenTelemetry is imported only where it is at home',
      file: 'lib/backends/knows-telemetry.ts',
      source: `import { trace } from '@opentelemetry/api';\nexport { trace };\n`,
      found: ['@opentelemetry/api'],
    },
    {
      rule: 'lib imports nothing that is built on it',
      file: 'lib/nest/knows-its-users.ts',
      source: `export * from '@aimon/nestjs-memory';\nexport * from '../../sample-app/app.js';\nexport * from '../../test/leaf.js';\n`,
      found: ['@aimon/nestjs-memory', 'sample-app/app.ts', 'test/leaf.ts'],
    },
    {
      rule: 'sample-app sees the package as a stranger does',
      file: 'sample-app/knows-the-inside.ts',
      source: `import type { Leaf } from '../lib/domain/leaf.js';\nimport { nanoid } from 'nanoid';\nexport { nanoid, type Leaf };\n`,
      found: ['lib/domain/leaf.ts', 'nanoid'],
    },
    {
      rule: 'nothing imports in a circle',
      file: 'lib/domain/one.ts',
      source: `import type { Other } from './other.js';\nexport type One = Other;\n`,
      found: ['lib/domain/other.ts'],
    },
  ];

  const legal: Record<string, string> = {
    'lib/index.ts': 'export type Leaf = 1;\n',
    'test/leaf.ts': 'export type Leaf = 1;\n',
    'sample-app/app.ts': `import '@aimon/nestjs-memory';\nimport '@nestjs/common';\nimport 'node:fs';\nimport './leaf.js';\nexport type Leaf = 1;\n`,
    'sample-app/leaf.ts': 'export type Leaf = 1;\n',
    'lib/domain/other.ts': `export type Other = import('./one.js').One;\n`,
    'lib/nest/knows-nest.ts': `export * from '@nestjs/common';\n`,
    'lib/server/knows-nest.ts': `export * from '@nestjs/swagger';\n`,
    'lib/cli/knows-nest.ts': `export * from '@nestjs/core';\n`,
    'lib/reasoning/llm/knows-openai.ts': `export * from 'openai';\n`,
    'lib/reasoning/embedding/knows-openai.ts': `export * from 'openai';\n`,
    'lib/backends/postgres/knows-drivers.ts': `export * from 'pg';\nexport * from 'kysely';\n`,
    'lib/telemetry/knows-telemetry.ts': `export * from '@opentelemetry/api';\n`,
  };
  for (const [folder, mayImport] of Object.entries(matrix)) {
    legal[`lib/${folder}/leaf.ts`] = 'export type Leaf = 1;\n';
    legal[`lib/${folder}/reaches-down.ts`] = mayImport
      .map((other) => `export * from '../${other}/leaf.js';\n`)
      .join('');
  }

  let broken: ImportGraph;
  beforeAll(async () => {
    broken = await importGraph(
      temporaryFolder({ ...legal, ...Object.fromEntries(breaks.map(({ file, source }) => [file, source])) }),
    );
  }, 60_000);

  it('and exactly the breaks of a project that breaks each are found', () => {
    const expected = breaks.flatMap(({ rule, file, found }) => found.map((target) => `${rule}: ${file} → ${target}`));
    expect(broken.violations).toEqual(expected.sort());
  });

  it('and no rule is left out of that project', () => {
    const shown = new Set(breaks.map(({ rule }) => rule));
    expect(importRules.filter((rule) => !shown.has(rule))).toEqual([]);
  });

  it('also the one about folders: one that the matrix does not list, and a file beside the public surface', () => {
    const files = ['lib/index.ts', 'lib/domain/leaf.ts', 'lib/extras/leaf.ts', 'lib/extras/other.ts', 'lib/loose.ts'];
    expect(unlistedInMatrix(files, matrix)).toEqual(['lib/extras', 'lib/loose.ts']);
  });

  it('also the one about packages: an import that nobody who installs us would have', () => {
    const specifiers = ['openai/resources', '@nestjs/common', 'nanoid', 'node:fs', './leaf.js'];
    const imports = specifiers.map((specifier) => ({ file: 'lib/x.ts', specifier, builtIn: false }));
    expect(undeclared({ imports, violations: [] }, { nanoid: '5' })).toEqual([
      'lib/x.ts imports openai',
      'lib/x.ts imports @nestjs/common',
    ]);
  });
});

describe('the names of files', () => {
  const entries = entrySources(manifest.exports);

  it('are kebab-case, say what is inside, and hide no barrel', () => {
    expect(nameFaults([...filesUnder(ROOT, 'lib'), ...filesUnder(ROOT, 'test')], entries)).toEqual([]);
  });

  it('are judged: each rule can fail', () => {
    const good = ['lib/index.ts', 'lib/nest/health/index.ts', 'lib/domain/observation-type.ts', 'test/a/x.test.ts'];
    const bad = [
      'lib/spi/PeerMemory.ts',
      'lib/spi/index.ts',
      'lib/spi/utils.ts',
      'lib/common/x.ts',
      'lib/a/x-helpers.ts',
    ];
    const allowed = entrySources({
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './health': { types: './dist/nest/health/index.d.ts', default: './dist/nest/health/index.js' },
      './package.json': './package.json',
    });
    expect(nameFaults([...good, ...bad], allowed)).toEqual([
      'lib/spi/PeerMemory.ts: is not in kebab-case',
      'lib/spi/index.ts: is a barrel that no entry of exports leads to',
      'lib/spi/utils.ts: has a name that says nothing; name it after what it exports',
      'lib/common/x.ts: has a name that says nothing; name it after what it exports',
      'lib/a/x-helpers.ts: has a name that says nothing; name it after what it exports',
    ]);
  });
});
