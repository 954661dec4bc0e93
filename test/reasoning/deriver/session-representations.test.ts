import {
  DefaultRedactionPolicy,
  formatMemoryBlock,
  LlmAnswerError,
  LlmDeriver,
  type LlmRequest,
  LlmUnavailableError,
  ReActLlmDeriver,
  type RedactionPolicy,
  type Representation,
  SessionRepresentations,
  type SessionRepresentationsOptions,
  StoreError,
} from '@aimon/nestjs-memory';
import { TestClock } from '../../../lib/testing/test-clock.js';
import { alice, bob } from '../../support/peers.js';
import { ScriptedLlmClient, type ScriptedTurn } from '../../support/scripted-llm-client.js';
import { Gate } from '../../support/scripted-llm-server/gate.js';
import { blocksIn } from '../dialectic/support/prompt-blocks.js';
import {
  batch,
  type DerivationMemory,
  derivationMemory,
  fact,
  found,
  SAID_AT,
  says,
  warnings,
} from './support/derivation-memory.js';

interface Case {
  readonly representations: SessionRepresentations;
  readonly llm: ScriptedLlmClient;
  readonly memory: DerivationMemory;
  readonly clock: TestClock;
  readonly warned: readonly string[];
  /** Puts something about Alice into the memory, a second later than what is there. */
  readonly observe: (content: string, sessionId?: string, observer?: typeof alice) => Promise<void>;
  readonly latest: (sessionId?: string) => Promise<Representation | undefined>;
}

function representationsWith(
  turns: readonly ScriptedTurn[],
  options: Partial<SessionRepresentationsOptions> = {},
): Case {
  const clock = new TestClock(SAID_AT);
  const memory = derivationMemory(() => clock.now());
  const llm = new ScriptedLlmClient(turns);
  const { logger, lines: warned } = warnings();
  const { observationStore, representationStore } = memory;
  const representations = new SessionRepresentations({
    ...{ llm, observationStore, representationStore, clock, logger, redactionPolicy: new DefaultRedactionPolicy() },
    ...options,
  });
  return {
    ...{ representations, llm, memory, clock, warned },
    observe: async (content, sessionId = 's', observer = alice) => {
      await clock.advance('1s');
      await memory.recorder.observe({ subject: alice, observer, content, type: 'EXPLICIT', sessionId });
    },
    latest: (sessionId = 's') => representationStore.findLatestLocal(alice, alice, sessionId),
  };
}

const REFRESH = batch([]);
const snapshot = async ({ memory }: Pick<Case, 'memory'>, sessionId = 's') =>
  memory.snapshotReader.read({ subject: alice, sessionId, mode: 'SUMMARY_ONLY', maxTokens: 0 });
const blocks = ({ llm }: Case, index = 0): ReturnType<typeof blocksIn> =>
  blocksIn((llm.requests[index] as LlmRequest).messages[1]?.content ?? '');

describe('SessionRepresentations', () => {
  it('writes what an observer knows in the light of one session, out of that session and the others', async () => {
    const one = representationsWith([{ text: 'Alice lives in Porto with a cat.' }]);
    await one.observe('Alice has a cat.', 'earlier');
    await one.observe('Alice lives in Porto.');
    await one.observe('Alice is loud.', 's', bob);
    expect(await one.representations.refresh(REFRESH)).toBe(110);
    expect(one.llm.requests[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect([...blocks(one)]).toEqual([
      ['subject', [{ name: 'alice' }]],
      ['earlier', [{ fact: 'Alice has a cat.', type: 'EXPLICIT', on: '2026-03-02' }]],
      ['session', [{ fact: 'Alice lives in Porto.', type: 'EXPLICIT', on: '2026-03-02' }]],
    ]);
    const kept = await one.latest();
    expect(kept).toMatchObject({ summary: 'Alice lives in Porto with a cat.', sessionId: 's' });
    expect(kept?.observer?.equals(alice)).toBe(true);
    expect(kept?.generatedAt).toEqual(one.clock.now());
    expect(kept?.observations.map(({ content }) => content)).toEqual(['Alice lives in Porto.', 'Alice has a cat.']);
    expect(kept?.tokenCount).toBeGreaterThan(0);
  });

  it('asks nothing where the session has told nothing to this observer', async () => {
    const one = representationsWith([]);
    await one.observe('Alice has a cat.', 'earlier');
    await one.observe('Alice is loud.', 's', bob);
    expect(await one.representations.refresh(REFRESH)).toBe(0);
    expect(await one.latest()).toBeUndefined();
  });

  it('shows of many observations the strongest and the newest, and a few of other sessions', async () => {
    const one = representationsWith([{ text: 'Much.' }]);
    for (let n = 0; n < 60; n++) await one.observe(`Alice has read book ${n}.`, n % 2 === 0 ? 's' : 'earlier');
    await one.representations.refresh(REFRESH);
    expect(blocks(one).get('session')).toHaveLength(30);
    expect(blocks(one).get('earlier')).toHaveLength(15);
  });

  it('is read in that session, with what is newer after it, and in no other', async () => {
    const one = representationsWith([{ text: 'Alice lives in Porto.' }]);
    await one.observe('Alice moved to Porto.');
    await one.clock.advance('1s');
    await one.representations.refresh(REFRESH);
    expect(await snapshot(one)).toMatchObject({ resolvedScope: 'LOCAL', renderedText: 'Alice lives in Porto.' });
    await one.observe('Alice has a cat.');
    expect((await snapshot(one))?.renderedText).toMatch(/^Alice lives in Porto\.\n\nSaid:\n- Alice has a cat\.$/);
    expect(await snapshot(one, 'another')).toMatchObject({ resolvedScope: 'GLOBAL' });
  });

  it('misses nothing that was observed while it was being written', async () => {
    const gate = new Gate();
    const one = representationsWith([{ text: 'Alice lives in Porto.', pieces: [gate] }]);
    await one.observe('Alice moved to Porto.');
    await one.clock.advance('1s');
    const written = one.representations.refresh(REFRESH);
    await gate.reached;
    await one.observe('Alice has a cat.');
    gate.open();
    await written;
    expect((await snapshot(one))?.renderedText).toContain('Alice has a cat.');
  });

  it('is masked before it is kept', async () => {
    const one = representationsWith([{ text: 'Alice is alice.kim@example.org on the net.' }]);
    await one.observe('Alice is on the net.');
    await one.representations.refresh(REFRESH);
    expect((await one.latest())?.summary).toBe('Alice is [REDACTED:EMAIL] on the net.');
  });

  it('is masked before it is cut: no half of a secret stays', async () => {
    const one = representationsWith([
      { text: `${'Porto '.repeat(665)}alice.kim@example.org ${'Porto '.repeat(3000)}` },
    ]);
    await one.observe('Alice is on the net.');
    await one.representations.refresh(REFRESH);
    expect((await one.latest())?.summary).toMatch(/^(?:Porto )+\[REDAC[^ ]* …$/);
  });

  it('is kept as it is where masking was switched off', async () => {
    const one = representationsWith([{ text: 'Alice is alice.kim@example.org.' }], { redactionPolicy: undefined });
    await one.observe('Alice is on the net.');
    await one.representations.refresh(REFRESH);
    expect((await one.latest())?.summary).toBe('Alice is alice.kim@example.org.');
  });

  it('is not kept where it cannot be masked', async () => {
    const broken: RedactionPolicy = {
      name: 'broken',
      redact: () => {
        throw new Error('Broken.');
      },
    };
    const one = representationsWith([{ text: 'Alice is alice.kim@example.org.' }], { redactionPolicy: broken });
    await one.observe('Alice is on the net.');
    expect(await one.representations.refresh(REFRESH)).toBe(0);
    expect(await one.latest()).toBeUndefined();
    expect(one.warned).toHaveLength(1);
    expect(one.warned[0]).not.toContain('@');
  });

  it('has no memory block in it, and is not kept where nothing else is in it', async () => {
    const block = formatMemoryBlock({ attributes: {}, body: 'Alice likes tea.' });
    const one = representationsWith([
      { text: `${block}\nAlice lives in Porto.\n<aimon-memory>\nAnd more.` },
      { text: block },
      { text: '  \n' },
    ]);
    await one.observe('Alice lives in Porto.');
    await one.representations.refresh(REFRESH);
    expect((await one.latest())?.summary).toBe('Alice lives in Porto.');
    for (let time = 0; time < 2; time++) {
      await one.clock.advance('1s');
      expect(await one.representations.refresh(REFRESH)).toBe(110);
    }
    expect((await one.latest())?.summary).toBe('Alice lives in Porto.');
  });

  it.each<[string, string, RegExp]>([
    ['a sentence', 'Alice lives in Porto by the sea. ', /by the sea\. …$/],
    ['a line', 'Alice lives in Porto by the sea\n', /by the sea …$/],
    ['a sentence of another script', '김도윤은 부산에 산다。', /산다。 …$/],
    ['wherever it must', 'Porto', /^(?:Porto)+P?o?r?t? …$/],
  ])('of more than 4000 characters ends at %s', async (_, part, end) => {
    const one = representationsWith([{ text: part.repeat(Math.ceil(9000 / part.length)) }]);
    await one.observe('Alice lives in Porto.');
    await one.representations.refresh(REFRESH);
    const summary = (await one.latest())?.summary ?? '';
    expect(summary).toMatch(end);
    expect(summary.length).toBeLessThanOrEqual(4000);
    expect(summary.length).toBeGreaterThan(3900);
  });

  it('is not cut between the halves of a character', async () => {
    for (const front of ['', 'x']) {
      const one = representationsWith([{ text: front + '\u{1F680}'.repeat(4000) }]);
      await one.observe('Alice lives in Porto.');
      await one.representations.refresh(REFRESH);
      expect((await one.latest())?.summary).toMatch(/^x?\u{1F680}{1998,1999} …$/u);
    }
  });

  it('passes the reason on where the batch is called off', async () => {
    const calledOff = new AbortController();
    const reason = new Error('Nobody waits any more.');
    const gate = new Gate();
    const one = representationsWith([{ text: 'Alice.', pieces: [gate] }]);
    await one.observe('Alice lives in Porto.');
    const failed = expect(one.representations.refresh(batch([], { signal: calledOff.signal }))).rejects.toBe(reason);
    await gate.reached;
    calledOff.abort(reason);
    await failed;
    expect(one.warned).toEqual([]);
  });
});

describe.each(['LlmDeriver', 'ReActLlmDeriver'] as const)('after a batch of %s', (kind) => {
  /** What each batch finds and, in its turn, what is answered when the representation is asked for. */
  function deriverWith(batches: readonly (readonly [readonly object[], ScriptedTurn | undefined])[], options = {}) {
    const turns = batches.flatMap(([facts, summary]) => [found(...facts), ...(summary === undefined ? [] : [summary])]);
    const one = representationsWith(turns, options);
    const { recorder, searcher } = one.memory;
    const parts = { llm: one.llm, recorder, searcher, representations: one.representations };
    return { ...one, deriver: kind === 'LlmDeriver' ? new LlmDeriver(parts) : new ReActLlmDeriver(parts) };
  }
  const PORTO = fact('Alice lives in Porto.');
  const CAT = fact('Alice has a cat.');

  it('the session has its representation, and the next prompt begins with it', async () => {
    const one = deriverWith([[[PORTO], { text: 'Alice, who lives in Porto.' }]]);
    const result = await one.deriver.derive(batch(says('I live in Porto.')));
    expect(result.tokensUsed).toBe(220);
    expect((await snapshot(one))?.renderedText).toMatch(/^Alice, who lives in Porto\./);
  });

  it('a newer one takes its place', async () => {
    const one = deriverWith([
      [[PORTO], { text: 'Alice, who lives in Porto.' }],
      [[CAT], { text: 'Alice, who lives in Porto with a cat.' }],
    ]);
    await one.deriver.derive(batch(says('I live in Porto.')));
    await one.clock.advance('1s');
    await one.deriver.derive(batch(says({ id: 'b', content: 'I have a cat.' })));
    expect((await snapshot(one))?.renderedText).toMatch(/^Alice, who lives in Porto with a cat\./);
  });

  it('from which nothing was derived none is written', async () => {
    const one = deriverWith([[[], undefined]]);
    await one.deriver.derive(batch(says('I live in Porto.')));
    expect(one.llm.requests).toHaveLength(1);
    expect(await one.latest()).toBeUndefined();
  });

  it.each<[string, Error]>([
    ['the service is away', new LlmUnavailableError('Away.', { outage: 'unreachable' })],
    ['the answer cannot be used', new LlmAnswerError('No choice.')],
  ])(
    'a second call that fails since %s keeps the observations, is said once, and is tried again',
    async (_, failure) => {
      const one = deriverWith([
        [[PORTO], failure],
        [[CAT], failure],
        [[fact('Alice is a nurse.')], { text: 'Alice, a nurse in Porto.' }],
      ]);
      const result = await one.deriver.derive(batch(says('I live in Porto.')));
      expect(result).toMatchObject({ created: [{ content: 'Alice lives in Porto.' }], failures: [], tokensUsed: 110 });
      await one.deriver.derive(batch(says({ id: 'b', content: 'I have a cat.' })));
      expect(await one.memory.contents()).toEqual(['Alice has a cat.', 'Alice lives in Porto.']);
      expect(one.warned).toEqual([
        expect.stringMatching(/LOCAL representation.*could not be written.*next batch tries/),
      ]);
      // Nothing is missing from a prompt meanwhile.
      expect((await snapshot(one))?.renderedText).toContain('Alice has a cat.');
      await one.clock.advance('1s');
      await one.deriver.derive(batch(says({ id: 'c', content: 'I am a nurse.' })));
      expect((await one.latest())?.summary).toBe('Alice, a nurse in Porto.');
    },
  );

  it('a store that does not take it harms nothing either', async () => {
    const one = deriverWith([[[PORTO], { text: 'Alice, who lives in Porto.' }]], {
      representationStore: { save: () => Promise.reject(new StoreError('It is full.')) },
    });
    const result = await one.deriver.derive(batch(says('I live in Porto.')));
    expect(result).toMatchObject({ created: [{ content: 'Alice lives in Porto.' }], failures: [] });
    expect(one.warned).toEqual([expect.stringMatching(/STORE_FAILED: It is full/)]);
  });
});
