import { getEventListeners, getMaxListeners } from 'node:events';

import { abortable } from '../../../lib/domain/abortable.js';
import {
  IngestingExecutionMemorySink,
  type IngestingExecutionMemorySinkOptions,
} from '../../../lib/agent/ingest/ingesting-execution-memory-sink.js';
import { IngestOutcomes } from '../../../lib/agent/ingest/ingest-outcomes.js';
import { OutcomeRecordingIngestor } from '../../../lib/agent/ingest/outcome-recording-ingestor.js';
import { MemoryPeerResolver } from '../../../lib/agent/context/memory-peer-resolver.js';
import { ToolResult } from '../../../lib/agent/tools/tool-result.js';
import { StoreError } from '../../../lib/domain/errors.js';
import { formatMemoryBlock } from '../../../lib/domain/memory-block.js';
import type { MemoryMessage } from '../../../lib/domain/memory-message.js';
import type { PeerView } from '../../../lib/domain/peer-view.js';
import type { MemoryIngestRequest } from '../../../lib/spi/ingest.js';
import { GuardedPeerMemory } from '../../../lib/spi/guarded-peer-memory.js';
import { deferred, settle } from '../support/deferred.js';
import { ingestor } from '../support/memories.js';
import { alice, bob, ops } from '../support/peers.js';
import { RecordingLogger } from '../support/recording-logger.js';

const block = formatMemoryBlock({ attributes: {}, body: 'Alice likes tea.' });
const user = (content: string, id = content): MemoryMessage => ({ role: 'user', content, id });

function setUp(
  change: Partial<IngestingExecutionMemorySinkOptions> = {},
  take: (request: MemoryIngestRequest) => Promise<void> | void = () => undefined,
) {
  const requests: MemoryIngestRequest[] = [];
  const logger = new RecordingLogger();
  const outcomes = new IngestOutcomes();
  const ended: string[] = [];
  outcomes.onOutcome(({ messageId, outcome, reason }) =>
    ended.push(`${messageId}: ${outcome}${reason === undefined ? '' : ` (${reason})`}`),
  );
  const delegate = {
    ingest: async (request: MemoryIngestRequest) => {
      requests.push(request);
      await take(request);
      return { accepted: request.messages.length, derived: false };
    },
  };
  const sink = new IngestingExecutionMemorySink({
    ingestor: new OutcomeRecordingIngestor({ delegate, outcomes, reports: false }),
    resolver: MemoryPeerResolver.fixed(alice),
    outcomes,
    logger,
    ...change,
  });
  const sent = (): unknown[] => requests.flatMap(({ messages }) => messages.map(({ content }) => content));
  return { sink, requests, sent, outcomes, ended, logger };
}

describe('the execution sink', () => {
  it('hands what was said to the ingestor, as the peer and about the peer, and the caller does not wait', async () => {
    const taken = deferred();
    const { sink, requests, ended } = setUp({}, () => taken.promise);
    let handed = false;
    void sink.afterExecution({ sessionId: 's', messages: [user('one'), user('two')] }).then(() => (handed = true));
    await settle();
    expect(handed).toBe(false);
    expect(requests[0]).toMatchObject({ subject: alice, observer: alice, sessionId: 's', waitForDerivation: false });
    expect(ended).toEqual([]);
    taken.resolve();
    await sink.flush();
    expect(handed).toBe(true);
    expect(ended).toEqual(['one: accepted', 'two: accepted']);
  });

  it('keeps the order within a session, however long each takes, and lets sessions pass each other', async () => {
    const gates = [deferred(), deferred(), deferred()];
    let taking = 0;
    const { sink, sent } = setUp({}, () => gates[taking++]?.promise);
    void sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    void sink.afterExecution({ sessionId: 's', messages: [user('two')] });
    void sink.afterExecution({ sessionId: 'other', messages: [user('elsewhere')] });
    await settle();
    expect(sent()).toEqual(['one', 'elsewhere']);
    gates[0]?.resolve();
    await settle();
    expect(sent()).toEqual(['one', 'elsewhere', 'two']);
    gates.forEach(({ resolve }) => resolve());
    await sink.flush();
    expect(sink.pending).toBe(0);
  });

  it('keeps the order also when the first one’s peer is found last', async () => {
    const peers = [deferred<PeerView>(), deferred<PeerView>()];
    let asked = 0;
    const resolver = { resolve: () => peers[asked++]?.promise as Promise<PeerView> };
    const { sink, sent } = setUp({ resolver });
    void sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    void sink.afterExecution({ sessionId: 's', messages: [user('two')] });
    expect(asked).toBe(2);
    peers[1]?.resolve(alice);
    await settle();
    expect(sent()).toEqual([]);
    peers[0]?.resolve(alice);
    await sink.flush();
    expect(sent()).toEqual(['one', 'two']);
  });

  it('asks the read side’s resolver whose it is, unless that was asked already', async () => {
    const { sink, requests } = setUp({ resolver: MemoryPeerResolver.caller({ workspace: ops }) });
    await sink.afterExecution({ sessionId: 's', principal: bob.principal, messages: [user('one')] });
    await sink.afterExecution({ sessionId: 's', peer: alice, messages: [user('two')] });
    expect(requests.map(({ observer }) => observer.key())).toEqual([bob.key(), alice.key()]);
  });

  it('leaves out what nobody can be found for', async () => {
    const { sink, requests, ended } = setUp({ resolver: MemoryPeerResolver.caller({ workspace: ops }) });
    await sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    expect(requests).toEqual([]);
    expect(ended).toEqual(['one: skipped (no peer)']);
  });

  it('leaves out forks unless they are asked for, and then takes them under the invoking session', async () => {
    const without = setUp();
    await without.sink.afterExecution({ invokingSessionId: 's', messages: [user('one')] });
    expect(without.ended).toEqual(['one: skipped (fork)']);
    const including = setUp({ ingestForks: true });
    await including.sink.afterExecution({ invokingSessionId: 's', messages: [user('one')] });
    await including.sink.afterExecution({ messages: [user('two')] });
    expect(including.requests.map(({ sessionId }) => sessionId)).toEqual(['s']);
    expect(including.ended).toEqual(['one: accepted', 'two: skipped (fork)']);
  });
});

describe('what memory itself put into a conversation', () => {
  it('is taken out of every role, and a message that is nothing else is left out', async () => {
    const { sink, sent, ended } = setUp();
    await sink.afterExecution({
      sessionId: 's',
      messages: [
        { role: 'system', content: `You are kind.\n\n${block}`, id: 'system' },
        {
          role: 'user',
          content: [
            { type: 'text', text: block },
            { type: 'text', text: 'Hi.' },
          ],
          id: 'parts',
        },
        { role: 'assistant', content: `As I know: ${block} so tea.`, id: 'assistant' },
        { role: 'user', content: ` ${block}\n`, id: 'alone' },
        { role: 'developer', content: [{ type: 'text', text: block }], id: 'part alone' },
        { role: 'user', content: '', id: 'empty before' },
        { role: 'tool', content: `{"prompt":"${block}"}`, tool_call_id: 'c9', id: 'foreign tool' },
      ],
    });
    expect(sent()).toEqual([
      'You are kind.\n\n',
      [
        { type: 'text', text: '' },
        { type: 'text', text: 'Hi.' },
      ],
      'As I know:  so tea.',
      '',
      '{"prompt":""}',
    ]);
    expect(ended.filter((line) => line.includes('skipped'))).toEqual([
      'alone: skipped (injected memory)',
      'part alone: skipped (injected memory)',
    ]);
  });

  it('is left out where it is the call or the result of our own tools, and the rest of the message stays', async () => {
    const call = (id: string, name: string) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: '{"query":"tea"}' },
    });
    const { sink, requests, ended } = setUp();
    await sink.afterExecution({
      sessionId: 's',
      messages: [
        { role: 'assistant', content: null, tool_calls: [call('c1', 'MemorySearch')], id: 'call' },
        { role: 'tool', content: ToolResult.ok('tea').content, tool_call_id: 'c1', id: 'result' },
        { role: 'assistant', content: null, tool_calls: [call('c2', 'Observe'), call('c3', 'Weather')], id: 'both' },
        { role: 'tool', content: 'Recorded.', tool_call_id: 'c2', id: 'recorded' },
        { role: 'tool', content: 'Rain.', tool_call_id: 'c3', id: 'weather' },
        { role: 'assistant', content: 'Let me see.', tool_calls: [call('c4', 'MemoryRecall')], id: 'text' },
        { role: 'assistant', content: null, function_call: { name: 'MemoryChat', arguments: '{}' }, id: 'old call' },
        { role: 'function', content: 'Tea.', name: 'MemoryChat', id: 'old result' },
      ],
    });
    expect(ended.filter((line) => line.includes('skipped'))).toEqual(
      ['call', 'result', 'recorded', 'old call', 'old result'].map((id) => `${id}: skipped (memory tool)`),
    );
    const kept = requests[0]?.messages ?? [];
    expect(kept.map(({ id }) => id)).toEqual(['both', 'weather', 'text']);
    expect(kept[0]?.tool_calls?.map(({ id }) => id)).toEqual(['c3']);
    expect(kept[2]).not.toHaveProperty('tool_calls');
  });
});

describe('a memory block that stands in several parts of a message', () => {
  it('is taken out of all of them, and what stands around it stays in its part', async () => {
    const { sink, requests, ended } = setUp();
    const middle = block.indexOf('likes');
    const text = (words: string) => ({ type: 'text' as const, text: words });
    const image = { type: 'image_url' as const, image_url: { url: 'https://example.org/tea.png' } };
    await sink.afterExecution({
      sessionId: 's',
      messages: [
        {
          role: 'user',
          content: [text(`Hi. ${block.slice(0, middle)}`), image, text(`${block.slice(middle)} Bye.`)],
          id: 'two',
        },
        { role: 'user', content: [text(block.slice(0, 5)), text(block.slice(5))], id: 'nothing else' },
      ],
    });
    expect(requests[0]?.messages.map(({ content }) => content)).toEqual([[text('Hi. '), image, text(' Bye.')]]);
    expect(ended).toEqual(['nothing else: skipped (injected memory)', 'two: accepted']);
  });
});

describe('a sink whose memory fails', () => {
  it('never fails the execution; each message is counted, each kind logged once', async () => {
    const { sink, ended, logger } = setUp({}, () => {
      throw new StoreError('The folder is gone.');
    });
    await sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    await sink.afterExecution({ sessionId: 's', messages: [user('two'), user('three')] });
    expect(ended).toEqual(['one', 'two', 'three'].map((id) => `${id}: failed (store failed)`));
    expect(sink.failed).toBe(3);
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines[0]).toContain('STORE_FAILED: The folder is gone.');
  });

  it('goes on with the session after a failure', async () => {
    let attempts = 0;
    const { sink, sent } = setUp({}, () => {
      attempts += 1;
      if (attempts === 1) throw new Error('down');
    });
    await sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    await sink.afterExecution({ sessionId: 's', messages: [user('two')] });
    expect(sent()).toEqual(['one', 'two']);
  });

  it('counts what it cannot find a peer for, or what is no message, as failed', async () => {
    const refusing = setUp({ resolver: MemoryPeerResolver.fixed(bob) });
    await refusing.sink.afterExecution({ sessionId: 's', principal: alice.principal, messages: [user('one')] });
    expect(refusing.ended).toEqual(['one: failed (peer not resolved)']);
    const { sink, ended } = setUp();
    await sink.afterExecution({ sessionId: 's', messages: [user('one'), { role: 'robot', id: 'two' } as never] });
    await sink.afterExecution({ sessionId: '', messages: [user('three')] });
    await sink.afterExecution({ sessionId: 5 as never, messages: [user('four')] });
    await sink.afterExecution({ sessionId: 's', messages: undefined as never });
    expect(ended).toEqual([
      'two: failed (invalid message)',
      'one: accepted',
      'three: failed (invalid session id)',
      'four: failed (invalid session id)',
    ]);
  });

  it('takes null for nobody, and counts as failed what its resolver or its caller takes for a peer and is none', async () => {
    const nobody = setUp({ resolver: { resolve: () => null as never } });
    await nobody.sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    expect(nobody.ended).toEqual(['one: skipped (no peer)']);
    const wrong = setUp({ resolver: { resolve: () => ({ key: () => 'x' }) as never } });
    await wrong.sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    await wrong.sink.afterExecution({ sessionId: 's', peer: {} as never, messages: [user('two')] });
    await wrong.sink.afterExecution({
      sessionId: 's',
      principal: { id: Symbol('x') } as never,
      messages: [user('three')],
    });
    expect(wrong.ended).toEqual(['one', 'two', 'three'].map((id) => `${id}: failed (peer not resolved)`));
    expect(wrong.logger.lines[0]).toContain('The answer of the MemoryPeerResolver is a value of type object');
  });

  it('throws and rejects at nothing that it is given', async () => {
    const { sink, outcomes } = setUp();
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap');
        },
      },
    );
    const updates = [null, undefined, 5, 'text', [], {}, trap, { messages: trap }, { messages: [trap, null] }];
    for (const update of [...updates, { messages: [user('one')], peer: {} }]) {
      await expect(sink.afterExecution(update as never)).resolves.toBeUndefined();
    }
    await outcomes.settled();
    expect(outcomes.counts()).toMatchObject({ failed: 2, skipped: 1 });
  });

  it('records what is refused before it comes to the one that records, each message once', async () => {
    const taken: MemoryIngestRequest[] = [];
    const outcomes = new IngestOutcomes();
    const recording = new OutcomeRecordingIngestor({
      delegate: {
        ingest: async (request) => {
          taken.push(request);
          if (taken.length === 2) throw new StoreError('The folder is gone.');
          return { accepted: request.messages.length, derived: false };
        },
      },
      outcomes,
      reports: true,
    });
    const backend = { backendId: 'test', ingestor: recording, close: async () => undefined };
    const guarded = new GuardedPeerMemory(backend);
    const { sink, ended } = setUp({ ingestor: guarded.ingestor, outcomes });
    outcomes.onOutcome(({ messageId, outcome, reason }) => ended.push(`${messageId}: ${outcome} ${reason ?? ''}`));
    await sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    expect(outcomes.pending).toBe(1);
    outcomes.record({ messageId: 'one', sessionId: 's', outcome: 'stored', observationIds: [] });
    await sink.afterExecution({ sessionId: 's', messages: [user('two')] });
    await guarded.close?.();
    await sink.afterExecution({ sessionId: 's', messages: [user('three')] });
    expect(ended).toEqual(['one: stored ', 'two: failed store failed', 'three: failed store failed']);
    await expect(
      guarded.ingestor?.ingest({ observer: alice, sessionId: 's', messages: [user('four')] }),
    ).rejects.toThrow('has been closed');
    await outcomes.settled();
    expect(ended).toHaveLength(3);
  });

  it('gives an outcome to what an ingestor takes that records nothing', async () => {
    const { sink, ended, outcomes } = setUp({ ingestor: ingestor() });
    await sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    const throwing = ingestor({
      ingest: () => {
        throw new Error('at once');
      },
    });
    const refusing = setUp({ ingestor: throwing });
    await refusing.sink.afterExecution({ sessionId: 's', messages: [user('two')] });
    expect([...ended, ...refusing.ended]).toEqual(['one: accepted', 'two: failed (backend failed)']);
    await outcomes.settled();
  });

  it('lets no more wait than it may, and counts what does not fit', async () => {
    const taken = deferred();
    const { sink, ended } = setUp({ maxPending: 2 }, () => taken.promise);
    void sink.afterExecution({ sessionId: 's', messages: [user('one'), user('two')] });
    void sink.afterExecution({ sessionId: 's', messages: [user('three')] });
    expect(ended).toEqual(['three: failed (queue full)']);
    taken.resolve();
    await sink.flush();
    await sink.afterExecution({ sessionId: 's', messages: [user('four')] });
    expect(ended).toEqual(['three: failed (queue full)', 'one: accepted', 'two: accepted', 'four: accepted']);
  });
});

describe('a large hand-over', () => {
  it('goes in slices, in order, and has no limit of the sink’s own', async () => {
    const { sink, requests, outcomes } = setUp();
    const messages = Array.from({ length: 100_001 }, (_, index) => user(`m${index}`));
    await sink.afterExecution({ sessionId: 's', messages });
    expect(outcomes.counts()).toMatchObject({ accepted: 100_001, failed: 0 });
    expect(requests).toHaveLength(101);
    expect(Math.max(...requests.map((request) => request.messages.length))).toBe(1000);
    const order = requests.flatMap((request) => request.messages.map(({ id }) => id));
    expect(order).toEqual(messages.map(({ id }) => id));
    expect(sink.pending).toBe(0);
  });

  it('loses of a slice that fails that slice alone', async () => {
    let attempts = 0;
    const { sink, outcomes } = setUp({}, () => {
      attempts += 1;
      if (attempts === 2) throw new StoreError('The folder is gone.');
    });
    await sink.afterExecution({
      sessionId: 's',
      messages: Array.from({ length: 2500 }, (_, index) => user(`m${index}`)),
    });
    expect(outcomes.counts()).toMatchObject({ accepted: 1500, failed: 1000 });
    expect(sink.failed).toBe(1000);
  });

  it('of many sessions at once is no leak of listeners', async () => {
    const gate = deferred();
    const { sink, requests } = setUp({}, ({ signal }) => abortable(gate.promise, signal));
    for (let session = 0; session < 30; session += 1) {
      void sink.afterExecution({ sessionId: `s${session}`, messages: [user('one')] });
    }
    await settle();
    const { signal } = requests[0] as { signal: AbortSignal };
    expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(10);
    expect(getMaxListeners(signal)).toBe(Infinity);
    gate.resolve();
    await sink.flush();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('closing a sink', () => {
  it('waits for what was taken, and takes no more', async () => {
    const taken = deferred();
    const { sink, ended, outcomes } = setUp({}, () => taken.promise);
    void sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    const settled = outcomes.settled();
    const closed = sink.close();
    await sink.afterExecution({ sessionId: 's', messages: [user('two')] });
    taken.resolve();
    await closed;
    await settled;
    await sink.close();
    expect(ended).toEqual(['two: skipped (closed)', 'one: accepted']);
  });

  it('ends in time: what still waits is counted as failed, whether a resolver or a backend hangs', async () => {
    const hanging = new Promise<never>(() => undefined);
    const { sink, ended } = setUp({}, ({ signal }) => {
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    void sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    void sink.afterExecution({ sessionId: 's', messages: [user('two')] });
    await settle();
    const deadline = new AbortController();
    const closed = sink.close(deadline.signal);
    deadline.abort(new Error('time is up'));
    await expect(closed).rejects.toThrow('time is up');
    await settle();
    // A backend that heard the signal is not to blame either.
    expect(ended).toEqual(['one: failed (shut down before hand-over)', 'two: failed (shut down before hand-over)']);

    const resolving = setUp({ resolver: { resolve: () => hanging } });
    void resolving.sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    await expect(resolving.sink.close(AbortSignal.abort(new Error('time is up')))).rejects.toThrow('time is up');
    await settle();
    expect(resolving.ended).toEqual(['one: failed (shut down before hand-over)']);
    expect(resolving.sink.pending).toBe(0);

    const deaf = setUp({}, () => hanging);
    void deaf.sink.afterExecution({ sessionId: 's', messages: [user('one')] });
    await settle();
    await expect(deaf.sink.close(AbortSignal.abort(new Error('time is up')))).rejects.toThrow('time is up');
    await deaf.outcomes.settled();
    expect(deaf.ended).toEqual(['one: failed (shut down before hand-over)']);
  });
});
