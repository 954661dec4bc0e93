import { MessageRedactor, normaliseMessage, type RedactionPolicy } from '@aimon/nestjs-memory';
import { POLICY_UNITS } from '../../lib/redaction/text-slices.js';

/** A policy that finds nothing, and notes in which round of the event loop it was given how much. */
class CountingPolicy implements RedactionPolicy {
  readonly name = 'counting';
  readonly #unitsByRound = new Map<number, number>();
  #round = 0;
  #going = true;

  constructor() {
    const next = (): void => {
      this.#round += 1;
      if (this.#going) setImmediate(next);
    };
    setImmediate(next);
  }

  redact(content: string) {
    this.#unitsByRound.set(this.#round, (this.#unitsByRound.get(this.#round) ?? 0) + content.length);
    return { redactedContent: content, matches: [], modified: false };
  }

  /** The most that was masked in one round, and in how many rounds. */
  end(): { readonly most: number; readonly rounds: number } {
    this.#going = false;
    return { most: Math.max(...this.#unitsByRound.values()), rounds: this.#unitsByRound.size };
  }
}

const message = (content: string) => normaliseMessage({ role: 'user', content });
const MEGABYTE = `${'a line of a log that says little\n'.repeat(33_000)}`.slice(0, 2 ** 20);

describe('however much is masked at once, a round of the event loop masks one slice', () => {
  it.each([
    ['a hundred texts of 1 MB', Array.from({ length: 100 }, () => [message(MEGABYTE)])],
    [
      'a thousand short texts of one call',
      [Array.from({ length: 1000 }, (_, n) => message(`${n} ${'word '.repeat(100)}`))],
    ],
    ['a thousand calls', Array.from({ length: 1000 }, (_, n) => [message(`${n} ${'word '.repeat(100)}`)])],
    [
      'a long document of JSON',
      [[message(JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'said' }))))]],
    ],
  ])('%s', async (_, calls) => {
    const policy = new CountingPolicy();
    const gate = new MessageRedactor(policy);
    await Promise.all(calls.map((messages) => gate.redactMessages(messages)));
    const { most, rounds } = policy.end();
    expect(most).toBeLessThanOrEqual(2 * POLICY_UNITS);
    expect(rounds).toBeGreaterThan(1);
  });

  it('and waiting for its turn does not count against the deadline of a text', async () => {
    const slow: RedactionPolicy = {
      name: 'slow',
      redact: (content) => {
        const until = performance.now() + 2;
        while (performance.now() < until);
        return { redactedContent: content, matches: [], modified: false };
      },
    };
    // Each takes some 40 ms by itself, and all of them together take many times their deadline.
    const gate = new MessageRedactor(slow, { deadlineMs: 1000 });
    await Promise.all(Array.from({ length: 60 }, () => gate.redactMessages([message(MEGABYTE)])));
  });
});
