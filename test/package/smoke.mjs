/**
 * The package as a stranger gets it: packed, installed in a project of its own beside Nest, then imported, required,
 * compiled against and run, on each Node version that is to be had. The last line counts the checks.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STRANGER = fileURLToPath(new URL('stranger', import.meta.url));
const OTHER_NODES = [22, 24];
const TYPESCRIPT = join(ROOT, 'node_modules/typescript/bin/tsc');
const STRANGERS_OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  outDir: 'dist',
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const OPTIONAL = Object.keys(manifest.peerDependenciesMeta);
const PEERS = Object.keys(manifest.peerDependencies).filter((name) => !OPTIONAL.includes(name));
const say = (line) => process.stdout.write(`${line}\n`);

/** Runs a program; answers what it printed, and throws all of that when it fails. */
function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return { stdout, stderr };
}

// npm tells its scripts about the project that they belong to; the stranger's is another one.
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const writeJson = (path, value) => writeFileSync(path, JSON.stringify(value));

/** Packs the library into `folder`; answers the archive and the paths of the files in it. */
function pack(folder) {
  const { stdout } = run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT, env: environment });
  // The build prints its own lines before npm's answer.
  const packed = JSON.parse(stdout.slice(stdout.search(/^[[{]\s*$/m)));
  const [{ filename, files }] = Array.isArray(packed) ? packed : Object.values(packed);
  return { archive: join(folder, filename), files: files.map(({ path }) => path) };
}

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

let passed = 0;
let failed = 0;

function check(name, body) {
  try {
    body();
    passed += 1;
    say(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    say(`FAILED  ${name}\n${error.message}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'aimon-memory-smoke-'));
try {
  const { archive, files } = pack(folder);
  check('the archive holds what is published, and nothing else', () => {
    const expected =
      /^(?:dist\/.+\.(?:js|d\.ts)|docs\/[^/]+\.md|package\.json|README(?:\.ko)?\.md|CHANGELOG\.md|LICENSE)$/;
    const strays = files.filter((path) => !expected.test(path));
    if (strays.length > 0) throw new Error(`It also holds ${strays.join(', ')}.`);
    for (const path of ['dist/index.js', 'dist/index.d.ts', 'package.json']) {
      if (!files.includes(path)) throw new Error(`It does not hold ${path}.`);
    }
  });

  const project = join(folder, 'project');
  const install = (names) => {
    const dependencies = Object.fromEntries(names.map((name) => [name, manifest.devDependencies[name]]));
    dependencies[manifest.name] = `file:${archive}`;
    writeJson(join(project, 'package.json'), { private: true, dependencies });
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: project, env: environment });
  };
  const compile = (type, script) => {
    cpSync(join(STRANGER, script), join(project, type, script));
    writeJson(join(project, type, 'package.json'), { type });
    writeJson(join(project, type, 'tsconfig.json'), { compilerOptions: STRANGERS_OPTIONS, files: [script] });
    run(process.execPath, [TYPESCRIPT, '-p', join(project, type)]);
  };
  for (const script of ['one-instance.cjs', 'missing-packages.cjs', 'alone.cjs'])
    cpSync(join(STRANGER, script), join(project, script));
  install(PEERS);

  for (const type of ['module', 'commonjs']) {
    check(`a TypeScript application (nodenext, ${type}) compiles against it`, () => compile(type, 'application.ts'));
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
    check(`Node ${version}: import and require give one instance`, () => runQuietly(command, 'one-instance.cjs'));
    check(`Node ${version}: an ES module application works`, () => runQuietly(command, 'module/dist/application.js'));
    check(`Node ${version}: a CommonJS application works`, () => runQuietly(command, 'commonjs/dist/application.js'));
    check(`Node ${version}: what needs a package that is not installed names it`, () =>
      runQuietly(command, 'missing-packages.cjs'),
    );
  }

  install([...PEERS, ...OPTIONAL]);
  for (const { version, command } of nodes) {
    check(`Node ${version}: each entry can be loaded first`, () => runQuietly(command, 'alone.cjs'));
  }
  for (const type of ['module', 'commonjs']) {
    check(`an application of every subpath (${type}) compiles against it`, () => compile(type, 'optional.ts'));
    for (const { version, command } of nodes) {
      check(`Node ${version}: an application of every subpath (${type}) works`, () =>
        runQuietly(command, `${type}/dist/optional.js`),
      );
    }
  }
} catch (error) {
  failed += 1;
  say(`FAILED  ${error.message}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
say(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
