import {
  ExtractiveDeriver,
  formatMemoryBlock,
  InMemoryObservationStore,
  type MemoryMessage,
  normaliseMessage,
  type Observation,
  type ObservationRecorder,
  requireTier,
  StoreBackedPeerMemory,
  StoreError,
} from '@aimon/nestjs-memory';
import { alice, ops } from '../support/peers.js';

const NOW = new Date(Date.UTC(2026, 2, 1, 9, 30));

async function derived(
  messages: readonly MemoryMessage[],
  agentNames?: readonly string[],
): Promise<readonly Observation[]> {
  const observationStore = new InMemoryObservationStore();
  const recorder = requireTier(new StoreBackedPeerMemory({ observationStore }), 'OBSERVE');
  const deriver = new ExtractiveDeriver({ recorder, agentNames, clock: () => NOW });
  const context = { workspace: ops, sessionId: 's', subject: alice, observer: alice, tokenBudget: 8000 };
  const normalised = messages.map((message) => normaliseMessage(message));
  await deriver.derive({ ...context, messages: normalised });
  // Done twice it writes once.
  await deriver.derive({ ...context, messages: normalised });
  return (await observationStore.findBySubject(alice, { limit: 100 })).items;
}

const contents = async (messages: readonly MemoryMessage[], agentNames?: readonly string[]): Promise<string[]> =>
  (await derived(messages, agentNames)).map(({ content }) => content.replace(/^\[.*?\] .*?: /s, '')).sort();

describe('the extractive deriver', () => {
  it('keeps a message whole, with the speaker and the time in front, as EXPLICIT', async () => {
    const [kept] = await derived([
      {
        role: 'user',
        name: 'Kim',
        id: 'm1',
        content: 'Hi! The server moved. Is that fine?',
        createdAt: '2026-02-03T10:00:00+09:00',
      },
    ]);
    expect(kept).toMatchObject({
      content: '[2026-02-03 01:00 UTC] Kim: Hi! The server moved. Is that fine?',
      ...{ type: 'EXPLICIT', confidence: 0.9, corroborations: 0, sessionId: 's', sourceMessageIds: ['m1'] },
      metadata: { deriver: 'extractive', speaker: 'Kim', occurredAt: '2026-02-03T01:00:00.000Z' },
    });
    expect(kept?.occurredAt).toEqual(new Date(Date.UTC(2026, 1, 3, 1)));
  });

  it('calls a speaker without a name by the peer, and dates what has no time with now', async () => {
    const [kept] = await derived([{ role: 'user', content: 'The server moved.' }]);
    expect(kept?.content).toBe('[2026-03-01 09:30 UTC] alice: The server moved.');
  });

  it('leaves a message out only when nothing but greetings, questions and fillers would remain', async () => {
    const left = [
      'Hello!',
      'Good morning, how are you?',
      'Thanks a lot!',
      'OK',
      'Why?',
      '안녕하세요!',
      '네, 감사합니다.',
      '배포는 언제 하나요?',
      'When do we deploy?',
      'And what is my locker number?',
      'Should I restart it?',
      '우리 배포는 언제 하죠?',
      '我们什么时候部署？',
      'ㅋㅋㅋ',
      'こんにちは。',
      '了解です',
      '你好！谢谢',
      '为什么？',
      '🙂',
    ];
    const kept = [
      'Hello, I am Kim.',
      'Thanks, it is port 8080.',
      'Did you know that I moved to Busan?',
      'We deploy on Tuesdays, right?',
      'Have I told you about the red rack?',
      '안녕하세요, 김도윤입니다.',
      '배포는 내일 하나요? 저는 금요일이 좋아요.',
      '내가 어제 서버를 껐던 거 알아?',
      '了解です、3時に行きます',
      '我下周去上海？',
      '제가 지난주에 이사한 거 기억하세요?',
      '10.0.0.5',
      'No more deploys on Friday',
    ];
    expect(await contents(left.map((content) => ({ role: 'user', content })))).toEqual([]);
    expect(await contents(kept.map((content) => ({ role: 'user', content })))).toEqual([...kept].sort());
  });

  it('takes statements from users alone, and from named assistants only when it knows the name of the agent', async () => {
    const conversation: MemoryMessage[] = [
      { role: 'system', content: 'The sky is green.' },
      { role: 'developer', content: 'The grass is blue.' },
      { role: 'assistant', content: 'The sea is red.' },
      { role: 'assistant', name: 'Mina', content: 'The sand is white.' },
      { role: 'assistant', name: 'Helper', content: 'The rock is grey.' },
      { role: 'tool', tool_call_id: 'c', name: 'weather', content: 'The snow is black.' },
      { role: 'user', content: 'The sun is yellow.' },
      { role: 'user', name: 'Helper', content: 'The moon is pale.' },
    ];
    expect(await contents(conversation)).toEqual(['The moon is pale.', 'The sun is yellow.']);
    expect(await contents(conversation, ['Helper'])).toEqual(['The sand is white.', 'The sun is yellow.']);
  });

  it('derives nothing from memory that was put into a message', async () => {
    const block = formatMemoryBlock({ attributes: {}, body: 'Alice likes tea.' });
    expect(
      await contents([
        { role: 'user', content: `${block}\nI like coffee.` },
        { role: 'user', content: block },
        { role: 'user', content: '<aimon-memory>\nAlice likes tea.' },
      ]),
    ).toEqual(['I like coffee.']);
  });

  it('records the others when one message cannot be recorded', async () => {
    const observationStore = new InMemoryObservationStore();
    const inner = requireTier(new StoreBackedPeerMemory({ observationStore }), 'OBSERVE');
    const recorder: ObservationRecorder = {
      ...{ storesConfidence: true, storesType: true },
      observe: async (draft) =>
        draft.content.includes('NUL') ? Promise.reject(new StoreError('no NUL here')) : inner.observe(draft),
    };
    const messages = ['The lift is slow.', 'A NUL stands here.', 'The door is open.'].map((content, n) =>
      normaliseMessage({ role: 'user', content, id: `m${n}` }),
    );
    const result = await new ExtractiveDeriver({ recorder }).derive({
      workspace: ops,
      sessionId: 's',
      subject: alice,
      observer: alice,
      tokenBudget: 1,
      messages,
    });
    expect(result.failures).toMatchObject([{ messageId: 'm1', reason: 'store failed' }]);
    expect([...result.byMessage.keys()]).toEqual(['m0', 'm2']);
  });

  it('carries the categories of what was masked in the message', async () => {
    const [kept] = await derived([{ role: 'user', content: 'Mail [REDACTED:EMAIL] with [REDACTED:AWS_KEY].' }]);
    expect(kept?.metadata).toMatchObject({ redacted: 'true', 'redaction.categories': 'AWS_KEY,EMAIL' });
  });
});
