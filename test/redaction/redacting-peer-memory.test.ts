import { RedactionError } from '../../lib/domain/errors.js';
import type { MemoryMessage } from '../../lib/domain/memory-message.js';
import { DefaultRedactionPolicy } from '../../lib/redaction/default-redaction-policy.js';
import { RedactingPeerMemory } from '../../lib/redaction/redacting-peer-memory.js';
import type { RedactionPolicy } from '../../lib/redaction/redaction-policy.js';
import type { MemoryIngestRequest } from '../../lib/spi/ingest.js';
import { normaliseIngestRequest } from '../../lib/spi/ingest.js';
import { memoryCapabilities, type PeerMemory } from '../../lib/spi/peer-memory.js';
import { otter, recordingMemory } from './recording-memory.js';

const SECRET = ['plum7', 'otter', 'Rv9'].join('-');
const TOKEN = ['AK', 'IA', 'Q3EGZ7XWLMN4RT2B'].join('');

const gate = (policy: RedactionPolicy = new DefaultRedactionPolicy()) => {
  const inner = recordingMemory();
  return { inner, memory: new RedactingPeerMemory(inner, policy) };
};

const ingest = (...messages: MemoryMessage[]): MemoryIngestRequest => ({ observer: otter, sessionId: 's1', messages });
const draft = { subject: otter, content: 'likes tea', type: 'EXPLICIT' as const };

/** One call of each tier that masks, with `text` as what the caller wrote. */
const calls: Readonly<Record<string, (memory: PeerMemory, text: string, signal?: AbortSignal) => Promise<unknown>>> = {
  INGEST: (memory, text, signal) => memory.ingestor!.ingest({ ...ingest({ role: 'user', content: text }), signal }),
  OBSERVE: (memory, text, signal) => memory.observationRecorder!.observe({ ...draft, content: text, signal }),
  SEARCH: (memory, text, signal) => memory.searcher!.search({ subject: otter, query: text, topK: 5, signal }),
  CHAT: (memory, text, signal) => memory.dialecticEngine!.query({ subject: otter, question: text, signal }),
  'CHAT, streaming': (memory, text, signal) =>
    memory.dialecticEngine!.queryStream({ subject: otter, question: text, signal }, () => undefined),
};

describe('the redaction gate', () => {
  it('masks at every tier also where one object serves them all', async () => {
    const { searcher, observationRecorder, ingestor, dialecticEngine, bytes } = recordingMemory();
    const one = { backendId: 'one', ...searcher, ...observationRecorder, ...ingestor, ...dialecticEngine };
    const memory = new RedactingPeerMemory(
      Object.assign(one, { searcher: one, observationRecorder: one, ingestor: one, dialecticEngine: one }) as never,
      new DefaultRedactionPolicy(),
    );
    for (const call of Object.values(calls)) await call(memory, `the key is ${TOKEN}, mind it`);
    expect(bytes().match(/the key is \[REDACTED:AWS_KEY\], mind it/g)).toHaveLength(5);
    expect(bytes()).not.toContain(TOKEN);
    expect(memory.searcher).toBe(memory.searcher);
  });

  describe.each(Object.entries(calls))('at %s', (_tier, call) => {
    it('masks what the caller wrote', async () => {
      const { inner, memory } = gate();
      await call(memory, `the key is ${TOKEN}, mind it`);
      expect(inner.bytes()).toContain('the key is [REDACTED:AWS_KEY], mind it');
      expect(inner.bytes()).not.toContain(TOKEN);
    });

    it.each<[string, () => unknown]>([
      ['throws', () => { throw new TypeError(`cannot read ${TOKEN}`); }], // prettier-ignore
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- a policy may
      ['throws no error', () => { throw TOKEN; }], // prettier-ignore
      ['answers nothing', () => undefined],
      ['answers null', () => null],
      ['answers text', () => TOKEN],
      ['answers a promise', () => Promise.resolve({ redactedContent: 'x', matches: [], modified: false })],
      ['answers a promise that rejects', () => Promise.reject(new Error('late'))],
      ['answers no text', () => ({ redactedContent: 7, matches: [], modified: false })],
      ['answers no matches', () => ({ redactedContent: 'x', modified: false })],
      ['answers a match without a category', () => ({ redactedContent: 'x', matches: [{}], modified: true })],
    ])('sends nothing when the policy %s', async (_what, redact) => {
      const { inner, memory } = gate({ name: 'broken', redact: redact as RedactionPolicy['redact'] });
      const failure: unknown = await call(memory, `the key is ${TOKEN}`).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RedactionError);
      expect((failure as RedactionError).message).toContain('The redaction policy "broken"');
      expect((failure as RedactionError).message).toContain('Nothing was written or sent.');
      expect(JSON.stringify([String(failure), (failure as Error).cause ?? null])).not.toContain(TOKEN);
      expect(inner.requests).toEqual([]);
    });

    it('rejects with the reason of a signal that was aborted, and sends nothing', async () => {
      const { inner, memory } = gate();
      const reason = new Error('gone');
      await expect(call(memory, 'hello', AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(inner.requests).toEqual([]);
    });

    it('sends nothing when the deadline passes between slices', async () => {
      const slow: RedactionPolicy = {
        name: 'slow',
        redact(content) {
          for (const until = performance.now() + 3; performance.now() < until;);
          return { redactedContent: content, matches: [], modified: false };
        },
      };
      const inner = recordingMemory();
      const memory = new RedactingPeerMemory(inner, slow, { deadlineMs: 1 });
      await expect(call(memory, 'word '.repeat(40_000))).rejects.toThrow(
        /deadline of 1 ms.*Nothing was written or sent/,
      );
      expect(inner.requests).toEqual([]);
    });
  });

  it('lets no secret of a conversation through, wherever in a message it stands', async () => {
    const { inner, memory } = gate();
    const call = (value: unknown) => ({ name: 'connect', arguments: JSON.stringify(value) });
    await memory.ingestor!.ingest(
      ingest(
        { role: 'user', content: `password: ${SECRET}` },
        { role: 'user', content: [{ type: 'text', text: `my password is ${SECRET}` }] },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: `https://u:${SECRET}@example.org/a.png` } }] },
        { role: 'user', content: [{ type: 'file', file: { filename: `password=${SECRET}.txt` } }] },
        {
          role: 'user',
          content: [{ type: 'file', file: { file_data: Buffer.from(`password=${SECRET}`).toString('base64') } }],
        },
        { role: 'assistant', content: [{ type: 'refusal', refusal: `not with password=${SECRET}` }] },
        { role: 'assistant', content: null, refusal: `not with password=${SECRET}` },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: call({ password: SECRET }) },
            { id: 'c2', type: 'function', function: call({ db: { primary: [{ login: 'app', password: SECRET }] } }) },
            { id: 'c3', type: 'function', function: call({ password: 48_151_623 }) },
            { id: 'c4', type: 'function', function: call({ body: JSON.stringify({ password: SECRET }) }) },
            { id: 'c5', type: 'function', function: call({ name: 'DB_PASSWORD', value: SECRET }) },
            { id: 'c6', type: 'function', function: call({ passwords: [SECRET] }) },
            { id: 'c7', type: 'function', function: call({ password: { value: SECRET, length: 8 } }) },
            { id: 'c8', type: 'function', function: { name: 'sh', arguments: `not json, --password ${SECRET}` } },
          ],
        },
        { role: 'assistant', content: null, function_call: call({ 비밀번호: SECRET }) },
        { role: 'tool', tool_call_id: 'c1', content: JSON.stringify({ env: { DB_PASSWORD: SECRET }, ok: true }) },
        { role: 'user', name: TOKEN, content: 'hello' },
      ),
    );
    expect(inner.requests).toHaveLength(1);
    const sent = inner.bytes();
    for (const secret of [SECRET, '48151623', TOKEN, Buffer.from(`password=${SECRET}`).toString('base64')]) {
      expect(sent).not.toContain(secret);
    }
    const request = inner.requests[0] as MemoryIngestRequest;
    for (const { function: made } of request.messages[7]!.tool_calls!.slice(0, 7)) JSON.parse(made.arguments);
    expect(request.messages[7]!.tool_calls![2]!.function.arguments).toBe('{"password":"[REDACTED:SECRET]"}');
    expect(request.messages[7]!.tool_calls![6]!.function.arguments).toContain('"length":8');
    expect(request.messages[9]!.content).toBe('{"env":{"DB_PASSWORD":"[REDACTED:SECRET]"},"ok":true}');
  });

  it('leaves ids, session ids, an e-mail address as a name, pictures and sound as they are', async () => {
    const { inner, memory } = gate();
    const message: MemoryMessage = {
      id: TOKEN,
      role: 'user',
      name: ['otter', 'example.org'].join('@'),
      createdAt: new Date(0),
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${TOKEN}` } },
        { type: 'input_audio', input_audio: { data: TOKEN, format: 'wav' } },
      ],
    };
    await memory.ingestor!.ingest({ ...ingest(message), sessionId: TOKEN, idempotencyKey: TOKEN });
    expect(inner.requests).toEqual([{ ...ingest(message), sessionId: TOKEN, idempotencyKey: TOKEN }]);
  });

  it('neither changes a request nor needs one that can be changed', async () => {
    const { memory, inner } = gate();
    const open = ingest({ role: 'user', content: [{ type: 'text', text: `password=${SECRET}` }] });
    const before = structuredClone(open.messages);
    await memory.ingestor!.ingest(open);
    expect(open.messages).toEqual(before);
    await memory.ingestor!.ingest(normaliseIngestRequest(open));
    expect(inner.bytes()).not.toContain(SECRET);
    const frozen = Object.freeze({ ...draft, content: `password=${SECRET}`, metadata: Object.freeze({ a: SECRET }) });
    await memory.observationRecorder!.observe(frozen);
    expect(frozen.content).toContain(SECRET);
  });

  it('refuses a part that it does not know, since its text would pass', async () => {
    const { inner, memory } = gate();
    const odd = { role: 'user', content: [{ type: 'video', text: SECRET }] } as unknown as MemoryMessage;
    await expect(memory.ingestor!.ingest(ingest(odd))).rejects.toThrow(RedactionError);
    expect(inner.requests).toEqual([]);
  });
});

describe('a masked observation', () => {
  const observe = async (change: { content?: string; metadata?: Record<string, string> }) => {
    const { inner, memory } = gate();
    await memory.observationRecorder!.observe({ ...draft, ...change });
    return inner.requests[0] as { content: string; metadata?: Record<string, string> };
  };

  it('says that it was masked, and in which categories', async () => {
    const kept = await observe({
      content: `${TOKEN} for ${['otter', 'example.org'].join('@')}`,
      metadata: { seen: 'today' },
    });
    expect(kept.content).toBe('[REDACTED:AWS_KEY] for [REDACTED:EMAIL]');
    expect(kept.metadata).toEqual({ seen: 'today', redacted: 'true', 'redaction.categories': 'AWS_KEY,EMAIL' });
  });

  it('judges each value of its metadata with its key, and the keys too', async () => {
    const kept = await observe({
      metadata: { password: SECRET, [TOKEN]: 'x', ['__proto__']: `pw=${SECRET}`, city: 'Seoul' },
    });
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    expect(JSON.stringify(kept)).not.toContain(TOKEN);
    expect(Object.keys(kept.metadata!)).toContain('__proto__');
    expect(kept.metadata).toMatchObject({ password: '[REDACTED:SECRET]', city: 'Seoul', redacted: 'true' });
  });

  it('keeps categories from before, and those of markers that stand in it already', async () => {
    const kept = await observe({
      content: `knows [REDACTED:JWT] and ${TOKEN}`,
      metadata: { redacted: 'false', 'redaction.categories': 'EMAIL, not a category' },
    });
    expect(kept.metadata).toEqual({ redacted: 'true', 'redaction.categories': 'AWS_KEY,EMAIL,JWT' });
  });

  it('says so for markers alone, whatever the caller says', async () => {
    const kept = await observe({ content: 'knows [REDACTED:JWT]', metadata: { redacted: 'no' } });
    expect(kept.metadata).toEqual({ redacted: 'true', 'redaction.categories': 'JWT' });
  });

  it('is left without a word about masking where nothing was masked', async () => {
    expect(await observe({})).toEqual(draft);
    expect(await observe({ metadata: { city: 'Seoul' } })).toEqual({ ...draft, metadata: { city: 'Seoul' } });
  });
});

describe('the memory around another', () => {
  it('has the tiers that the one inside has, and no others', () => {
    const inner = recordingMemory();
    const all = ['SNAPSHOT', 'SEARCH', 'CHAT', 'OBSERVE', 'INGEST'];
    const policy = new DefaultRedactionPolicy();
    expect([...memoryCapabilities(new RedactingPeerMemory(inner, policy))]).toEqual(all);
    for (const tier of ['snapshotReader', 'searcher', 'dialecticEngine', 'observationRecorder', 'ingestor'] as const) {
      const only = { backendId: 'one', [tier]: inner[tier] } as PeerMemory;
      expect(memoryCapabilities(new RedactingPeerMemory(only, policy))).toEqual(memoryCapabilities(only));
    }
    expect(memoryCapabilities(new RedactingPeerMemory({ backendId: 'none' }, policy)).size).toBe(0);
  });

  it('says of its tiers what the one inside says, as it says it now', () => {
    const inner = recordingMemory();
    const memory = new RedactingPeerMemory(inner, new DefaultRedactionPolicy());
    expect(memory.backendId).toBe('recording');
    expect(memory.snapshotReader).toBe(inner.snapshotReader);
    expect(memory.searcher).toMatchObject({ ranksByScore: true, narrowsBySession: false });
    expect(memory.observationRecorder).toMatchObject({ storesConfidence: true, storesType: false });
    (inner.searcher as { ranksByScore: boolean }).ranksByScore = false;
    expect(memory.searcher!.ranksByScore).toBe(false);
    expect(memory.searcher).toBe(memory.searcher);
  });

  it('can be pinged and closed where the one inside can', async () => {
    const policy = new DefaultRedactionPolicy();
    const plain = new RedactingPeerMemory({ backendId: 'plain' }, policy);
    expect('ping' in plain || 'close' in plain).toBe(false);
    const heard: unknown[] = [];
    const inner = { backendId: 'full', ping: async (signal?: AbortSignal) => void heard.push(signal), close: async () => void heard.push('closed') }; // prettier-ignore
    const memory = new RedactingPeerMemory(inner, policy);
    const { signal } = new AbortController();
    await memory.ping!(signal);
    await memory.close!();
    expect(heard).toEqual([signal, 'closed']);
  });

  it('refuses a deadline that is no time', () => {
    const make = () => new RedactingPeerMemory(recordingMemory(), new DefaultRedactionPolicy(), { deadlineMs: 0 });
    expect(make).toThrow('RedactingPeerMemoryOptions.deadlineMs is 0');
  });
});
