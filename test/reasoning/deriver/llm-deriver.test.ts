import {
  formatMemoryBlock,
  LlmDeriver,
  type MemoryMessage,
  PeerView,
  Principal,
  SYSTEM_CLOCK,
} from '@aimon/nestjs-memory';
import { alice, ops } from '../../support/peers.js';
import { ScriptedLlmClient } from '../../support/scripted-llm-client.js';
import { blocksIn } from '../dialectic/support/prompt-blocks.js';
import { ScriptedSearcher } from '../dialectic/support/scripted-searcher.js';
import { batch, derivationMemory, fact, found, SAID_AT, says } from './support/derivation-memory.js';
import { deriverWith, type LlmDeriverCase as Case, promptAt, shown } from './support/llm-deriver-case.js';

describe('LlmDeriver', () => {
  describe('its prompt', () => {
    const conversation: readonly MemoryMessage[] = [
      { role: 'system', content: 'The sky is green.' },
      { role: 'developer', content: 'The grass is blue.' },
      { role: 'assistant', content: 'Where do you live?' },
      { role: 'assistant', name: 'Mina', content: 'The sand is white.' },
      { role: 'assistant', name: 'Helper', content: 'The rock is grey.' },
      { role: 'tool', tool_call_id: 'c', name: 'weather', content: 'Snow in Porto.' },
      { role: 'user', content: 'I live in Porto.' },
      { role: 'user', name: 'Helper', content: 'The moon is pale.' },
    ];

    it('has what users say as statements, the rest as context, and no instructions', async () => {
      const asked = deriverWith([found()]);
      await asked.deriver.derive(batch(says(...conversation)));
      const at = '2026-03-02 09:30 UTC (Monday)';
      expect(shown(asked)).toEqual([
        { statement: false, by: 'assistant', text: 'Where do you live?' },
        { statement: false, by: 'Mina', text: 'The sand is white.' },
        { statement: false, by: 'Helper', text: 'The rock is grey.' },
        { statement: false, by: 'weather', text: 'Snow in Porto.' },
        { id: 'm1', statement: true, by: 'alice', at, text: 'I live in Porto.' },
        { id: 'm2', statement: true, by: 'Helper', at, text: 'The moon is pale.' },
      ]);
      expect(JSON.stringify(asked.llm.requests)).not.toMatch(/sky is green|grass is blue/);
    });

    it('has what named others say as statements too where the name of the agent is known, and never what the agent says', async () => {
      const asked = deriverWith([found()], { agentNames: ['Helper'] });
      await asked.deriver.derive(batch(says(...conversation)));
      expect(shown(asked).filter((record) => (record as { statement: boolean }).statement)).toMatchObject([
        { id: 'm1', by: 'Mina', text: 'The sand is white.' },
        { id: 'm2', by: 'alice', text: 'I live in Porto.' },
      ]);
    });

    it('shows no memory that was put into a message, be it a statement or context', async () => {
      const block = formatMemoryBlock({ attributes: {}, body: 'Alice likes tea.' });
      const asked = deriverWith([found()]);
      await asked.deriver.derive(
        batch(
          says(
            { content: `${block}\nI like coffee.` },
            { role: 'assistant', content: `Noted. ${block}` },
            { role: 'tool', tool_call_id: 'c', content: block },
            { content: '<aimon-memory>\nAlice likes tea.' },
          ),
        ),
      );
      expect(shown(asked)).toMatchObject([{ text: 'I like coffee.' }, { statement: false, text: 'Noted.' }]);
      expect(JSON.stringify(asked.llm.requests)).not.toContain('likes tea');
    });

    it('names the subject, and each time with its day and zone, so that "yesterday" can be reckoned', async () => {
      const asked = deriverWith([found()]);
      const subject = PeerView.of(ops, Principal.user('alice', 'Alice Kim'));
      const messages = says(
        { content: 'I moved yesterday.', createdAt: '2026-01-01T00:30:00+09:00' },
        { content: 'No time.', createdAt: undefined },
      );
      await asked.deriver.derive(batch(messages, { subject }));
      expect(promptAt(asked, 0).get('subject')).toEqual([{ name: 'Alice Kim' }]);
      expect(shown(asked)).toMatchObject([
        { by: 'Alice Kim', at: '2025-12-31 15:30 UTC (Wednesday)' },
        { at: '2026-03-02 09:30 UTC (Monday)' },
      ]);
      expect(asked.llm.requests[0]?.messages[0]?.content).toMatch(
        /relative.*reckoned from the "at" of that very message/,
      );
    });

    it('cuts context that is long, and no statement', async () => {
      const asked = deriverWith([found()]);
      const long = 'Porto is by the sea. '.repeat(100).trim();
      await asked.deriver.derive(batch(says(long, { role: 'assistant', content: long })));
      expect(shown(asked)).toMatchObject([{ text: long }, { text: `${long.slice(0, 600)}…` }]);
    });

    it('cuts context between characters', async () => {
      const asked = deriverWith([found()]);
      await asked.deriver.derive(
        batch(says('I live in Porto.', { role: 'assistant', content: `x${'\u{1F680}'.repeat(400)}` })),
      );
      expect(shown(asked)).toMatchObject([{}, { text: `x${'\u{1F680}'.repeat(299)}…` }]);
    });

    it('asks for JSON by a schema that servers can keep to, without chance, within a limit', async () => {
      const asked = deriverWith([found()]);
      await asked.deriver.derive(batch(says('I live in Porto.'), { tokenBudget: 100 }));
      expect(asked.llm.requests).toMatchObject([
        { responseSchema: { name: 'observations' }, temperature: 0, maxOutputTokens: 2048 },
      ]);
    });
  });

  describe('small talk', () => {
    it('alone costs no call', async () => {
      const asked = deriverWith([]);
      const messages = says(
        'Hello!',
        'Thanks a lot!',
        { role: 'assistant', content: 'The rack is red.' },
        '네, 감사합니다.',
      );
      expect(await asked.deriver.derive(batch(messages))).toEqual({
        ...{ created: [], updated: [], tokensUsed: 0, failures: [] },
        byMessage: new Map(),
      });
      expect(asked.llm.requests).toEqual([]);
    });

    it('beside something else is shown with it, since it may answer a question', async () => {
      const asked = deriverWith([found()]);
      await asked.deriver.derive(batch(says('Yes.', 'I live in Porto.')));
      expect(shown(asked)).toMatchObject([
        { id: 'm1', text: 'Yes.' },
        { id: 'm2', text: 'I live in Porto.' },
      ]);
    });
  });

  describe('a fact', () => {
    it('carries its sources, the time of the latest of them, its session and who derived it', async () => {
      const asked = deriverWith([
        found(fact('Alice lives in Porto with a cat.', ['m1', 'm2'], 'DEDUCTIVE'), fact('Alice has a cat.', ['m1'])),
      ]);
      const messages = says(
        { id: 'first', content: 'I have a cat.', createdAt: '2026-02-01T10:00:00Z' },
        { id: 'second', content: 'We live in Porto.', createdAt: '2026-02-02T10:00:00Z' },
      );
      const result = await asked.deriver.derive(batch(messages));
      const stored = await asked.memory.stored();
      expect(stored).toMatchObject([
        {
          ...{ content: 'Alice lives in Porto with a cat.', type: 'DEDUCTIVE', confidence: 0.6, sessionId: 's' },
          ...{ sourceMessageIds: ['first', 'second'], metadata: { deriver: 'llm' }, corroborations: 0 },
          occurredAt: new Date('2026-02-02T10:00:00Z'),
        },
        {
          ...{ content: 'Alice has a cat.', type: 'EXPLICIT', confidence: 0.9, sourceMessageIds: ['first'] },
          occurredAt: new Date('2026-02-01T10:00:00Z'),
        },
      ]);
      expect(result).toMatchObject({ updated: [], failures: [], tokensUsed: 110 });
      expect(result.created.map(({ content }) => content)).toEqual(stored.map(({ content }) => content));
      expect([...result.byMessage].map(([id, { length }]) => [id, length])).toEqual([
        ['first', 2],
        ['second', 1],
      ]);
    });

    it('carries the categories of what was masked in its sources, whether or not that stands in its words', async () => {
      const asked = deriverWith([
        found(fact('Alice has two addresses.', ['m1', 'm2']), fact('Alice is well.', ['m3'])),
      ]);
      await asked.deriver.derive(
        batch(says('Mail [REDACTED:EMAIL] with [REDACTED:AWS_KEY].', 'Or [REDACTED:EMAIL].', 'I am well.')),
      );
      const [two, well] = await asked.memory.stored();
      expect(two?.metadata).toEqual({
        ...{ deriver: 'llm', redacted: 'true', 'redaction.categories': 'AWS_KEY,EMAIL' },
      });
      expect(well?.metadata).toEqual({ deriver: 'llm' });
    });

    it('that is found twice in a batch is one, created, as strong as the statements make it', async () => {
      const asked = deriverWith([
        found(fact('Alice has a cat.', ['m1']), fact('alice has a cat', ['m1']), fact('Alice  has a cat', ['m2'])),
      ]);
      const result = await asked.deriver.derive(batch(says('I have a cat.', 'Did I say that I have a cat?')));
      expect(await asked.memory.stored()).toMatchObject([{ corroborations: 1, sourceMessageIds: ['m1', 'm2'] }]);
      expect(result).toMatchObject({ created: [{ corroborations: 1 }], updated: [] });
      expect([...result.byMessage].map(([id, { length }]) => [id, length])).toEqual([
        ['m1', 1],
        ['m2', 1],
      ]);
    });

    it('and its sources are unharmed in Korean, and in other scripts', async () => {
      const words = ['김도윤은 부산에 산다.', '金さんは釜山に住んでいる。', 'Ünïcödé 👩‍👩‍👧 e\u0301 \u{1F680}'];
      const asked = deriverWith([found(...words.map((text, n) => fact(text, [`m${n + 1}`])))]);
      const messages = says(...words.map((content) => ({ content, name: '김도윤' })));
      const subject = PeerView.of(ops, Principal.user('도윤', '김도윤'));
      await asked.deriver.derive(batch(messages, { subject, observer: subject }));
      expect(promptAt(asked, 0).get('subject')).toEqual([{ name: '김도윤' }]);
      expect(shown(asked)).toMatchObject(words.map((text) => ({ by: '김도윤', text })));
      expect((await asked.memory.stored(subject)).map(({ content }) => content)).toEqual(words);
    });
  });

  describe('what is known', () => {
    const known = async (asked: Case, content = 'Alice lives in Porto.', type: 'EXPLICIT' | 'DEDUCTIVE' = 'EXPLICIT') =>
      asked.memory.recorder.observe({
        ...{ subject: alice, observer: alice, content, type },
        sourceMessageIds: ['earlier'],
      });

    it('is searched for by the statements of the batch before anything is asked, and shown', async () => {
      const searcher = new ScriptedSearcher(() => []);
      const asked = deriverWith([found()], { searcher });
      await asked.deriver.derive(
        batch(says('I live in Porto.', { role: 'assistant', content: 'Nice.' }, 'I have a cat.')),
      );
      expect(searcher.queries).toMatchObject([
        { subject: alice, observer: alice, query: 'I live in Porto.\nI have a cat.', topK: 20 },
      ]);
      expect(promptAt(asked, 0).get('known')).toEqual([]);
      const again = deriverWith([found()]);
      await known(again);
      await again.deriver.derive(batch(says('I live in Porto.')));
      expect(promptAt(again, 0).get('known')).toEqual([{ id: 'k1', fact: 'Alice lives in Porto.', type: 'EXPLICIT' }]);
    });

    it('is made stronger where it is said once more: 0.9 becomes 0.95', async () => {
      const asked = deriverWith([found({ content: '', type: 'EXPLICIT', sources: ['m1'], repeats: 'k1' })]);
      const before = await known(asked);
      const result = await asked.deriver.derive(batch(says('Porto is still my home.')));
      const stored = await asked.memory.stored();
      expect(stored).toMatchObject([
        {
          ...{ content: 'Alice lives in Porto.', confidence: 0.95, corroborations: 1 },
          sourceMessageIds: ['earlier', 'm1'],
        },
      ]);
      expect(stored[0]?.id).toEqual(before.id);
      expect(result).toMatchObject({ created: [], updated: [{ confidence: 0.95 }] });
      expect(result.byMessage.get('m1')).toMatchObject([{ id: before.id }]);
    });

    it('is no conclusion any more where it is said outright', async () => {
      const asked = deriverWith([found({ content: '', type: 'EXPLICIT', sources: ['m1'], repeats: 'k1' })]);
      await known(asked, 'Alice lives in Porto.', 'DEDUCTIVE');
      await asked.deriver.derive(batch(says('I do live in Porto.')));
      expect(await asked.memory.stored()).toMatchObject([{ type: 'EXPLICIT', confidence: 0.95, corroborations: 1 }]);
    });

    it('is one observation although a second batch says it in other words', async () => {
      const asked = deriverWith([
        found(fact('Alice lives in Porto.')),
        ({ messages }) => {
          const [record] = blocksIn(messages[1]?.content ?? '').get('known') ?? [];
          return found({
            ...{ content: 'Porto is home to Alice.', type: 'EXPLICIT' },
            sources: ['m1'],
            repeats: record?.id,
          });
        },
      ]);
      await asked.deriver.derive(batch(says({ id: 'a', content: 'I live in Porto.' })));
      await asked.deriver.derive(batch(says({ id: 'b', content: 'My home is in Porto.' })));
      expect(await asked.memory.stored()).toMatchObject([
        { content: 'Alice lives in Porto.', sourceMessageIds: ['a', 'b'], confidence: 0.95, corroborations: 1 },
      ]);
    });

    it('is one observation where the model writes it once more although it was shown', async () => {
      const asked = deriverWith([found(fact('Alice lives in Porto.')), found(fact('alice lives in  Porto'))]);
      await asked.deriver.derive(batch(says({ id: 'a', content: 'I live in Porto.' })));
      const result = await asked.deriver.derive(batch(says({ id: 'b', content: 'I live in Porto!' })));
      expect(result).toMatchObject({ created: [], updated: [{ corroborations: 1, confidence: 0.95 }] });
      expect(await asked.memory.stored()).toHaveLength(1);
    });

    it('stays one observation where it is a statement of another deriver, or relative to its day', async () => {
      const asked = deriverWith([found({ content: '', type: 'EXPLICIT', sources: ['m1'], repeats: 'k1' })]);
      const occurredAt = new Date('2026-01-05T10:00:00Z');
      const metadata = { speaker: 'Alice', occurredAt: occurredAt.toISOString(), deriver: 'extractive' };
      const content = '[2026-01-05 10:00 UTC] Alice: I moved to Porto yesterday.';
      await asked.memory.recorder.observe({
        ...{ subject: alice, observer: alice, type: 'EXPLICIT', sourceMessageIds: ['earlier'] },
        ...{ content, occurredAt, metadata },
      });
      await asked.deriver.derive(batch(says('I moved to Porto in January.')));
      expect(await asked.memory.stored()).toMatchObject([{ content, metadata, occurredAt, corroborations: 1 }]);
    });

    it('stays one observation where its words are relative to the day on which it was recorded', async () => {
      let now = new Date('2026-01-05T10:00:00Z');
      const memory = derivationMemory(() => now);
      const asked = deriverWith([found({ content: '', type: 'EXPLICIT', sources: ['m1'], repeats: 'k1' })], memory);
      await memory.recorder.observe({
        ...{ subject: alice, observer: alice, content: 'Alice moved to Porto yesterday.', type: 'EXPLICIT' },
      });
      now = SAID_AT;
      await asked.deriver.derive(batch(says('I moved to Porto in January.')));
      expect(await memory.stored()).toMatchObject([{ corroborations: 1 }]);
    });

    it('stays one observation where something in it is masked', async () => {
      const asked = deriverWith([found({ content: '', type: 'EXPLICIT', sources: ['m1'], repeats: 'k1' })]);
      const before = await known(asked, 'Alice is reached at [REDACTED:EMAIL] in Porto.');
      const result = await asked.deriver.derive(batch(says('In Porto I am reached at [REDACTED:EMAIL].')));
      expect(await asked.memory.stored()).toHaveLength(1);
      expect(result.byMessage.get('m1')).toMatchObject([{ id: before.id }]);
    });

    it('is searched for by as much of a long batch as a search takes', async () => {
      const searcher = new ScriptedSearcher(() => []);
      const asked = deriverWith([found()], { searcher });
      await asked.deriver.derive(batch(says('I live in Porto. '.repeat(1000), 'I have a cat.')));
      expect(searcher.queries[0]?.query).toHaveLength(4000);
    });

    it('is not looked for without a searcher', async () => {
      const asked = deriverWith([found(fact('Alice lives in Porto.'))], { searcher: undefined });
      await known(asked, 'Alice has a cat.');
      await asked.deriver.derive(batch(says('I live in Porto.')));
      expect(promptAt(asked, 0).get('known')).toEqual([]);
    });
  });

  it('goes by the system clock where it is given none, and says nothing where there is no logger', async () => {
    const memory = derivationMemory();
    const llm = new ScriptedLlmClient(() => found(fact('Alice lives in Porto.'), fact('No source.', ['m9'])));
    const before = SYSTEM_CLOCK.now();
    await new LlmDeriver({ llm, recorder: memory.recorder }).derive(
      batch(says({ content: 'I live in Porto.', createdAt: undefined }, 'More.')),
    );
    const [kept] = await memory.stored();
    expect(kept?.occurredAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(kept?.occurredAt?.getTime()).toBeLessThanOrEqual(SYSTEM_CLOCK.now().getTime());
  });
});
