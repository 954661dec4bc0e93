import {
  type DerivationContext,
  LlmAnswerError,
  LlmContextLengthError,
  type LlmDeriverOptions,
  type LlmRequest,
  LlmUnavailableError,
  StoreError,
} from '@aimon/nestjs-memory';
import { alice, bob } from '../../support/peers.js';
import type { ScriptedLlmClient } from '../../support/scripted-llm-client.js';
import { Gate } from '../../support/scripted-llm-server/gate.js';
import { ScriptedSearcher } from '../dialectic/support/scripted-searcher.js';
import { batch, derivationMemory, fact, found, says, warnings } from './support/derivation-memory.js';
import { deriverWith, lastText, type LlmDeriverCase as Case, shown } from './support/llm-deriver-case.js';

describe('an answer to LlmDeriver that cannot be used', () => {
  it('is asked for once more, with what is wrong with it, and both are paid for', async () => {
    const asked = deriverWith([{ text: 'Sure!' }, found(fact('Alice lives in Porto.'))]);
    const result = await asked.deriver.derive(batch(says('I live in Porto.')));
    expect(result).toMatchObject({ created: [{ content: 'Alice lives in Porto.' }], tokensUsed: 220 });
    const [first, second] = asked.llm.requests as [LlmRequest, LlmRequest];
    expect(second.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(second.messages.slice(0, 2)).toEqual(first.messages);
    expect(lastText(second)).toBe(
      'The answer held no JSON object with "observations". Answer with that object alone. Answer once more, in full, with the JSON object alone.',
    );
  });

  it('is a failure the second time, in words that repeat nothing that was said', async () => {
    const asked = deriverWith([{ text: 'Porto!' }, { text: 'Porto, I said.' }]);
    const failure = asked.deriver.derive(batch(says('I live in Porto.')));
    await expect(failure).rejects.toThrow(LlmAnswerError);
    await expect(failure).rejects.toThrow(/two answers that cannot be used/);
    await expect(failure).rejects.not.toThrow(/Porto/);
    expect(asked.llm.requests).toHaveLength(2);
    expect(await asked.memory.stored()).toEqual([]);
  });

  it('is too much at once where both were cut at the most tokens', async () => {
    const asked = deriverWith([{ finishReason: 'length' }, { text: '{"obs', finishReason: 'length' }]);
    await expect(asked.deriver.derive(batch(says('I live in Porto.')))).rejects.toThrow(LlmContextLengthError);
    expect(lastText(asked.llm.requests[1] as LlmRequest)).toMatch(/was cut.*Write fewer and shorter/);
  });

  it('is not read where it is a refusal, whatever stands in it', async () => {
    const refusal = { ...found(fact('Alice is ill.')), finishReason: 'refusal' as const };
    const asked = deriverWith([refusal, refusal]);
    await expect(asked.deriver.derive(batch(says('I am ill.')))).rejects.toThrow(/The answer was a refusal/);
    expect(await asked.memory.stored()).toEqual([]);
  });

  it('in a part keeps what can be used once the second is no better, and says so once', async () => {
    const { logger, lines } = warnings();
    const partly = found(fact('Alice lives in Porto.', ['m1']), fact('Alice has a cat.', ['m9']));
    const asked = deriverWith(() => partly, { logger });
    for (const id of ['a', 'b']) {
      const messages = says({ id: `${id}1`, content: 'I live in Porto.' }, { id: `${id}2`, content: 'I have a cat.' });
      expect((await asked.deriver.derive(batch(messages))).failures).toEqual([]);
    }
    expect(asked.llm.requests).toHaveLength(4);
    expect(await asked.memory.contents()).toEqual(['Alice lives in Porto.']);
    expect(lines).toEqual([expect.stringMatching(/^A part of what a model answered could not be used: .*sources/)]);
  });

  it.each([
    ['the first, where the second has less', [2, 0]],
    ['the second, where it has more', [1, 2]],
  ])('in a part takes %s', async (_, [first, second]) => {
    const facts = [fact('Alice lives in Porto.', ['m1']), fact('Alice has a cat.', ['m2'])];
    const asked = deriverWith([
      found(...facts.slice(0, first), fact('No source.', [])),
      found(...facts.slice(0, second), fact('No source.', [])),
    ]);
    await asked.deriver.derive(batch(says('I live in Porto.', 'I have a cat.')));
    expect(await asked.memory.contents()).toEqual(['Alice has a cat.', 'Alice lives in Porto.']);
  });

  it('twice is an answer where the second finds nothing', async () => {
    const asked = deriverWith([{ text: 'Nothing.' }, found()]);
    expect(await asked.deriver.derive(batch(says('I live in Porto.')))).toMatchObject({ created: [], failures: [] });
  });
});

describe('a store that fails LlmDeriver halfway', () => {
  /** A deriver over a memory that fails to record what `fails` says. */
  function failing(
    turns: ConstructorParameters<typeof ScriptedLlmClient>[0],
    fails: (content: string) => boolean,
  ): Case {
    const memory = derivationMemory();
    const asked = deriverWith(turns, {
      ...memory,
      recorder: {
        ...{ storesConfidence: true, storesType: true },
        observe: (draft) =>
          fails(draft.content) ? Promise.reject(new StoreError('It is full.')) : memory.recorder.observe(draft),
      },
    });
    return { ...asked, memory };
  }
  const TWO = found(fact('Alice lives in Porto.', ['m1']), fact('Alice has a cat.', ['m2']));
  const MESSAGES = says('I live in Porto.', 'I have a cat.');

  it('fails the statements whose facts it did not take, and no other', async () => {
    const { deriver, memory } = failing([TWO], (content) => content.includes('cat'));
    const result = await deriver.derive(batch(MESSAGES));
    expect(result.failures).toMatchObject([{ messageId: 'm2', reason: 'store failed', cause: expect.any(StoreError) }]);
    expect([...result.byMessage.keys()]).toEqual(['m1']);
    expect(await memory.contents()).toEqual(['Alice lives in Porto.']);
  });

  it('costs no second call of the model, and nothing is stored twice when the batch comes again', async () => {
    let full = true;
    const { deriver, llm, memory } = failing([TWO], (content) => full && content.includes('cat'));
    await deriver.derive(batch(MESSAGES));
    full = false;
    // The queue comes again with what failed.
    const again = await deriver.derive(batch(MESSAGES.slice(1)));
    expect(again).toMatchObject({ created: [{ content: 'Alice has a cat.' }], failures: [], tokensUsed: 0 });
    expect(llm.requests).toHaveLength(1);
    expect(await memory.stored()).toMatchObject([{ corroborations: 0 }, { corroborations: 0 }]);
  });

  it('stores nothing twice where a fact of several statements was taken and another was not', async () => {
    let full = true;
    const answer = found(fact('Alice lives in Porto with a cat.', ['m1', 'm2']), fact('Alice has a cat.', ['m2']));
    const { deriver, llm, memory } = failing([answer], (content) => full && content === 'Alice has a cat.');
    await deriver.derive(batch(MESSAGES));
    full = false;
    await deriver.derive(batch(MESSAGES.slice(1)));
    expect(await memory.stored()).toMatchObject([
      { content: 'Alice lives in Porto with a cat.', corroborations: 0 },
      { content: 'Alice has a cat.', corroborations: 0 },
    ]);
    expect(llm.requests).toHaveLength(1);
  });

  it('asks only about what is new when the batch comes again together with new messages', async () => {
    let full = true;
    const { deriver, llm, memory } = failing(
      [TWO, found(fact('Alice is a nurse.', ['m1']))],
      (content) => full && content.includes('cat'),
    );
    await deriver.derive(batch(MESSAGES));
    full = false;
    const more = says({ id: 'm3', content: 'I am a nurse.' });
    const result = await deriver.derive(batch([...MESSAGES.slice(1), ...more]));
    expect(shown({ deriver, llm, memory }, 1)).toEqual([
      { statement: false, by: 'user', text: 'I have a cat.' },
      expect.objectContaining({ id: 'm1', text: 'I am a nurse.' }),
    ]);
    expect([...result.byMessage.keys()]).toEqual(['m2', 'm3']);
    expect(await memory.stored()).toMatchObject([
      { content: 'Alice lives in Porto.', corroborations: 0, sourceMessageIds: ['m1'] },
      { content: 'Alice has a cat.', corroborations: 0, sourceMessageIds: ['m2'] },
      { content: 'Alice is a nurse.', corroborations: 0, sourceMessageIds: ['m3'] },
    ]);
  });

  it('strengthens what is known once, and asks once, however often the batch comes again', async () => {
    let full = true;
    const answer = found(
      { content: '', type: 'EXPLICIT', sources: ['m1'], repeats: 'k1' },
      fact('Alice has a cat.', ['m1']),
    );
    const { deriver, llm, memory } = failing([answer], (content) => full && content.includes('cat'));
    await memory.recorder.observe({
      ...{ subject: alice, observer: alice, content: 'Alice lives in Porto.', type: 'EXPLICIT' },
    });
    const messages = says('I live in Porto, with a cat.');
    for (let time = 0; time < 3; time++) await deriver.derive(batch(messages));
    full = false;
    await deriver.derive(batch(messages));
    expect(await memory.stored()).toMatchObject([
      { content: 'Alice lives in Porto.', corroborations: 1, confidence: 0.95 },
      { content: 'Alice has a cat.', corroborations: 0 },
    ]);
    expect(llm.requests).toHaveLength(1);
  });

  it.each([
    ['session', { sessionId: 'another' }],
    ['observer', { observer: bob }],
    ['subject', { subject: bob }],
  ])('keeps what it could not record for that %s alone', async (_, other) => {
    let full = true;
    const { deriver, llm } = failing([TWO, found()], (content) => full && content.includes('cat'));
    await deriver.derive(batch(MESSAGES));
    full = false;
    expect(await deriver.derive(batch(MESSAGES, other))).toMatchObject({ created: [], failures: [] });
    expect(llm.requests).toHaveLength(2);
  });
});

describe('what LlmDeriver does not catch', () => {
  it('is a service that is away: nothing is stored, and the same batch goes on as if nothing had been', async () => {
    const away = new LlmUnavailableError('Away.', { outage: 'unreachable' });
    const asked = deriverWith([away, { text: '?' }, away, found(fact('Alice lives in Porto.'))]);
    const context = batch(says('I live in Porto.'));
    await expect(asked.deriver.derive(context)).rejects.toBe(away);
    await expect(asked.deriver.derive(context)).rejects.toBe(away);
    expect(await asked.memory.stored()).toEqual([]);
    await asked.deriver.derive(context);
    expect(await asked.memory.stored()).toMatchObject([{ corroborations: 0 }]);
  });

  it('is a search that fails: nothing is asked without knowing what is known', async () => {
    const failure = new StoreError('The index is gone.');
    const asked = deriverWith([], { searcher: new ScriptedSearcher(() => Promise.reject(failure)) });
    await expect(asked.deriver.derive(batch(says('I live in Porto.')))).rejects.toBe(failure);
    expect(asked.llm.requests).toEqual([]);
  });

  it.each<[string, (abort: () => void) => Partial<LlmDeriverOptions>]>([
    ['the model answers', () => ({})],
    [
      'what is known is searched',
      (abort) => ({
        searcher: new ScriptedSearcher(() => {
          abort();
          return [];
        }),
      }),
    ],
  ])('is being called off while %s: it passes on the reason', async (_, options) => {
    const calledOff = new AbortController();
    const reason = new Error('Nobody waits any more.');
    const abort = (): void => calledOff.abort(reason);
    const gate = new Gate();
    const asked = deriverWith([{ ...found(fact('Alice lives in Porto.')), pieces: [gate] }], options(abort));
    const context: DerivationContext = batch(says('I live in Porto.'), { signal: calledOff.signal });
    const failed = expect(asked.deriver.derive(context)).rejects.toBe(reason);
    if (Object.keys(options(abort)).length === 0) {
      await gate.reached;
      abort();
    }
    await failed;
    expect(await asked.memory.stored()).toEqual([]);
  });

  it('is being called off between two records: the reason, and not failures of the messages', async () => {
    const calledOff = new AbortController();
    const reason = new Error('Nobody waits any more.');
    const memory = derivationMemory();
    const asked = deriverWith([found(fact('Alice lives in Porto.'), fact('Alice has a cat.'))], {
      recorder: {
        ...{ storesConfidence: true, storesType: true },
        observe: async (draft) => {
          const kept = await memory.recorder.observe(draft);
          calledOff.abort(reason);
          return kept;
        },
      },
    });
    const context = batch(says('I live in Porto, with a cat.'), { signal: calledOff.signal });
    await expect(asked.deriver.derive(context)).rejects.toBe(reason);
    expect(await memory.contents()).toEqual(['Alice lives in Porto.']);
  });
});
