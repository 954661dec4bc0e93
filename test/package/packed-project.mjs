/** The library as it is published, and programs that are run beside it: for the checks of the package. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const TYPESCRIPT = join(ROOT, 'node_modules/typescript/bin/tsc');
export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** The packages that must be installed beside the library. */
export const PEERS = Object.keys(manifest.peerDependencies).filter((name) => !(name in manifest.peerDependenciesMeta));

// npm tells its scripts about the project that they belong to; the stranger's is another one.
export const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

export const say = (line) => process.stdout.write(`${line}\n`);
export const writeJson = (path, value) => writeFileSync(path, JSON.stringify(value));

/** Runs a program; answers what it printed, and throws all of that when it fails, unless it `mayFail`. */
export function run(program, args, { mayFail = false, ...options } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (error !== undefined) throw error;
  if (status !== 0 && !mayFail)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return { stdout, stderr };
}

/** Packs the library, or another `project`, into `folder`; answers the archive and the paths of the files in it. */
export function pack(folder, project = ROOT) {
  // Who has built it already, and uses it at the same time elsewhere, says so.
  const asBuilt = process.env.AIMON_BUILT === '1' ? ['--ignore-scripts'] : [];
  const args = ['pack', '--json', '--pack-destination', folder, ...asBuilt];
  const { stdout } = run('npm', args, { cwd: project, env: environment });
  // The build prints its own lines before npm's answer.
  const packed = JSON.parse(stdout.slice(stdout.search(/^[[{]\s*$/m)));
  const [{ filename, files }] = Array.isArray(packed) ? packed : Object.values(packed);
  return { archive: join(folder, filename), files: files.map(({ path }) => path) };
}

const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund'];

/** Installs the archive and `dependencies`, by name and version, into `project`. */
export function install(project, archive, dependencies) {
  writeManifest(project, archive, dependencies);
  run('npm', INSTALL, { cwd: project, env: environment });
}

/** As {@link install}, while other things go on. */
export async function installAside(project, archive, dependencies) {
  writeManifest(project, archive, dependencies);
  const child = spawn('npm', INSTALL, { cwd: project, env: environment });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`npm install ended with ${status}\n${printed}`);
}

function writeManifest(project, archive, dependencies) {
  writeJson(join(project, 'package.json'), {
    private: true,
    type: 'module',
    dependencies: { ...dependencies, [manifest.name]: `file:${archive}` },
  });
}

/** The versions of packages that this project was made with. */
export const versionsOf = (names) => Object.fromEntries(names.map((name) => [name, manifest.devDependencies[name]]));

/** Counts checks: `check(name, body)` for each, and in the end a last line and the exit code. `work` is given a folder. */
export async function counted(prefix, work) {
  let passed = 0;
  let failed = 0;
  const check = async (name, body) => {
    try {
      await body();
      passed += 1;
      say(`ok      ${name}`);
    } catch (error) {
      failed += 1;
      say(`FAILED  ${name}\n${error.message}`);
    }
  };
  const folder = mkdtempSync(join(tmpdir(), `aimon-memory-${prefix}-`));
  try {
    await work(folder, check);
  } catch (error) {
    failed += 1;
    say(`FAILED  ${error.stack}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
