/**
 * Writes the API reports: for each entry of `exports` a file with every exported name and its declaration, from the built
 * declarations. What is no export but named by one is in it too, since who calls the one sees the other; a type that an
 * entry names and that no entry exports is a fault, since nobody could name it.
 *
 *   npm run api
 *   node test/package/api-report.mjs [--project <folder>] [--into <folder>]
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CompilerState, Extractor, ExtractorConfig, ExtractorMessageId } from '@microsoft/api-extractor';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('api', import.meta.url));
const COMPILER = {
  compilerOptions: { target: 'es2022', module: 'nodenext', strict: true, skipLibCheck: true, types: ['node'] },
};

const { values: options } = parseArgs({
  options: { project: { type: 'string', default: ROOT }, into: { type: 'string', default: HERE } },
});
const project = resolve(options.project);
const folder = resolve(options.into);

/** The entries of `exports` that have types: the name of the report and the declaration file of each. */
function entries() {
  const { exports } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) => {
    if (target.types === undefined) return [];
    const name = path === '.' ? 'index' : path.slice('./'.length).replaceAll('/', '-');
    return [{ name, types: join(project, target.types) }];
  });
}

const QUIET = { default: { logLevel: 'none' } };
const FORGOTTEN = { [ExtractorMessageId.ForgottenExport]: { logLevel: 'warning' } };
const configOf = ({ name, types }, all, temporary) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: project,
      mainEntryPointFilePath: types,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { ...COMPILER, files: all.map((entry) => entry.types) } },
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFileName: `${name}.api.md`,
        reportFolder: folder,
        reportTempFolder: temporary,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: QUIET,
        extractorMessageReporting: { ...QUIET, ...FORGOTTEN },
        tsdocMessageReporting: QUIET,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(project, 'package.json'),
  });

/** Writes a report, and answers the names of what it shows and the entry does not export. */
function write(config, compilerState) {
  const faults = [];
  const forgotten = new Set();
  const { succeeded } = Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback: (message) => {
      if (message.messageId === ExtractorMessageId.ForgottenExport) forgotten.add(/"([^"]+)"/.exec(message.text)?.[1]);
      else if (message.logLevel === 'error') faults.push(message.formatMessageWithLocation(project));
      message.handled = true;
    },
  });
  if (!succeeded || faults.length > 0) throw new Error(`There is no ${config.reportFilePath}.\n${faults.join('\n')}`);
  return [...forgotten];
}

/** The names that the entries of the project export, all together. */
function exportedNames(files) {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  return new Set(
    files.flatMap((file) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(file));
      return module === undefined ? [] : checker.getExportsOfModule(module).map(({ name }) => name);
    }),
  );
}

mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder).filter((name) => name.endsWith('.api.md'))) rmSync(join(folder, file));
const temporary = mkdtempSync(join(tmpdir(), 'aimon-memory-api-'));
try {
  const configs = entries().map((entry, _index, all) => configOf(entry, all, temporary));
  const others = { additionalEntryPoints: configs.map((config) => config.mainEntryPointFilePath) };
  const compilerState = CompilerState.create(configs[0], others);
  const exported = exportedNames(others.additionalEntryPoints);
  const unnamed = [];
  for (const config of configs) {
    // Without a file to compare with, the extractor would warn that it makes a new one.
    writeFileSync(config.reportFilePath, '');
    const names = write(config, compilerState).filter((name) => !exported.has(name));
    if (names.length > 0) unnamed.push(`${basename(config.reportFilePath)}: ${names.sort().join(', ')}`);
  }
  if (unnamed.length > 0) {
    throw new Error(
      `Public signatures name types that no entry exports, so that nobody else could. Export each with a docstring, mark ` +
        `what names it as @internal or make it private, or write the type out where it is named.\n${unnamed.join('\n')}`,
    );
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
