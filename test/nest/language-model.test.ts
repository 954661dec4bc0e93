import { Test, type TestingModule } from '@nestjs/testing';

import {
  AgentMemory,
  Degradations,
  IngestOutcomes,
  MEMORY_TOOLS,
  MemoryHealth,
  PEER_MEMORY,
  type PeerMemory,
  PeerView,
  Principal,
  SILENT_LOGGER,
  Workspace,
} from '@aimon/nestjs-memory';
import { MemoryTesting, MemoryTestingModule, type MemoryTestingOptions, TestClock } from '@aimon/nestjs-memory/testing';

import { Gate } from '../support/scripted-llm-server/gate.js';
import { ScriptedLlmServer } from '../support/scripted-llm-server/scripted-llm-server.js';
import { memoryModel, observations, questionOf, recordsIn } from '../support/scripted-memory-model.js';
import { boot } from '../support/boot.js';

const MINA = PeerView.of(Workspace.of({ id: 'test' }), Principal.user('tester', 'Mina'));

let app: TestingModule | undefined;
let server: ScriptedLlmServer | undefined;
afterEach(async () => {
  await app?.close();
  await server?.close();
  [app, server] = [undefined, undefined];
});

async function start(model: ReturnType<typeof memoryModel>, options: MemoryTestingOptions = {}) {
  const played = await ScriptedLlmServer.start(model);
  server = played;
  const llm = { model: 'small-1', baseUrl: played.baseUrl, maxRetries: 0 };
  app = await Test.createTestingModule({
    imports: [MemoryTestingModule.forRoot({ peerName: 'Mina', deriver: 'llm', llm, ...options })],
  })
    .setLogger(SILENT_LOGGER)
    .compile();
  await app.init();
  const memory: PeerMemory = app.get(PEER_MEMORY);
  const agent = app.get(AgentMemory);
  const say = async (sessionId: string, content: string): Promise<void> => {
    const session = await agent.session(sessionId);
    await session.execution((transcript) => void transcript.append({ role: 'user', content }));
  };
  return { app, server: played, memory, agent, say, testing: app.get(MemoryTesting), clock: app.get(TestClock) };
}

const search = async (memory: PeerMemory, query: string) =>
  (await memory.searcher?.search({ subject: MINA, query, topK: 10 }))?.map(({ observation }) => observation) ?? [];

describe('a memory with a language model', () => {
  it('makes facts of two sessions, strengthens one that is told again, and starts the next prompt with what is known', async () => {
    const { server, memory, agent, say, testing, clock } = await start(
      memoryModel({
        derivation: (request) => {
          const statements = recordsIn(request, 'messages').filter(({ statement }) => statement === true);
          const known = recordsIn(request, 'known').find(({ fact }) => String(fact).includes('Busan'));
          return observations(
            ...statements.flatMap(({ id, text }) =>
              String(text).includes('Busan') || String(text).includes('부산')
                ? [
                    known === undefined
                      ? { content: 'Mina lives in Busan.', type: 'EXPLICIT', sources: [id], repeats: null }
                      : { content: '', type: 'EXPLICIT', sources: [id], repeats: known['id'] },
                  ]
                : [{ content: 'Mina is likely a swimmer.', type: 'DEDUCTIVE', sources: [id], repeats: null }],
            ),
          );
        },
        representation: () => ({ content: 'Mina lives in Busan; ask mina@example.com.' }),
      }),
    );
    await say('monday', 'I moved to Busan last year.');
    await testing.settled();
    await clock.advance('1d');
    await say('tuesday', 'I go to the pool each morning.');
    await say('tuesday', '부산 생활이 아직도 좋아요.');
    await testing.settled();
    const [busan] = await search(memory, 'Busan');
    expect(busan).toMatchObject({
      content: 'Mina lives in Busan.',
      type: 'EXPLICIT',
      confidence: 0.95,
      corroborations: 1,
    });
    expect(busan?.sourceMessageIds).toHaveLength(2);
    const [swimmer] = await search(memory, 'swimmer');
    expect(swimmer).toMatchObject({
      type: 'DEDUCTIVE',
      confidence: 0.6,
      corroborations: 0,
      metadata: { deriver: 'llm' },
    });
    const ofSession = await memory.snapshotReader?.read({
      subject: MINA,
      sessionId: 'tuesday',
      scope: 'LOCAL',
      mode: 'SUMMARY_ONLY',
      maxTokens: 0,
    });
    expect(ofSession).toMatchObject({ resolvedScope: 'LOCAL' });
    expect(ofSession?.renderedText).toContain('Mina lives in Busan; ask [REDACTED:EMAIL].');
    const prompt = await (await agent.session('tuesday')).systemPrompt('You help.');
    expect(prompt).toContain('Mina lives in Busan; ask [REDACTED:EMAIL].');
    expect(await (await agent.session('wednesday')).systemPrompt('You help.')).toContain('Mina is likely a swimmer.');
    expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/v1/chat/completions']));
  });

  it('answers from what it knows, names the observations it used, and streams before the last token is produced', async () => {
    const gate = new Gate();
    const { memory, say, testing } = await start(
      memoryModel({
        answer: (request) => {
          const [first] = recordsIn(request, 'observations');
          return { pieces: ['Deploy day ', 'is ', gate, `Friday [${String(first?.['id'])}].`] };
        },
      }),
    );
    await say('s', 'Our deploy day is Friday.');
    await testing.settled();
    const heard: string[] = [];
    let tellFirst: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (tellFirst = resolve));
    const answering = memory.dialecticEngine?.queryStream(
      { subject: MINA, question: 'Which day is deploy day?' },
      (text) => {
        heard.push(text);
        tellFirst();
      },
    );
    // The last word stands behind the gate, which is shut until the first has been heard.
    await first;
    expect(heard.join('')).toMatch(/^Deploy/);
    gate.open();
    const answer = await answering;
    const [known] = await search(memory, 'deploy');
    expect(answer).toMatchObject({ answer: 'Deploy day is Friday.', observationsConsidered: [known?.id] });
    expect(heard.join('')).toBe('Deploy day is Friday.');
    expect(answer?.tokenUsage).toEqual({ inputTokens: 11, outputTokens: 7 });
  });

  it.each([
    ['Who is my dentist?', /^I do not know/],
    ['제 치과 의사는 누구예요?', /모르|알지 못|없습니다/],
  ])('says that it does not know, whatever the model makes up: %s', async (question, said) => {
    const { memory } = await start(memoryModel({ answer: () => ({ content: 'Your dentist is Dr. Kim.' }) }));
    const answer = await memory.dialecticEngine?.query({ subject: MINA, question });
    expect(answer?.answer).toMatch(said);
    expect(answer?.observationsConsidered).toEqual([]);
  });

  it('has CHAT and its tool, and no degradation for it', async () => {
    const { app } = await start(memoryModel());
    const tools: readonly { readonly name: string }[] = app.get(MEMORY_TOOLS);
    expect(tools.map(({ name }) => name)).toContain('MemoryChat');
    expect(app.get(Degradations).all()).toEqual([]);
  });

  it('derives in steps with the tools of `react`', async () => {
    const { memory, say, testing, server } = await start(
      memoryModel({
        derivation: (request) =>
          request.body.messages.some(({ role }) => role === 'tool')
            ? { content: 'DONE' }
            : {
                toolCalls: [
                  {
                    name: 'deriver_observation_create',
                    arguments: '{"content":"Mina has a dog named Bori.","type":"EXPLICIT","sources":["m1"]}',
                  },
                ],
              },
      }),
      { deriver: 'react' },
    );
    await say('s', 'My dog Bori is ill.');
    await testing.settled();
    expect(await search(memory, 'dog')).toMatchObject([
      { content: 'Mina has a dog named Bori.', metadata: { deriver: 'react' } },
    ]);
    expect(server.requests.map(questionOf)).toEqual(['derivation', 'derivation', 'representation']);
  });

  it('waits for what is derived where it is asked to', async () => {
    const { memory } = await start(memoryModel());
    const receipt = await memory.ingestor?.ingest({
      subject: MINA,
      observer: MINA,
      sessionId: 's',
      messages: [{ role: 'user', content: 'The lamp is green.' }],
      waitForDerivation: true,
    });
    expect(receipt).toEqual({ accepted: 1, derived: true });
    expect(await search(memory, 'lamp')).toHaveLength(1);
  });
});

describe('a memory whose model is away for an hour', () => {
  it.each(['llm', 'react'] as const)(
    'loses nothing, keeps order, and is up again (%s)',
    async (deriver) => {
      let there = true;
      const read: string[] = [];
      const { app, memory, say, testing, clock } = await start(
        memoryModel({
          derivation: (request) => {
            if (!there) return 'hang up';
            const statements = recordsIn(request, 'messages').filter(({ statement }) => statement === true);
            read.push(...statements.map(({ text }) => String(text)));
            // In words, as a model answers that cannot call tools.
            return observations(
              ...statements.flatMap(({ id, text }) =>
                /odd/.test(String(text))
                  ? []
                  : [{ content: String(text), type: 'EXPLICIT', sources: [id], repeats: null }],
              ),
            );
          },
        }),
        { deriver },
      );
      const health = app.get(MemoryHealth);
      const said: string[] = [];
      const sayNext = async (): Promise<void> => {
        const n = said.length + 1;
        said.push(`Fact number ${n} is ${n % 2 === 0 ? 'even' : 'odd'}.`);
        await say('s', said.at(-1) as string);
      };
      await sayNext();
      await testing.settled();
      expect((await health.check()).status).toBe('up');
      there = false;
      for (let minute = 0; minute < 60; minute++) {
        await sayNext();
        await clock.advance('1m');
      }
      expect(await health.check()).toMatchObject({
        status: 'degraded',
        detail: { degradations: [{ key: 'memory-derivation-paused' }], queue: { deadLettered: 0 } },
      });
      there = true;
      await clock.advance('2m');
      await testing.settled();
      expect(app.get(IngestOutcomes).counts()).toMatchObject({ stored: 30, nothingFound: 31, failed: 0 });
      expect(read).toEqual(said);
      expect((await memory.searcher?.search({ subject: MINA, query: 'fact number even', topK: 200 }))?.length).toBe(30);
      expect((await health.check()).status).toBe('up');
    },
    240_000,
  );
});

describe('settings of a model', () => {
  it('make the application start without a server, since a model may come later', async () => {
    const app = await boot({
      backend: 'in-memory',
      workspaceId: 'test',
      peerId: 'tester',
      deriver: 'llm',
      ingest: 'execution-end',
      llm: { model: 'small-1', baseUrl: 'http://127.0.0.1:9/v1' },
    });
    expect((await app.get(MemoryHealth).check()).status).toBe('up');
    await app.close();
  });
});
