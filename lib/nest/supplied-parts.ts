import type { DynamicModule, FactoryProvider, InjectionToken } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import type { MemoryPeerResolver } from '../agent/context/memory-peer-resolver.js';
import type { ObservationIndex } from '../ports/observation-index.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import type { PeerMemory } from '../spi/peer-memory.js';
import { getMemoryToken } from './memory-name.js';
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
    useFactory: (modules: ModulesContainer, ...found: unknown[]): SuppliedParts => {
      const metatypes = imports.map((imported) => ('module' in imported ? imported.module : imported));
      const registration = name === undefined ? undefined : registrationOf(name, modules);
      return Object.fromEntries(
        KINDS.map((kind, at) => {
          const own =
            registration === undefined || providesItself(registration, TOKENS[kind], metatypes) ? found[at] : undefined;
          return [kind, found[plain.length + at] ?? own];
        }),
      );
    },
  };
}

function registrationOf(name: string, modules: ModulesContainer): Module | undefined {
  return [...modules.values()].find((module) => module.providers.get(MEMORY_NAME)?.instance === name);
}

/**
 * Whether `token` comes from the module itself or from what it imports, and not from a global module, which Nest imports
 * into every other, unless it is one of those that the registration names.
 */
function providesItself(
  module: Module,
  token: InjectionToken,
  named: readonly unknown[],
  seen = new Set<Module>(),
): boolean {
  seen.add(module);
  if (module.providers.has(token)) return true;
  return [...module.imports].some(
    (imported) =>
      (!imported.isGlobal || named.includes(imported.metatype)) &&
      !seen.has(imported) &&
      providesItself(imported, token, named, seen),
  );
}
