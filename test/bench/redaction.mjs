/**
 * How fast the gate masks, beside others in the same run: a log of ordinary lines with a secret now and then, as one text and
 * in messages of 2 KB; and how long the event loop stands still while a hundred conversations of 1 MB are masked at once.
 *
 *   npm run bench -- redaction [--data <a log>] [--mebibytes 5] [--runs 3] [--json]
 *
 * The others are installed from the registry into a temporary folder; without one they are left out.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Buffer } from 'node:buffer';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import { parseArgs } from 'node:util';
import { DefaultRedactionPolicy, MessageRedactor, StrictRedactionPolicy } from '@aimon/nestjs-memory';

import { mixedLog } from './mixed-log.mjs';

const PEERS = {
  '@secretlint/core': '9.3.4',
  '@secretlint/secretlint-rule-preset-recommend': '9.3.4',
  'redact-pii': '3.4.0',
};
const MESSAGE_UNITS = 2048;
// The slowest of them would take minutes for all of it.
const SLOW_UNITS = 200_000;
const TURN_MS = 3_000;

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    mebibytes: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});

/** The packages of the others, or `undefined` where they cannot be had. */
function installedPeers() {
  const folder = join(tmpdir(), 'aimon-memory-bench-peers');
  try {
    if (!existsSync(join(folder, 'node_modules', 'redact-pii'))) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PEERS }));
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder, stdio: 'ignore' });
    }
    return createRequire(join(folder, 'package.json'));
  } catch {
    return undefined;
  }
}

/** What is measured: each masks or searches one text. */
async function contenders() {
  const policy = new DefaultRedactionPolicy();
  const strict = new StrictRedactionPolicy();
  const gate = new MessageRedactor(policy, { deadlineMs: 600_000 });
  const message = (content) => ({ id: 'm', role: 'user', content, createdAt: new Date(0) });
  const found = [
    { name: 'default policy', run: (text) => policy.redact(text) },
    { name: 'strict policy', run: (text) => strict.redact(text) },
    { name: 'gate, default policy', run: (text) => gate.redactMessages([message(text)]) },
  ];
  const peers = installedPeers();
  if (peers === undefined) return found;
  const { lintSource } = peers('@secretlint/core');
  const preset = peers('@secretlint/secretlint-rule-preset-recommend');
  // Its marks of what it does are looked through anew for each further one, in minutes that would be counted as everybody's.
  peers('@secretlint/profiler').secretLintProfiler.mark = () => undefined;
  const { SyncRedactor } = peers('redact-pii');
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: preset.creator, options: {} }] };
  const source = (content) => ({ filePath: 'log.txt', content, ext: '.txt', contentType: 'text' });
  const pii = new SyncRedactor();
  return [
    ...found,
    { name: 'secretlint 9.3', run: (text) => lintSource({ source: source(text), options: { config } }) },
    { name: 'redact-pii 3.4', run: (text) => pii.redact(text), most: SLOW_UNITS },
  ];
}

function inMessages(text) {
  const messages = [];
  for (let at = 0; at < text.length; at += MESSAGE_UNITS) messages.push(text.slice(at, at + MESSAGE_UNITS));
  return messages;
}

/**
 * Megabytes a second, the best of the runs; the contenders take turns, so that a busy machine is busy for all. A turn of each
 * lasts a few seconds: between two turns the slow ones take minutes, after which the engine has thrown away the compiled
 * expressions of the others, as it does not in a service that masks all day.
 */
async function throughput(all, texts, runs) {
  const best = new Map(all.map(({ name }) => [name, 0]));
  for (let run = 0; run < runs; run++) {
    for (const { name, run: mask, most = Infinity } of all) {
      const turn = performance.now();
      do {
        const rate = await rateOf(mask, texts, most);
        best.set(name, Math.max(best.get(name), rate));
      } while (performance.now() - turn < TURN_MS);
    }
  }
  return best;
}

async function rateOf(mask, texts, most) {
  let units = 0;
  const start = performance.now();
  for (const text of texts) {
    if (units >= most) break;
    const part = text.length > most ? text.slice(0, most) : text;
    await mask(part);
    units += Buffer.byteLength(part);
  }
  return units / 1e3 / (performance.now() - start);
}

/** The longest that the event loop stood still, and how long one slice takes, in milliseconds. */
async function stall(log) {
  const policy = new DefaultRedactionPolicy();
  const gate = new MessageRedactor(policy, { deadlineMs: 600_000 });
  const megabyte = log.slice(0, 2 ** 20);
  const slices = [];
  for (let at = 0; at < megabyte.length; at += 65_536) {
    const start = performance.now();
    policy.redact(megabyte.slice(at, at + 65_536));
    slices.push(performance.now() - start);
  }
  let [longestStallMs, last, going] = [0, performance.now(), true];
  const round = () => {
    const now = performance.now();
    longestStallMs = Math.max(longestStallMs, now - last);
    last = now;
    if (going) setImmediate(round);
  };
  setImmediate(round);
  await Promise.all(
    Array.from({ length: 100 }, () =>
      gate.redactMessages([{ id: 'm', role: 'user', content: megabyte, createdAt: new Date(0) }]),
    ),
  );
  going = false;
  return { longestStallMs, longestSliceMs: Math.max(...slices) };
}

const log =
  options.data === undefined ? mixedLog(Number(options.mebibytes) * 2 ** 20) : readFileSync(options.data, 'utf8');
// First, since what the others leave for the event loop to do would be counted as ours.
const stalled = await stall(log);
const all = await contenders();
const runs = Number(options.runs);
for (const { run } of all) await run(log.slice(0, 20_000));
const whole = await throughput(all, [log], runs);
const messages = await throughput(all, inMessages(log), runs);
const reference = 'secretlint 9.3';
const rows = all.map(({ name }) => ({
  name,
  wholeMBs: whole.get(name),
  messagesMBs: messages.get(name),
  ...(whole.has(reference) && {
    wholeRatio: whole.get(name) / whole.get(reference),
    messagesRatio: messages.get(name) / messages.get(reference),
  }),
}));
const cell = (figure, digits = 1) => (figure === undefined ? '–' : figure.toFixed(digits)).padStart(10);
const table = [
  `${Buffer.byteLength(log)} bytes, best of ${runs}`,
  '',
  `${''.padEnd(22)}${'whole'.padStart(10)}${'2 KB'.padStart(10)}   MB/s; ratio to ${reference}`,
  ...rows.map(
    ({ name, wholeMBs, messagesMBs, wholeRatio, messagesRatio }) =>
      `${name.padEnd(22)}${cell(wholeMBs)}${cell(messagesMBs)}${cell(wholeRatio, 2)}${cell(messagesRatio, 2)}`,
  ),
  '',
  `100 conversations of 1 MB at once: the event loop stood still for ${stalled.longestStallMs.toFixed(0)} ms at most; one slice of 64 KiB takes up to ${stalled.longestSliceMs.toFixed(0)} ms.`,
];
const report = options.json ? JSON.stringify({ bytes: Buffer.byteLength(log), rows, ...stalled }) : table.join('\n');
process.stdout.write(`${report}\n`);
