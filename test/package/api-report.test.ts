import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryFolder } from '../support/temporary-folder.js';
import { apiChanges, type ApiReports } from './api-changes.js';

const COMMITTED = fileURLToPath(new URL('api', import.meta.url));

/** The reports that `npm run api` would write, of another project if one is given. */
function written(project?: string): ApiReports {
  const into = temporaryFolder();
  const script = fileURLToPath(new URL('api-report.mjs', import.meta.url));
  const args = [script, '--into', into, ...(project === undefined ? [] : ['--project', project])];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return reportsIn(into);
}

function reportsIn(folder: string): ApiReports {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

describe('the public surface', () => {
  it('is what the committed reports say', () => {
    expect(apiChanges(reportsIn(COMMITTED), written()).join('\n\n')).toBe('');
  });
});

describe('the report', () => {
  const project = (index: string, inner = ''): string =>
    temporaryFolder({
      'package.json': JSON.stringify({
        name: 'reported',
        version: '1.0.0',
        type: 'module',
        exports: {
          '.': { types: './dist/index.d.ts', default: './dist/index.js' },
          './deep/part': { types: './dist/inner.d.ts', default: './dist/inner.js' },
          './package.json': './package.json',
        },
      }),
      'dist/index.d.ts': index,
      'dist/inner.d.ts': `${inner}export declare const part: number;\n`,
    });
  const open =
    'export declare class Open { private hidden; /** @internal */ inside(): void; shown(text: string): void; }';

  it('has a file for each entry with types', () => {
    expect(Object.keys(written(project(open))).sort()).toEqual(['deep-part.api.md', 'index.api.md']);
  });

  it('shows what is public, and neither what is private nor who wrote it where', () => {
    const report = written(project(`${open}\nexport * from './inner.js';\n`))['index.api.md'];
    expect(report).toContain('shown(text: string): void;');
    expect(report).toContain('export const part: number;');
    expect(report).not.toContain('hidden');
    expect(report).not.toContain('aimon-memory-');
  });

  it('changes with a type that the entry does not export itself, but another does, and that it names', () => {
    const index = `import { Choices } from './inner.js';\nexport declare function choose(choices: Choices): void;\n`;
    const choices = (name: string): string => `export interface Choices {\n  ${name}: string;\n}\n`;
    const before = written(project(index, choices('one')));
    const after = written(project(index, choices('one?')));
    const [change] = apiChanges(before, after).filter((each) => each.includes('index.api.md'));
    expect(change).toMatch(/has changed.*\n- {5}one: string;\n\+ {5}one\?: string;$/s);
  });

  it('is at fault where an entry names a type that no entry exports', () => {
    const hidden = project(
      'interface Hidden {\n  one: string;\n}\nexport declare function choose(hidden: Hidden): void;\nexport {};\n',
    );
    expect(() => written(hidden)).toThrow(/no entry exports.*\nindex\.api\.md: Hidden$/m);
  });

  it('finds no fault in a type that nothing public names', () => {
    const inside = 'interface Hidden {\n  one: string;\n}\ndeclare function choose(hidden: Hidden): void;\n';
    expect(written(project(`${inside}${open}\nexport {};\n`))['index.api.md']).not.toContain('Hidden');
  });

  it('is not written of what is not built', () => {
    const unbuilt = temporaryFolder({
      'package.json': JSON.stringify({ name: 'unbuilt', exports: { '.': { types: './dist/index.d.ts' } } }),
    });
    expect(() => written(unbuilt)).toThrow(/dist\/index\.d\.ts/);
  });
});

describe('what is said about a change', () => {
  const toDo =
    'If that is what you want, run `npm run api`, commit the report with the change, and say in CHANGELOG.md what it means for users.';

  it('is nothing where there is none', () => {
    expect(apiChanges({ a: 'x\n' }, { a: 'x\n' })).toEqual([]);
  });

  it('shows the lines that went and came', () => {
    expect(apiChanges({ a: 'x\ny\ny\n' }, { a: 'x\nz\ny\n' })).toEqual([
      `The public surface in a has changed. ${toDo}\n- y\n+ z`,
    ]);
  });

  it('does not take another order for no change', () => {
    expect(apiChanges({ a: 'x\ny' }, { a: 'y\nx' })).toEqual([
      `The public surface in a has changed. ${toDo}\n(the same lines in another order)`,
    ]);
  });

  it('says how many lines it leaves out', () => {
    const many = Array.from({ length: 25 }, (_, index) => `line ${index}`).join('\n');
    expect(apiChanges({ a: '' }, { a: many })[0]).toMatch(/\n\+ line 18\n\(and 6 more lines\)$/);
  });

  it('names an entry that came and one that went', () => {
    expect(apiChanges({ old: 'x' }, { new: 'x' })).toEqual([
      `new is new: package.json has an entry without a report. ${toDo}`,
      `old is of an entry that package.json no longer has. ${toDo}`,
    ]);
  });
});
