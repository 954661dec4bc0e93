import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = ['@nestjs', '@types', 'openai', 'reflect-metadata', 'rxjs'];

// Declarations are read once: they are the same for every project.
const declarations = new Map<string, ts.SourceFile | undefined>();

/** A project of a reader's own: their sources, beside the library and what it asks for. */
export class ReadmeProject {
  readonly #folder: string;
  readonly #files: readonly string[];

  constructor(sources: Readonly<Record<string, string>>) {
    this.#folder = temporaryFolder({ 'package.json': '{"type": "module"}', ...sources });
    this.#files = Object.keys(sources).map((name) => join(this.#folder, name));
    const link = (target: string, name: string): void => {
      const path = join(this.#folder, 'node_modules', name);
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(target, path, 'dir');
    };
    link(ROOT, '@aimon/nestjs-memory');
    for (const name of PACKAGES) link(join(ROOT, 'node_modules', name), name);
  }

  /** Compiles everything, strictly; the faults, each as `file:line message`. */
  compile(): string[] {
    const options: ts.CompilerOptions = {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noUnusedLocals: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(this.#folder, 'node_modules/@types')],
      outDir: join(this.#folder, 'dist'),
    };
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (name, ...rest) => {
      if (!name.endsWith('.d.ts')) return read(name, ...rest);
      if (!declarations.has(name)) declarations.set(name, read(name, ...rest));
      return declarations.get(name);
    };
    const program = ts.createProgram(this.#files, options, host);
    const { diagnostics } = program.emit();
    return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ file, start, messageText }) => {
      const at = file === undefined ? '' : file.fileName.slice(this.#folder.length + 1);
      const line = file === undefined ? '' : `:${ts.getLineAndCharacterOfPosition(file, start ?? 0).line + 1}`;
      return `${at}${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  }

  /** Runs a compiled file to its end; what it printed. @throws Error when it failed, with what it printed */
  async run(source: string): Promise<string> {
    const file = join(this.#folder, 'dist', source.replace(/\.ts$/, '.js'));
    const own = Object.entries(process.env).filter(([name]) => !/^(?:AIMON_|NODE_OPTIONS$)/.test(name));
    const child = spawn(process.execPath, [file], { env: { ...Object.fromEntries(own), NO_COLOR: '1' } });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0 || stderr !== '') throw new Error(`${source} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }
}
