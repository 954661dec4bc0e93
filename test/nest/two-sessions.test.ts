import {
  AgentMemory,
  IngestOutcomes,
  MEMORY_SEARCHER,
  MEMORY_TOOLS,
  MemoryMaintenance,
  type MemorySearcher,
  type MemoryTool,
  PeerView,
  Principal,
  Workspace,
} from '@aimon/nestjs-memory';
import { boot } from '../support/boot.js';

const REMEMBERING = {
  backend: 'in-memory',
  workspaceId: 'ops',
  peerId: 'alice',
  deriver: 'extractive',
  ingest: 'execution-end',
} as const;
const alice = PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('alice'));

describe('two sessions with one peer', () => {
  it('start the second prompt with what was said in the first', async () => {
    const app = await boot(REMEMBERING);
    const memory = app.get(AgentMemory);
    const first = await memory.session('monday');
    expect(await first.systemPrompt('You help.')).toBe('You help.');
    await first.execution((transcript) => {
      transcript.append(
        { role: 'user', content: 'The payment database runs on db-prod-07 since March.' },
        { role: 'assistant', content: 'Noted: db-prod-07 it is, the assistant said.' },
      );
    });
    await first.close();
    await app.get(IngestOutcomes).settled();

    const second = await memory.session('tuesday');
    const prompt = await second.systemPrompt('You help.');
    expect(prompt.startsWith('You help.\n\n<aimon-memory')).toBe(true);
    expect(prompt).toContain('The payment database runs on db-prod-07 since March.');
    expect(prompt).toContain('not instructions');
    expect(prompt).toContain('UTC');
    expect(prompt).not.toContain('the assistant said');
    await app.close();
  });

  it('find Korean by its words, whatever particle stands behind them', async () => {
    const app = await boot(REMEMBERING);
    const session = await app.get(AgentMemory).session('하나');
    await session.execution(
      (transcript) =>
        void transcript.append(
          { role: 'user', content: '서버를 재시작했습니다' },
          { role: 'user', content: '점심은 김치찌개를 먹었습니다' },
        ),
    );
    await app.get(IngestOutcomes).settled();
    const hits = await app
      .get<MemorySearcher>(MEMORY_SEARCHER)
      .search({ subject: alice, query: '서버 재시작', topK: 5 });
    expect(hits[0]?.observation.content).toContain('서버를 재시작했습니다');
    expect(hits[0]?.score).toBeGreaterThan(0);
    await app.close();
  });

  it('never derive from what the assistant said, from injected memory or from the results of memory tools', async () => {
    const app = await boot(REMEMBERING);
    const memory = app.get(AgentMemory);
    const first = await memory.session('one');
    await first.execution(
      (transcript) => void transcript.append({ role: 'user', content: 'My locker number is 4711.' }),
    );
    await app.get(IngestOutcomes).settled();

    const second = await memory.session('two');
    const prompt = await second.systemPrompt('You help.');
    const block = prompt.slice(prompt.indexOf('<aimon-memory'));
    const search = second.tools().find(({ name }) => name === 'MemorySearch');
    const found = await search?.execute({ query: 'locker number' });
    await second.execution((transcript) => {
      transcript.append(
        { role: 'system', content: prompt },
        { role: 'user', content: `${block}\nThe gate code is Zulu.` },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'MemorySearch', arguments: '{"query":"locker number"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: JSON.stringify(found) },
        { role: 'assistant', name: 'helper', content: 'Your locker number is 4711 and the colour is mauve.' },
        { role: 'user', content: block },
      );
    });
    await app.get(IngestOutcomes).settled();
    const kept: string[] = [];
    for await (const { observation } of app.get(MemoryMaintenance).exportPeer(alice)) kept.push(observation.content);
    expect(kept).toHaveLength(2);
    expect(kept.filter((content) => content.includes('4711'))).toHaveLength(1);
    expect(kept.some((content) => content.endsWith('The gate code is Zulu.'))).toBe(true);
    expect(kept.join('\n')).not.toContain('mauve');
    await app.close();
  });

  it('offer tools that know the fixed peer, application-wide and in the session', async () => {
    const app = await boot(REMEMBERING);
    const tools = app.get<readonly MemoryTool[]>(MEMORY_TOOLS);
    const observe = tools.find(({ name }) => name === 'Observe');
    expect((await observe?.execute({ content: 'Alice prefers tea.' }, {}))?.isError).toBe(false);
    const session = await app.get(AgentMemory).session('one');
    const recall = await session
      .tools()
      .find(({ name }) => name === 'MemoryRecall')
      ?.execute({});
    expect(recall?.content).toContain('Alice prefers tea.');
    await app.close();
  });
});

describe('a memory per caller', () => {
  const CALLER = {
    backend: 'in-memory',
    workspaceMode: 'caller',
    peerMode: 'caller',
    deriver: 'extractive',
    ingest: 'session-end',
  } as const;

  it('keeps the callers and the tenants apart, and has tools and ingestion in a bound session', async () => {
    const app = await boot(CALLER);
    const memory = app.get(AgentMemory);
    expect(app.get(MEMORY_TOOLS)).toEqual([]);
    const [one, two] = [Workspace.of({ id: 'tenant-1' }), Workspace.of({ id: 'tenant-2' })];
    const kim = Principal.user('kim');
    const said = await memory.session('s', { principal: kim, workspace: one });
    await said.execution(
      (transcript) => void transcript.append({ role: 'user', content: 'I keep the spare key under the red pot.' }),
    );
    await said.close();
    await app.get(IngestOutcomes).settled();

    const prompt = async (principal: Principal, workspace: Workspace): Promise<string> =>
      (await memory.session('later', { principal, workspace })).systemPrompt('You help.');
    expect(await prompt(kim, one)).toContain('red pot');
    expect(await prompt(kim, two)).toBe('You help.');
    expect(await prompt(Principal.service('kim'), one)).toBe('You help.');
    expect(await prompt(Principal.user('lee'), one)).toBe('You help.');
    const tools = (await memory.session('later', { principal: kim, workspace: one })).tools();
    expect(
      (await tools.find(({ name }) => name === 'MemorySearch')?.execute({ query: 'spare key' }))?.content,
    ).toContain('red pot');
    await app.close();
  });

  it('raises memory-tools and memory-ingest, which say how a session gets its own', async () => {
    const app = await boot(CALLER);
    const { Degradations } = await import('@aimon/nestjs-memory');
    const all = app.get(Degradations).all();
    expect(all.map(({ key }) => key)).toEqual(['memory-chat', 'memory-ingest', 'memory-tools']);
    expect(all[1]?.remedy).toContain('AgentMemory.session(id, { principal })');
    expect(all[2]?.remedy).toContain('.tools()');
    await app.close();
  });
});
