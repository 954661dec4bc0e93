import { join } from 'node:path';

import ts from 'typescript';

import { filesUnder } from './file-rules.js';
import { ROOT } from './import-graph.js';
import { SignatureRules } from './signature-rules.js';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  types: [],
  strict: true,
  declaration: true,
  skipLibCheck: true,
  experimentalDecorators: true,
};

/** The rules, asked of our own sources. */
function ofProject(): SignatureRules {
  const lib = join(ROOT, 'lib/');
  const files = filesUnder(ROOT, 'lib')
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(ROOT, file));
  return new SignatureRules(ts.createProgram(files, { ...OPTIONS, types: ['node'] }), (file) => file.startsWith(lib));
}

/** As much of the standard library as the sources below speak of; the whole of it would take a second for each test. */
const GLOBALS = `
  interface Array<T> { readonly length: number; [index: number]: T }
  interface ReadonlyArray<T> { readonly length: number; readonly [index: number]: T }
  interface ReadonlySet<T> { has(value: T): boolean }
  interface Set<T> { has(value: T): boolean; add(value: T): this }
  interface Promise<T> { then<R>(settled: (value: T) => R): Promise<R> }
  interface Boolean {} interface CallableFunction {} interface Function {} interface IArguments {}
  interface NewableFunction {} interface Number {} interface Object {} interface RegExp {} interface String {}
`;

/** The rules, asked of sources that exist only here. */
function ofSources(files: Readonly<Record<string, string>>): SignatureRules {
  const texts = new Map(
    Object.entries({ ...files, 'globals.d.ts': GLOBALS }).map(([path, text]) => [`/${path}`, text]),
  );
  const options = { ...OPTIONS, noLib: true };
  const program = ts.createProgram([...texts.keys()], options, {
    ...ts.createCompilerHost(options),
    getCurrentDirectory: () => '/',
    directoryExists: () => true,
    fileExists: (path) => texts.has(path),
    readFile: (path) => texts.get(path),
    getSourceFile: (path, languageVersion) => {
      const text = texts.get(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, languageVersion);
    },
  });
  expect(program.getGlobalDiagnostics().map(({ messageText }) => messageText)).toEqual([]);
  return new SignatureRules(program, (file) => texts.has(file));
}

const TIERS = `
  interface Request { readonly query: string; readonly signal?: object }
  interface Answer { readonly text: string }
`;
const MEMBERS = `
  readonly backendId: string;
  readonly snapshotReader?: { read(query: Request): Promise<Answer> };
  readonly dialecticEngine?: {
    query(q: Request): Promise<Answer>;
    queryStream(q: Request, sink: (text: string) => void): Promise<Answer>;
  };
  readonly observationRecorder?: { observe(draft: Request): Promise<Answer> };
  readonly ingestor?: { ingest(request: Request): Promise<Answer> };
  ping?(signal?: object): Promise<void>;
  close?(): Promise<void>;
`;
const SEARCHER = 'readonly searcher?: MemorySearcher;';

/** A `PeerMemory` whose SEARCH is `searcher`; `members` in place of the usual declaration of it. */
const peerMemory = (searcher: string, members = SEARCHER): Record<string, string> => ({
  'lib/spi/peer-memory.ts': `${TIERS} export interface MemorySearcher { ${searcher} } export interface PeerMemory { ${MEMBERS} ${members} }`,
});

describe('PeerMemory', () => {
  let rules: SignatureRules;
  beforeAll(() => {
    rules = ofProject();
  }, 60_000);

  it('has no members but those of the specification', () => {
    expect(rules.peerMemoryMembers()).toEqual([]);
  });

  it('declares no capabilities', () => {
    expect(rules.declaredCapabilities()).toEqual([]);
  });

  it('has tiers whose methods take one request object, queryStream also a sink', () => {
    expect(rules.tierArguments()).toEqual([]);
  });

  it('stands in a folder whose signatures name neither a store nor a Representation', () => {
    expect(rules.storesNamedBySpi()).toEqual([]);
  });

  it('has no tier, and the default backend no store, with a method that takes a bare string first', () => {
    expect(rules.bareIds()).toEqual([]);
  });

  it('is judged together with all stores and tiers there are', () => {
    const judged = rules.judgedMethods();
    for (const name of ['MemorySearcher.search', 'DialecticEngine.queryStream', 'WorkspaceStore.findById']) {
      expect(judged).toContain(name);
    }
    for (const name of ['ObservationStore.save', 'ObservationIndex.search', 'RepresentationStore.save']) {
      expect(judged).toContain(name);
    }
  });
});

describe('the rule about the members of PeerMemory', () => {
  it('finds no fault where there is none', () => {
    const rules = ofSources(peerMemory('search(query: Request): Promise<Answer>; readonly ranksByScore: boolean;'));
    expect(rules.peerMemoryMembers()).toEqual([]);
    expect(rules.declaredCapabilities()).toEqual([]);
    expect(rules.tierArguments()).toEqual([]);
    expect(rules.storesNamedBySpi()).toEqual([]);
    expect(rules.bareIds()).toEqual([]);
  });

  it('finds a member too many, one too few, and one that is no longer optional', () => {
    expect(ofSources(peerMemory('', `${SEARCHER} readonly version: number;`)).peerMemoryMembers()).toEqual([
      'PeerMemory has a member version, which is none of its members',
    ]);
    expect(ofSources(peerMemory('', '')).peerMemoryMembers()).toEqual(['PeerMemory has no member searcher']);
    expect(ofSources(peerMemory('', 'readonly searcher: MemorySearcher;')).peerMemoryMembers()).toEqual([
      'PeerMemory.searcher is not optional',
    ]);
  });

  it('finds a member that has no name, and one that is inherited', () => {
    expect(ofSources(peerMemory('', `${SEARCHER} [key: string]: unknown;`)).peerMemoryMembers()).toEqual([
      'PeerMemory has a member [string], which is none of its members',
    ]);
    const inherits = peerMemory('');
    const text = `${inherits['lib/spi/peer-memory.ts']} export interface PeerMemory extends Versioned {} interface Versioned { version: 1 }`;
    expect(ofSources({ 'lib/spi/peer-memory.ts': text }).peerMemoryMembers()).toEqual([
      'PeerMemory has a member version, which is none of its members',
    ]);
  });
});

describe('the rule about declared capabilities', () => {
  it.each([
    ['a set', 'readonly ping2: ReadonlySet<MemoryCapability>;'],
    ['a method', 'ping2(): readonly MemoryCapability[];'],
    ['a promise, when it is there', 'ping2?(): Promise<Set<MemoryCapability>>;'],
    ['literals', `ping2(): Set<'SEARCH' | 'CHAT'>;`],
  ])('finds %s of them, whatever the member is called', (_what, member) => {
    const files = peerMemory('', `${SEARCHER} ${member}`);
    files['lib/spi/peer-memory.ts'] += ` export type MemoryCapability = 'SEARCH' | 'CHAT';`;
    expect(ofSources(files).declaredCapabilities()).toEqual([
      'PeerMemory.ping2 declares capabilities, which are computed from the tiers',
    ]);
  });
});

describe('the rule about the arguments of a tier', () => {
  it.each([
    ['two arguments', 'search(query: Request, topK: number): Promise<Answer>;'],
    ['a text', 'search(query: string): Promise<Answer>;'],
    ['a list', 'search(queries: readonly Request[]): Promise<Answer>;'],
    ['any number of requests', 'search(first: Request, ...more: Request[]): Promise<Answer>;'],
    ['an object that is no request', 'search(subject: { readonly id: string }): Promise<Answer>;'],
    ['a request, or a text', 'search(query: Request | string): Promise<Answer>;'],
    ['two, as a property', 'readonly search: (query: Request, topK: number) => Promise<Answer>;'],
    ['two in one of its forms', 'search(query: Request): Promise<Answer>; search(q: Request, k: 1): Promise<Answer>;'],
  ])('finds a method that takes %s', (_what, method) => {
    expect(ofSources(peerMemory(method)).tierArguments()).toEqual([
      'MemorySearcher.search does not take exactly one argument, a request object',
    ]);
  });

  it.each([
    'queryStream(q: Request)',
    'queryStream(q: Request, sink: Answer)',
    'queryStream(q: Request, s: () => 1, n: 1)',
  ])('finds a %s, which is not a request and a sink', (method) => {
    expect(ofSources(peerMemory(`${method}: Promise<Answer>;`)).tierArguments()).toEqual([
      'MemorySearcher.queryStream does not take a request object and a sink',
    ]);
  });

  it('leaves a method without arguments alone', () => {
    expect(ofSources(peerMemory('refresh(): Promise<void>;')).tierArguments()).toEqual([]);
  });
});

describe('the rule about stores in lib/spi', () => {
  const spi = (text: string): string[] =>
    ofSources({
      'lib/spi/tier.ts': text,
      'lib/domain/representation.ts':
        'export class Representation { readonly summary = ""; static of() { return new Representation(); } }',
      'lib/ports/stores.ts':
        'export interface ObservationStore { save(): void } export interface ObservationIndex { find(): void }',
    }).storesNamedBySpi();

  it.each([
    [
      'ObservationStore',
      `import type { ObservationStore } from '../ports/stores.js'; export type Kept = ObservationStore;`,
    ],
    [
      'ObservationStore',
      `export function save(to: import('../ports/stores.js').ObservationStore): void { to.save(); }`,
    ],
    [
      'ObservationIndex',
      `import type { ObservationIndex as Kept } from '../ports/stores.js'; export class Search { constructor(readonly kept: Kept) {} }`,
    ],
    [
      'Representation',
      `import { Representation } from '../domain/representation.js'; export const latest = () => Representation.of();`,
    ],
  ])('finds %s, named or inferred', (name, text) => {
    expect(spi(text)).toEqual([`tier.ts names ${name} in a signature`]);
  });

  it('does not look inside a function', () => {
    const text = `import { Representation } from '../domain/representation.js'; export const summary = (): string => Representation.of().summary;`;
    expect(spi(text)).toEqual([]);
  });
});

describe('the rule about bare ids', () => {
  const bareIds = (file: string, text: string): string[] =>
    ofSources({ ...peerMemory('search(query: Request): Promise<Answer>;'), [file]: text }).bareIds();
  const fault = (name: string): string => `${name} takes a bare string first; an id alone does not say whose it is`;

  it.each([
    ['a method', 'find(id: string): void;'],
    ['a method of two arguments', 'find(id: string, peer: object): void;'],
    ['a property', 'readonly find: (id: string) => void;'],
    ['an optional method', 'find?(id: string): void;'],
    ['a text among others', 'find(id: string | { id: string }): void;'],
    ['an optional text', 'find(id?: string): void;'],
    ['any number of texts', 'find(...ids: string[]): void;'],
    ['a generic', 'find<Id extends string>(id: Id): void;'],
    ['a branded text', `find(id: string & { readonly brand: 'id' }): void;`],
    ['one of several forms', 'find(id: object): void; find(id: string): void;'],
  ])('finds %s of a store', (_what, method) => {
    expect(bareIds('lib/ports/note-store.ts', `export interface NoteStore { ${method} }`)).toEqual([
      fault('NoteStore.find'),
    ]);
  });

  it('looks at everything in the port of a store, and at stores and indexes wherever they are', () => {
    const find = 'find(id: string): void';
    expect(bareIds('lib/ports/note-store.ts', `export interface NotePolicy { ${find} }`)).toEqual([
      fault('NotePolicy.find'),
    ]);
    expect(bareIds('lib/stores/in-memory/notes.ts', `export class NoteStore { ${find} {} }`)).toEqual([
      fault('NoteStore.find'),
    ]);
    expect(bareIds('lib/backends/notes.ts', `export type NoteStore = { ${find} };`)).toEqual([fault('NoteStore.find')]);
    expect(bareIds('lib/ports/index-port.ts', `export interface ObservationIndex { ${find} }`)).toEqual([
      fault('ObservationIndex.find'),
    ]);
  });

  it('looks at tiers too', () => {
    const rules = ofSources(peerMemory('search(id: string): Promise<Answer>;'));
    expect(rules.bareIds()).toEqual([fault('MemorySearcher.search')]);
  });

  it('lets only the findById of a workspace store take one', () => {
    expect(
      bareIds('lib/ports/workspace-store.ts', 'export interface WorkspaceStore { findById(id: string): void }'),
    ).toEqual([]);
    expect(bareIds('lib/stores/w.ts', 'export class InMemoryWorkspaceStore { findById(id: string) {} }')).toEqual([]);
    expect(
      bareIds('lib/ports/workspace-store.ts', 'export interface WorkspaceStore { delete(id: string): void }'),
    ).toEqual([fault('WorkspaceStore.delete')]);
    expect(bareIds('lib/ports/note-store.ts', 'export interface NoteStore { findById(id: string): void }')).toEqual([
      fault('NoteStore.findById'),
    ]);
  });

  it('does not ask what a class keeps to itself, nor a text that does not come first', () => {
    const text =
      'export class NoteStore { private find(id: string) {} #get(id: string) {} search(peer: object, query: string) {} }';
    expect(bareIds('lib/stores/notes.ts', text)).toEqual([]);
  });
});
