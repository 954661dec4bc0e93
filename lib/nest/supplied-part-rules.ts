import type { MemorySettings } from './settings/memory-settings.js';
import type { GivenSetting } from './settings/setting-sources.js';
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
 * ignored: an ignored store looks like an empty one.
 */
export function suppliedPartFaults(
  settings: MemorySettings,
  given: ReadonlyMap<string, GivenSetting>,
  parts: SuppliedParts,
): readonly string[] {
  const is = (...kinds: (keyof SuppliedParts)[]): string[] =>
    kinds.filter((kind) => parts[kind] != null).map((kind) => NAMES[kind]);
  const backendParts = is('backend', 'observationStore', 'representationStore');
  const faults: string[] = [...suppliedShapeFaults(parts)];
  const { backend, redaction, peerMode } = settings;

  if (backend !== 'supplied' && backendParts.length > 0) {
    faults.push(
      `aimon.memory.backend is "${backend}", but the application provides ${list(backendParts)}, which would be ignored; set aimon.memory.backend to supplied, or remove the provider.`,
    );
  }
  if (backend === 'supplied' && backendParts.length === 0) {
    faults.push(
      'aimon.memory.backend is "supplied", but the application provides no backend; provide PEER_MEMORY_BACKEND (a PeerMemory), or OBSERVATION_STORE and/or REPRESENTATION_STORE, through forRoot({ providers, imports }) or a global module.',
    );
  }
  if (backend === 'supplied' && parts.backend != null)
    faults.push(
      ...wholeBackendFaults(settings, given, is('observationStore', 'representationStore', 'observationIndex')),
    );
  if (backend === 'none') {
    const unread = is('observationIndex', 'redactionPolicy', 'peerResolver');
    if (unread.length > 0)
      faults.push(
        `aimon.memory.backend is "none", but the application provides ${list(unread)}, which would be ignored; set aimon.memory.backend, or remove the provider.`,
      );
    return faults;
  }
  faults.push(...deriverFaults(settings, given, parts));
  if (redaction === 'supplied' && parts.redactionPolicy == null) {
    faults.push(
      'aimon.memory.redaction is "supplied", but the application provides no MEMORY_REDACTION_POLICY; provide one, or set aimon.memory.redaction to default.',
    );
  }
  if (redaction !== 'supplied' && parts.redactionPolicy != null) {
    faults.push(
      `aimon.memory.redaction is "${redaction}", but the application provides MEMORY_REDACTION_POLICY, which would be ignored; set aimon.memory.redaction to supplied, or remove the provider.`,
    );
  }
  if (peerMode === 'fixed' && parts.peerResolver != null) {
    faults.push(
      'aimon.memory.peer-mode is "fixed", but the application provides MEMORY_PEER_RESOLVER, which would be ignored; set aimon.memory.peer-mode to caller, or remove the provider.',
    );
  }
  if (
    backend === 'supplied' &&
    peerMode === 'caller' &&
    backendParts.length > 0 &&
    parts.backend == null &&
    parts.representationStore == null
  ) {
    faults.push(
      'aimon.memory.peer-mode is "caller", which needs SNAPSHOT, but the application provides OBSERVATION_STORE alone; provide REPRESENTATION_STORE too, or set aimon.memory.peer-mode to fixed.',
    );
  }
  return faults;
}

/** A deriver records what it draws from a conversation, so it needs somewhere to record it. */
function deriverFaults(
  { deriver }: MemorySettings,
  given: ReadonlyMap<string, GivenSetting>,
  parts: SuppliedParts,
): readonly string[] {
  if (
    deriver === 'none' ||
    parts.backend != null ||
    parts.observationStore != null ||
    parts.representationStore == null
  )
    return [];
  const spelling = given.get('deriver')?.spelling ?? 'aimon.memory.deriver';
  return [
    `${spelling} is "${deriver}", but the application provides REPRESENTATION_STORE alone, and observations need a store; provide OBSERVATION_STORE too, or remove the deriver.`,
  ];
}

/** A whole backend derives, queues and indexes by itself: two systems would work on one conversation. */
function wholeBackendFaults(
  { deriver }: MemorySettings,
  given: ReadonlyMap<string, GivenSetting>,
  beside: readonly string[],
): readonly string[] {
  const faults: string[] = [];
  if (beside.length > 0) {
    faults.push(
      `The application provides PEER_MEMORY_BACKEND and ${list(beside)}; a PeerMemory brings its own, and they would be ignored. Provide one or the other.`,
    );
  }
  if (deriver !== 'none') {
    const spelling = given.get('deriver')?.spelling ?? 'aimon.memory.deriver';
    faults.push(
      `${spelling} is "${deriver}", but the application provides PEER_MEMORY_BACKEND, which derives by itself; remove it, or provide OBSERVATION_STORE instead of a PeerMemory.`,
    );
  }
  return faults;
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
