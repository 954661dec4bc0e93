import {
  AgentMemory,
  assembleMemory,
  IngestOutcomes,
  MEMORY_REDACTION_POLICY,
  MemoryMaintenance,
  type MemoryMessage,
  MemorySpec,
  PEER_MEMORY,
  PEER_MEMORY_BACKEND,
  type PeerMemory,
  PeerView,
  Principal,
  RedactionError,
  type RedactionPolicy,
  requireTier,
  Workspace,
} from '@aimon/nestjs-memory';
import { boot } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const alice = PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('alice'));

// Put together here, so that no file holds what a scanner takes for a live secret.
const SECRET = ['hT7q', 'Vx29', 'LmPz', 'w4Rk'].join('');
const AWS = ['AKIA', 'Q3EG', 'RZ7N', 'B2KD', 'V5XT'].join('');

const CONVERSATION: readonly MemoryMessage[] = [
  { role: 'user', content: `The key is ${AWS}, and password=${SECRET} as ever.` },
  { role: 'user', content: [{ type: 'text', text: `비밀번호는 ${SECRET} 입니다` }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'c1',
        type: 'function',
        function: {
          name: 'login',
          arguments: JSON.stringify({ host: 'db', auth: [{ user: 'root', password: SECRET }] }),
        },
      },
    ],
    function_call: { name: 'login', arguments: JSON.stringify({ password: SECRET }) },
  },
  { role: 'tool', tool_call_id: 'c1', content: JSON.stringify({ ok: true, session: { deep: { password: SECRET } } }) },
  { role: 'tool', tool_call_id: 'c1', content: `export AWS_ACCESS_KEY_ID=${AWS}\nDB_PASSWORD=${SECRET}` },
];

describe('a secret', () => {
  it('reaches no backend from a message, a tool call, a tool result, metadata, a query or a question', async () => {
    const backend = new RecordingPeerMemory();
    const app = await boot({
      backend: 'supplied',
      workspaceId: 'ops',
      peerId: 'alice',
      ingest: 'session-end',
      providers: [{ provide: PEER_MEMORY_BACKEND, useValue: backend }],
    });
    const memory = app.get<PeerMemory>(PEER_MEMORY);
    await requireTier(memory, 'INGEST').ingest({ observer: alice, sessionId: 's', messages: CONVERSATION });
    await requireTier(memory, 'OBSERVE').observe({
      subject: alice,
      content: `password: ${SECRET}`,
      type: 'EXPLICIT',
      metadata: { password: SECRET, note: `key ${AWS}` },
    });
    await requireTier(memory, 'SEARCH').search({ subject: alice, query: `who uses password=${SECRET}`, topK: 3 });
    const engine = requireTier(memory, 'CHAT');
    await engine.query({ subject: alice, question: `Is password=${SECRET} right?` });
    const streamed: string[] = [];
    await engine.queryStream({ subject: alice, question: `And ${AWS}?` }, (text) => void streamed.push(text));
    expect(streamed).toEqual(['Nothing ', 'is known.']);
    const session = await app.get(AgentMemory).session('chat');
    for (const tool of session.tools()) {
      await tool.execute({ query: `password=${SECRET}` });
      await tool.execute({ question: `password=${SECRET}` });
      await tool.execute({ content: `password=${SECRET}` });
    }
    await session.execution((transcript) => void transcript.append(...CONVERSATION));
    await app.close();

    const received = backend.received();
    expect(backend.requests.length).toBeGreaterThan(8);
    expect(received).not.toContain(SECRET);
    expect(received).not.toContain(AWS);
    expect(received).toContain('[REDACTED:AWS_KEY]');
    expect(received).toContain('[REDACTED:SECRET]');
    // The rest of the conversation is as it was, and JSON is JSON.
    expect(received).toContain('as ever.');
    const [ingested] = backend.requests as { messages: MemoryMessage[] }[];
    expect(JSON.parse(ingested?.messages[2]?.tool_calls?.[0]?.function.arguments ?? '')).toEqual({
      host: 'db',
      auth: [{ user: 'root', password: '[REDACTED:SECRET]' }],
    });
  });

  it('is in nothing that the in-memory backend keeps, which says what was masked', async () => {
    const app = await boot({
      backend: 'in-memory',
      workspaceId: 'ops',
      peerId: 'alice',
      deriver: 'extractive',
      ingest: 'execution-end',
    });
    const session = await app.get(AgentMemory).session('chat');
    await session.execution((transcript) => void transcript.append(...CONVERSATION));
    await app.get(IngestOutcomes).settled();
    const kept = [];
    for await (const { observation } of app.get(MemoryMaintenance).exportPeer(alice)) kept.push(observation);
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    expect(kept.find(({ content }) => content.includes('AWS_KEY'))?.metadata).toMatchObject({
      redacted: 'true',
      'redaction.categories': 'AWS_KEY,SECRET',
    });
    const block = await session.systemPrompt('You help.');
    expect(block).not.toContain(SECRET);
    await app.close();
  });

  it('makes two masked facts two facts', async () => {
    const app = await boot({ backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' });
    const recorder = requireTier(app.get<PeerMemory>(PEER_MEMORY), 'OBSERVE');
    const one = await recorder.observe({ subject: alice, content: '10.0.0.5 is down', type: 'EXPLICIT' });
    const other = await recorder.observe({ subject: alice, content: '10.0.0.6 is down', type: 'EXPLICIT' });
    expect(one.content).toBe(other.content);
    expect(one.id.equals(other.id)).toBe(false);
    await app.close();
  });
});

describe('a policy that throws', () => {
  const broken: RedactionPolicy = {
    name: 'broken',
    redact: () => {
      throw new Error(`cannot mask ${SECRET}`);
    },
  };

  it('gives RedactionError on all four tiers that take text, and nothing is written or sent', async () => {
    const backend = new RecordingPeerMemory();
    const app = await boot({
      ...{ backend: 'supplied', workspaceId: 'ops', peerId: 'alice', redaction: 'supplied', ingest: 'execution-end' },
      providers: [
        { provide: PEER_MEMORY_BACKEND, useValue: backend },
        { provide: MEMORY_REDACTION_POLICY, useValue: broken },
      ],
    });
    const memory = app.get<PeerMemory>(PEER_MEMORY);
    const calls = [
      () =>
        requireTier(memory, 'INGEST').ingest({
          observer: alice,
          sessionId: 's',
          messages: [{ role: 'user', content: 'Hello there.' }],
        }),
      () => requireTier(memory, 'OBSERVE').observe({ subject: alice, content: 'A fact.', type: 'EXPLICIT' }),
      () => requireTier(memory, 'SEARCH').search({ subject: alice, query: 'fact', topK: 1 }),
      () => requireTier(memory, 'CHAT').query({ subject: alice, question: 'What?' }),
      () => requireTier(memory, 'CHAT').queryStream({ subject: alice, question: 'What?' }, () => undefined),
    ];
    for (const call of calls) {
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(RedactionError);
      expect((error as RedactionError).message).not.toContain(SECRET);
    }
    expect(backend.requests).toEqual([]);
    const session = await app.get(AgentMemory).session('chat');
    await session.execution((transcript) => void transcript.append({ role: 'user', content: 'A thing I said.' }));
    await app.get(IngestOutcomes).settled();
    expect(app.get(IngestOutcomes).counts()).toMatchObject({ failed: 2 });
    expect(backend.requests).toEqual([]);
    await app.close();
  });

  it('stops a queue of the application before anything is queued', async () => {
    const taken: unknown[] = [];
    const stack = await assembleMemory(
      MemorySpec.forPeer(alice.workspace, alice)
        .redactionPolicy(broken)
        .derivationQueue({
          enqueue: async (task) => taken.push(task),
          start: () => undefined,
          stop: async () => ({ unfinishedMessages: 0 }),
          stats: () => ({ pending: 0, inFlight: 0, deadLettered: 0 }),
          whenIdle: async () => undefined,
          onOutcome: () => () => undefined,
          onOutage: () => () => undefined,
          retryDeadLettered: async () => 0,
          erase: async () => undefined,
        })
        .build(),
    );
    await expect(
      requireTier(stack.peerMemory, 'INGEST').ingest({
        observer: alice,
        sessionId: 's',
        messages: [{ role: 'user', content: 'Hello there.' }],
      }),
    ).rejects.toBeInstanceOf(RedactionError);
    expect(taken).toEqual([]);
  });
});
