import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};

/** The names that `entries` export and whose hover shows no word beside the declaration itself. */
function undocumented(entries: readonly string[]): readonly string[] {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: ['node'], noLib: false };
  const program = ts.createProgram(entries, options);
  const checker = program.getTypeChecker();
  return entries.flatMap((entry) => {
    const source = program.getSourceFile(entry);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${entry} is no module.`);
    return checker
      .getExportsOfModule(module)
      .map((name) => ({ name, meant: name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name }))
      .filter(({ meant }) => ts.displayPartsToString(meant.getDocumentationComment(checker)).trim() === '')
      .map(({ name }) => name.name);
  });
}

describe('a public name', () => {
  const entries = Object.values(manifest.exports)
    .flatMap(({ types }) => (types === undefined ? [] : [join(ROOT, types)]))
    .filter((path) => existsSync(path));

  it('says in its documentation what it is, in every entry', () => {
    expect(entries.length).toBeGreaterThan(4);
    expect(undocumented(entries)).toEqual([]);
  }, 60_000);

  it('is found when it says nothing', () => {
    const folder = temporaryFolder({
      'names.d.ts': '/** Says something. */\nexport interface Said {}\n/** @internal */\nexport interface Bare {}\n',
    });
    expect(undocumented([join(folder, 'names.d.ts')])).toEqual(['Bare']);
  });
});
