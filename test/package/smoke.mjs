/**
 * The package as a stranger gets it: packed, looked through by publint and "Are the types wrong?", installed in a project of its
 * own beside Nest, then imported, required, compiled against and run, on each Node version that is to be had. The last line
 * counts the checks.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { publintFaults, typesFaults } from './package-faults.mjs';
import {
  counted,
  environment,
  install,
  manifest,
  pack,
  PEERS,
  ROOT,
  run,
  say,
  TYPESCRIPT,
  versionsOf,
  writeJson,
} from './packed-project.mjs';

const STRANGER = fileURLToPath(new URL('stranger', import.meta.url));
const OTHER_NODES = [22, 24];
const OPTIONAL = Object.keys(manifest.peerDependenciesMeta);
const STRANGERS_OPTIONS = {
  target: 'es2022',
  strict: true,
  outDir: 'dist',
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};
const RESOLUTIONS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'preserve', moduleResolution: 'bundler', noEmit: true },
};

/** Packages that are broken in ways that publint and the other are there to find. */
const BROKEN = {
  'leads nowhere': { 'package.json': { type: 'module', exports: './missing.js' }, 'index.js': 'export {};' },
  'says the types too late': {
    'package.json': { type: 'module', exports: { '.': { default: './index.js', types: './index.d.ts' } } },
    'index.js': 'export const one = 1;',
    'index.d.ts': 'export declare const one: number;',
  },
  'has types that lead nowhere': {
    'package.json': {
      type: 'module',
      exports: { '.': { types: './index.d.ts', default: './index.js' }, './bare': './bare.js' },
    },
    'index.js': 'export const one = 1;',
    'bare.js': 'export const two = 2;',
    'index.d.ts': `export * from './missing';`,
  },
};

/** How to run a script on that version of Node, and which it is; `undefined` when the registry does not give it. */
function nodeFromRegistry(major) {
  const command = ['npx', '-y', `node@${major}`];
  const env = { ...environment, npm_config_fetch_retries: '0', npm_config_fetch_timeout: '30000' };
  try {
    const version = run(command[0], [...command.slice(1), '--version'], { env, timeout: 180_000 }).stdout.trim();
    return version.startsWith(`v${major}.`) ? { version, command } : undefined;
  } catch {
    return undefined;
  }
}

/** The archive of one of the broken packages. */
function packBroken(folder, name) {
  const project = join(folder, name.replaceAll(' ', '-'));
  for (const [path, content] of Object.entries(BROKEN[name])) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    if (typeof content === 'string') writeFileSync(join(project, path), content);
    else writeJson(join(project, path), { name: 'broken', version: '1.0.0', ...content });
  }
  return pack(project, project).archive;
}

await counted('smoke', async (folder, check) => {
  const { archive, files } = pack(folder);
  await check('the archive holds what is published, and nothing else', () => {
    const expected =
      /^(?:dist\/.+\.(?:js|d\.ts)|docs\/(?:ko\/)?[^/]+\.md|package\.json|README(?:\.ko)?\.md|CHANGELOG\.md|LICENSE)$/;
    const strays = files.filter((path) => !expected.test(path));
    if (strays.length > 0) throw new Error(`It also holds ${strays.join(', ')}.`);
    const entries = Object.values(manifest.exports)
      .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
      .map((path) => path.slice('./'.length));
    for (const path of [...entries, 'README.md', 'CHANGELOG.md', 'LICENSE', 'docs/settings.md']) {
      if (!files.includes(path)) throw new Error(`It does not hold ${path}.`);
    }
  });

  await check('publint finds no fault', async () => assert.deepEqual(await publintFaults(archive), []));
  await check('"Are the types wrong?" finds none', async () => assert.deepEqual(await typesFaults(archive), []));
  await check('both find the faults of packages that have some', async () => {
    const codes = (faults) => [...new Set(faults.map((fault) => fault.split(':', 1)[0]))];
    assert.deepEqual(codes(await publintFaults(packBroken(folder, 'leads nowhere'))), ['FILE_DOES_NOT_EXIST']);
    const late = codes(await publintFaults(packBroken(folder, 'says the types too late')));
    assert.ok(late.includes('EXPORTS_TYPES_SHOULD_BE_FIRST'), late.join(', '));
    const kinds = codes(await typesFaults(packBroken(folder, 'has types that lead nowhere')));
    assert.deepEqual(kinds.sort(), ['InternalResolutionError', 'UntypedResolution']);
  });

  const project = join(folder, 'project');
  const compile = (type, script, resolution = 'nodenext') => {
    const place = join(project, type);
    cpSync(join(STRANGER, script), join(place, script));
    writeJson(join(place, 'package.json'), { type });
    const compilerOptions = { ...STRANGERS_OPTIONS, ...RESOLUTIONS[resolution] };
    writeJson(join(place, 'tsconfig.json'), { compilerOptions, files: [script] });
    run(process.execPath, [TYPESCRIPT, '-p', place]);
  };
  for (const script of ['one-instance.cjs', 'missing-packages.cjs', 'alone.cjs'])
    cpSync(join(STRANGER, script), join(project, script));
  install(project, archive, versionsOf(PEERS));

  for (const type of ['module', 'commonjs']) {
    for (const resolution of Object.keys(RESOLUTIONS)) {
      await check(`a TypeScript application (${resolution}, ${type}) compiles against it`, () =>
        compile(type, 'application.ts', resolution),
      );
    }
  }

  const nodes = [{ version: process.version, command: [process.execPath] }];
  for (const major of OTHER_NODES) {
    const node = nodeFromRegistry(major);
    if (node === undefined) say(`skipped Node ${major}: the registry does not give it`);
    else nodes.push(node);
  }
  const runQuietly = ([program, ...args], script) => {
    const { stderr } = run(program, [...args, script], { cwd: project, env: environment });
    if (/warning/i.test(stderr)) throw new Error(`It printed a warning:\n${stderr}`);
  };
  for (const { version, command } of nodes) {
    await check(`Node ${version}: import and require give one instance`, () => runQuietly(command, 'one-instance.cjs'));
    for (const type of ['module', 'commonjs']) {
      await check(`Node ${version}: an application (${type}) works`, () =>
        runQuietly(command, `${type}/dist/application.js`),
      );
    }
    await check(`Node ${version}: what needs a package that is not installed names it`, () =>
      runQuietly(command, 'missing-packages.cjs'),
    );
  }

  install(project, archive, versionsOf([...PEERS, ...OPTIONAL]));
  for (const { version, command } of nodes) {
    await check(`Node ${version}: each entry can be loaded first`, () => runQuietly(command, 'alone.cjs'));
  }
  for (const type of ['module', 'commonjs']) {
    for (const resolution of Object.keys(RESOLUTIONS)) {
      await check(`an application of every subpath (${resolution}, ${type}) compiles against it`, () =>
        compile(type, 'optional.ts', resolution),
      );
    }
    for (const { version, command } of nodes) {
      await check(`Node ${version}: an application of every subpath (${type}) works`, () =>
        runQuietly(command, `${type}/dist/optional.js`),
      );
    }
  }
});
