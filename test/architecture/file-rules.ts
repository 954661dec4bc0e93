import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// The reports of the public surface are named and written by the tool that makes them.
const MADE_BY_A_TOOL = /^test\/package\/api\/[a-z-]+\.api\.md$/;
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.(?:ts|mts|cts|js|mjs|cjs|json)$/;
const SAYS_NOTHING = /^(?:.+-)?(?:utils?|helpers?|common|types|misc)$/;

/** All files under `folder` of `project`, each as its path from the project. */
export function filesUnder(project: string, folder: string): string[] {
  return readdirSync(join(project, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(project, '/').length))
    .sort();
}

/** The sources of what `exports` of a package.json offers: the only files that may be called `index.ts`. */
export function entrySources(exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>): string[] {
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target.default?.replace(/^\.\/dist\/(.*)\.js$/, 'lib/$1.ts') ?? ''],
  );
}

/** What is wrong with the names of `files`, each fault as `file: what`. `entries`: the files that list a public surface. */
export function nameFaults(files: readonly string[], entries: readonly string[]): string[] {
  return files.flatMap((file) => {
    if (MADE_BY_A_TOOL.test(file)) return [];
    const parts = file.split('/');
    const name = parts.pop() ?? '';
    const faults: string[] = [];
    if (!KEBAB_CASE.test(name)) faults.push('is not in kebab-case');
    if ([name.replace(/\..*$/, ''), ...parts].some((part) => SAYS_NOTHING.test(part))) {
      faults.push('has a name that says nothing; name it after what it exports');
    }
    if (/^index\./.test(name) && !entries.includes(file)) faults.push('is a barrel that no entry of exports leads to');
    return faults.map((fault) => `${file}: ${fault}`);
  });
}

/** What stands in lib/ and is neither a folder of the matrix nor the public surface. */
export function unlistedInMatrix(libFiles: readonly string[], matrix: Readonly<Record<string, unknown>>): string[] {
  const places = libFiles.map((file) => file.split('/').slice(0, 2).join('/'));
  return [...new Set(places)].filter(
    (place) => place !== 'lib/index.ts' && !Object.hasOwn(matrix, place.slice('lib/'.length)),
  );
}
