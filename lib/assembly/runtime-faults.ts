import type { IngestOutcome } from '../domain/ingest-outcome.js';
import type { DerivationOutage, DerivationQueue } from '../ports/derivation-queue.js';
import { DERIVATION_FAILURES } from '../reasoning/queue/derivation-failures.js';
import { DegradationKey, type Degradation, type Degradations } from './degradations.js';

/** Raises a fault while the queue is full, pauses or has given tasks up, and lifts it when that has passed. */
export function watchQueue(queue: DerivationQueue, backendId: string, degradations: Degradations): void {
  queue.onOutcome(({ outcome, reason }: IngestOutcome) => {
    if (outcome === 'failed' && reason === DERIVATION_FAILURES.QUEUE_FULL) degradations.raise(queueFull(backendId));
    else if (degradations.has(DegradationKey.QUEUE_FULL) && queue.stats().pending === 0)
      degradations.lift(DegradationKey.QUEUE_FULL);
    if (outcome !== 'failed' && !degradations.has(DegradationKey.DEAD_LETTERS)) return;
    const { deadLettered } = queue.stats();
    if (deadLettered === 0) degradations.lift(DegradationKey.DEAD_LETTERS);
    else if (outcome === 'failed') degradations.raise(deadLetters(backendId, deadLettered));
  });
  queue.onOutage((outage) => {
    if (outage === undefined) degradations.lift(DegradationKey.DERIVATION_PAUSED);
    else degradations.raise(derivationPaused(backendId, outage));
  });
}

/** Raised while prompts go without memory because it is slow or fails. */
export function contextFault(backendId: string, miss: 'deadline' | 'failure'): Degradation {
  return {
    key: DegradationKey.CONTEXT,
    kind: 'fault',
    capability: 'SNAPSHOT',
    backendId,
    consequence: `The memory "${backendId}" ${miss === 'deadline' ? 'did not answer in time' : 'failed to answer'}: prompts start without what is known.`,
    remedy: 'See the log for the cause; how long a prompt waits is aimon.memory.context-timeout.',
  };
}

/** Raised while maintenance cycles fail. */
export function maintenanceFault(backendId: string): Degradation {
  return {
    key: DegradationKey.MAINTENANCE,
    kind: 'fault',
    backendId,
    consequence: `The last maintenance cycle of the memory "${backendId}" failed: what is past its audit window or its retention is still kept.`,
    remedy:
      'See the log for the cause; the next cycle tries again, after aimon.memory.maintenance.interval at the latest.',
  };
}

function queueFull(backendId: string): Degradation {
  return {
    key: DegradationKey.QUEUE_FULL,
    kind: 'fault',
    capability: 'INGEST',
    backendId,
    consequence: `The derivation queue of the memory "${backendId}" is full: what is said now is not remembered.`,
    remedy: 'Raise aimon.memory.queue.worker-count or aimon.memory.queue.max-pending.',
  };
}

function derivationPaused(backendId: string, { reason, since }: DerivationOutage): Degradation {
  return {
    key: DegradationKey.DERIVATION_PAUSED,
    kind: 'fault',
    capability: 'INGEST',
    backendId,
    consequence: `The memory "${backendId}" has paused deriving observations since ${since.toISOString()}, because what it needs for that is away (${reason}): what is said waits, and nothing of it is lost while it does.`,
    remedy: `${PAUSE_REMEDY[reason] ?? 'See the log for the cause.'} It goes on by itself once that answers again.`,
  };
}

const PAUSE_REMEDY: Readonly<Record<string, string>> = {
  unauthorised: 'Set aimon.memory.llm.api-key to a key that the server takes, and restart.',
  'not-found': 'Set aimon.memory.llm.model and aimon.memory.llm.base-url to a model that the server has, and restart.',
  'not-installed': 'Install the package openai, and restart.',
  quota: "Raise the account's limit with the provider.",
  'rate-limited': 'Lower aimon.memory.queue.worker-count, or ask the provider for a higher limit.',
  timeout: 'Raise aimon.memory.llm.timeout if the model needs longer; see the log for the cause.',
};

function deadLetters(backendId: string, count: number): Degradation {
  return {
    key: DegradationKey.DEAD_LETTERS,
    kind: 'fault',
    capability: 'INGEST',
    backendId,
    consequence: `The memory "${backendId}" gave up deriving observations from ${count} ${count === 1 ? 'batch' : 'batches'} of messages after the last attempt; what was said there is not remembered.`,
    remedy:
      'See the log for the cause; when it is mended, MemoryMaintenance.retryDeadLettered() has them tried again. How often a batch is tried is aimon.memory.queue.max-attempts.',
  };
}
