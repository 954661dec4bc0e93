import fc from 'fast-check';
import {
  type Deriver,
  InMemoryDerivationQueue,
  type IngestOutcome,
  LLM_FINISH_REASONS,
  LlmAnswerError,
  LlmContextLengthError,
  LlmDeriver,
  ReActLlmDeriver,
} from '@aimon/nestjs-memory';
import { TestClock } from '../../../lib/testing/test-clock.js';
import { alice } from '../../support/peers.js';
import { ScriptedLlmClient, type ScriptedReply } from '../../support/scripted-llm-client.js';
import { batch, derivationMemory, says } from './support/derivation-memory.js';

const MESSAGES = says('I live in Porto.', 'I have a cat.', { role: 'assistant', content: 'Good.' });
const IDS = new Set(['m1', 'm2']);

const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary' }));
const ids = fc.oneof(
  fc.array(fc.constantFrom('m1', 'm2', 'M1', 'm3', 'm9', 'k1', '[m2]', 1, 2, 7, null)),
  fc.constantFrom('m1', 'm1, m2', 'm7', ''),
);
/** Almost an observation: each member right, wrong or missing. */
const almost = fc.record(
  {
    content: fc.oneof(fc.constantFrom('Alice lives in Porto.', 'Alice has a cat.'), junk),
    type: fc.oneof(fc.constantFrom('EXPLICIT', 'deductive', 'INDUCTIVE'), junk),
    sources: fc.oneof({ arbitrary: ids, weight: 3 }, junk),
    repeats: fc.oneof(fc.constantFrom(null, 'k1', 'K1', 'k9'), junk),
    observation: fc.oneof(fc.constantFrom('k1', 'k2'), junk),
    query: junk,
  },
  { requiredKeys: [] },
);
const value = fc.oneof(
  fc.jsonValue(),
  almost,
  fc.array(fc.oneof(almost, junk)),
  fc.record({ observations: fc.oneof(fc.array(fc.oneof(almost, junk)), almost, junk) }),
);
const written = value.map((one) => JSON.stringify(one) ?? 'undefined');
const text = fc.oneof(
  { arbitrary: written, weight: 4 },
  fc.tuple(fc.string(), written, fc.string()).map((parts) => parts.join('')),
  fc.tuple(written, fc.nat()).map(([json, at]) => json.slice(0, at % (json.length + 1))),
  fc.constantFrom('', 'DONE', 'null', '```json\n[]\n```'),
  fc.string({ unit: 'binary' }),
);
const call = fc.record({
  name: fc.oneof(
    fc.constantFrom('deriver_observation_create', 'deriver_message_link', 'deriver_memory_search'),
    fc.string(),
  ),
  arguments: fc.oneof(almost, text),
});
const reply: fc.Arbitrary<ScriptedReply> = fc.record(
  {
    text,
    calls: fc.array(call, { maxLength: 3 }),
    finishReason: fc.oneof(
      { arbitrary: fc.constant('stop' as const), weight: 3 },
      fc.constantFrom(...LLM_FINISH_REASONS),
    ),
    usage: fc.constantFrom<readonly [number, number] | null>([100, 10], [0, 0], [9000, 9000], null),
  },
  { requiredKeys: ['text'] },
);
/** Replies, the last of which is given for ever. */
const replies = fc.array(reply, { minLength: 1, maxLength: 4 });

function deriverOf(kind: 'llm' | 'react', given: readonly ScriptedReply[]) {
  let asked = 0;
  const llm = new ScriptedLlmClient(() => given[Math.min(asked++, given.length - 1)] as ScriptedReply);
  const memory = derivationMemory();
  const parts = { llm, recorder: memory.recorder, searcher: memory.searcher };
  const deriver: Deriver = kind === 'llm' ? new LlmDeriver(parts) : new ReActLlmDeriver(parts);
  return { deriver, memory, llm };
}

type Memory = ReturnType<typeof derivationMemory>;
const remember = (memory: Memory) =>
  memory.recorder.observe({
    ...{ subject: alice, observer: alice, content: 'Alice lived in Porto.', type: 'EXPLICIT' },
    sourceMessageIds: ['m0'],
  });

async function expectSources(memory: Memory): Promise<void> {
  for (const { sourceMessageIds, content, type } of await memory.stored()) {
    const ofBatch = sourceMessageIds.filter((id) => id !== 'm0');
    if (sourceMessageIds.length === ofBatch.length) expect(ofBatch).not.toEqual([]);
    expect(ofBatch.filter((id) => !IDS.has(id))).toEqual([]);
    expect(content.trim()).not.toBe('');
    expect(['EXPLICIT', 'DEDUCTIVE']).toContain(type);
  }
}

describe.each(['llm', 'react'] as const)('whatever a model answers (%s)', (kind) => {
  it('an observation rests on statements of its batch, and a failure is one of the answer', async () => {
    let usable = 0;
    await fc.assert(
      fc.asyncProperty(replies, async (given) => {
        const { deriver, memory, llm } = deriverOf(kind, given);
        await remember(memory);
        try {
          const { created, updated, failures, byMessage } = await deriver.derive(batch(MESSAGES));
          if (created.length > 0) usable++;
          expect(failures).toEqual([]);
          for (const id of byMessage.keys()) expect(IDS).toContain(id);
          for (const one of [...created, ...updated])
            expect([...byMessage.values()].flat().map(({ id }) => id.toString())).toContain(one.id.toString());
        } catch (error) {
          expect([LlmAnswerError, LlmContextLengthError]).toContain((error as Error).constructor);
        }
        expect(llm.requests.length).toBeLessThanOrEqual(kind === 'llm' ? 2 : 6);
        await expectSources(memory);
      }),
      { numRuns: 1000 },
    );
    // Or nothing would have been shown.
    expect(usable).toBeGreaterThan(50);
  });

  it('each statement is done or given up in the end', async () => {
    await fc.assert(
      fc.asyncProperty(replies, async (given) => {
        const { deriver, memory } = deriverOf(kind, given);
        const clock = new TestClock();
        const queue = new InMemoryDerivationQueue({ deriver, redactionPolicy: undefined, clock, maxAttempts: 2 });
        clock.waitWhile(() => queue.stats().inFlight > 0);
        const outcomes: IngestOutcome[] = [];
        queue.onOutcome((outcome) => void outcomes.push(outcome));
        await queue.enqueue({ subject: alice, observer: alice, sessionId: 's', messages: MESSAGES });
        queue.start();
        await clock.advance('10m');
        expect(outcomes.map(({ messageId }) => messageId).sort()).toEqual(['m1', 'm2', 'm3']);
        for (const { outcome } of outcomes) expect(['stored', 'nothing-found', 'failed']).toContain(outcome);
        const failed = outcomes.filter(({ outcome }) => outcome === 'failed').length;
        expect(queue.stats()).toEqual({ pending: 0, inFlight: 0, deadLettered: failed > 0 ? 1 : 0 });
        await expectSources(memory);
      }),
      { numRuns: 200 },
    );
  });
});
