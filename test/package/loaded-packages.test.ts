/* eslint-disable @typescript-eslint/no-explicit-any -- the probe is plain JavaScript, which the compiler knows no types of */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const probe: any = await import(new URL('loaded-packages.mjs', import.meta.url).href);
const loadedBy: (entry: string, project: string) => Loaded = probe.loadedBy;
const packagesInTypes: (file: string) => InTypes = probe.packagesInTypes;

interface Loaded {
  readonly packages: readonly string[];
  readonly imported: readonly string[];
  readonly own: readonly string[];
}
interface InTypes {
  readonly packages: readonly string[];
  readonly files: readonly string[];
}
interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

// What settings are read with (joi, yaml, croner, properties-file, fastest-levenshtein) is loaded when one is read.
const DEFAULT_BACKEND = ['nanoid', 'stemmer'];
const NEST = ['@nestjs/common', '@nestjs/core'];

/**
 * Of each entry: what its files import, what its types name, and the optional packages it is there for. A package more is
 * one more that everybody waits for who imports the entry; one more in the types is one more that has to be installed.
 */
const ENTRIES: Readonly<
  Record<string, { imports: readonly string[]; types: readonly string[]; needs: readonly string[] }>
> = {
  '.': {
    imports: [...NEST, ...DEFAULT_BACKEND, 'rxjs'],
    types: ['@nestjs/common', 'rxjs'],
    needs: [],
  },
  './health': {
    imports: [...NEST, ...DEFAULT_BACKEND, '@nestjs/terminus'],
    types: [...NEST, '@nestjs/terminus'],
    needs: ['@nestjs/terminus'],
  },
  './config': { imports: ['@nestjs/config'], types: ['@nestjs/config'], needs: ['@nestjs/config'] },
  './class-validator': {
    imports: ['class-transformer', 'class-validator', 'reflect-metadata'],
    types: ['class-validator', 'reflect-metadata'],
    needs: ['class-transformer', 'class-validator'],
  },
  './testing': { imports: [...NEST, ...DEFAULT_BACKEND], types: ['@nestjs/common'], needs: [] },
  './testkit': { imports: ['nanoid'], types: [], needs: [] },
};

const optional = Object.keys(manifest.peerDependenciesMeta);
const specifier = (entry: string): string => manifest.name + entry.slice(1);
const typesOf = (entry: string): string => {
  const target = manifest.exports[entry];
  return join(ROOT, typeof target === 'object' ? target.types : '');
};

describe('the packages behind the entries', () => {
  it('are written down for every entry', () => {
    expect(Object.keys(ENTRIES)).toEqual(Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json')));
  });
});

describe.each(Object.entries(ENTRIES))('the entry %s', (entry, { imports, types, needs }) => {
  const foreign = optional.filter((name) => !needs.includes(name));
  let loaded: Loaded;
  beforeAll(() => {
    loaded = loadedBy(specifier(entry), ROOT);
  });

  it('imports these packages and no other', () => {
    expect(loaded.imported).toEqual([...imports].sort());
  });

  it('loads no optional package but those it is there for, not even through another package', () => {
    expect(loaded.packages.filter((name) => foreign.includes(name))).toEqual([]);
    expect(loaded.packages).toEqual(expect.arrayContaining([...needs]));
  });

  it('names these packages in its types and no other', () => {
    expect(packagesInTypes(typesOf(entry)).packages).toEqual([...types].sort());
    expect(types.filter((name) => foreign.includes(name))).toEqual([]);
  });

  it('names none in its types that whoever has it need not have', () => {
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    expect(types.filter((name) => !installed.includes(name))).toEqual([]);
  });
});

describe('the main entry', () => {
  // Each file costs half a millisecond and more; there were 247 before they were bundled.
  it('is a handful of files', () => {
    expect(loadedBy(specifier('.'), ROOT).own.length).toBeLessThanOrEqual(12);
  });

  it('loads the packages that settings are read with once there is one to read', () => {
    const project = temporaryFolder({
      'memory.yaml': 'aimon.memory.backend: none\n',
      'read.js': `import { loadMemorySettings } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)};
        if (loadMemorySettings('memory.yaml').backend !== 'none') throw new Error('It was not read.');`,
    });
    expect(loadedBy('./read.js', project).packages).toEqual(expect.arrayContaining(['yaml', 'joi']));
  });
});

describe('./testkit', () => {
  it('loads nothing but Node, our own files and what they depend on: no Nest and no test runner', () => {
    const { packages } = loadedBy(specifier('./testkit'), ROOT);
    expect(packages.filter((name) => !Object.hasOwn(manifest.dependencies, name))).toEqual([]);
  });
});

describe('what finds the packages', () => {
  const packageOf = (name: string, source: string, type = 'commonjs'): Record<string, string> => ({
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, type, main: 'main.js' }),
    [`node_modules/${name}/main.js`]: source,
  });
  const project = temporaryFolder({
    'package.json': '{ "type": "module" }',
    'entry.js': `import './inner.js';\nexport { join } from 'node:path';\n// import 'mentioned';\n`,
    'inner.js': `import '@scope/modern';\nimport 'old/main.js';\nexport const later = () => import('lazy');\n`,
    'now.js': `await import('lazy');\n`,
    ...packageOf('@scope/modern', 'export default 1;\n', 'module'),
    ...packageOf('old', `require('deep');\n`),
    ...packageOf('deep', 'module.exports = 1;\n'),
    ...packageOf('lazy', 'module.exports = 1;\n'),
    ...packageOf('mentioned', 'module.exports = 1;\n'),
  });

  it('sees modules and CommonJS, ours and theirs, and leaves out what is loaded later or only mentioned', () => {
    expect(loadedBy('./entry.js', project)).toMatchObject({
      packages: ['@scope/modern', 'deep', 'old'],
      imported: ['@scope/modern', 'old/main.js'],
    });
  });

  it('sees what is loaded with import()', () => {
    expect(loadedBy('./now.js', project)).toMatchObject({ packages: ['lazy'], imported: ['lazy'] });
  });

  it('says why an entry cannot be loaded', () => {
    expect(() => loadedBy('./missing.js', project)).toThrow(/Cannot find module .*missing\.js/);
  });

  it('sees all ways to name a package in types', () => {
    const folder = temporaryFolder({
      'index.d.ts': `/// <reference types="referred" />\nexport * from './inner.js';\nimport type { Buffer } from 'node:buffer';\n`,
      'inner.d.ts': `import 'plain';\nimport type { A } from '@scope/typed/deep';\nexport { B } from 'passed-on';\nexport declare const c: import("inline").C;\n/** import 'mentioned' */\nexport * from './index.js';\n`,
    });
    const { packages, files } = packagesInTypes(join(folder, 'index.d.ts'));
    expect(packages).toEqual(['@scope/typed', 'inline', 'passed-on', 'plain', 'referred']);
    expect(files).toEqual([join(folder, 'index.d.ts'), join(folder, 'inner.d.ts')]);
  });
});
