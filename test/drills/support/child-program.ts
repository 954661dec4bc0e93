import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const REGISTER = join(import.meta.dirname, 'register-typescript.mjs');

/** How a program ended. */
export interface ProgramEnd {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of test/drills in a process of its own, with nothing of this process's memory in its environment. */
export class ChildProgram {
  static readonly #started = new Set<ChildProcess>();
  readonly #child: ChildProcess;
  readonly #end: Promise<ProgramEnd>;
  #stdout = '';
  #heard = (): void => undefined;

  /** @param name of the file in test/drills, without `.ts` */
  constructor(name: string, environment: Readonly<Record<string, string>> = {}) {
    const own = Object.fromEntries(
      Object.entries(process.env).filter(([key]) => !/^(?:AIMON_|OPENAI_|NODE_OPTIONS$)/.test(key)),
    );
    const program = join(import.meta.dirname, '..', `${name}.ts`);
    const child = spawn(process.execPath, ['--import', REGISTER, program], {
      env: { ...own, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    ChildProgram.#started.add(child);
    this.#child = child;
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#heard();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    this.#end = once(child, 'close').then(([code, signal]) => {
      ChildProgram.#started.delete(child);
      this.#heard();
      return { code: code as number | null, signal: signal as string | null, stdout: this.#stdout, stderr };
    });
  }

  /** Settles when it has ended by itself, or by a signal that it was sent. */
  get end(): Promise<ProgramEnd> {
    return this.#end;
  }

  /** The first thing that it writes which matches; rejects when it ends without. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    let ended: ProgramEnd | undefined;
    void this.#end.then((end) => (ended = end));
    for (;;) {
      const said = pattern.exec(this.#stdout);
      if (said !== null) return said;
      if (ended !== undefined) throw new Error(`The program ended without a word of ${pattern}: ${ended.stderr}`);
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends what a failed test left running. */
  static endAll(): void {
    for (const child of ChildProgram.#started) child.kill('SIGKILL');
  }
}
