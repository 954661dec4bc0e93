import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Inject,
  Module,
  Param,
  Post,
  Query,
  Sse,
  StreamableFile,
  UnauthorizedException,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import {
  defer,
  finalize,
  from,
  interval,
  lastValueFrom,
  map,
  mergeMap,
  type Observable,
  of,
  switchMap,
  take,
} from 'rxjs';

import {
  AgentMemory,
  IngestOutcomes,
  MEMORY_CALLER,
  MEMORY_CONTEXT_PROVIDER,
  MEMORY_EXECUTION_SINK,
  type ExecutionMemorySink,
  type MemoryCaller,
  type MemoryContextProvider,
  MemoryInterceptor,
  MemoryMaintenance,
  MemoryModule,
  PeerView,
  Principal,
  runAsCaller,
  Workspace,
} from '@aimon/nestjs-memory';
import { Interleaving } from '../support/interleaving.js';
import { HTTP_SERVERS, type HttpServer, listen, type ListeningApplication } from './support/memory-server.js';

interface AppRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Who calls, by headers, as an application's guard would have left it; some users stand for what goes wrong. */
async function callerOf(context: ExecutionContext): Promise<MemoryCaller | undefined> {
  const { 'x-user': user, 'x-tenant': tenant = 'one' } = context.switchToHttp().getRequest<AppRequest>().headers;
  await Promise.resolve();
  if (user === 'unknown') throw new UnauthorizedException('Who are you?');
  if (user === 'mistaken') return 'Bearer 0123' as never;
  return user === undefined ? undefined : { principal: Principal.user(user), workspace: Workspace.of({ id: tenant }) };
}

/** What a test lets the handlers do meanwhile. */
const during = {
  pause: async (): Promise<void> => undefined,
  leave: (): void => undefined,
  cleanUp: (_peer: Promise<string>): void => undefined,
};
const background: Promise<unknown>[] = [];

@Controller()
class ChatController {
  constructor(
    @Inject(AgentMemory) private readonly memory: AgentMemory,
    @Inject(MEMORY_CONTEXT_PROVIDER) private readonly context: MemoryContextProvider,
    @Inject(MEMORY_EXECUTION_SINK) private readonly sink: ExecutionMemorySink,
  ) {}

  @Post('say/:session')
  async say(@Param('session') id: string, @Query('text') text: string): Promise<object> {
    try {
      await during.pause();
      const session = await this.memory.session(id);
      await during.pause();
      await session.execution((transcript) => void transcript.append({ role: 'user', content: text }));
      await during.pause();
      const again = await this.memory.session(id);
      return { peer: await this.who(id), same: again === session, prompt: await session.systemPrompt('You help.') };
    } catch (error) {
      return { refused: (error as Error).message };
    } finally {
      during.leave();
    }
  }

  @Get('who/:session')
  async who(@Param('session') id: string): Promise<string> {
    return (await this.memory.session(id)).peer?.key() ?? 'nobody';
  }

  @Get('tools/:session')
  async tools(@Param('session') id: string): Promise<string> {
    const search = (await this.memory.session(id)).tools().find(({ name }) => name === 'MemorySearch');
    return (await search?.execute({ query: 'key' }))?.content ?? 'no tool';
  }

  @Get('observable/:session')
  observable(@Param('session') id: string): Observable<string> {
    return defer(() => from(this.who(id)));
  }

  @Sse('events/:session')
  events(@Param('session') id: string): Observable<{ data: string }> {
    return interval(0).pipe(
      take(3),
      mergeMap(() => this.who(id)),
      map((peer) => ({ data: peer })),
    );
  }

  @Sse('endless/:session')
  endless(@Param('session') id: string): Observable<{ data: string }> {
    return interval(0).pipe(
      switchMap(() => this.who(id)),
      map((data) => ({ data })),
      finalize(() => during.cleanUp(this.who(id))),
    );
  }

  @Get('file/:session')
  async file(@Param('session') id: string): Promise<StreamableFile> {
    const session = await this.memory.session(id);
    async function* parts(): AsyncGenerator<string> {
      yield session.peer?.key() ?? 'nobody';
      yield (await session.systemPrompt('')) === '' ? ' knows nothing' : ' knows something';
    }
    return new StreamableFile(Readable.from(parts()));
  }

  @Post('background/:session')
  startInBackground(@Param('session') id: string, @Query('text') text: string): string {
    background.push(
      new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
        await during.pause();
        const session = await this.memory.session(id);
        await session.execution((transcript) => void transcript.append({ role: 'user', content: text }));
      }),
    );
    return 'started';
  }

  @Post('direct/:session')
  async direct(@Param('session') id: string, @Query('text') text: string): Promise<object> {
    await this.sink.afterExecution({ sessionId: id, messages: [{ role: 'user', content: text }] });
    return { block: await this.context.provide({ sessionId: id }) };
  }

  @Get('forbidden')
  async forbidden(): Promise<never> {
    throw new ForbiddenException('Not you.');
  }
}

const memory = MemoryModule.forRoot({
  ...{ env: {}, backend: 'in-memory', workspaceMode: 'caller', peerMode: 'caller' },
  ...{ deriver: 'extractive', ingest: 'execution-end', contextTimeout: '1m' },
});

@Module({
  imports: [memory],
  controllers: [ChatController],
  providers: [
    { provide: MEMORY_CALLER, useValue: callerOf },
    { provide: APP_INTERCEPTOR, useClass: MemoryInterceptor },
  ],
})
class ChatModule {}

const peerOf = (user: string, tenant = 'one'): PeerView =>
  PeerView.of(Workspace.of({ id: tenant }), Principal.user(user));

describe.each(HTTP_SERVERS)('on %s, a request', (server: HttpServer) => {
  let listening: ListeningApplication;
  beforeAll(async () => {
    listening = await listen(server, { imports: [ChatModule] });
  });
  afterAll(() => listening.app.close());
  afterEach(async () => {
    Object.assign(during, { pause: async () => undefined, leave: () => undefined });
    await Promise.allSettled(background.splice(0));
  });

  const ask = (path: string, user?: string, tenant = 'one', method = 'GET'): Promise<Response> =>
    fetch(listening.url + path, {
      method,
      headers: user === undefined ? {} : { 'x-user': user, 'x-tenant': tenant },
    });
  const say = async (
    session: string,
    text: string,
    user?: string,
    tenant?: string,
  ): Promise<Record<string, unknown>> => {
    const response = await ask(`/say/${session}?text=${encodeURIComponent(text)}`, user, tenant, 'POST');
    return (await response.json()) as Record<string, unknown>;
  };
  const remembered = async (peer: PeerView): Promise<string[]> => {
    await listening.app.get(IngestOutcomes).settled();
    const contents: string[] = [];
    for await (const { observation } of listening.app.get(MemoryMaintenance).exportPeer(peer)) {
      contents.push(observation.content.replace(/^\[.*?\] \S+: /, ''));
    }
    return contents;
  };

  it.each(['/who/chat', '/observable/chat', '/file/chat'])(
    'to %s is its caller’s, also where it is lazy',
    async (path) => {
      const body = await (await ask(path, 'ann')).text();
      expect(body.replace(' knows nothing', '')).toBe('one:USER:ann');
    },
  );

  it('for a stream of events is its caller’s at each event', async () => {
    const body = await (await ask('/events/chat', 'ann')).text();
    expect(body.match(/data: .*/g)).toEqual(Array(3).fill('data: one:USER:ann'));
  });

  it('that goes away in the middle of a stream cleans up for its caller', async () => {
    const response = await ask('/endless/chat', 'ann');
    const cleanedUp = new Promise<string>((resolve) => (during.cleanUp = resolve));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let read = '';
    while (!read.includes('data: one:USER:ann')) read += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect(await cleanedUp).toBe('one:USER:ann');
  });

  it('without a caller has no session, and so no block, no tools and no ingestion', async () => {
    expect(await say('chat', 'Anything.')).toEqual({
      refused:
        'AgentMemory.session("chat") has no peer: no principal was given; pass { principal: Principal.user(…) }, whose memory it is, or let MemoryInterceptor, or runAsCaller, bind the caller of the request.',
    });
    expect((await ask('/tools/chat')).status).toBe(500);
    const before = listening.app.get(IngestOutcomes).counts();
    const direct = await ask('/direct/chat?text=Nobody%20said%20this.', undefined, undefined, 'POST');
    expect(await direct.json()).toEqual({});
    await listening.app.get(IngestOutcomes).settled();
    const after = listening.app.get(IngestOutcomes).counts();
    expect({ ...after, skipped: after.skipped - before.skipped }).toEqual({ ...before, skipped: 1 });
  });

  it('whose caller cannot be told fails, with the status of what was thrown, and never runs', async () => {
    const response = await ask('/who/chat', 'unknown');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ message: 'Who are you?' });
    expect((await ask('/who/chat', 'mistaken')).status).toBe(500);
  });

  it('that fails in its handler keeps its status', async () => {
    expect((await ask('/forbidden', 'ann')).status).toBe(403);
  });

  it('writes and reads for its caller alone, with one session id for two callers', async () => {
    await say('shared', 'My key is under the red pot.', 'kim');
    await say('shared', 'My key is behind the clock.', 'lee');
    expect(await remembered(peerOf('kim'))).toEqual(['My key is under the red pot.']);
    expect(await remembered(peerOf('lee'))).toEqual(['My key is behind the clock.']);
    const { prompt, same } = await say('shared', 'What is new?', 'kim');
    expect(same).toBe(true);
    expect(prompt).toContain('red pot');
    expect(prompt).not.toContain('clock');
    expect(await (await ask('/tools/shared', 'lee')).text()).toContain('clock');
    expect(await (await ask('/tools/shared', 'kim')).text()).not.toContain('clock');
  });

  it('writes and reads for its caller past the session, through the sink and the context provider', async () => {
    await ask(`/direct/d?text=${encodeURIComponent('The code is 17.')}`, 'pat', 'two', 'POST');
    expect(await remembered(peerOf('pat', 'two'))).toEqual(['The code is 17.']);
    const response = await ask(`/direct/d?text=${encodeURIComponent('Thanks.')}`, 'pat', 'two', 'POST');
    expect(await response.json()).toEqual({ block: expect.stringContaining('The code is 17.') });
  });

  it('leaves work behind that is its caller’s, while other requests are answered', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    during.pause = () => held;
    await ask(`/background/b?text=${encodeURIComponent('Max parks on level 3.')}`, 'max', 'one', 'POST');
    expect(await (await ask('/who/b', 'zoe')).text()).toBe('one:USER:zoe');
    release();
    await Promise.all(background.splice(0));
    expect(await remembered(peerOf('max'))).toEqual(['Max parks on level 3.']);
    expect(await remembered(peerOf('zoe'))).toEqual([]);
  });

  it('is its own caller’s, however it and others are interleaved', async () => {
    let number = 0;
    const one = fc.record({
      user: fc.constantFrom('ann', 'bob', undefined),
      tenant: fc.constantFrom('red', 'blue'),
      session: fc.constantFrom('chat', 'other'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { minLength: 2, maxLength: 6 }),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }),
        async (requests, choices) => {
          const turns = new Interleaving(requests.length, choices);
          Object.assign(during, { pause: () => turns.pause(), leave: () => turns.leave() });
          const said = requests.map((request) => ({ ...request, text: `Ticket ${(number += 1)} is mine.` }));
          const answers = await Promise.all(
            said.map(({ session, text, user, tenant }) => say(session, text, user, tenant)),
          );
          said.forEach(({ user, tenant }, at) => {
            if (user === undefined) expect(answers[at]?.refused).toContain('has no peer');
            else expect(answers[at]).toMatchObject({ peer: peerOf(user, tenant).key(), same: true });
          });
          for (const tenant of ['red', 'blue']) {
            for (const user of ['ann', 'bob']) {
              const own = said.filter((one) => one.user === user && one.tenant === tenant).map(({ text }) => text);
              const kept = await remembered(peerOf(user, tenant));
              expect(own.filter((text) => !kept.includes(text))).toEqual([]);
              const others = said.map(({ text }) => text).filter((text) => !own.includes(text));
              expect(others.filter((text) => kept.includes(text))).toEqual([]);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a MemoryInterceptor', () => {
  const NONE =
    'so it cannot tell who calls; provide a function in the module of the controller, or in a global one, such as { provide: MEMORY_CALLER, useValue: (context) => ({ principal: Principal.user(context.switchToHttp().getRequest().user.id) }) }.';
  const context = {} as ExecutionContext;
  const ann = { principal: Principal.user('ann') };

  it('is refused where nobody provides MEMORY_CALLER, and where that is no function', async () => {
    @Controller()
    @UseInterceptors(MemoryInterceptor)
    class Bare {
      @Get()
      get(): string {
        return 'hello';
      }
    }
    await expect(listen('Express', { controllers: [Bare] })).rejects.toThrow(
      `MemoryInterceptor has no MEMORY_CALLER where it is used, ${NONE}`,
    );
    expect(() => new MemoryInterceptor(ann as never)).toThrow(
      `The MEMORY_CALLER that MemoryInterceptor was given is an object, ${NONE}`,
    );
  });

  it('is used by one controller alone, or made by hand', async () => {
    @Controller('one')
    @UseInterceptors(MemoryInterceptor)
    class One {
      constructor(@Inject(AgentMemory) private readonly agent: AgentMemory) {}
      @Get()
      async get(): Promise<string> {
        return (await this.agent.session('s')).peer?.key() ?? '';
      }
    }
    @Controller('two')
    @UseInterceptors(new MemoryInterceptor(() => ({ ...ann, workspace: Workspace.of({ id: 'two' }) })))
    class Two extends One {}
    const { app, url } = await listen('Express', {
      imports: [memory],
      controllers: [One, Two],
      providers: [{ provide: MEMORY_CALLER, useValue: callerOf }],
    });
    const get = async (path: string): Promise<string> =>
      (await fetch(url + path, { headers: { 'x-user': 'bob' } })).text();
    expect(await get('/one')).toBe('one:USER:bob');
    expect(await get('/two')).toBe('two:USER:ann');
    await app.close();
  });

  it('binds nobody inside an outer one that binds somebody, where there is nobody', async () => {
    const outer = new MemoryInterceptor(() => ann);
    const inner = new MemoryInterceptor(() => undefined);
    const perCaller = await listen('Express', { imports: [memory] });
    const agent = perCaller.app.get(AgentMemory);
    const handler: CallHandler = { handle: () => defer(() => agent.session('s')) };
    const nested: CallHandler = { handle: () => from(inner.intercept(context, handler)).pipe(mergeMap((all) => all)) };
    await expect(lastValueFrom(await outer.intercept(context, nested))).rejects.toThrow('no principal was given');
    await perCaller.app.close();
  });

  it('does not look for a caller before it is asked, and asks the handler once for each who listens', async () => {
    let handled = 0;
    const interceptor = new MemoryInterceptor(() => ann);
    const answer = await interceptor.intercept(context, {
      handle: () => {
        handled += 1;
        return of(handled);
      },
    });
    expect(handled).toBe(0);
    expect(await lastValueFrom(answer)).toBe(1);
    expect(handled).toBe(1);
  });

  it('passes on what the handler throws before it answers anything', async () => {
    const interceptor = new MemoryInterceptor(() => ann);
    const answer = await interceptor.intercept(context, {
      handle: () => {
        throw new Error('no handler');
      },
    });
    await expect(lastValueFrom(answer)).rejects.toThrow('no handler');
  });

  it.each([
    ['what it throws', () => Promise.reject(new Error('no database')), 'no database'],
    [
      'a text',
      () => 'Bearer 0123' as never,
      "What MEMORY_CALLER answered is text; it takes { principal: Principal.user('alice') }, with a workspace where each tenant has its own, or undefined for nobody.",
    ],
    [
      'a user of the application',
      () => ({ id: 7 }) as never,
      "What MEMORY_CALLER answered has a principal that is undefined; it takes a Principal, such as Principal.user('alice'). For nobody answer undefined instead of an object.",
    ],
  ])('fails the request for %s in the place of a caller, also inside another caller’s', async (_, answers, message) => {
    let handled = 0;
    const handler: CallHandler = { handle: () => of((handled += 1)) };
    const interceptor = new MemoryInterceptor(answers);
    await expect(runAsCaller(ann, () => interceptor.intercept(context, handler))).rejects.toThrow(message);
    expect(handled).toBe(0);
  });
});
