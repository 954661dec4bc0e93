import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const config = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as Required<
  Pick<IFlattenedRuleSet, 'forbidden'>
> & { readonly options: object };

/** One import, as it stands in the source. */
export interface Import {
  /** The importing file, relative to the project. */
  readonly file: string;
  /** As written: `../domain/errors.js`, `node:fs`, `openai`. */
  readonly specifier: string;
  /** Whether it is a module of Node itself. */
  readonly builtIn: boolean;
}

export interface ImportGraph {
  readonly imports: readonly Import[];
  /** Each as `rule: importing file → what it imports`, sorted. */
  readonly violations: readonly string[];
}

/** The names of the rules in `.dependency-cruiser.cjs`. */
export const importRules: readonly string[] = config.forbidden.map((rule) => rule.name ?? 'a rule without a name');

/** All imports of a project's lib/ and sample-app/, judged by the rules in `.dependency-cruiser.cjs`. */
export async function importGraph(project: string, folders = ['lib', 'sample-app']): Promise<ImportGraph> {
  const { output } = await cruise(folders, {
    ...config.options,
    baseDir: project,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  });
  const { modules, summary } = output as ICruiseResult;
  return {
    imports: modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ module, coreModule }) => ({ file: source, specifier: module, builtIn: coreModule })),
    ),
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${shownTarget(to)}`).sort(),
  };
}

/** A file of an installed package by the package's name, as one that is not installed is shown. */
function shownTarget(path: string): string {
  return path.replace(/^.*node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/, '$1');
}

/** The name of the package that a specifier leads to; `undefined` for our own files and Node's modules. */
export function packageOf({ specifier, builtIn }: Import): string | undefined {
  if (builtIn || specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
