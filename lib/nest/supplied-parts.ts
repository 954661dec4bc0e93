import type { FactoryProvider } from '@nestjs/common';

import type { MemoryPeerResolver } from '../agent/context/memory-peer-resolver.js';
import type { ObservationIndex } from '../ports/observation-index.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import type { PeerMemory } from '../spi/peer-memory.js';
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

/** The token of {@link SuppliedParts}. */
export const SUPPLIED_PARTS = Symbol('SUPPLIED_PARTS');

const optional = (token: symbol): { token: symbol; optional: true } => ({ token, optional: true });

export const suppliedPartsProvider: FactoryProvider<SuppliedParts> = {
  provide: SUPPLIED_PARTS,
  inject: [
    PEER_MEMORY_BACKEND,
    OBSERVATION_STORE,
    REPRESENTATION_STORE,
    OBSERVATION_INDEX,
    MEMORY_REDACTION_POLICY,
    MEMORY_PEER_RESOLVER,
  ].map(optional),
  useFactory: (
    backend?: PeerMemory,
    observationStore?: ObservationStore,
    representationStore?: RepresentationStore,
    observationIndex?: ObservationIndex,
    redactionPolicy?: RedactionPolicy,
    peerResolver?: MemoryPeerResolver,
  ) => ({ backend, observationStore, representationStore, observationIndex, redactionPolicy, peerResolver }),
};
