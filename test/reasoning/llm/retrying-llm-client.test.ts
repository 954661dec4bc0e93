import {
  LlmAnswerError,
  LlmContextLengthError,
  LlmError,
  type LlmOutage,
  LlmUnavailableError,
} from '@aimon/nestjs-memory';

import { RetryingLlmClient } from '../../../lib/reasoning/llm/retrying-llm-client.js';
import { TestClock } from '../../../lib/testing/test-clock.js';
import { ScriptedLlmClient, type ScriptedTurn } from '../../support/scripted-llm-client.js';
import { ASKED, failureOf } from './clients.js';

const away = (outage: LlmOutage = 'unreachable', retryAfterMs?: number): LlmUnavailableError =>
  new LlmUnavailableError('Away.', { outage, retryAfterMs });

function retrying(turns: readonly ScriptedTurn[], maxRetries = 2) {
  const clock = new TestClock();
  const start = clock.now().getTime();
  const times: number[] = [];
  const delegate = new ScriptedLlmClient(
    turns.map((turn) => (request) => {
      times.push(clock.now().getTime() - start);
      return typeof turn === 'function' ? turn(request) : turn;
    }),
  );
  return { client: new RetryingLlmClient({ delegate, maxRetries, clock }), clock, times };
}

/** How work ends that waits for nothing but the clock. */
async function ended<T>(work: Promise<T>, clock: TestClock): Promise<T> {
  work.catch(() => undefined);
  await clock.advance('1m');
  return work;
}

describe('a model that is asked once more', () => {
  it.each<LlmOutage>(['unreachable', 'timeout', 'rate-limited', 'server-error'])(
    'is so after what passes, %s, 250 and then 500 milliseconds later',
    async (outage) => {
      const { client, clock, times } = retrying([away(outage), away(outage), { text: 'Here.' }]);
      expect(await ended(client.complete(ASKED), clock)).toMatchObject({ text: 'Here.' });
      expect(times).toEqual([0, 250, 750]);
      expect(clock.waiting).toBe(0);
    },
  );

  it.each<readonly [string, Error]>([
    ['a key that is not taken', away('unauthorised')],
    ['a model that is not there', away('not-found')],
    ['money that is spent', away('quota')],
    ['an answer that cannot be used', new LlmAnswerError('?')],
    ['a request that is too long', new LlmContextLengthError('Too long.')],
    ['a request that is refused', new LlmError('No.')],
    ['a failure of another kind', new TypeError('?')],
  ])('is not after %s', async (_, failure) => {
    const { client, clock, times } = retrying([failure, { text: 'Here.' }]);
    expect(await failureOf(ended(client.complete(ASKED), clock))).toBe(failure);
    expect(times).toEqual([0]);
  });

  it('is so as often as was set, and the last failure is told', async () => {
    const failures = [away(), away(), away()];
    const { client, clock, times } = retrying(failures);
    expect(await failureOf(ended(client.complete(ASKED), clock))).toBe(failures[2]);
    expect(times).toEqual([0, 250, 750]);
    const never = retrying([away(), { text: 'Here.' }], 0);
    await expect(ended(never.client.complete(ASKED), never.clock)).rejects.toThrow('Away.');
  });

  it.each([
    ['as long as the server asks for', 5000, [0, 5000]],
    ['its own time, where the server asks for less', 10, [0, 250]],
    ['not at all, where the server asks for more than 5 seconds', 5001, [0]],
  ])('waits %s', async (_, retryAfterMs, expected) => {
    const { client, clock, times } = retrying([away('rate-limited', retryAfterMs), { text: 'Here.' }]);
    await ended(client.complete(ASKED), clock).catch(() => undefined);
    expect(times).toEqual(expected);
  });

  it('is so in a stream of which nothing was told, and not after that', async () => {
    const heard: string[] = [];
    const { client, clock, times } = retrying([away(), { text: 'Here I am.' }]);
    expect(
      await ended(
        client.stream(ASKED, (text) => void heard.push(text)),
        clock,
      ),
    ).toMatchObject({ text: 'Here I am.' });
    expect([heard.join(''), times]).toEqual(['Here I am.', [0, 250]]);

    const failure = away();
    let asked = 0;
    const told = new RetryingLlmClient({
      delegate: {
        complete: () => Promise.reject(failure),
        stream: async (_request, sink) => {
          asked++;
          await sink('Hel');
          throw failure;
        },
      },
      ...{ maxRetries: 2, clock },
    });
    heard.length = 0;
    expect(
      await failureOf(
        ended(
          told.stream(ASKED, (text) => void heard.push(text)),
          clock,
        ),
      ),
    ).toBe(failure);
    expect([heard, asked]).toEqual([['Hel'], 1]);
  });

  it('is not when the call is called off while it waits, and no timer is left', async () => {
    const left = new AbortController();
    const { client, clock, times } = retrying([away(), { text: 'Here.' }]);
    const work = failureOf(client.complete(ASKED, left.signal));
    await clock.advance(100);
    const reason = new Error('Nobody waits.');
    left.abort(reason);
    expect(await work).toBe(reason);
    expect(clock.waiting).toBe(0);
    await clock.advance('1m');
    expect(times).toEqual([0]);
  });
});
