/**
 * docs/getting-started.md as a newcomer follows it: its commands and its files, in a clean folder, with what it says that they
 * print. All that differs is the port, in the way that the document gives, and that `npm ci` is not run, since what it would
 * install is there. `--without-curl` has curl stood in for, as where there is none. The last line counts the checks.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { counted, environment, ROOT, say } from './packed-project.mjs';

const LEFT_OUT = ['npm ci'];
const OWN_PORT = 3000;
const PATIENCE_MS = 30_000;
const NOT_COPIED = new Set(['node_modules', '.git', 'build', 'dist', 'coverage']);

// What curl does of what the document asks of it.
const CURL = `
const [, , ...words] = process.argv;
const at = words.indexOf('-d');
const data = at < 0 ? undefined : words.splice(at, 2)[1];
const body = data === undefined ? {} : { method: 'POST', body: data, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
const response = await fetch(words.find((word) => word.startsWith('http')), body);
process.stdout.write(await response.text());
`;

/** What the document has done, in its order: the commands of a block with what they print, or a file to be written. */
function steps(markdown) {
  const numbered = markdown.split(/^(?=## )/m).filter((section) => /^## \d/.test(section));
  const blocks = [...numbered.join('').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const made = [];
  for (const [, language, text] of blocks) {
    if (language === 'sh') made.push({ commands: text.trimEnd().split('\n'), prints: undefined });
    else if (language === 'text') made.at(-1).prints = text.trimEnd();
    else made.push({ file: /^\/\/ (\S+)\n/.exec(text)[1], text });
  }
  return made;
}

/** Whether `printed` is `shown`, where `…` stands for anything, and a time for any time. */
function isShown(printed, shown) {
  const escaped = shown.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = escaped
    .replaceAll('…', '[^]*?')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC');
  return new RegExp(`^${pattern}$`).test(printed.trimEnd());
}

/** Whether the lines of `shown` are among those of `log`, in their order. */
function isLogged(log, shown) {
  const lines = log
    .split('\n')
    .map((line) => line.replace(/^\[Nest\].*?\s(?=(?:LOG|WARN) )/, '').replace(/ \+\d+ms$/, ''));
  let from = 0;
  return shown.split('\n').every((line) => {
    const found = lines.findIndex((one, index) => index >= from && isShown(one, line));
    from = found + 1;
    return found >= 0;
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** A shell in which one command is run after the other, and the program that is left running in it. */
class Shell {
  #folder;
  #environment;
  #running;
  #log = '';

  constructor(folder, own) {
    this.#folder = folder;
    this.#environment = own;
  }

  /** Runs a command to its end; what it printed. @throws Error when it failed */
  async run(command) {
    const [, target] = /^cd (\S+)$/.exec(command) ?? [];
    if (target !== undefined) this.#folder = resolve(this.#folder, target);
    if (target !== undefined) return '';
    const child = this.#spawn(command);
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', (text) => (printed[stream] += text));
    const [status] = await once(child, 'close');
    if (status !== 0) throw new Error(`${command} ended with ${status}\n${printed.stdout}${printed.stderr}`);
    return printed.stdout;
  }

  /** Begins a command, and answers when it has logged `shown`. */
  async start(command, shown) {
    // Without the shell in between a signal reaches the program itself.
    this.#running = this.#spawn(`exec ${command}`);
    for (const stream of [this.#running.stdout, this.#running.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.#log += text));
    for (const end = Date.now() + PATIENCE_MS; !isLogged(this.#log, shown); await pause(50)) {
      if (Date.now() > end || this.#running.exitCode !== null)
        throw new Error(`${command} does not log\n${shown}\n\nbut\n${this.#log}`);
    }
  }

  /** Presses Ctrl-C; how the program ended. */
  async interrupt() {
    const ended = once(this.#running, 'close');
    this.#running.kill('SIGINT');
    const end = await Promise.race([ended, pause(PATIENCE_MS, undefined, { ref: false })]);
    if (end === undefined) throw new Error(`It does not end.\n${this.#log}`);
    return end;
  }

  get log() {
    return this.#log;
  }

  write(file, text) {
    const path = join(this.#folder, file.endsWith('.ts') ? 'src' : '.', file);
    assert.ok(existsSync(dirname(path)), `The folder of ${file} has not been made.`);
    writeFileSync(path, text);
  }

  has(file) {
    return existsSync(join(this.#folder, file));
  }

  async end() {
    if (this.#running === undefined || this.#running.exitCode !== null || this.#running.signalCode !== null) return;
    const ended = once(this.#running, 'close');
    this.#running.kill('SIGKILL');
    await ended;
  }

  #spawn(command) {
    return spawn('sh', ['-c', command], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

/** The newcomer's environment, with this Node, and with a curl where there is none. */
function newcomers(folder, port) {
  const own = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(?:AIMON_|NODE_OPTIONS$)/.test(name)),
  );
  const paths = [dirname(process.execPath), own.PATH];
  if (process.argv.includes('--without-curl') || spawnSync('curl', ['--version']).status !== 0) {
    say('        curl is stood in for');
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'curl.mjs'), CURL);
    writeFileSync(join(bin, 'curl'), `#!/bin/sh\nexec node '${join(bin, 'curl.mjs')}' "$@"\n`);
    chmodSync(join(bin, 'curl'), 0o755);
    paths.unshift(bin);
  }
  return {
    ...own,
    ...{ PATH: paths.join(delimiter), PORT: String(port), NO_COLOR: '1', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
    ...{ npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' },
  };
}

/** A copy of the repository as it is cloned, with its packages. */
function repositoryIn(folder) {
  const copy = join(folder, 'repository');
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return copy;
}

await counted('getting-started', async (folder, check) => {
  const port = await freePort();
  const document = steps(readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8'));
  const shell = new Shell(repositoryIn(folder), newcomers(folder, port));
  const written = [];
  const leftOut = [];
  let said = 0;
  const runAll = async (commands, prints) => {
    let printed = '';
    for (const command of commands) {
      if (LEFT_OUT.includes(command)) {
        leftOut.push(command);
        continue;
      }
      // Who types gives the memory the time for that.
      if (command.startsWith('curl ')) await remembered(said, port);
      printed = await shell.run(onPort(command, port));
      if (command.includes('/chat/')) said += 2;
    }
    if (prints === undefined || isShown(printed, prints)) return;
    throw new Error(`It should print\n${prints}\n\nbut prints\n${printed}`);
  };
  try {
    for (const { commands, prints, file, text } of document) {
      if (file !== undefined) {
        shell.write(file, text);
        written.push(file);
      } else if (commands.at(-1).startsWith('node ')) {
        await check(commands.slice(0, -1).join(', '), () => runAll(commands.slice(0, -1)));
        await check(`${commands.at(-1)} starts and logs what is shown`, () => shell.start(commands.at(-1), prints));
      } else {
        await check(commands.join(', '), () => runAll(commands, prints));
      }
    }
    await check('Ctrl-C ends it, and it left nothing behind', async () => {
      const [status, signal] = await shell.interrupt();
      assert.ok(status === 0 || status === 130 || signal === 'SIGINT', `It ended with ${status ?? signal}.`);
      assert.doesNotMatch(shell.log, /ERROR|left something behind/);
    });
    await check('all of it was done', () => {
      assert.deepEqual(leftOut, LEFT_OUT);
      assert.deepEqual(
        written.filter((file) => !shell.has(file.endsWith('.ts') ? `src/${file}` : file)),
        [],
      );
      assert.ok(written.length >= 6, `${written.length} files were written.`);
      assert.ok(document.filter(({ prints }) => prints !== undefined).length >= 6);
    });
  } finally {
    await shell.end();
  }
});

/** The command as it is written where another port than the usual one is taken. */
function onPort(command, port) {
  if (!command.startsWith('curl ')) return command;
  assert.ok(command.includes(`:${OWN_PORT}/`), `${command} asks no port ${OWN_PORT}.`);
  return command.replaceAll(`:${OWN_PORT}/`, `:${port}/`);
}

/** Waits until so many messages have an outcome; each chat is two. */
async function remembered(messages, port) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(50)) {
    const response = await globalThis.fetch(`http://127.0.0.1:${port}/health`);
    const { ingest } = (await response.json()).details.memory;
    if (Object.values(ingest).reduce((sum, count) => sum + count, 0) >= messages) return;
  }
}
