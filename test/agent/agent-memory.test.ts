import { AgentMemory, type AgentMemoryOptions } from '../../lib/agent/agent-memory.js';
import { MemoryPeerResolver } from '../../lib/agent/context/memory-peer-resolver.js';
import { SnapshotMemoryContextProvider } from '../../lib/agent/context/snapshot-memory-context-provider.js';
import { IngestingExecutionMemorySink } from '../../lib/agent/ingest/ingesting-execution-memory-sink.js';
import type { IngestMode } from '../../lib/agent/ingest/ingest-mode.js';
import { IngestOutcomes } from '../../lib/agent/ingest/ingest-outcomes.js';
import { OutcomeRecordingIngestor } from '../../lib/agent/ingest/outcome-recording-ingestor.js';
import type { TranscriptBuffer } from '../../lib/agent/ingest/transcript-buffer.js';
import { InvalidArgumentError } from '../../lib/domain/errors.js';
import type { MemoryMessage } from '../../lib/domain/memory-message.js';
import { Principal } from '../../lib/domain/principal.js';
import { Workspace } from '../../lib/domain/workspace.js';
import type { MemoryIngestRequest } from '../../lib/spi/ingest.js';
import type { ObservationDraft } from '../../lib/spi/observe.js';
import type { PeerMemory } from '../../lib/spi/peer-memory.js';
import { deferred, settle } from './support/deferred.js';
import { ManualClock } from './support/manual-clock.js';
import { reader, recorder } from './support/memories.js';
import { alice, bob, observationOf, ops } from './support/peers.js';
import { RecordingLogger } from './support/recording-logger.js';

const user = (content: string, id = content): MemoryMessage => ({ role: 'user', content, id });

function setUp(
  init: {
    ingest?: IngestMode;
    resolver?: MemoryPeerResolver;
    ingestForks?: boolean;
    take?: (request: MemoryIngestRequest) => Promise<void> | void;
    memory?: Partial<PeerMemory>;
    change?: Partial<AgentMemoryOptions>;
  } = {},
) {
  const { ingest = 'execution-end', resolver = MemoryPeerResolver.fixed(alice), ingestForks } = init;
  const requests: MemoryIngestRequest[] = [];
  const outcomes = new IngestOutcomes();
  const ended: string[] = [];
  outcomes.onOutcome(({ messageId, outcome, reason }) =>
    ended.push(`${messageId}: ${outcome}${reason === undefined ? '' : ` (${reason})`}`),
  );
  const ingestor = new OutcomeRecordingIngestor({
    delegate: {
      ingest: async (request) => {
        requests.push(request);
        await init.take?.(request);
        return { accepted: request.messages.length, derived: false };
      },
    },
    outcomes,
    reports: false,
  });
  const memory: PeerMemory = { backendId: 'test', snapshotReader: reader(), ingestor, ...init.memory };
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const sink = new IngestingExecutionMemorySink({ ingestor, resolver, outcomes, ingestForks });
  const contextProvider = new SnapshotMemoryContextProvider({
    ...{ reader: memory.snapshotReader ?? reader(), resolver, mode: 'SUMMARY_ONLY', maxTokens: 0, clock },
  });
  const agent = new AgentMemory({
    ...{ memory, resolver, contextProvider, sink, outcomes, ingest, clock, logger },
    ...init.change,
  });
  const sent = (): unknown[] => requests.flatMap(({ messages }) => messages.map(({ content }) => content));
  return { agent, requests, sent, outcomes, ended, clock, logger, sink };
}

const say =
  (...texts: string[]) =>
  (transcript: TranscriptBuffer): void => {
    transcript.append(...texts.map((text) => user(text)));
  };

describe('a session', () => {
  it('is one object per peer and id, also when it is asked for twice at once', async () => {
    const { agent } = setUp({ resolver: MemoryPeerResolver.caller({ workspace: ops }) });
    const asAlice = { principal: alice.principal };
    const [one, two] = await Promise.all([agent.session('chat', asAlice), agent.session('chat', asAlice)]);
    expect(two).toBe(one);
    expect(await agent.session('chat', asAlice)).toBe(one);
    expect(await agent.session('chat 2', asAlice)).not.toBe(one);
    const bobs = await agent.session('chat', { principal: bob.principal });
    expect(bobs).not.toBe(one);
    expect(bobs.peer?.key()).toBe(bob.key());
    expect(agent.openSessions).toBe(3);
  });

  it('needs a principal in caller mode, and says what to pass', async () => {
    const { agent } = setUp({ resolver: MemoryPeerResolver.caller({ workspace: ops }) });
    await expect(agent.session('chat-42')).rejects.toThrow(
      'AgentMemory.session("chat-42") has no peer: no principal was given; pass { principal: Principal.user(…) }, whose memory it is, or let MemoryInterceptor, or runAsCaller, bind the caller of the request.',
    );
  });

  it('needs a workspace where that is the caller’s, and keeps tenants apart', async () => {
    const { agent } = setUp({ resolver: MemoryPeerResolver.caller() });
    const { principal } = alice;
    await expect(agent.session('chat', { principal })).rejects.toThrow('pass { workspace: Workspace.of({ id: … }) }');
    const one = await agent.session('chat', { principal, workspace: ops });
    const other = await agent.session('chat', { principal, workspace: Workspace.of({ id: 'other' }) });
    expect(other).not.toBe(one);
    expect(other.peer?.workspace.id).toBe('other');
  });

  it('is refused with another peer than the fixed one, with no id, and to a caller who gave up', async () => {
    const { agent } = setUp();
    await expect(agent.session('chat', { principal: bob.principal })).rejects.toThrow('this memory is fixed to');
    await expect(agent.session('')).rejects.toThrow('AgentMemory.session id is empty');
    await expect(agent.session('chat', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
    expect(agent.openSessions).toBe(0);
  });

  it('has no peer where the resolver says null, and is refused where it answers something else', async () => {
    const nobody = setUp({ resolver: { resolve: () => null as never } });
    await expect(nobody.agent.session('chat', { principal: bob.principal, workspace: ops })).rejects.toThrow(
      'the resolver of this application found none',
    );
    const wrong = setUp({ resolver: { resolve: async () => ({ key: () => 'alice' }) as never } });
    await expect(wrong.agent.session('chat')).rejects.toThrow(
      'The answer of the MemoryPeerResolver is a value of type object; it takes a PeerView',
    );
  });

  it('is refused with null in the place of options or work, in a sentence', async () => {
    const { agent } = setUp();
    await expect(agent.session('chat', null as never)).rejects.toThrow(
      'AgentMemory.session options is null; it takes an object of options, or nothing.',
    );
    const session = await agent.session('chat');
    const calls = [
      session.systemPrompt('x', null as never),
      session.execution(null as never),
      session.execution(() => 1, null as never),
      session.fork({} as never),
      session.close(null as never),
      agent.drain(null as never),
      agent.close(null as never),
    ];
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(InvalidArgumentError);
    expect(() => new AgentMemory(null as never)).toThrow('AgentMemory options is null');
    expect(() => MemoryPeerResolver.caller(null as never)).toThrow('MemoryPeerResolver.caller options is null');
    expect(session.closed).toBe(false);
    expect((await agent.session('chat')) === session).toBe(true);
  });

  it('does not wait for a resolver longer than its caller does', async () => {
    const { agent } = setUp({ resolver: { resolve: () => new Promise<never>(() => undefined) } });
    const caller = new AbortController();
    const session = agent.session('chat', { signal: caller.signal });
    caller.abort(new Error('left'));
    await expect(session).rejects.toThrow('left');
  });
});

describe('the system prompt of a session', () => {
  it('is the base, a blank line and the block', async () => {
    const { agent } = setUp();
    const prompt = await (await agent.session('chat')).systemPrompt('You are kind.');
    expect(prompt).toMatch(/^You are kind\.\n\n<aimon-memory>\nWhat is remembered about Alice[^]*<\/aimon-memory>$/);
  });

  it('is the base alone when nothing is remembered, or memory is down', async () => {
    const provide = [async () => undefined, async () => ' ', () => Promise.reject(new Error('down'))];
    for (const one of provide) {
      const { agent } = setUp({ change: { contextProvider: { provide: one } } });
      expect(await (await agent.session('chat')).systemPrompt('You are kind.')).toBe('You are kind.');
    }
  });

  it('is asked for with the session’s peer, and given up with the caller', async () => {
    const { agent } = setUp({
      resolver: MemoryPeerResolver.caller({ workspace: ops }),
      change: { contextProvider: { provide: async ({ peer, sessionId }) => `${peer?.key()} ${sessionId}` } },
    });
    const session = await agent.session('chat', { principal: bob.principal });
    expect(await session.systemPrompt('')).toBe('ops:USER:bob chat');
    await expect(session.systemPrompt('x', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
  });
});

describe('the tools of a session', () => {
  it('are bound to its peer and its id', async () => {
    const drafts: ObservationDraft[] = [];
    const observe = async (draft: ObservationDraft) => {
      drafts.push(draft);
      return observationOf(draft.content);
    };
    const { agent } = setUp({
      resolver: MemoryPeerResolver.caller({ workspace: ops }),
      memory: { observationRecorder: recorder({ observe }) },
    });
    const session = await agent.session('chat', { principal: bob.principal });
    const tools = session.tools();
    expect(tools.map(({ name }) => name)).toEqual(['MemoryRecall', 'Observe']);
    await tools[1]?.execute({ content: 'Bob likes coffee.' });
    expect(drafts[0]).toMatchObject({ sessionId: 'chat', content: 'Bob likes coffee.' });
    expect(drafts[0]?.subject.key()).toBe(bob.key());
  });

  it('answer with an error when the session was closed', async () => {
    const { agent } = setUp();
    const session = await agent.session('chat');
    const [recall] = session.tools();
    await session.close();
    expect(await recall?.execute({})).toEqual({
      content: 'MemoryRecall cannot be used: its session was closed.',
      isError: true,
    });
  });
});

describe('an execution', () => {
  it('answers what its work answers and sends what it added, once', async () => {
    const { agent, sent, sink } = setUp();
    const session = await agent.session('chat');
    expect(await session.execution(async (transcript) => transcript.append(user('one'), user('two')).length)).toBe(2);
    await session.execution(say('three'));
    await session.execution(() => undefined);
    await sink.flush();
    expect(sent()).toEqual(['one', 'two', 'three']);
    await session.close();
    expect(sent()).toEqual(['one', 'two', 'three']);
  });

  it('sends what was said also when it fails, and fails as the work did', async () => {
    const { agent, sent, sink } = setUp();
    const session = await agent.session('chat');
    const failure = new Error('the model is away');
    await expect(
      session.execution((transcript) => {
        transcript.append(user('one'));
        throw failure;
      }),
    ).rejects.toBe(failure);
    await sink.flush();
    expect(sent()).toEqual(['one']);
  });

  it('is neither delayed nor failed by a memory that hangs or is down, or by a sink that breaks its word', async () => {
    const hanging = setUp({ take: () => new Promise<never>(() => undefined) });
    expect(await (await hanging.agent.session('chat')).execution(() => 'done')).toBe('done');
    const down = setUp({
      take: () => {
        throw new Error('down');
      },
    });
    expect(await (await down.agent.session('chat')).execution(say('one'))).toBeUndefined();
    for (const afterExecution of [
      () => Promise.reject(new Error('broken')),
      () => {
        throw new Error('broken');
      },
    ]) {
      const { agent, ended, outcomes, logger } = setUp({ change: { sink: { afterExecution } } });
      const session = await agent.session('chat');
      await session.execution(say('one'));
      await outcomes.settled();
      expect(ended).toEqual(['one: failed (sink failed)']);
      expect(logger.lines).toHaveLength(1);
      await session.close();
    }
  });

  it('waits for the one before it in its session, and not for those of others', async () => {
    const { agent, sent, sink } = setUp();
    const session = await agent.session('chat');
    const gate = deferred();
    const order: string[] = [];
    const first = session.execution(async (transcript) => {
      order.push('first begins');
      await gate.promise;
      transcript.append(user('one'));
      order.push('first ends');
    });
    const second = session.execution((transcript) => {
      order.push('second');
      transcript.append(user('two'));
    });
    await (await agent.session('other')).execution(() => order.push('other'));
    await settle();
    expect(order).toEqual(['first begins', 'other']);
    gate.resolve();
    await Promise.all([first, second]);
    await sink.flush();
    expect(order).toEqual(['first begins', 'other', 'first ends', 'second']);
    expect(sent()).toEqual(['one', 'two']);
  });

  it('gives up waiting with its caller, and the next one still waits for the first', async () => {
    const { agent } = setUp();
    const session = await agent.session('chat');
    const gate = deferred();
    const order: string[] = [];
    const first = session.execution(async () => {
      await gate.promise;
      order.push('first');
    });
    const caller = new AbortController();
    const second = session.execution(() => order.push('second'), { signal: caller.signal });
    const third = session.execution(() => order.push('third'));
    caller.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    await settle();
    expect(order).toEqual([]);
    gate.resolve();
    await Promise.all([first, third]);
    expect(order).toEqual(['first', 'third']);
  });

  it('cannot be nested in one of its own session, which is said instead of waiting for ever', async () => {
    const { agent } = setUp();
    const session = await agent.session('chat');
    await expect(session.execution(() => session.execution(() => 1))).rejects.toThrow(
      'execution() was called inside an execution of the same session "chat".',
    );
    await expect(session.execution(() => session.fork(() => session.execution(() => 1)))).rejects.toThrow('inside');
    await expect(session.execution(() => session.close())).rejects.toThrow('close() was called inside');
    await expect(session.fork(() => session.close())).rejects.toThrow('close() was called inside');
    const other = await agent.session('other');
    expect(await session.execution(() => other.execution(() => 2))).toBe(2);
    expect(await session.fork(() => session.execution(() => 3))).toBe(3);
  });

  it('is not taken for nested when a task that an ended execution left behind begins it', async () => {
    const { agent } = setUp();
    const session = await agent.session('chat');
    const ended = deferred();
    const left: Promise<number>[] = [];
    await session.execution(() => {
      left.push(ended.promise.then(() => session.execution(() => 4)));
    });
    ended.resolve();
    expect(await left[0]).toBe(4);
  });

  it('of a rewritten history sends nothing, and the next one goes on', async () => {
    const { agent, sent, ended, sink } = setUp();
    const session = await agent.session('chat');
    await session.execution(say('one'));
    await session.execution((transcript) => {
      transcript.append(user('two'));
      const summary = user('Somebody counted.', 'summary');
      transcript.replaceWith([summary, ...transcript.messages.slice(-1)], { summaries: [summary] });
      transcript.append(user('three'));
    });
    await session.execution(say('four'));
    await sink.flush();
    expect(sent()).toEqual(['one', 'four']);
    expect(ended).toEqual([
      'one: accepted',
      'two: skipped (rewritten)',
      'summary: skipped (compaction summary)',
      'three: skipped (rewritten)',
      'four: accepted',
    ]);
  });

  it('leaves nothing of itself behind: what is appended late goes with the next one', async () => {
    const { agent, sent, sink } = setUp();
    const session = await agent.session('chat');
    const late = deferred();
    let appended: Promise<unknown> | undefined;
    await session.execution((transcript) => {
      transcript.append(user('one'));
      appended = late.promise.then(() => transcript.append(user('late')));
    });
    late.resolve();
    await appended;
    await session.execution(say('two'));
    await sink.flush();
    expect(sent()).toEqual(['one', 'late', 'two']);
  });
});

describe('a session whose conversation is taken in at its end', () => {
  it('sends the whole of it once, without the compaction’s summary', async () => {
    const { agent, sent, requests, ended } = setUp({ ingest: 'session-end' });
    const session = await agent.session('chat');
    await session.execution(say('one', 'two'));
    await session.execution((transcript) => {
      const summary = user('Somebody counted.', 'summary');
      transcript.replaceWith([summary, ...transcript.messages.slice(-1)], { summaries: ['summary'] });
      transcript.append(user('three'));
    });
    expect(sent()).toEqual([]);
    expect(ended).toEqual(['one: skipped (rewritten)']);
    await Promise.all([session.close(), session.close()]);
    await session.close();
    expect(sent()).toEqual(['two', 'three']);
    expect(requests).toHaveLength(1);
    expect(ended.sort()).toEqual([
      'one: skipped (rewritten)',
      'summary: skipped (compaction summary)',
      'three: accepted',
      'two: accepted',
    ]);
  });

  it('waits for what runs and for the hand-over before it is closed', async () => {
    const taken = deferred();
    const gate = deferred();
    const { agent, sent } = setUp({ ingest: 'session-end', take: () => taken.promise });
    const session = await agent.session('chat');
    const running = session.execution(async (transcript) => {
      await gate.promise;
      transcript.append(user('one'));
    });
    let closed = false;
    const closing = session.close().then(() => (closed = true));
    await settle();
    expect(sent()).toEqual([]);
    gate.resolve();
    await running;
    await settle();
    expect(sent()).toEqual(['one']);
    expect(closed).toBe(false);
    taken.resolve();
    await closing;
    expect(agent.openSessions).toBe(0);
  });
});

describe('ingestion that is not there', () => {
  it('is told of each message', async () => {
    const off = setUp({ ingest: 'off' });
    await (await off.agent.session('chat')).execution(say('one'));
    expect(off.ended).toEqual(['one: skipped (ingest off)']);
    const absent = setUp({ change: { sink: undefined } });
    await (await absent.agent.session('chat')).execution(say('one'));
    expect(absent.ended).toEqual(['one: skipped (no ingest tier)']);
  });
});

describe('a fork', () => {
  it('has a transcript of its own and is not taken in unless asked for', async () => {
    for (const ingest of ['execution-end', 'session-end'] as const) {
      const { agent, sent, ended, sink } = setUp({ ingest });
      const session = await agent.session('chat');
      await session.execution(async (outer) => {
        outer.append(user('one'));
        await session.fork((transcript) => {
          expect(transcript.size).toBe(0);
          transcript.append(user('aside'));
        });
        expect(outer.size).toBe(1);
      });
      await session.close();
      await sink.flush();
      expect(sent()).toEqual(['one']);
      expect(ended).toContain('aside: skipped (fork)');
    }
  });

  it('is taken in under the invoking session where forks are', async () => {
    for (const ingest of ['execution-end', 'session-end'] as const) {
      const { agent, requests, sink } = setUp({ ingest, ingestForks: true });
      const session = await agent.session('chat');
      await expect(
        session.fork((transcript) => {
          transcript.append(user('aside'));
          throw new Error('aside failed');
        }),
      ).rejects.toThrow('aside failed');
      await sink.flush();
      expect(requests.map(({ sessionId }) => sessionId)).toEqual(['chat']);
    }
  });

  it('is waited for when the session closes', async () => {
    const { agent, sent } = setUp({ ingestForks: true });
    const session = await agent.session('chat');
    const gate = deferred();
    const fork = session.fork(async (transcript) => {
      await gate.promise;
      transcript.append(user('aside'));
    });
    const closing = session.close();
    gate.resolve();
    await Promise.all([fork, closing]);
    expect(sent()).toEqual(['aside']);
  });
});

describe('a closed session', () => {
  it('refuses every call with what to do, and its id gives a new one', async () => {
    const { agent } = setUp();
    const session = await agent.session('chat');
    let held: TranscriptBuffer | undefined;
    await session.execution((transcript) => {
      held = transcript;
    });
    await session.close();
    expect(session.closed).toBe(true);
    const message = 'was called on the session "chat", which was closed, by close() or after its idle time';
    await expect(session.execution(() => 1)).rejects.toThrow(`MemorySession.execution ${message}`);
    await expect(session.fork(() => 1)).rejects.toThrow(`MemorySession.fork ${message}`);
    await expect(session.systemPrompt('x')).rejects.toThrow(`MemorySession.systemPrompt ${message}`);
    expect(() => session.tools()).toThrow(`MemorySession.tools ${message}`);
    expect(() => held?.append(user('late'))).toThrow('nothing was kept');
    expect(await agent.session('chat')).not.toBe(session);
  });

  it('is closed after its idle time, which each use begins anew and an execution suspends', async () => {
    const { agent, sent, clock } = setUp({ ingest: 'session-end', change: { idleTimeoutMs: 1000 } });
    const session = await agent.session('chat');
    clock.advance(999);
    await session.systemPrompt('x');
    clock.advance(999);
    session.tools();
    clock.advance(999);
    await agent.session('chat');
    clock.advance(999);
    const gate = deferred();
    const running = session.execution(async (transcript) => {
      await gate.promise;
      transcript.append(user('one'));
    });
    await settle();
    clock.advance(100_000);
    expect(session.closed).toBe(false);
    gate.resolve();
    await running;
    clock.advance(999);
    expect(session.closed).toBe(false);
    clock.advance(1);
    expect(session.closed).toBe(true);
    await settle();
    expect(sent()).toEqual(['one']);
    expect(clock.waiting).toBe(0);
    expect(agent.openSessions).toBe(0);
  });

  it('is closed after half an hour where nothing else is said, and never where that is said', async () => {
    const { agent, clock } = setUp();
    const session = await agent.session('chat');
    clock.advance(30 * 60_000 - 1);
    expect(session.closed).toBe(false);
    clock.advance(1);
    expect(session.closed).toBe(true);
    const patient = setUp({ change: { idleTimeoutMs: Infinity } });
    await patient.agent.session('chat');
    expect(patient.clock.waiting).toBe(0);
  });
});

describe('closing the memory', () => {
  it('waits for what runs, hands over every conversation, and takes nothing new', async () => {
    const { agent, sent, outcomes } = setUp({ ingest: 'session-end' });
    const gate = deferred();
    const one = await agent.session('one');
    await (await agent.session('two')).execution(say('two'));
    const running = one.execution(async (transcript) => {
      await gate.promise;
      transcript.append(user('one'));
    });
    const closing = agent.close();
    await expect(agent.session('three')).rejects.toThrow('AgentMemory.session was called after the memory was closed.');
    gate.resolve();
    await running;
    await closing;
    await agent.close();
    expect(sent().sort()).toEqual(['one', 'two']);
    await outcomes.settled();
    expect(agent.openSessions).toBe(0);
  });

  it('waits for sessions that were closing already', async () => {
    const taken = deferred();
    const { agent, outcomes } = setUp({ ingest: 'session-end', take: () => taken.promise });
    const session = await agent.session('chat');
    await session.execution(say('one'));
    void session.close();
    let closed = false;
    const closing = agent.close().then(() => (closed = true));
    await settle();
    expect(closed).toBe(false);
    taken.resolve();
    await closing;
    expect(outcomes.counts().accepted).toBe(1);
  });

  it('at its deadline hands over what was said until then, also of an execution that still runs', async () => {
    for (const ingest of ['execution-end', 'session-end'] as const) {
      const { agent, sent, outcomes } = setUp({ ingest });
      const session = await agent.session('chat');
      let late: TranscriptBuffer | undefined;
      const gate = deferred();
      const running = session.execution(async (transcript) => {
        late = transcript;
        transcript.append(user('one'));
        await gate.promise;
        return 'done';
      });
      const waiting = session.execution(say('never'));
      await settle();
      const deadline = new AbortController();
      const closing = agent.close({ signal: deadline.signal });
      deadline.abort(new Error('time is up'));
      await expect(closing).rejects.toThrow('time is up');
      await outcomes.settled();
      expect(sent()).toEqual(['one']);
      expect(() => late?.append(user('late'))).toThrow('nothing was kept');
      gate.resolve();
      expect(await running).toBe('done');
      await expect(waiting).rejects.toThrow('which was closed');
      await agent.close();
      expect(sent()).toEqual(['one']);
      expect(agent.openSessions).toBe(0);
    }
  });

  it('does not wait for the execution from which it is ordered', async () => {
    const { agent, sent, sink } = setUp({ ingest: 'session-end' });
    const session = await agent.session('chat');
    await session.execution(async (transcript) => {
      transcript.append(user('one'));
      await agent.close();
      transcript.append(user('two'));
    });
    await settle();
    await sink.flush();
    expect(sent()).toEqual(['one', 'two']);
  });

  it('can be prepared: no new work, and what runs is waited for, while sessions stay open', async () => {
    const { agent, sent, sink } = setUp();
    const session = await agent.session('chat');
    const gate = deferred();
    const running = session.execution(async (transcript) => {
      await gate.promise;
      transcript.append(user('one'));
    });
    let drained = false;
    const draining = agent.drain().then(() => (drained = true));
    await expect(session.execution(() => 1)).rejects.toThrow('was called while the memory shuts down');
    await expect(agent.session('other')).rejects.toThrow(
      'AgentMemory.session was asked for a new session while the memory shuts down; it takes no new work.',
    );
    // Whoever works in a session may take it by its id again.
    expect(await agent.session('chat')).toBe(session);
    await settle();
    expect(drained).toBe(false);
    gate.resolve();
    await Promise.all([running, draining]);
    expect(session.closed).toBe(false);
    await expect(agent.drain({ signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late');
    await agent.close();
    await sink.close();
    expect(sent()).toEqual(['one']);
  });
});

describe('a shutdown while an execution hangs', () => {
  it('hands over the conversations of the others at once, and waits for the one that runs', async () => {
    const { agent, sent, clock } = setUp({ ingest: 'session-end' });
    const gate = deferred();
    const hung = await agent.session('hung');
    const running = hung.execution(async (transcript) => {
      transcript.append(user('hung'));
      await gate.promise;
    });
    const idle = await agent.session('idle');
    await idle.execution(say('idle'));
    const busy = await agent.session('busy');
    const busyGate = deferred();
    const ending = busy.execution(async (transcript) => {
      await busyGate.promise;
      transcript.append(user('busy'));
    });
    let drained = false;
    const draining = agent.drain().then(() => (drained = true));
    await settle();
    expect(sent()).toEqual(['idle']);
    expect(idle.closed).toBe(true);
    busyGate.resolve();
    await ending;
    await settle();
    expect(sent()).toEqual(['idle', 'busy']);
    expect([drained, hung.closed]).toEqual([false, false]);
    gate.resolve();
    await Promise.all([running, draining]);
    await agent.close();
    expect(sent()).toEqual(['idle', 'busy', 'hung']);
    expect(clock.waiting).toBe(0);
  });

  it('hands over at the deadline also what its forks have said', async () => {
    const { agent, sent, ended, outcomes } = setUp({ ingestForks: true });
    const session = await agent.session('chat');
    const gate = deferred();
    const fork = session.fork(async (transcript) => {
      transcript.append(user('aside'));
      await gate.promise;
    });
    await settle();
    await expect(agent.close({ signal: AbortSignal.abort(new Error('time is up')) })).rejects.toThrow('time is up');
    await outcomes.settled();
    expect(sent()).toEqual(['aside']);
    gate.resolve();
    await fork;
    expect(ended).toEqual(['aside: accepted']);
  });
});

describe('an erasure', () => {
  it('reaches what was said in the session and in forks that still run, and nothing that is said after it', async () => {
    for (const ingest of ['execution-end', 'session-end'] as const) {
      const { agent, sent, ended, sink } = setUp({ ingest, ingestForks: true });
      const session = await agent.session('chat');
      const gate = deferred();
      const running = session.execution(async (transcript) => {
        transcript.append(user('before'));
        await session.fork(async (aside) => {
          aside.append(user('aside before'));
          await gate.promise;
          aside.append(user('aside after'));
        });
        transcript.append(user('after'));
      });
      await settle();
      await agent.discard((peer) => peer.equals(alice));
      expect(ended.sort()).toEqual(['aside before: skipped (erased)', 'before: skipped (erased)']);
      gate.resolve();
      await running;
      await session.close();
      await sink.flush();
      expect(sent().sort()).toEqual(['after', 'aside after']);
    }
  });

  it('leaves the sessions of others alone', async () => {
    const { agent, sent } = setUp({ ingest: 'session-end' });
    const session = await agent.session('chat');
    await session.execution(say('one'));
    await agent.discard((peer) => peer.equals(bob));
    await session.close();
    expect(sent()).toEqual(['one']);
  });
});

describe('an agent without a memory', () => {
  it('works and does nothing', async () => {
    const outcomes = new IngestOutcomes();
    const agent = new AgentMemory({ memory: undefined, ingest: 'off', outcomes });
    const session = await agent.session('chat', { principal: Principal.user('alice') });
    expect(await agent.session('chat', { principal: Principal.user('alice') })).toBe(session);
    expect(await agent.session('chat')).not.toBe(session);
    expect(session.peer).toBeUndefined();
    expect(await session.systemPrompt('You are kind.')).toBe('You are kind.');
    expect(session.tools()).toEqual([]);
    expect(await session.execution((transcript) => transcript.append(user('one')).length)).toBe(1);
    await session.fork(say('aside'));
    await session.close();
    await agent.close();
    expect(outcomes.counts()).toEqual({ stored: 0, nothingFound: 0, accepted: 0, failed: 0, skipped: 0 });
  });
});

describe('the options of an agent memory', () => {
  it('are refused by name', () => {
    const memory = { backendId: 'test' };
    expect(() => new AgentMemory({ memory, ingest: 'off' })).toThrow('AgentMemory.resolver is missing');
    const resolver = MemoryPeerResolver.fixed(alice);
    expect(() => new AgentMemory({ memory, resolver, ingest: 'on' as never })).toThrow('AgentMemory.ingest is "on"');
    expect(() => new AgentMemory({ memory, resolver, ingest: 'off', idleTimeoutMs: 0 })).toThrow(
      'AgentMemory.idleTimeoutMs is 0; it takes a number of milliseconds above 0.',
    );
  });

  it('name no method as Nest names its hooks, which would call it', async () => {
    const { agent } = setUp();
    const hooks = ['onModuleInit', 'onModuleDestroy', 'onApplicationBootstrap', 'beforeApplicationShutdown'];
    for (const one of [agent, await agent.session('chat')]) {
      for (const hook of [...hooks, 'onApplicationShutdown', 'then']) expect(hook in one).toBe(false);
    }
  });
});
