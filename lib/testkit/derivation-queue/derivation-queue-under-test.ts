import type { IngestOutcome } from '../../domain/ingest-outcome.js';
import { redactionMarker } from '../../domain/redaction-marker.js';
import type { DerivationQueue } from '../../ports/derivation-queue.js';
import type { DerivationContext, DerivationResult, Deriver } from '../../ports/deriver.js';
import type { RedactionPolicy } from '../../redaction/redaction-policy.js';
import { observed } from '../stores/store-facts.js';

/** What the queue that is to be tested works with. */
export interface DerivationQueueParts {
  /** What the queue hands batches to. */
  readonly deriver: Deriver;
  /** Masks every message before it is queued. */
  readonly redactionPolicy: RedactionPolicy;
}

/** A queue to be tested: not started, empty, and nobody else's for the length of one test. */
export interface DerivationQueueToTest {
  /**
   * Tries again within 20 milliseconds what failed, three times or more, a service that is away as soon, and works on at least
   * two units at once.
   */
  readonly queue: DerivationQueue;
  /** Lets go of the queue, after the test has stopped it. Default: nothing is. */
  close?(): Promise<void>;
}

/** What tests may need: what becomes of messages that a stop left unfinished. */
export const KEEPS_UNFINISHED = 'queue that keeps what is unfinished';
export const LOSES_UNFINISHED = 'queue that gives up what is unfinished';

/** What a deriver does with a batch: what became of its messages, or nothing to say that each is remembered. */
type Derive = (context: DerivationContext) => Promise<Partial<DerivationResult> | void>;

/** What the policy of the tests masks. */
export const SECRET = 'sesame';

/** The queue in the hands of a test, with the deriver and the policy that it works with. */
export class DerivationQueueUnderTest {
  /** What the deriver was called with, in that order. */
  readonly calls: DerivationContext[] = [];
  readonly outcomes: IngestOutcome[] = [];
  derive: Derive = async () => undefined;
  maskingFails = false;
  #made: DerivationQueueToTest | undefined;

  get queue(): DerivationQueue {
    if (this.#made === undefined) throw new Error('The queue has not been made.');
    return this.#made.queue;
  }

  async make(
    makeQueue: (parts: DerivationQueueParts) => DerivationQueueToTest | Promise<DerivationQueueToTest>,
  ): Promise<void> {
    const deriver: Deriver = {
      derive: async (context) => {
        this.calls.push(context);
        const remembered = new Map(context.messages.map(({ id }) => [id, [observed(1, { subject: context.subject })]]));
        const nothing = { created: [], updated: [], tokensUsed: 0, failures: [], byMessage: remembered };
        return { ...nothing, ...(await this.derive(context)) };
      },
    };
    const redactionPolicy: RedactionPolicy = {
      name: 'contract',
      redact: (content) => {
        if (this.maskingFails) throw new Error('The policy is broken.');
        const start = content.indexOf(SECRET);
        if (start < 0) return { redactedContent: content, matches: [], modified: false };
        const match = { category: 'SECRET', start, end: start + SECRET.length, replacement: redactionMarker('SECRET') };
        return { redactedContent: content.replace(SECRET, match.replacement), matches: [match], modified: true };
      },
    };
    this.#made = await makeQueue({ deriver, redactionPolicy });
    this.queue.onOutcome((outcome) => this.outcomes.push(outcome));
  }

  /** The ids of the messages that the deriver was given of a session, in their order. */
  heardIn(sessionId: string): readonly string[] {
    return this.calls
      .filter((call) => call.sessionId === sessionId)
      .flatMap(({ messages }) => messages.map(({ id }) => id));
  }

  /** What became of each message. */
  get endings(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.outcomes.map(({ messageId, outcome }) => [messageId, outcome]));
  }

  async close(): Promise<void> {
    await this.queue.stop({ drainMs: 0 });
    await this.#made?.close?.();
  }
}
