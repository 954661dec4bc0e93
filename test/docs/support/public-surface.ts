import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};

/** The declaration files of the entries of this package that are built. */
export const ENTRIES: readonly string[] = Object.values(manifest.exports)
  .flatMap(({ types }) => (types === undefined ? [] : [join(ROOT, types)]))
  .filter((path) => existsSync(path));

/** A name that an entry exports, and what it stands for. */
export interface PublicName {
  readonly name: string;
  readonly symbol: ts.Symbol;
  readonly checker: ts.TypeChecker;
}

/** Every name that `entries` export, entry by entry; one that two entries export comes twice. */
export function publicNames(entries: readonly string[]): readonly PublicName[] {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: ['node'], strict: true };
  const program = ts.createProgram(entries, options);
  const checker = program.getTypeChecker();
  return entries.flatMap((entry) => {
    const source = program.getSourceFile(entry);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${entry} is no module.`);
    return checker.getExportsOfModule(module).map((name) => {
      const symbol = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      return { name: name.name, symbol, checker };
    });
  });
}

/** Whether a hover over `symbol` shows a word beside the declaration itself; what it inherits counts. */
export function isDocumented(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() !== '';
}
