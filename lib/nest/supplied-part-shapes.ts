import type { MemoryPeerResolver } from '../agent/context/memory-peer-resolver.js';
import type { ObservationIndex } from '../ports/observation-index.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import type { MemoryTiers, PeerMemory } from '../spi/peer-memory.js';
import { valueKind } from './settings/value-kind.js';
import type { SuppliedParts } from './supplied-parts.js';

interface Shape {
  readonly name: string;
  /** What it takes, in words. */
  readonly takes: string;
  readonly text?: string;
  readonly methods: readonly string[];
}

const methodsOf = <T>(...methods: readonly (keyof T & string)[]): readonly string[] => methods;

const SHAPES: Readonly<Record<Exclude<keyof SuppliedParts, 'backend'>, Shape>> = {
  observationStore: {
    name: 'OBSERVATION_STORE',
    takes: 'an ObservationStore',
    methods: [
      ...methodsOf<ObservationStore>('save', 'findById', 'findBySubject', 'findSubjects', 'supersede', 'history'),
      ...methodsOf<ObservationStore>('count', 'findByConfidenceBelow', 'delete', 'merge'),
      ...methodsOf<ObservationStore>('eraseSubject', 'eraseWorkspace', 'exportSubject'),
    ],
  },
  representationStore: {
    name: 'REPRESENTATION_STORE',
    takes: 'a RepresentationStore',
    methods: methodsOf<RepresentationStore>(
      'save',
      'findLatestGlobal',
      'findLatestLocal',
      'deleteOlderThan',
      'eraseSubject',
      'eraseWorkspace',
    ),
  },
  observationIndex: {
    name: 'OBSERVATION_INDEX',
    takes: 'an ObservationIndex',
    methods: methodsOf<ObservationIndex>('index', 'delete', 'search', 'eraseSubject', 'eraseWorkspace'),
  },
  redactionPolicy: {
    name: 'MEMORY_REDACTION_POLICY',
    takes: 'a RedactionPolicy',
    text: 'name',
    methods: methodsOf<RedactionPolicy>('redact'),
  },
  peerResolver: {
    name: 'MEMORY_PEER_RESOLVER',
    takes: 'a MemoryPeerResolver',
    methods: methodsOf<MemoryPeerResolver>('resolve'),
  },
};

const TIERS: Readonly<Record<Exclude<keyof PeerMemory, 'backendId' | 'ping' | 'close'>, readonly string[]>> = {
  snapshotReader: methodsOf<MemoryTiers['SNAPSHOT']>('read'),
  searcher: methodsOf<MemoryTiers['SEARCH']>('search'),
  dialecticEngine: methodsOf<MemoryTiers['CHAT']>('query', 'queryStream'),
  observationRecorder: methodsOf<MemoryTiers['OBSERVE']>('observe'),
  ingestor: methodsOf<MemoryTiers['INGEST']>('ingest'),
};

/**
 * The parts that are none, each as a fault: a class where an instance is to be, a name, an object without the methods.
 * Such a part would otherwise boot, and fail in the first conversation.
 */
export function suppliedShapeFaults(parts: SuppliedParts): readonly string[] {
  const faults: string[] = [];
  if (parts.backend != null) faults.push(...backendFaults(parts.backend));
  for (const [kind, shape] of Object.entries(SHAPES) as [keyof typeof SHAPES, Shape][]) {
    const part: unknown = parts[kind];
    if (part == null) continue;
    const fault = shapeFault(part, shape);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
}

function shapeFault(part: unknown, { name, takes, text, methods }: Shape): string | undefined {
  const accepted = `it takes ${takes}: an object with ${text === undefined ? '' : `a ${text} and `}${list(methods.map((method) => `${method}()`))}`;
  if (!isObject(part)) return `${name} is ${valueKind(part)}; ${accepted}.${fix(part)}`;
  const lacks = [...textLacking(part, text), ...methodsLacking(part, methods)];
  return lacks.length === 0 ? undefined : `${name} is ${valueKind(part)} without ${list(lacks)}; ${accepted}.`;
}

function backendFaults(backend: unknown): readonly string[] {
  const name = 'PEER_MEMORY_BACKEND';
  const accepted = `it takes a PeerMemory: an object with a backendId and at least one tier, which are ${list(Object.keys(TIERS))}`;
  if (!isObject(backend)) return [`${name} is ${valueKind(backend)}; ${accepted}.${fix(backend)}`];
  const faults: string[] = [];
  if (textLacking(backend, 'backendId').length > 0) {
    const id = read(backend, 'backendId');
    faults.push(
      `${name} is ${valueKind(backend)} whose backendId ${'error' in id ? threw(id.error) : `is ${typeof id.value === 'string' ? 'blank' : valueKind(id.value)}`}; ${accepted}. The backendId is a short text that names it in messages.`,
    );
  }
  let tiers = 0;
  for (const [tier, methods] of Object.entries(TIERS)) {
    const found = read(backend, tier);
    if ('value' in found && found.value == null) continue;
    tiers++;
    const wrong =
      'error' in found
        ? threw(found.error)
        : isObject(found.value)
          ? without(methodsLacking(found.value, methods))
          : `is ${valueKind(found.value)}`;
    if (wrong !== undefined) {
      faults.push(
        `The ${tier} of ${name} ${wrong}; a tier is an object with ${list(methods.map((method) => `${method}()`))}, and one that the backend does not have is left out or undefined. Tiers must be there when the provider is made.`,
      );
    }
  }
  if (tiers === 0) {
    faults.push(
      `${name} is ${valueKind(backend)} without a tier, so it could do nothing; ${accepted}. Tiers must be there when the provider is made.`,
    );
  }
  return faults;
}

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object';

const without = (lacks: readonly string[]): string | undefined =>
  lacks.length === 0 ? undefined : `is without ${list(lacks)}`;

const threw = (error: unknown): string =>
  `throws ${error instanceof Error ? `a ${error.name}` : valueKind(error)} when it is read`;

const fix = (part: unknown): string =>
  typeof part === 'function' ? ' Give the class with useClass, not useValue.' : '';

function textLacking(part: object, name: string | undefined): readonly string[] {
  if (name === undefined) return [];
  const found = read(part, name);
  return 'value' in found && typeof found.value === 'string' && found.value.trim() !== '' ? [] : [`a ${name}`];
}

function methodsLacking(part: object, methods: readonly string[]): readonly string[] {
  return methods
    .filter((method) => {
      const found = read(part, method);
      return 'error' in found || typeof found.value !== 'function';
    })
    .map((method) => `${method}()`);
}

/** A part is an application's code: reading it may throw. */
function read(part: object, name: string): { readonly value: unknown } | { readonly error: unknown } {
  try {
    return { value: (part as Readonly<Record<string, unknown>>)[name] };
  } catch (error) {
    return { error };
  }
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
