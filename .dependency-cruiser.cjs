/**
 * Who may import whom. The rules are made of three tables: the matrix of lib/'s folders, the packages that only some
 * folders may know, and what the sample application sees of the world. `npm test` enforces them; by hand:
 * `npx depcruise lib sample-app`.
 */
const matrix = require('./test/architecture/import-matrix.json');

/** A package that would pull the layers below into a framework, a vendor or a database stays in its own folders. */
const PACKAGES_WITH_A_HOME = [
  { what: 'Nest', packages: ['@nestjs'], homes: ['lib/nest', 'lib/testing', 'lib/server', 'lib/cli', 'sample-app'] },
  { what: 'openai', packages: ['openai'], homes: ['lib/reasoning/llm', 'lib/reasoning/embedding'] },
  {
    what: 'a database driver',
    packages: ['pg', 'pg-[a-z-]+', 'pgvector', 'postgres', 'kysely', 'kysely-[a-z-]+', '@electric-sql'],
    homes: ['lib/backends/postgres'],
  },
  { what: 'OpenTelemetry', packages: ['@opentelemetry'], homes: ['lib/telemetry'] },
];

/**
 * The sample application is a stranger: it sees the package by its name, and what a Nest application has anyway, which
 * is Nest, what Nest asks for, and express for the types of requests and responses.
 */
const SEEN_BY_THE_SAMPLE_APP = ['@aimon/nestjs-memory', '@nestjs', 'reflect-metadata', 'rxjs', 'express'];

// An installed package is resolved to its file in node_modules; one that is not installed keeps its name.
const packagePath = (names) => `(?:^|node_modules/)(?:@types/)?(?:${names.join('|')})(?:/|$)`;
const folderPath = (folders) => `^(?:${folders.join('|')})/`;

const folderRules = Object.entries(matrix).map(([folder, mayImport]) => ({
  name: `lib/${folder} imports only what it may`,
  comment: `lib/${folder} may import ${mayImport.join(', ') || 'nothing else of ours'}; see import-matrix.json.`,
  severity: 'error',
  from: { path: folderPath([`lib/${folder}`]) },
  to: { path: '^lib/', pathNot: folderPath([folder, ...mayImport].map((name) => `lib/${name}`)) },
}));

const packageRules = PACKAGES_WITH_A_HOME.map(({ what, packages, homes }) => ({
  name: `${what} is imported only where it is at home`,
  comment: `Only ${homes.join(', ')} may import it.`,
  severity: 'error',
  from: { path: folderPath(['lib', 'sample-app']), pathNot: folderPath(homes) },
  to: { path: packagePath(packages) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...folderRules,
    ...packageRules,
    {
      name: 'lib imports nothing that is built on it',
      comment: 'The library knows neither its tests nor its sample application nor its own package name.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: ['^(?:sample-app|test|dist)/', packagePath(['@aimon/nestjs-memory'])] },
    },
    {
      name: 'sample-app sees the package as a stranger does',
      comment: `It imports its own files, Node and ${SEEN_BY_THE_SAMPLE_APP.join(', ')}; never ../lib.`,
      severity: 'error',
      from: { path: '^sample-app/' },
      to: { pathNot: ['^sample-app/', packagePath(SEEN_BY_THE_SAMPLE_APP)], dependencyTypesNot: ['core'] },
    },
    {
      name: 'nothing imports in a circle',
      comment: 'Types count: two files that need each other are one idea, or a third that both stand on.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)sample-app/dist/' },
    tsPreCompilationDeps: true,
  },
};
