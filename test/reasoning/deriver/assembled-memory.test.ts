import {
  assembleMemory,
  InMemoryDerivationQueue,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  IndexedObservationStore,
  LexicalIndex,
  DefaultRedactionPolicy,
  LlmDeriver,
  MemorySpec,
  requireTier,
  SessionRepresentations,
} from '@aimon/nestjs-memory';
import { alice, ops } from '../../support/peers.js';
import { forever } from '../../support/scripted-llm-server/scripted-llm-server.js';
import { blocksIn } from '../dialectic/support/prompt-blocks.js';
import { clientOf, scripted } from '../llm/clients.js';
import { fact, found } from './support/derivation-memory.js';

describe('an assembled memory whose deriver is an LlmDeriver', () => {
  it('masks what is asked and what is written, and begins the next prompt of the session with its summary', async () => {
    const server = await scripted(
      forever(({ body }) =>
        body.response_format === undefined
          ? { content: 'Alice lives in Porto; she is alice.kim@example.org.' }
          : { content: found(fact('Alice lives in Porto and is alice.kim@example.org.')).text },
      ),
    );
    const observationStore = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());
    const representationStore = new InMemoryRepresentationStore();
    const redactionPolicy = new DefaultRedactionPolicy();
    const llm = clientOf(server);
    const spec = MemorySpec.forPeer(ops, alice)
      .parts({ observationStore, representationStore })
      .redactionPolicy(redactionPolicy)
      .ingest('execution-end')
      .derivationQueue((memory) => {
        const representations = new SessionRepresentations({
          ...{ llm, observationStore, representationStore, redactionPolicy },
        });
        const recorder = requireTier(memory, 'OBSERVE');
        const deriver = new LlmDeriver({ llm, recorder, searcher: memory.searcher, representations });
        return new InMemoryDerivationQueue({ deriver, redactionPolicy });
      });
    const stack = await assembleMemory(spec.build());
    stack.derivationQueue?.start();
    const session = await stack.agentMemory.session('monday');
    await session.execution((transcript) => {
      transcript.append({ role: 'user', content: 'I live in Porto, write to alice.kim@example.org.' });
    });
    await stack.outcomes.settled();
    await stack.derivationQueue?.whenIdle();
    expect(stack.outcomes.counts()).toMatchObject({ stored: 1, failed: 0 });
    const prompt = await session.systemPrompt('You help.');
    expect(prompt).toContain('Alice lives in Porto; she is [REDACTED:EMAIL].');
    expect(prompt).not.toContain('@example');
    expect((await observationStore.findBySubject(alice, { limit: 9 })).items).toMatchObject([
      { content: 'Alice lives in Porto and is [REDACTED:EMAIL].', metadata: { 'redaction.categories': 'EMAIL' } },
    ]);
    const asked = server.requests.map(({ body }) => body.messages[1]?.content ?? '');
    expect(blocksIn(asked[0] ?? '').get('messages')).toMatchObject([
      { text: 'I live in Porto, write to [REDACTED:EMAIL].' },
    ]);
    expect(asked.join()).not.toContain('@');
    await stack.close();
  });
});
