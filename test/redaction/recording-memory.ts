import { PeerView } from '../../lib/domain/peer-view.js';
import { Principal } from '../../lib/domain/principal.js';
import { Workspace } from '../../lib/domain/workspace.js';
import type { PeerMemory } from '../../lib/spi/peer-memory.js';

/** A peer for requests. */
export const otter = PeerView.of(Workspace.of({ id: 'tides' }), Principal.user('otter'));

/** A memory with all five tiers that keeps every request it is given. */
export function recordingMemory(): PeerMemory & { readonly requests: unknown[]; readonly bytes: () => string } {
  const requests: unknown[] = [];
  const keep = <T>(answer: T) => {
    return async (request: unknown): Promise<T> => {
      requests.push(request);
      return answer;
    };
  };
  return {
    backendId: 'recording',
    requests,
    bytes: () => JSON.stringify(requests),
    snapshotReader: { read: keep(undefined) },
    searcher: { search: keep([]), ranksByScore: true, narrowsBySession: false },
    dialecticEngine: { query: keep({ answer: 'yes' }), queryStream: keep({ answer: 'yes' }) },
    observationRecorder: { observe: keep(undefined as never), storesConfidence: true, storesType: false },
    ingestor: { ingest: keep({ accepted: 1, derived: false }) },
  };
}
