import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesUnder } from './file-rules.js';

export interface TextFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
}

// The rule must not find itself, so no pattern here may hold what it looks for.
const MACHINE_PATH = /(?:^|[^A-Za-z0-9_.])\/(?:work|farm|root|tmp\/[a-z]+[0-9]*)\/[^\s'"`]*/gm;
const NOT_RUN =
  /\b(?:it|test|describe)(?:\.each|\.concurrent)*\.(?:skip|only|todo|failing)\b|\b[xf](?:it|describe)\(|\bxtest\(/g;
const DOWNLOAD_ADDRESS = /"resolved":\s*"https?:[^"]*"/g;

/** The text files that git tracks in `project`; where there is no git, as in an unpacked archive, all that are no product. */
export function trackedFiles(project: string): TextFile[] {
  const paths = gitFiles(project) ?? filesUnder(project, '.').filter((path) => !PRODUCT.test(path));
  return paths.flatMap((path) => {
    const text = readIfThere(join(project, path));
    return text === undefined || text.includes('\0') ? [] : [{ path, text }];
  });
}

const PRODUCT = /(?:^|\/)(?:\.git|node_modules|dist|coverage)\//;

function gitFiles(project: string): string[] | undefined {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' });
  return status === 0 && stdout !== '' ? stdout.split('\0').filter((path) => path !== '') : undefined;
}

/** Places that exist on one machine only, each as `file: path`. A test that needs a folder makes a temporary one. */
export function machinePaths(files: readonly TextFile[]): string[] {
  return found(files, MACHINE_PATH);
}

/** Tests that do not run, or keep others from running. */
export function testsNotRun(files: readonly TextFile[]): string[] {
  return found(
    files.filter(({ path }) => /\.test\.[cm]?[jt]s$/.test(path)),
    NOT_RUN,
  );
}

/** Where a lock file says from which server a package came; everybody installs from their own. */
export function downloadAddresses(files: readonly TextFile[]): string[] {
  return found(
    files.filter(({ path }) => path.endsWith('package-lock.json')),
    DOWNLOAD_ADDRESS,
  );
}

/** The packages that `guide` does not explain with a line of their own that starts with the package's name as code. */
export function unexplained(packages: readonly string[], guide: string): string[] {
  const lines = guide.split('\n').filter((line) => /^(?:[-*]|\|)/.test(line.trim()));
  return packages.filter((name) => !lines.some((line) => line.includes(`\`${name}\``)));
}

function found(files: readonly TextFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => `${path}: ${match.trim()}`));
}

/** A file that is tracked may have been removed from the folder a moment ago. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
