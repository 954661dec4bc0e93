// The contracts, as tests that every backend and every part of one has to pass; for any test runner.

export type { ContractOptions } from './contract.js';
export type { ContractIt, ContractRunner } from './contract-runner.js';
export {
  describePeerMemoryContract,
  type PeerMemoryContractOptions,
} from './peer-memory/describe-peer-memory-contract.js';
export type { PeerMemoryToTest, SeededSnapshot } from './peer-memory/peer-memory-under-test.js';
export {
  describeObservationStoreContract,
  type ObservationStoreContractOptions,
} from './stores/describe-observation-store-contract.js';
export {
  OBSERVATION_STORE_ABILITIES,
  type ObservationStoreAbility,
  type ObservationStoreToTest,
} from './stores/observation-store-under-test.js';
export {
  describeRepresentationStoreContract,
  REPRESENTATION_STORE_ABILITIES,
  type RepresentationStoreAbility,
  type RepresentationStoreContractOptions,
  type RepresentationStoreToTest,
} from './stores/representation-store-contract.js';
export {
  describeWorkspaceStoreContract,
  type WorkspaceStoreContractOptions,
  type WorkspaceStoreToTest,
} from './stores/workspace-store-contract.js';
export type { DerivationQueueParts, DerivationQueueToTest } from './derivation-queue/derivation-queue-under-test.js';
export {
  type DerivationQueueContractOptions,
  describeDerivationQueueContract,
} from './derivation-queue/describe-derivation-queue-contract.js';
export {
  describeObservationIndexContract,
  OBSERVATION_INDEX_ABILITIES,
  type ObservationIndexAbility,
  type ObservationIndexContractOptions,
  type ObservationIndexToTest,
} from './observation-index-contract.js';
export {
  describeRedactionPolicyContract,
  type RedactionExample,
  type RedactionPolicyContractOptions,
} from './redaction-policy-contract.js';
