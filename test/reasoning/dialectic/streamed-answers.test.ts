import { type DialecticQuery, type LlmClient, LlmDialecticEngine, type Observation } from '@aimon/nestjs-memory';
import { alice, observation } from '../../support/peers.js';
import { ScriptedLlmClient, type ScriptedTurn } from '../../support/scripted-llm-client.js';
import { Gate } from '../../support/scripted-llm-server/gate.js';
import { until } from '../../support/until.js';
import { ScriptedSearcher } from './support/scripted-searcher.js';

const porto = observation(1, { content: 'Alice lives in Porto.' });
const QUESTION: DialecticQuery = { subject: alice, question: 'Where does Alice live?' };
const REASON = new Error('The caller has left.');

function engineOf(found: readonly Observation[], turns: readonly ScriptedTurn[]): LlmDialecticEngine {
  const llm = new ScriptedLlmClient(turns);
  return new LlmDialecticEngine({ llm, searcher: new ScriptedSearcher(() => found) });
}

const search = (text = ''): ScriptedTurn => ({
  text,
  calls: [{ name: 'memory_search', arguments: { query: 'other' } }],
});
const turnOfEvents = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a streamed answer', () => {
  it('reaches the sink while the model still writes', async () => {
    const gate = new Gate();
    const heard: string[] = [];
    const engine = engineOf([porto], [{ pieces: ['In', ' Porto', ' [k', '1].', gate, ' Since May.'] }]);
    const answering = engine.queryStream(QUESTION, (text) => void heard.push(text));
    await gate.reached;
    expect(heard).toEqual(['In', ' Porto', '.']);
    gate.open();
    expect((await answering).answer).toBe('In Porto. Since May.');
    expect(heard.at(-1)).toBe(' Since May.');
  });

  it('reaches it at once too after lookups', async () => {
    const gate = new Gate();
    const heard: string[] = [];
    const engine = engineOf([porto], [search(), { pieces: ['In', gate, ' Porto.'] }]);
    const answering = engine.queryStream(QUESTION, (text) => void heard.push(text));
    await gate.reached;
    expect(heard).toEqual(['In']);
    gate.open();
    await answering;
  });

  it('does not reach it before the model was shown anything', async () => {
    const gate = new Gate();
    const heard: string[] = [];
    const engine = engineOf([], [{ pieces: ['In', ' Paris', gate, '.'] }]);
    const answering = engine.queryStream(QUESTION, (text) => void heard.push(text));
    await gate.reached;
    await turnOfEvents();
    expect(heard).toEqual([]);
    gate.open();
    const { answer } = await answering;
    expect(heard).toEqual([answer]);
    expect(answer).toMatch(/^I do not know/);
  });

  it('keeps what it told the sink before a lookup, as a paragraph', async () => {
    for (const [text, answer] of [
      ['She lives in Porto [k1].', 'She lives in Porto.\n\nShe is a nurse.'],
      ['\n\n', 'She is a nurse.'],
      ['', 'She is a nurse.'],
    ] as const) {
      const turns = [search(text), { text: '\n\nShe is a nurse.' }];
      const heard: string[] = [];
      const response = await engineOf([porto], turns).queryStream(QUESTION, (piece) => void heard.push(piece));
      expect([response.answer, heard.join('')]).toEqual([answer, answer]);
      expect((await engineOf([porto], turns).query(QUESTION)).answer).toBe(answer);
      expect(heard).not.toContain('');
    }
  });

  it('waits for a sink that takes its time', async () => {
    let busy = 0;
    let most = 0;
    let heard = '';
    const { answer } = await engineOf([porto], [{ text: 'She lives in Porto [k1] since May.' }]).queryStream(
      QUESTION,
      async (text) => {
        most = Math.max(most, ++busy);
        await turnOfEvents();
        heard += text;
        busy--;
      },
    );
    expect([most, heard]).toEqual([1, answer]);
  });

  it.each([
    [
      'throws',
      (error: Error) => {
        throw error;
      },
    ],
    ['rejects', (error: Error) => Promise.reject(error)],
  ] as const)('ends with the error of a sink that %s, at any piece', async (_how, fail) => {
    const failure = new Error('The listener has gone.');
    for (const found of [[porto], []]) {
      for (const failing of found.length === 0 ? [1] : [1, 2, 3]) {
        let pieces = 0;
        const engine = engineOf(found, [{ text: 'In Porto today.' }]);
        const answering = engine.queryStream(QUESTION, () => (++pieces === failing ? fail(failure) : undefined));
        await expect(answering).rejects.toBe(failure);
        expect(pieces).toBe(failing);
      }
    }
  });
});

describe('a question that is given up', () => {
  const ask = (engine: LlmDialecticEngine, signal: AbortSignal, streams: boolean): Promise<unknown> =>
    streams ? engine.queryStream({ ...QUESTION, signal }, () => undefined) : engine.query({ ...QUESTION, signal });

  it('rejects with the reason before anything is asked', async () => {
    for (const streams of [false, true]) {
      const llm = new ScriptedLlmClient([]);
      const searcher = new ScriptedSearcher(() => [porto]);
      const engine = new LlmDialecticEngine({ llm, searcher });
      await expect(ask(engine, AbortSignal.abort(REASON), streams)).rejects.toBe(REASON);
      expect([searcher.queries.length, llm.requests.length]).toEqual([0, 0]);
    }
  });

  it('rejects with the reason while the memory is searched, also by a search that does not listen', async () => {
    for (const searching of ['first', 'later']) {
      const abort = new AbortController();
      const llm = new ScriptedLlmClient([search()]);
      const never = new Promise<never>(() => undefined);
      const searcher: ScriptedSearcher = new ScriptedSearcher(() =>
        searching === 'later' && searcher.queries.length === 1 ? [porto] : never,
      );
      const answering = new LlmDialecticEngine({ llm, searcher }).query({ ...QUESTION, signal: abort.signal });
      await until(() => searcher.queries.length === (searching === 'later' ? 2 : 1));
      abort.abort(REASON);
      await expect(answering).rejects.toBe(REASON);
      expect(searcher.queries.at(-1)?.signal).toBe(abort.signal);
    }
  });

  it('rejects with the reason when a lookup fails of it, and asks nobody any more', async () => {
    const abort = new AbortController();
    const calls = ['one', 'two'].map((query) => ({ name: 'memory_search', arguments: { query } }));
    const llm = new ScriptedLlmClient([{ calls }, { text: 'In Porto.' }]);
    const searcher: ScriptedSearcher = new ScriptedSearcher(() => {
      if (searcher.queries.length === 1) return [porto];
      abort.abort(REASON);
      throw new Error('aborted');
    });
    const answering = new LlmDialecticEngine({ llm, searcher }).query({ ...QUESTION, signal: abort.signal });
    await expect(answering).rejects.toBe(REASON);
    await turnOfEvents();
    expect([searcher.queries.length, llm.requests.length]).toEqual([2, 1]);
  });

  it('rejects with the reason while the model thinks', async () => {
    for (const streams of [false, true]) {
      const gate = new Gate();
      const abort = new AbortController();
      const answering = ask(engineOf([porto], [{ pieces: ['In', gate, ' Porto.'] }]), abort.signal, streams);
      await gate.reached;
      abort.abort(REASON);
      await expect(answering).rejects.toBe(REASON);
    }
  });

  it('rejects with the reason while its sink takes its time, which then hears no more', async () => {
    const abort = new AbortController();
    const heard: string[] = [];
    const engine = engineOf([porto], [{ text: 'In Porto today.' }]);
    const answering = engine.queryStream({ ...QUESTION, signal: abort.signal }, (text) => {
      heard.push(text);
      return new Promise(() => undefined);
    });
    await until(() => heard.length === 1);
    abort.abort(REASON);
    await expect(answering).rejects.toBe(REASON);
    await turnOfEvents();
    expect(heard).toEqual(['In']);
  });

  it('tells its sink nothing more, also of a model that does not listen', async () => {
    const gate = new Gate();
    const abort = new AbortController();
    const llm = new ScriptedLlmClient([{ pieces: ['In', gate, ' Porto.'] }]);
    const deaf: LlmClient = {
      complete: (request) => llm.complete(request),
      stream: (request, sink) => llm.stream(request, sink),
    };
    const heard: string[] = [];
    const engine = new LlmDialecticEngine({ llm: deaf, searcher: new ScriptedSearcher(() => [porto]) });
    const answering = engine.queryStream({ ...QUESTION, signal: abort.signal }, (text) => void heard.push(text));
    await gate.reached;
    abort.abort(REASON);
    await expect(answering).rejects.toBe(REASON);
    gate.open();
    await turnOfEvents();
    expect(heard).toEqual(['In']);
  });

  it('leaves no call to the model behind that waits for a sink', async () => {
    const abort = new AbortController();
    const ended: unknown[] = [];
    const llm = new ScriptedLlmClient([{ text: 'In Porto.' }]);
    const watched: LlmClient = {
      complete: (request, signal) => llm.complete(request, signal),
      stream: (request, sink, signal) => {
        const streaming = llm.stream(request, sink, signal);
        streaming.catch((error: unknown) => ended.push(error));
        return streaming;
      },
    };
    const engine = new LlmDialecticEngine({ llm: watched, searcher: new ScriptedSearcher(() => [porto]) });
    const never = (): Promise<void> => {
      queueMicrotask(() => abort.abort(REASON));
      return new Promise(() => undefined);
    };
    await expect(engine.queryStream({ ...QUESTION, signal: abort.signal }, never)).rejects.toBe(REASON);
    await until(() => ended.length > 0);
    expect(ended).toEqual([REASON]);
  });

  it('rejects with the reason when its own sink gives it up, and hears no more', async () => {
    for (const found of [[porto], []]) {
      const abort = new AbortController();
      let pieces = 0;
      const answering = engineOf(found, [{ text: 'In Porto today.' }]).queryStream(
        { ...QUESTION, signal: abort.signal },
        () => {
          pieces++;
          abort.abort(REASON);
        },
      );
      await expect(answering).rejects.toBe(REASON);
      await turnOfEvents();
      expect(pieces).toBe(1);
    }
  });
});
