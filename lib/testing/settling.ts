// Not the globals: a test runner that fakes those must not keep this from waiting, nor from giving up.
import { LONGEST_TIMER_MS } from '../domain/clock.js';
import { clearTimeout, setTimeout } from 'node:timers';

import { abortable, reasonOf } from '../domain/abortable.js';
import { AimonError } from '../domain/errors.js';
import type { MemorySession } from '../agent/memory-session.js';
import type { MemoryStack } from '../assembly/memory-stack.js';
import type { TestClock } from './test-clock.js';

/** What waits for a memory to settle. */
export interface Settling {
  readonly clock: TestClock;
  /** In real time. */
  readonly withinMs: number;
  readonly signal?: AbortSignal;
}

/** How often it is looked whether sessions have come to rest, which nothing announces. */
const LOOK_EVERY_MS = 2;

/**
 * Settles when no session works, everything that was said has its outcome and the queue is idle.
 * @throws AimonError with code `MEMORY_NOT_SETTLED` when the time is up, with what is still open
 */
export async function whenSettled(stack: MemoryStack, { clock, withinMs, signal }: Settling): Promise<void> {
  if (signal?.aborted) throw reasonOf(signal);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.min(withinMs, LONGEST_TIMER_MS));
  const waiting = AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]);
  try {
    while (!isSettled(stack)) {
      await stack.outcomes.settled(waiting);
      await stack.derivationQueue?.whenIdle(undefined, waiting);
      if (!isSettled(stack)) await abortable(shortly(), waiting);
    }
  } catch (error) {
    if (signal?.aborted) throw reasonOf(signal);
    if (!late.signal.aborted) throw error;
    throw new AimonError(
      'MEMORY_NOT_SETTLED',
      `Not everything that was said had settled within ${withinMs} ms. ${whatIsOpen(stack, clock)}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

const shortly = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

function isSettled({ agentMemory, outcomes, derivationQueue }: MemoryStack): boolean {
  const queue = derivationQueue?.stats();
  return (
    agentMemory.unfinishedSessions.every(({ unsettled }) => unsettled.running === 0 && unsettled.held === 0) &&
    outcomes.pending === 0 &&
    (queue === undefined || queue.pending + queue.inFlight === 0)
  );
}

function whatIsOpen({ agentMemory, outcomes, derivationQueue }: MemoryStack, clock: TestClock): string {
  const open = agentMemory.unfinishedSessions.flatMap(openIn);
  if (outcomes.pending > 0) open.push(`${messages(outcomes.pending)} without an outcome.`);
  const { pending = 0, inFlight = 0 } = derivationQueue?.stats() ?? {};
  if (inFlight > 0) open.push(`${messages(inFlight)} being derived.`);
  const { untilNextTask } = clock;
  if (pending > 0) {
    const until =
      untilNextTask === undefined ? '' : `: advance the clock (its next task is due in ${untilNextTask} ms)`;
    open.push(`${messages(pending)} waiting to be derived, where that has failed for the next attempt${until}.`);
  }
  return `Still open: ${open.length === 0 ? 'messages on their way to the backend.' : open.join(' ')}`;
}

function openIn(session: MemorySession): string[] {
  const { running, held } = session.unsettled;
  const whose = `the session ${JSON.stringify(session.id)}${session.peer === undefined ? '' : ` of ${session.peer.key()}`}`;
  return [
    ...(running > 0
      ? [`${running === 1 ? 'A call' : `${running} calls`} that ${running === 1 ? 'runs' : 'run'} in ${whose}.`]
      : []),
    ...(held > 0
      ? [`${messages(held)} that ${whose} has not handed over; close it, or advance the clock past its idle timeout.`]
      : []),
  ];
}

const messages = (count: number): string => (count === 1 ? '1 message' : `${count} messages`);
