import {
  LlmAnswerError,
  LlmUnavailableError,
  RedactionError,
  RemoteMemoryError,
  StoreError,
} from '@aimon/nestjs-memory';

import { outageIn } from '../../lib/domain/outage.js';

const coded = (code: string): Error => Object.assign(new Error('Something.'), { code });

describe('outageIn', () => {
  it.each([
    ['a model that is away', new LlmUnavailableError('Away.', { outage: 'server-error' }), 'server-error'],
    ['a connection that is refused', coded('ECONNREFUSED'), 'ECONNREFUSED'],
    ['a store whose driver has no connection', new StoreError('No.', { cause: coded('ECONNRESET') }), 'ECONNRESET'],
    ['a database that shuts down', new StoreError('No.', { cause: coded('57P01') }), 'StoreError'],
    ['a fetch that failed', new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'ENOTFOUND'],
    ['a time that ran out', new DOMException('Late.', 'TimeoutError'), 'TimeoutError'],
    [
      'a memory service that may be asked again',
      new RemoteMemoryError('No.', { status: 503, retryable: true }),
      'unreachable',
    ],
  ])('is found in %s', (_, error, reason) => {
    const found = outageIn(error);
    expect(found).toBeDefined();
    // A SQLSTATE is no name that is told.
    expect(found?.reason).toBe(reason === 'StoreError' ? 'Error' : reason);
  });

  it('has how long the service asks to be left alone', () => {
    const error = new LlmUnavailableError('Slow down.', { outage: 'rate-limited', retryAfterMs: 7000 });
    expect(outageIn(new StoreError('No.', { cause: error }))).toEqual({ reason: 'rate-limited', retryAfterMs: 7000 });
  });

  it.each([
    ['an answer that cannot be used', new LlmAnswerError('No JSON.', { cause: coded('ECONNRESET') })],
    ['a policy that fails', new RedactionError('No.')],
    ['a store that refuses', new StoreError('Too long.', { cause: coded('22001') })],
    ['a memory service that refuses', new RemoteMemoryError('No.', { status: 400, retryable: false })],
    ['a bug', new TypeError('x is not a function')],
    ['an abort', new DOMException('Stop.', 'AbortError')],
    ['nothing', undefined],
    ['a text', 'ECONNREFUSED'],
  ])('is not found in %s', (_, error) => {
    expect(outageIn(error)).toBeUndefined();
  });

  it('does not fall over causes in a circle, nor over what throws when it is looked at', () => {
    const circle: { cause?: unknown } = new Error('One.');
    circle.cause = circle;
    expect(outageIn(circle)).toBeUndefined();
    const hostile = Object.defineProperty(new Error('Two.'), 'code', {
      get: () => {
        throw new Error('Do not look.');
      },
    });
    expect(outageIn(hostile)).toBeUndefined();
  });
});
