/** Every contract of the testkit over what the library has in memory, declared with `runner` or with the globals. */
import {
  DefaultRedactionPolicy,
  ExtractiveDeriver,
  IndexedObservationStore,
  InMemoryDerivationQueue,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  InMemoryWorkspaceStore,
  LexicalIndex,
  StoreBackedPeerMemory,
} from '@aimon/nestjs-memory';
import {
  describeDerivationQueueContract,
  describeObservationIndexContract,
  describeObservationStoreContract,
  describePeerMemoryContract,
  describeRedactionPolicyContract,
  describeRepresentationStoreContract,
  describeWorkspaceStoreContract,
} from '@aimon/nestjs-memory/testkit';

const searchable = () => new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());

function makeBackend() {
  const backend = new StoreBackedPeerMemory({
    observationStore: searchable(),
    representationStore: new InMemoryRepresentationStore(),
    derivationQueue: ({ observationRecorder: recorder }) =>
      new InMemoryDerivationQueue({ deriver: new ExtractiveDeriver({ recorder }), redactionPolicy: undefined }),
  });
  const { derivationQueue } = backend;
  derivationQueue.start();
  return {
    backend,
    settle: () => derivationQueue.whenIdle(),
    close: async () => {
      await derivationQueue.stop({ drainMs: 0 });
      await backend.close();
    },
  };
}

export function declareContracts(runner) {
  describePeerMemoryContract('a memory', { runner, expects: ['SNAPSHOT', 'SEARCH', 'OBSERVE', 'INGEST'], makeBackend });
  describeObservationStoreContract('an observation store', {
    runner,
    expects: ['AUDIT_WINDOW', 'REWRITE', 'KEPT_SUBJECTS', 'WORKSPACES'],
    makeStore: () => ({ store: new InMemoryObservationStore() }),
  });
  describeRepresentationStoreContract('a representation store', {
    runner,
    expects: ['REWRITE', 'WORKSPACES'],
    makeStore: () => ({ store: new InMemoryRepresentationStore() }),
  });
  describeWorkspaceStoreContract('a workspace store', {
    runner,
    makeStore: () => ({ store: new InMemoryWorkspaceStore() }),
  });
  describeObservationIndexContract('an index', {
    runner,
    expects: ['SCORES', 'SESSIONS', 'FILLS'],
    makeIndex: () => ({ index: new LexicalIndex() }),
  });
  describeDerivationQueueContract('a queue', {
    runner,
    makeQueue: (parts) => ({ queue: new InMemoryDerivationQueue({ ...parts, retryDelayMs: 1 }) }),
  });
  describeRedactionPolicyContract('a policy', {
    runner,
    makePolicy: () => new DefaultRedactionPolicy(),
    masks: [{ category: 'EMAIL', text: 'Ask kim@example.com about it.', secret: 'kim@example.com' }],
  });
}
