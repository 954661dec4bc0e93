/** Which packages an import loads, and which its types name: for the test of that, and to measure what they cost. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

import { environment, run } from './packed-project.mjs';

const INSTALLED = `${sep}node_modules${sep}`;

/**
 * What a new process has loaded after it imported `entry` in `project`. `packages`: all, whoever loaded them, by import or by
 * require. `imported`: those that a file of the project's own imports, each as that file writes it.
 */
export function loadedBy(entry, project) {
  const files = filesLoadedBy(entry, project);
  const packages = new Set(files.filter((file) => file.includes(INSTALLED)).map(packageOfFile));
  const own = files.filter((file) => file.startsWith(join(realpathSync(project), sep)) && !file.includes(INSTALLED));
  const imported = own.flatMap(importsOf).filter((name) => packages.has(packageOf(name)));
  return { packages: sorted(packages), imported: sorted(imported), own };
}

/** The packages that a declaration file names, and all declaration files that it leads to by relative imports. */
export function packagesInTypes(entry) {
  const seen = new Set();
  const names = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) visit(resolve(dirname(file), name.replace(/\.js$/, '.d.ts')));
      else if (!isBuiltin(name)) names.add(packageOf(name));
    }
  };
  visit(entry);
  return { packages: sorted(names), files: [...seen] };
}

/**
 * Node writes down which functions ran, in modules of both kinds, and with that which files were loaded. A hook of the module
 * loader would see less: on Node 20 none is told of what CommonJS requires.
 */
function filesLoadedBy(entry, project) {
  const folder = mkdtempSync(join(tmpdir(), 'aimon-memory-loaded-'));
  try {
    run(process.execPath, ['--input-type=module', '--eval', `await import(${JSON.stringify(entry)});`], {
      cwd: project,
      env: { ...environment, NODE_OPTIONS: '', NODE_V8_COVERAGE: folder },
    });
    const urls = readdirSync(folder).flatMap((name) =>
      JSON.parse(readFileSync(join(folder, name), 'utf8')).result.map(({ url }) => url),
    );
    return urls.filter((url) => url.startsWith('file:') && !url.includes('[eval')).map((url) => fileURLToPath(url));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a file imports, exports from, requires or refers to; in a declaration file also what `import('…')` names. */
function importsOf(file) {
  const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  return [...importedFiles, ...typeReferenceDirectives].map(({ fileName }) => fileName);
}

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const packageOfFile = (file) =>
  packageOf(file.slice(file.lastIndexOf(INSTALLED) + INSTALLED.length).replaceAll(sep, '/'));
const sorted = (names) => [...new Set(names)].sort();
