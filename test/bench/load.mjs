/**
 * How long an application waits for the main entry: a new process imports what every Nest application imports, and another that
 * and our main entry. Also what each package that our files import costs, alone and after Nest; what two of them share is
 * counted for both.
 *
 *   npm run bench -- load [--runs 15] [--json]
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { loadedBy } from '../package/loaded-packages.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEST = ['reflect-metadata', '@nestjs/common', '@nestjs/core'];
const MAIN = '@aimon/nestjs-memory';
const GOAL_MS = 60;

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '15' }, json: { type: 'boolean', default: false } },
});
const runs = Number(options.runs);

/** How long a new process takes to import Nest, and what comes after it, in milliseconds. */
function timeOf(specifier) {
  const program = `
    const start = performance.now();
    for (const name of ${JSON.stringify(NEST)}) await import(name);
    const nest = performance.now();
    ${specifier === undefined ? '' : `await import(${JSON.stringify(specifier)});`}
    const end = performance.now();
    process.stdout.write(JSON.stringify({ whole: end - start, after: end - nest }));`;
  // What would keep compiled code from one process for the next, or make each slower.
  const env = { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: undefined, NODE_V8_COVERAGE: undefined };
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' }));
}

const best = (times) => Math.min(...times);
const median = (times) => [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)];

const { imported, own } = loadedBy(MAIN, ROOT);
const packages = imported.filter((name) => !NEST.includes(name));
const times = new Map([undefined, MAIN, ...packages].map((name) => [name, []]));
// In turns, so that a busy machine is busy for all. The first round only warms the file cache.
for (let run = -1; run < runs; run++) {
  for (const [name, measured] of times) {
    const time = timeOf(name);
    if (run >= 0) measured.push(time);
  }
}

const whole = (name, choose) => choose(times.get(name).map((time) => time.whole));
const after = (name, choose) => choose(times.get(name).map((time) => time.after));
const summary = (choose) => {
  const [nestMs, bothMs] = [whole(undefined, choose), whole(MAIN, choose)];
  return { nestMs, bothMs, overNestMs: bothMs - nestMs, ratio: bothMs / nestMs };
};
const costs = packages
  .map((name) => ({ name, bestMs: after(name, best), medianMs: after(name, median) }))
  .sort((one, other) => other.bestMs - one.bestMs);
const figures = { node: process.version, runs, files: own.length, best: summary(best), median: summary(median), costs };

const cell = (figure, digits = 1) => figure.toFixed(digits).padStart(10);
const row = (name, { nestMs, bothMs, overNestMs, ratio }) =>
  `${name.padEnd(26)}${cell(nestMs)}${cell(bothMs)}${cell(overNestMs)}${cell(ratio, 2)}`;
const table = [
  `Node ${process.version}, ${runs} runs each; the main entry loads ${own.length} files of ours`,
  '',
  `${'ms'.padEnd(26)}${['Nest', 'and ours', 'over Nest', 'ratio'].map((title) => title.padStart(10)).join('')}`,
  row('best', figures.best),
  row('median', figures.median),
  '',
  `${'after Nest, ms'.padEnd(26)}${'best'.padStart(10)}${'median'.padStart(10)}`,
  ...costs.map(({ name, bestMs, medianMs }) => `${name.padEnd(26)}${cell(bestMs)}${cell(medianMs)}`),
  '',
  `The goal is at most ${GOAL_MS} ms over Nest; here it is ${figures.best.overNestMs.toFixed(0)} ms.`,
];
process.stdout.write(`${options.json ? JSON.stringify(figures) : table.join('\n')}\n`);
