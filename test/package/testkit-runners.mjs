/**
 * The testkit as a stranger has it: from the archive, in a project without this repository. jest, vitest and node:test each run
 * every contract, and have to report the same tests; the backend of docs/writing-a-backend.md has to pass its own.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  counted,
  environment,
  install,
  installAside,
  pack,
  PEERS,
  ROOT,
  run,
  say,
  TYPESCRIPT,
  versionsOf,
  writeJson,
} from './packed-project.mjs';

const FILES = fileURLToPath(new URL('testkit', import.meta.url));
const RUNNERS = { jest: '30.5.2', vitest: '4.1.10' };
const SQLITE = { 'better-sqlite3': '12.11.1', '@types/better-sqlite3': '7.6.13' };
const LEAST_TESTS = 150;

/** How each runner is called, and what it said of each test: its name and `passed`, `failed` or `skipped`. */
const REPORTS = {
  jest: (project) => {
    writeFileSync(
      join(project, 'jest.config.mjs'),
      "export default { testMatch: ['**/jest.test.mjs'], transform: {} };\n",
    );
    const args = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--json', '--outputFile=jest.json'];
    run(process.execPath, args, { cwd: project, env: environment, mayFail: true });
    const { testResults } = JSON.parse(readFileSync(join(project, 'jest.json'), 'utf8'));
    return testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status }) => ({ name: title, status: status === 'pending' ? 'skipped' : status })),
    );
  },
  vitest: (project) => {
    const args = [
      'node_modules/vitest/vitest.mjs',
      'run',
      'vitest.test.mjs',
      '--reporter=json',
      '--outputFile=vitest.json',
    ];
    run(process.execPath, args, { cwd: project, env: environment, mayFail: true });
    const { testResults } = JSON.parse(readFileSync(join(project, 'vitest.json'), 'utf8'));
    return testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status }) => ({ name: title, status: status === 'pending' ? 'skipped' : status })),
    );
  },
  'node:test': (project) => reportOfNode(project, 'node.mjs'),
};

function reportOfNode(project, file) {
  const args = ['--test', '--test-reporter=./node-reporter.mjs', '--test-reporter-destination=stdout', file];
  const { stdout } = run(process.execPath, args, { cwd: project, env: environment, mayFail: true });
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

const byName = (report) => report.map(({ name, status }) => `${status} ${name}`).sort();

/** The sources of the example in the document, by their names. */
function example() {
  const document = readFileSync(join(ROOT, 'docs/writing-a-backend.md'), 'utf8');
  const blocks = document.matchAll(/^```ts\n\/\/ ([\w.-]+)\n([\s\S]*?)^```$/gm);
  return Object.fromEntries([...blocks].map(([, name, source]) => [name, source]));
}

await counted('testkit', async (folder, check) => {
  const { archive } = pack(folder);
  const project = join(folder, 'project');
  cpSync(FILES, project, { recursive: true });
  install(project, archive, { ...versionsOf(PEERS), ...RUNNERS });

  // Where it has to be built first, that takes longer than all else.
  const sqlite = join(folder, 'sqlite');
  mkdirSync(sqlite);
  const installingSqlite = installAside(sqlite, archive, { ...versionsOf([...PEERS, '@types/node']), ...SQLITE });
  installingSqlite.catch(() => undefined);

  const reports = {};
  for (const [runner, report] of Object.entries(REPORTS)) {
    await check(`${runner} runs every contract`, () => {
      reports[runner] = report(project);
      const failures = reports[runner].filter(({ status }) => status === 'failed');
      assert.deepEqual(failures, []);
      assert.ok(reports[runner].length >= LEAST_TESTS, `It reports ${reports[runner].length} tests.`);
      const skipped = reports[runner].filter(({ status }) => status === 'skipped');
      assert.ok(skipped.length > 0);
      for (const { name } of skipped) assert.match(name, /\(skipped: it has no .+\)$/);
      say(`        ${reports[runner].length} tests, ${skipped.length} of them skipped by name`);
    });
  }
  for (const runner of ['vitest', 'node:test']) {
    await check(`${runner} reports the tests that jest reports`, () => {
      assert.deepEqual(byName(reports[runner]), byName(reports.jest));
    });
  }

  try {
    await installingSqlite;
    run(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:')"], { cwd: sqlite, env: environment });
  } catch (error) {
    say(
      `SKIPPED the example over SQLite: better-sqlite3 can neither be had built nor be built here.\n${error.message.slice(0, 400)}`,
    );
    return;
  }
  await check('the example over SQLite compiles, strictly', () => {
    for (const [name, source] of Object.entries(example())) writeFileSync(join(sqlite, name), source);
    writeJson(join(sqlite, 'tsconfig.json'), {
      compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, outDir: 'dist', types: ['node'] },
    });
    run(process.execPath, [TYPESCRIPT, '-p', sqlite]);
  });
  await check('the example over SQLite passes the contract', () => {
    cpSync(join(FILES, 'node-reporter.mjs'), join(sqlite, 'node-reporter.mjs'));
    const report = reportOfNode(sqlite, 'dist/sqlite-memory.test.js');
    assert.deepEqual(
      report.filter(({ status }) => status === 'failed'),
      [],
    );
    const ran = report.filter(({ status }) => status === 'passed').length;
    assert.ok(ran > 40, `${ran} tests ran.`);
    say(`        ${ran} tests, ${report.length - ran} skipped by name`);
  });
});
