import type { InMemoryObservationStore, ObservationStore } from '../../../lib/index.js';
import { bound } from './bound.js';

/** A store without any optional method: where others retire, it deletes. */
export function forgetful(store: InMemoryObservationStore): ObservationStore {
  const {
    softDelete: _softDelete,
    purgeSoftDeletedBefore: _purge,
    rewrite: _rewrite,
    findKeptSubjects: _findKeptSubjects,
    findWorkspaces: _findWorkspaces,
    ...rest
  } = bound<ObservationStore>(store);
  return {
    ...rest,
    supersede: async (old, replacement) => {
      const saved = await store.supersede(old, replacement);
      await store.delete(old);
      return saved;
    },
    merge: async (winner, loser, merged) => {
      const saved = await store.merge(winner, loser, merged);
      await store.delete(loser);
      return saved;
    },
  };
}
