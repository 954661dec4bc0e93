import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a Markdown text. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of `markdown`, in their order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** The TypeScript blocks by the file name in their first line. @throws Error when one has none, or two share one */
export function namedSources(blocks: readonly CodeBlock[]): Readonly<Record<string, string>> {
  const sources: Record<string, string> = {};
  for (const { text } of blocks.filter(({ language }) => language === 'ts')) {
    const name = /^\/\/ ([a-z0-9.-]+\.ts)\n/.exec(text)?.[1];
    if (name === undefined) throw new Error(`A ts block does not start with its file name:\n${text}`);
    if (sources[name] !== undefined) throw new Error(`Two ts blocks are called ${name}.`);
    sources[name] = text;
  }
  return sources;
}

/** What a source says that it prints: the comment behind each `console.log(…);`. */
export function promisedOutput(source: string): string[] {
  return [...source.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, promised = '']) => promised);
}

/** The commands of the shell blocks, one for each line and each `&&`. */
export function shellCommands(blocks: readonly CodeBlock[]): string[] {
  return blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split(/\n|&&/))
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

/** The rows of the first table of `markdown` whose head starts with `head`, each as its cells. @throws Error without one */
export function tableRows(markdown: string, head: string): string[][] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  if (start < 0) throw new Error(`There is no table whose head starts with ${head}.`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The project's README. */
export function readme(): string {
  return readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
}
