import {
  type DialecticEngine,
  type DialecticQuery,
  type DialecticResponse,
  ObservationId,
} from '../../../lib/index.js';

import { brokenEngine } from '../support/broken-memory.js';

const ANSWERS = 'CHAT answers at every level';
const LONGEST = 'CHAT answers the longest question';
const STREAMS = 'CHAT streams the answer that it returns';
const WAITS = 'CHAT waits for a sink';
const FAILS = 'CHAT ends with the error of a sink';

const changed =
  (change: (response: DialecticResponse, query: DialecticQuery) => Partial<DialecticResponse>) =>
  (sound: DialecticEngine): Partial<DialecticEngine> => ({
    query: async (query) => {
      const response = await sound.query(query);
      return { ...response, ...change(response, query) };
    },
  });

/** An engine whose answer is put into the sink in another way. */
const streaming =
  (stream: (pieces: readonly string[], sink: (text: string) => void | Promise<void>) => void | Promise<void>) =>
  (sound: DialecticEngine): Partial<DialecticEngine> => ({
    queryStream: async (query, sink) => {
      const response = await sound.query(query);
      await stream(response.answer.split(/(?<= )/), sink);
      return response;
    },
  });

export const CHAT_MUTANTS = [
  brokenEngine('has no level DEEP', [ANSWERS], (sound) => ({
    query: async (query) => {
      if (query.level === 'DEEP') throw new Error('DEEP is not implemented.');
      return sound.query(query);
    },
  })),
  brokenEngine('cannot stream', [ANSWERS, STREAMS], () => ({
    queryStream: async () => {
      throw new Error('Streaming is not supported.');
    },
  })),
  brokenEngine(
    'has no answer where nothing is known',
    [ANSWERS],
    changed(({ observationsConsidered, answer }) => ({
      answer: observationsConsidered?.length === 0 ? '' : answer,
    })),
  ),
  brokenEngine(
    'rests on what is of another workspace',
    [ANSWERS],
    changed(() => ({
      observationsConsidered: [ObservationId.of({ workspaceId: 'elsewhere', localId: 'o1' })],
    })),
  ),
  brokenEngine(
    'names what it rests on by texts',
    [ANSWERS],
    changed(() => ({
      observationsConsidered: ['ops:o1'] as unknown as ObservationId[],
    })),
  ),
  brokenEngine(
    'has used a negative number of tokens',
    [ANSWERS],
    changed(() => ({
      tokenUsage: { inputTokens: -1, outputTokens: 0.5 },
    })),
  ),
  brokenEngine('refuses long questions', [LONGEST], (sound) => ({
    query: async (query) => {
      if (query.question.length > 4000) throw new Error('The question is too long.');
      return sound.query(query);
    },
  })),
  brokenEngine('refuses a question without words', [LONGEST], (sound) => ({
    query: async (query) => {
      if (!/\p{L}/u.test(query.question)) throw new Error('That is no question.');
      return sound.query(query);
    },
  })),
  brokenEngine(
    'streams nothing',
    [STREAMS, FAILS, WAITS],
    streaming(() => undefined),
  ),
  brokenEngine(
    'streams its answer twice',
    [STREAMS],
    streaming(async (pieces, sink) => {
      for (const piece of [...pieces, ...pieces]) await sink(piece);
    }),
  ),
  brokenEngine(
    'leaves out the last piece',
    [STREAMS, WAITS],
    streaming(async (pieces, sink) => {
      for (const piece of pieces.slice(0, -1)) await sink(piece);
    }),
  ),
  brokenEngine(
    'streams all that was streamed so far, each time',
    [STREAMS],
    streaming(async (pieces, sink) => {
      for (const at of pieces.keys()) await sink(pieces.slice(0, at + 1).join(''));
    }),
  ),
  brokenEngine(
    'streams bytes',
    [STREAMS],
    streaming(async (pieces, sink) => {
      for (const piece of pieces) await sink(new TextEncoder().encode(piece) as unknown as string);
    }),
  ),
  brokenEngine(
    'does not wait for its sink',
    [WAITS],
    streaming((pieces, sink) => {
      // What the promise ends with is nobody's any more; a runner would take an unhandled one for a failure of its own.
      for (const piece of pieces) void Promise.resolve(sink(piece)).catch(() => undefined);
    }),
  ),
  brokenEngine(
    'does not wait for the last call of its sink',
    [WAITS],
    streaming(async (pieces, sink) => {
      for (const [at, piece] of pieces.entries()) {
        const heard = sink(piece);
        if (at < pieces.length - 1) await heard;
      }
    }),
  ),
  brokenEngine(
    'does not mind a sink that fails',
    [FAILS],
    streaming(async (pieces, sink) => {
      for (const piece of pieces)
        await Promise.resolve(piece)
          .then(sink)
          .catch(() => undefined);
    }),
  ),
  brokenEngine('hides why it failed', [FAILS], (sound) => ({
    queryStream: async (query, sink) => {
      try {
        return await sound.queryStream(query, sink);
      } catch {
        throw new Error('The stream failed.');
      }
    },
  })),
];
