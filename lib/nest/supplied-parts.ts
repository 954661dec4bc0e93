import type { DynamicModule, FactoryProvider, InjectionToken } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import type { MemoryPeerResolver } from '../agent/context/memory-peer-resolver.js';
import type { ObservationIndex } from '../ports/observation-index.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import type { PeerMemory } from '../spi/peer-memory.js';
import { InvalidConfigurationError } from '../domain/errors.js';
import { getMemoryToken } from './memory-name.js';
import { tokenName } from './token-name.js';
import {
  MEMORY_PEER_RESOLVER,
  MEMORY_REDACTION_POLICY,
  OBSERVATION_INDEX,
  OBSERVATION_STORE,
  PEER_MEMORY_BACKEND,
  REPRESENTATION_STORE,
} from './memory-tokens.js';

/** What the application provides of its own; each as far as it is there. */
export interface SuppliedParts {
  readonly backend?: PeerMemory;
  readonly observationStore?: ObservationStore;
  readonly representationStore?: RepresentationStore;
  readonly observationIndex?: ObservationIndex;
  readonly redactionPolicy?: RedactionPolicy;
  readonly peerResolver?: MemoryPeerResolver;
}

type Module = NonNullable<ReturnType<ModulesContainer['get']>>;

/** The token of {@link SuppliedParts}. */
export const SUPPLIED_PARTS = Symbol('SUPPLIED_PARTS');

/** The token of the name that a memory was registered with; the unnamed one's is `undefined`. */
export const MEMORY_NAME = Symbol('MEMORY_NAME');

const TOKENS: Readonly<Record<keyof SuppliedParts, symbol>> = {
  backend: PEER_MEMORY_BACKEND,
  observationStore: OBSERVATION_STORE,
  representationStore: REPRESENTATION_STORE,
  observationIndex: OBSERVATION_INDEX,
  redactionPolicy: MEMORY_REDACTION_POLICY,
  peerResolver: MEMORY_PEER_RESOLVER,
};
/** The tokens under which the application provides parts of its own. */
export const SUPPLIED_TOKENS: readonly symbol[] = Object.values(TOKENS);

const KINDS = Object.keys(TOKENS) as readonly (keyof SuppliedParts)[];

/**
 * Injects what the application provides of its own. A named memory takes what its own registration provides or imports,
 * and what is provided under `getMemoryToken(PEER_MEMORY_BACKEND, name)`; what a global module provides is the unnamed one's.
 *
 * @param imports what the registration imports: a global module among them is meant for it, too
 */
export function suppliedPartsProvider(
  name: string | undefined,
  imports: DynamicModule['imports'] = [],
): FactoryProvider<SuppliedParts> {
  const plain = KINDS.map((kind) => TOKENS[kind]);
  const named = name === undefined ? [] : plain.map((token) => getMemoryToken(token, name));
  return {
    provide: SUPPLIED_PARTS,
    inject: [ModulesContainer, ...[...plain, ...named].map((token) => ({ token, optional: true }))],
    useFactory: async (modules: ModulesContainer, ...found: unknown[]): Promise<SuppliedParts> => {
      const registration = name === undefined ? undefined : registrationOf(name, modules);
      const own = registration === undefined ? [] : await metatypesOf(imports);
      const twice: string[] = [];
      const parts = KINDS.map((kind, at) => {
        const plainOne =
          registration === undefined || provides(registration, TOKENS[kind], own) ? found[at] : undefined;
        const namedOne = found[plain.length + at];
        if (plainOne != null && namedOne != null) twice.push(tokenName(TOKENS[kind]));
        return [kind, namedOne ?? plainOne];
      });
      if (twice.length > 0) {
        throw new InvalidConfigurationError(
          twice.map(
            (token) =>
              `The memory "${name}" is given ${token} by its registration and getMemoryToken(${token}, '${name}') by the application, and one would be ignored; remove one.`,
          ),
        );
      }
      return Object.fromEntries(parts) as SuppliedParts;
    },
  };
}

/** What the imports of a registration are modules of: they may be promises, or looked up later. */
async function metatypesOf(imports: NonNullable<DynamicModule['imports']>): Promise<readonly unknown[]> {
  return Promise.all(
    imports.map(async (imported) => {
      const module = (await imported) as object | undefined;
      if (module !== undefined && 'forwardRef' in module) return (module.forwardRef as () => unknown)();
      return module !== undefined && 'module' in module ? module.module : module;
    }),
  );
}

function registrationOf(name: string, modules: ModulesContainer): Module | undefined {
  return [...modules.values()].find((module) => module.providers.get(MEMORY_NAME)?.instance === name);
}

/**
 * Whether `token` comes from the module itself or from what it imports, and not from a global module, which Nest imports
 * into every other, unless it is one of those that the registration names.
 */
function provides(module: Module, token: InjectionToken, named: readonly unknown[]): boolean {
  if (module.providers.has(token)) return true;
  return [...module.imports].some(
    (imported) => (!imported.isGlobal || named.includes(imported.metatype)) && exportsIt(imported, token),
  );
}

/** Whether a module hands `token` on: one of its own, or one of a module that it exports. */
function exportsIt(module: Module, token: InjectionToken, seen = new Set<Module>()): boolean {
  seen.add(module);
  if (module.exports.has(token)) return true;
  return [...module.imports].some(
    (imported) => !seen.has(imported) && module.exports.has(imported.metatype) && exportsIt(imported, token, seen),
  );
}
