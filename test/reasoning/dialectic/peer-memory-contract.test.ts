import {
  GuardedPeerMemory,
  IndexedObservationStore,
  InMemoryObservationStore,
  LexicalIndex,
  LlmDialecticEngine,
  type LlmRequest,
  type PeerMemory,
  StoreBackedPeerMemory,
} from '../../../lib/index.js';
import { describePeerMemoryContract } from '../../../lib/testkit/index.js';
import { ScriptedLlmClient, type ScriptedReply } from '../../support/scripted-llm-client.js';

/** A model that looks something up where it may, and then answers from what stands before it. */
function answer({ toolChoice, messages }: LlmRequest): ScriptedReply {
  const rounds = messages.filter(({ role }) => role === 'assistant').length;
  return toolChoice === 'none' || rounds > 0
    ? { text: 'The database cluster was moved to Dublin [k1].' }
    : { calls: [{ name: 'memory_search', arguments: { query: 'cluster' } }] };
}

function memory(): PeerMemory {
  const observationStore = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());
  const { searcher } = new StoreBackedPeerMemory({ observationStore });
  if (searcher === undefined) throw new Error('The store cannot search.');
  const dialecticEngine = new LlmDialecticEngine({ llm: new ScriptedLlmClient(answer), searcher });
  return new StoreBackedPeerMemory({ observationStore, dialecticEngine });
}

describePeerMemoryContract('a memory that answers by LlmDialecticEngine', {
  expects: ['SEARCH', 'CHAT', 'OBSERVE'],
  makeBackend: () => ({ backend: memory() }),
});

describePeerMemoryContract('a memory that answers by LlmDialecticEngine, guarded', {
  expects: ['SEARCH', 'CHAT', 'OBSERVE'],
  makeBackend: () => ({ backend: new GuardedPeerMemory(memory()) }),
});
