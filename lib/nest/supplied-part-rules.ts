import type { MemorySettings } from './settings/memory-settings.js';
import { ownWorkFaults, spelled } from './settings/setting-rules.js';
import type { GivenSetting } from './settings/given-setting.js';
import { suppliedShapeFaults } from './supplied-part-shapes.js';
import type { SuppliedParts } from './supplied-parts.js';

const NAMES: Readonly<Record<keyof SuppliedParts, string>> = {
  backend: 'PEER_MEMORY_BACKEND',
  observationStore: 'OBSERVATION_STORE',
  representationStore: 'REPRESENTATION_STORE',
  observationIndex: 'OBSERVATION_INDEX',
  redactionPolicy: 'MEMORY_REDACTION_POLICY',
  peerResolver: 'MEMORY_PEER_RESOLVER',
};

/**
 * The providers of the application that are not what they are provided as, that contradict the settings, or would be
 * ignored: an ignored store looks like an empty one. A setting that is faulty by itself is absent, and what it would decide
 * is not judged.
 */
export function suppliedPartFaults(
  settings: Partial<MemorySettings>,
  given: ReadonlyMap<string, GivenSetting>,
  { parts, name }: { readonly parts: SuppliedParts; readonly name: string | undefined },
): readonly string[] {
  const is = (...kinds: (keyof SuppliedParts)[]): string[] =>
    kinds.filter((kind) => parts[kind] != null).map((kind) => NAMES[kind]);
  const faults = [...suppliedShapeFaults(parts)];
  const { backend } = settings;
  if (backend === undefined) return faults;
  faults.push(...backendFaults(settings, given, parts, is), ...nobodySupplies(settings, given, is, name));
  if (backend === 'none') {
    const unread = is('observationIndex', 'redactionPolicy', 'peerResolver');
    if (unread.length > 0)
      faults.push(
        `${spelled(given, 'backend')} is "none", but the application provides ${list(unread)}, which would be ignored; set aimon.memory.backend to another, or remove the provider.`,
      );
    return faults;
  }
  return [
    ...faults,
    ...workWithoutStore(given, settings, parts),
    ...redactionFaults(settings, given, parts),
    ...peerFaults(settings, given, parts),
  ];
}

function backendFaults(
  { backend }: Partial<MemorySettings>,
  given: ReadonlyMap<string, GivenSetting>,
  parts: SuppliedParts,
  is: (...kinds: (keyof SuppliedParts)[]) => string[],
): readonly string[] {
  const backendParts = is('backend', 'observationStore', 'representationStore');
  const name = spelled(given, 'backend');
  const faults: string[] = [];
  if (backend !== 'supplied' && backendParts.length > 0) {
    faults.push(
      `${name} is "${backend}", but the application provides ${list(backendParts)}, which would be ignored; set aimon.memory.backend to supplied, or remove the provider.`,
    );
  }
  if (backend === 'supplied' && parts.backend != null) {
    const beside = is('observationStore', 'representationStore', 'observationIndex');
    if (beside.length > 0) {
      faults.push(
        `The application provides PEER_MEMORY_BACKEND and ${list(beside)}; a PeerMemory brings its own, and they would be ignored. Provide one or the other.`,
      );
    }
    faults.push(
      ...ownWorkFaults(
        given,
        'the application provides PEER_MEMORY_BACKEND, which derives, queues, indexes and calls models by itself',
        ', or provide OBSERVATION_STORE instead of a PeerMemory',
      ),
    );
  }
  if ((backend as string) === 'remote' && parts.observationIndex != null) {
    faults.push(
      `${name} is "remote", but the application provides OBSERVATION_INDEX, which would be ignored; remove the provider, or choose a backend that this process searches.`,
    );
  }
  return faults;
}

function nobodySupplies(
  { backend }: Partial<MemorySettings>,
  given: ReadonlyMap<string, GivenSetting>,
  is: (...kinds: (keyof SuppliedParts)[]) => string[],
  name: string | undefined,
): readonly string[] {
  if (backend !== 'supplied' || is('backend', 'observationStore', 'representationStore').length > 0) return [];
  // What a global module provides is the unnamed memory's.
  const where =
    name === undefined
      ? 'a global module'
      : `under getMemoryToken(PEER_MEMORY_BACKEND, '${name}') and the like in a global module`;
  return [
    `${spelled(given, 'backend')} is "supplied", but the application provides no backend; provide PEER_MEMORY_BACKEND (a PeerMemory), or OBSERVATION_STORE and/or REPRESENTATION_STORE, through forRoot({ providers, imports }) or ${where}.`,
  ];
}

function redactionFaults(
  { redaction }: Partial<MemorySettings>,
  given: ReadonlyMap<string, GivenSetting>,
  parts: SuppliedParts,
): readonly string[] {
  if (redaction === 'supplied' && parts.redactionPolicy == null) {
    return [
      `${spelled(given, 'redaction')} is "supplied", but the application provides no MEMORY_REDACTION_POLICY; provide one, or set aimon.memory.redaction to default.`,
    ];
  }
  if (redaction !== undefined && redaction !== 'supplied' && parts.redactionPolicy != null) {
    return [
      `${spelled(given, 'redaction')} is "${redaction}", but the application provides MEMORY_REDACTION_POLICY, which would be ignored; set aimon.memory.redaction to supplied, or remove the provider.`,
    ];
  }
  return [];
}

function peerFaults(
  { backend, peerMode }: Partial<MemorySettings>,
  given: ReadonlyMap<string, GivenSetting>,
  parts: SuppliedParts,
): readonly string[] {
  const faults: string[] = [];
  if (peerMode === 'fixed' && parts.peerResolver != null) {
    faults.push(
      `${spelled(given, 'peer-mode')} is "fixed", but the application provides MEMORY_PEER_RESOLVER, which would be ignored; set aimon.memory.peer-mode to caller, or remove the provider.`,
    );
  }
  if (
    backend === 'supplied' &&
    peerMode === 'caller' &&
    parts.observationStore != null &&
    parts.backend == null &&
    parts.representationStore == null
  ) {
    faults.push(
      `${spelled(given, 'peer-mode')} is "caller", which needs SNAPSHOT, but the application provides OBSERVATION_STORE alone; provide REPRESENTATION_STORE too, or set aimon.memory.peer-mode to fixed.`,
    );
  }
  if (
    backend === 'supplied' &&
    peerMode === 'caller' &&
    parts.backend != null &&
    parts.backend.snapshotReader == null
  ) {
    faults.push(
      `${spelled(given, 'peer-mode')} is "caller", which needs SNAPSHOT, but PEER_MEMORY_BACKEND has no snapshotReader; give it one, or set aimon.memory.peer-mode to fixed.`,
    );
  }
  return faults;
}

/** What records or consolidates observations needs somewhere to keep them. */
function workWithoutStore(
  given: ReadonlyMap<string, GivenSetting>,
  settings: Partial<MemorySettings>,
  parts: SuppliedParts,
): readonly string[] {
  if (parts.backend != null || parts.observationStore != null || parts.representationStore == null) return [];
  const { deriver, dreamerEnabled } = settings as Partial<MemorySettings> & { readonly dreamerEnabled?: boolean };
  const without =
    'but the application provides REPRESENTATION_STORE alone, and observations need a store; provide OBSERVATION_STORE too, or remove it';
  return [
    ...(parts.observationIndex == null
      ? []
      : [
          'The application provides OBSERVATION_INDEX and REPRESENTATION_STORE, but no OBSERVATION_STORE to index, so it would be ignored; provide OBSERVATION_STORE too, or remove OBSERVATION_INDEX.',
        ]),
    ...(deriver === undefined || deriver === 'none'
      ? []
      : [`${spelled(given, 'deriver')} is "${deriver}", ${without}.`]),
    ...(given.has('llm.model') && deriver === 'none' && dreamerEnabled !== true
      ? [
          `${spelled(given, 'llm.model')} is set, but the application provides REPRESENTATION_STORE alone, and answers are looked for among observations; provide OBSERVATION_STORE too, or remove it.`,
        ]
      : []),
    ...(dreamerEnabled === true ? [`${spelled(given, 'dreamer.enabled')} is set to true, ${without}.`] : []),
  ];
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
