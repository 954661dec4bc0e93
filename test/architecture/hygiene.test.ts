import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '../support/temporary-folder.js';
import { downloadAddresses, machinePaths, testsNotRun, trackedFiles, unexplained } from './hygiene-rules.js';
import { ROOT } from './import-graph.js';

const tracked = trackedFiles(ROOT);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Readonly<
  Record<'dependencies' | 'devDependencies' | 'peerDependencies', Readonly<Record<string, string>>>
>;

describe('the project', () => {
  it('tracks the files that these rules are about', () => {
    const paths = tracked.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'lib/spi/peer-memory.ts']));
  });

  it('shows the same files where there is no git', () => {
    const folder = temporaryFolder({
      'a.ts': 'a',
      'lib/b.ts': 'b',
      'node_modules/c/c.js': 'c',
      'sample-app/dist/d.js': 'd',
    });
    expect(trackedFiles(folder)).toEqual([
      { path: 'a.ts', text: 'a' },
      { path: 'lib/b.ts', text: 'b' },
    ]);
  });

  it('holds no path of one machine', () => {
    expect(machinePaths(tracked)).toEqual([]);
  });

  it('locks no download address', () => {
    expect(downloadAddresses(tracked)).toEqual([]);
  });

  it('has no test that does not run', () => {
    expect(testsNotRun(tracked)).toEqual([]);
  });

  it('says in CONTRIBUTING.md why it depends on each package', () => {
    const { dependencies, devDependencies, peerDependencies } = manifest;
    const packages = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
    expect(unexplained(packages, readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))).toEqual([]);
  });
});

describe('each rule of hygiene can fail', () => {
  const file = (text: string, path = 'test/a.test.ts') => [{ path, text }];
  const absolute = (...parts: string[]): string => ['', ...parts].join('/');

  it.each([
    absolute('work', 'main', 'lib'),
    absolute('root', '.npmrc'),
    absolute('tmp', 'x', 'data.json'),
    absolute('tmp', 'bench1', ''),
  ])('the one about paths finds %s', (path) => {
    expect(machinePaths(file(`see '${path}' there`))).toEqual([`test/a.test.ts: '${path}`]);
    expect(machinePaths(file(path, 'README.md'))).toEqual([`README.md: ${path}`]);
  });

  it.each([
    'lib/work/queue.ts',
    ['.', 'work', 'x'].join('/'),
    'https://example.org/a/b',
    '/home',
    absolute('tmp'),
    'the network/root/x',
  ])('the one about paths leaves %s alone', (text) => {
    expect(machinePaths(file(text))).toEqual([]);
  });

  it.each(['it', 'test', 'describe'].flatMap((name) => ['only', 'skip', 'todo'].map((how) => `${name}.${how}`)))(
    'the one about tests finds %s',
    (call) => {
      expect(testsNotRun(file(`${call}('works', () => {});`))).toEqual([`test/a.test.ts: ${call}`]);
    },
  );

  it('the one about tests finds the short forms, and an only after each', () => {
    const calls = [
      ['x', 'it('],
      ['f', 'describe('],
      ['it.each', '.only'],
    ].map((parts) => parts.join(''));
    for (const call of calls) expect(testsNotRun(file(`${call}('works')`))).toEqual([`test/a.test.ts: ${call}`]);
    expect(testsNotRun(file(`await it('only skips what is exit(0)')`))).toEqual([]);
  });

  it('the one about the lock file finds an address', () => {
    const address = ['"resolved": "https:', '//registry.example/nanoid.tgz"'].join('');
    expect(downloadAddresses(file(`{ ${address} }`, 'package-lock.json'))).toEqual([`package-lock.json: ${address}`]);
  });

  it('the one about packages finds one that is only mentioned, or explained under another name', () => {
    const guide = 'We use `joi` much.\n- `nanoid`: ids.\n| `@nestjs/core` | the framework |\n- `jest-circus`: runs.\n';
    expect(unexplained(['joi', 'nanoid', '@nestjs/core', 'jest'], guide)).toEqual(['joi', 'jest']);
  });
});
