import { shown } from '../../domain/checks.js';
import type { MemorySettings } from './memory-settings.js';
import type { GivenSetting } from './setting-sources.js';

type Given = ReadonlyMap<string, GivenSetting>;

/** The settings that contradict each other, and those that would not be read. What is faulty by itself is absent here. */
export function crossFaults(settings: MemorySettings, given: Given): readonly string[] {
  const { backend } = settings;
  if (backend === undefined) return [];
  if (backend === 'none') return given.has('backend') ? [] : withoutBackend(given);
  return [...peerFaults(settings, given), ...unreadFaults(settings, given)];
}

/** Set, while nothing says that there is to be a memory: forgetting the backend must not look like having one. */
function withoutBackend(given: Given): readonly string[] {
  return [...given.values()].map(
    ({ spelling }) =>
      `${spelling} is set, but no backend is, so nothing would be remembered; set aimon.memory.backend (none, to switch memory off), or remove it.`,
  );
}

function peerFaults({ peerMode, workspaceMode }: MemorySettings, given: Given): readonly string[] {
  const faults: string[] = [];
  if (workspaceMode === 'fixed' && !given.has('workspace-id')) {
    faults.push(
      'aimon.memory.workspace-id (workspaceId) is not set; it takes the id of the tenant whose memory this is. Set it, or set aimon.memory.workspace-mode to caller.',
    );
  }
  if (workspaceMode === 'caller') {
    faults.push(
      ...refused(
        given,
        ['workspace-id'],
        'but with workspace-mode caller every session names its workspace; remove it, or set workspace-mode to fixed',
      ),
    );
    if (peerMode === 'fixed') {
      faults.push(
        `${spelled(given, 'workspace-mode')} is "caller", but the peer is fixed, and a peer lives in one workspace; set aimon.memory.peer-mode to caller, or workspace-mode to fixed.`,
      );
    }
  }
  if (peerMode === 'fixed' && workspaceMode !== 'caller' && !given.has('peer-id')) {
    faults.push(
      'aimon.memory.peer-id (peerId) is not set; it takes the id of the peer whose memory this is. Set it, or set aimon.memory.peer-mode to caller for one memory per caller.',
    );
  }
  if (peerMode === 'caller') {
    faults.push(
      ...refused(
        given,
        ['peer-id', 'peer-name', 'peer-type'],
        'but with peer-mode caller the peer is whoever calls; remove it, or set peer-mode to fixed',
      ),
    );
  }
  return faults;
}

function unreadFaults({ deriver, ingest }: MemorySettings, given: Given): readonly string[] {
  const queue = [
    'queue.worker-count',
    'queue.batch-max-tokens',
    'queue.poll-interval',
    'queue.max-attempts',
    'queue.max-pending',
  ];
  return [
    ...(deriver === 'none'
      ? refused(
          given,
          queue,
          'but no deriver is, so there is no queue to read it; set aimon.memory.deriver to extractive, or remove it',
        )
      : []),
    ...(ingest === 'off'
      ? refused(
          given,
          ['ingest-forks'],
          'but ingest is off, so it would not be read; set aimon.memory.ingest to execution-end or session-end, or remove it',
        )
      : []),
  ];
}

function refused(given: Given, keys: readonly string[], why: string): readonly string[] {
  return keys.flatMap((key) => {
    const setting = given.get(key);
    return setting === undefined ? [] : [`${setting.spelling} is set to ${shown(setting.value)}, ${why}.`];
  });
}

function spelled(given: Given, key: string): string {
  return given.get(key)?.spelling ?? `aimon.memory.${key}`;
}
