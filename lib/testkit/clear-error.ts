import assert from 'node:assert/strict';

import { AimonError, InvalidArgumentError } from '../domain/errors.js';

// What comes out of a line of code that went wrong, not of one that refuses.
const ACCIDENTS = [TypeError, ReferenceError, RangeError, SyntaxError];

const DISCLAIMER = /\bnot (?:yet )?(?:supported|implemented|available)\b|\bunsupported\b|\bunimplemented\b/i;

/** Waits until `call` has failed; with what. Fails when it succeeds. */
export async function errorOf(call: () => Promise<unknown>, what: string): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return assert.fail(`${what} was answered; it has to be refused.`);
}

/** Whether the error was thrown on purpose and says what is wrong: our own, or another one in words. */
export function isClear(error: unknown): boolean {
  if (error instanceof AimonError) return error.message.trim() !== '';
  return error instanceof Error && !ACCIDENTS.some((kind) => error instanceof kind) && error.message.trim() !== '';
}

/** Fails unless `call` is refused with an `InvalidArgumentError`, which names what is wrong. */
export async function assertRefused(call: () => Promise<unknown>, what: string): Promise<void> {
  const error = await errorOf(call, what);
  assert.ok(
    error instanceof InvalidArgumentError,
    `${what} has to be refused with an InvalidArgumentError; it failed with ${String(error)}.`,
  );
}

/** Fails unless `call` is answered: a part that is there answers whatever it is asked. */
export async function assertAnswers<T>(call: () => Promise<T>, what: string): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const disclaims = DISCLAIMER.test(String(error)) ? ' What is not supported must not be there.' : '';
    return assert.fail(`${what} was not answered; it failed with ${String(error)}.${disclaims}`);
  }
}
