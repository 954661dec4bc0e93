import {
  IndexedObservationStore,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  InMemoryWorkspaceStore,
  LexicalIndex,
} from '../../lib/index.js';
import {
  describeObservationStoreContract,
  describeRepresentationStoreContract,
  describeWorkspaceStoreContract,
  type ObservationStoreAbility,
} from '../../lib/testkit/index.js';
import { forgetful } from './support/forgetful-store.js';

const EVERYTHING: readonly ObservationStoreAbility[] = ['AUDIT_WINDOW', 'REWRITE', 'KEPT_SUBJECTS', 'WORKSPACES'];

describeObservationStoreContract('the in-memory observation store', {
  expects: EVERYTHING,
  makeStore: () => ({ store: new InMemoryObservationStore() }),
});

describeObservationStoreContract('the in-memory observation store with an index', {
  expects: ['SEARCH', ...EVERYTHING],
  makeStore: () => ({ store: new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex()) }),
});

describeObservationStoreContract('an observation store with what every store has', {
  expects: [],
  makeStore: () => ({ store: forgetful(new InMemoryObservationStore()) }),
});

describeObservationStoreContract('an observation store with what every store has, and an index', {
  expects: ['SEARCH'],
  makeStore: () => ({
    store: new IndexedObservationStore(forgetful(new InMemoryObservationStore()), new LexicalIndex()),
  }),
});

describeRepresentationStoreContract('the in-memory representation store', {
  expects: ['REWRITE', 'WORKSPACES'],
  makeStore: () => ({ store: new InMemoryRepresentationStore() }),
});

describeWorkspaceStoreContract('the in-memory workspace store', {
  makeStore: () => ({ store: new InMemoryWorkspaceStore() }),
});
