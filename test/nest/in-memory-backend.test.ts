import {
  AgentMemory,
  Degradations,
  MEMORY_CONTEXT_PROVIDER,
  MEMORY_DIALECTIC_ENGINE,
  MEMORY_INGESTOR,
  MEMORY_SEARCHER,
  MEMORY_TOOLS,
  memoryCapabilities,
  type MemoryContextProvider,
  type MemoryTool,
  PEER_MEMORY,
  type PeerMemory,
  Principal,
  requireTier,
} from '@aimon/nestjs-memory';
import { boot, degradationKeys } from '../support/boot.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' } as const;

describe('the in-memory backend with a workspace and a peer only', () => {
  it('has SNAPSHOT, SEARCH and OBSERVE, and a tool for each', async () => {
    const app = await boot(ALICE);
    expect([...memoryCapabilities(app.get<PeerMemory>(PEER_MEMORY))]).toEqual(['SNAPSHOT', 'SEARCH', 'OBSERVE']);
    expect(app.get<readonly MemoryTool[]>(MEMORY_TOOLS).map(({ name }) => name)).toEqual([
      'MemoryRecall',
      'MemorySearch',
      'Observe',
    ]);
    expect(app.get(MEMORY_DIALECTIC_ENGINE)).toBeUndefined();
    expect(app.get(MEMORY_INGESTOR)).toBeUndefined();
    await app.close();
  });

  it('raises memory-chat and memory-ingest as choices, each with the setting that lifts it', async () => {
    const app = await boot(ALICE);
    expect(degradationKeys(app)).toEqual(['memory-chat', 'memory-ingest']);
    const [chat, ingest] = app.get(Degradations).all();
    expect(chat).toMatchObject({ kind: 'choice', capability: 'CHAT', backendId: 'in-memory' });
    expect(chat?.remedy).toContain('aimon.memory.llm.model');
    expect(ingest).toMatchObject({ kind: 'choice', capability: 'INGEST', backendId: 'in-memory' });
    expect(ingest?.remedy).toContain('aimon.memory.deriver to extractive');
    expect(ingest?.remedy).toContain('aimon.memory.ingest to execution-end');
    for (const { consequence } of app.get(Degradations).all()) expect(consequence).toContain('"in-memory"');
    await app.close();
  });

  it('has INGEST too when a deriver is chosen, and then lacks only CHAT', async () => {
    const app = await boot({ ...ALICE, ingest: 'execution-end', deriver: 'extractive' });
    expect([...memoryCapabilities(app.get<PeerMemory>(PEER_MEMORY))]).toEqual([
      'SNAPSHOT',
      'SEARCH',
      'OBSERVE',
      'INGEST',
    ]);
    expect(degradationKeys(app)).toEqual(['memory-chat']);
    await app.close();
  });

  it('says which of the two settings of ingestion is missing', async () => {
    const withoutDeriver = await boot({ ...ALICE, ingest: 'execution-end' });
    expect(
      withoutDeriver
        .get(Degradations)
        .all()
        .find(({ key }) => key === 'memory-ingest')?.remedy,
    ).toBe('Set aimon.memory.deriver to extractive.');
    await withoutDeriver.close();
    const withoutIngest = await boot({ ...ALICE, deriver: 'extractive' });
    expect(
      withoutIngest
        .get(Degradations)
        .all()
        .find(({ key }) => key === 'memory-ingest')?.remedy,
    ).toBe('Set aimon.memory.ingest to execution-end or session-end.');
    await withoutIngest.close();
  });

  it('raises memory-redaction as a fault when nothing masks', async () => {
    const app = await boot({ ...ALICE, redaction: 'none' });
    expect(
      app
        .get(Degradations)
        .all()
        .find(({ key }) => key === 'memory-redaction'),
    ).toMatchObject({ kind: 'fault' });
    await app.close();
  });

  it('reads its settings from the environment too, weaker than the options', async () => {
    const env = {
      AIMON_MEMORY_BACKEND: 'in-memory',
      AIMON_MEMORY_WORKSPACE_ID: 'ops',
      AIMON_MEMORY_PEER_ID: 'bob',
      AIMON_MEMORY_PORT: 'tcp://10.0.0.1:80',
    };
    const app = await boot({ env, peerId: 'alice' });
    const session = await app.get(AgentMemory).session('one');
    expect(session.peer?.key()).toBe('ops:USER:alice');
    await app.close();
  });
});

describe('no memory', () => {
  it('resolves the tokens of the tiers to undefined and works without remembering', async () => {
    const app = await boot({});
    expect(app.get(PEER_MEMORY)).toBeUndefined();
    expect(app.get(MEMORY_SEARCHER)).toBeUndefined();
    expect(app.get(MEMORY_TOOLS)).toEqual([]);
    expect(app.get(Degradations).all()).toEqual([]);
    expect(await app.get<MemoryContextProvider>(MEMORY_CONTEXT_PROVIDER).provide({})).toBeUndefined();
    const session = await app.get(AgentMemory).session('one', { principal: Principal.user('alice') });
    expect(await session.systemPrompt('You help.')).toBe('You help.');
    expect(session.tools()).toEqual([]);
    await session.execution((transcript) => void transcript.append({ role: 'user', content: 'I moved to Busan.' }));
    await session.close();
    expect(() => requireTier(app.get(PEER_MEMORY), 'SEARCH')).toThrow(
      'There is no memory, so no SEARCH: the setting aimon.memory.backend is "none".',
    );
    await app.close();
  });
});
