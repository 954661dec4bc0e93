import { requireCaller, type MemoryCaller } from '../agent/caller-scope.js';
import { requireOneOf } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';
import { PeerView } from '../domain/peer-view.js';
import { spokenText } from '../domain/statement.js';
import { Workspace } from '../domain/workspace.js';
import type { AssembledMemory } from '../nest/memory-stack-provider.js';
import { MEMORY_CAPABILITIES } from '../spi/peer-memory.js';
import type { BackendOutages, OutagePart } from './backend-outages.js';
import { requireDuration, type Duration } from './duration.js';
import { whenSettled } from './settling.js';
import type { TestClock } from './test-clock.js';

const OUTAGE_PARTS: readonly OutagePart[] = [...MEMORY_CAPABILITIES, 'PING'];

/** What {@link MemoryTesting.settled} takes. */
export interface SettledOptions {
  /** How long it waits at most, in real time: milliseconds, or `500ms`, `10s`. Default `3s`. */
  readonly within?: Duration;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** What a test asks of the memory under test, beside what the application asks of it. */
export class MemoryTesting {
  /** The clock of this memory. */
  readonly clock: TestClock;
  readonly #memory: AssembledMemory;
  readonly #outages: BackendOutages;

  /** @internal */
  constructor(parts: {
    readonly memory: AssembledMemory;
    readonly clock: TestClock;
    readonly outages: BackendOutages;
  }) {
    this.clock = parts.clock;
    this.#memory = parts.memory;
    this.#outages = parts.outages;
    const { derivationQueue, maintenanceCycle, teardown } = parts.memory.stack;
    const unwatched = [
      this.clock.waitWhile(() => (derivationQueue?.stats().inFlight ?? 0) > 0),
      // It goes through all that is kept, and ends by itself.
      this.clock.waitWhile(() => maintenanceCycle?.running ?? false, 1_000_000),
    ];
    teardown.register('SESSIONS', 'outages of a test', () => {
      for (const unwatch of unwatched) unwatch();
      // A shutdown is not the test's to hold up.
      this.#outages.endAll();
    });
  }

  /**
   * Settles when no session works any more, everything that was said has its outcome and nothing waits to be derived. In
   * `session-end` that is after the sessions were closed. It does not move the clock: a derivation that failed is tried
   * again when the test has moved it.
   *
   * @throws AimonError with code `MEMORY_NOT_SETTLED` when it takes too long, with what is still open; rejects with the
   * reason of `signal` when that aborts
   */
  async settled(options: SettledOptions = {}): Promise<void> {
    const { within = '3s', signal } = options;
    const withinMs = requireDuration('MemoryTesting.settled within', within);
    await whenSettled(this.#memory.stack, { clock: this.clock, withinMs, signal });
  }

  /**
   * What is remembered about a peer, the oldest first: of each fact the words, without the speaker and the time that its
   * `content` starts with.
   *
   * @param who a `PeerView` or `{ principal }`, with a `workspace` where each tenant has its own. Default: the one peer of
   * a fixed memory
   * @throws InvalidArgumentError when that is nobody
   */
  async remembered(who?: MemoryCaller): Promise<readonly string[]> {
    const words: string[] = [];
    for await (const { observation, retiredAt } of this.#memory.stack.maintenance.exportPeer(this.#peer(who))) {
      if (retiredAt === undefined) words.push(spokenText(observation));
    }
    return words;
  }

  /**
   * Puts a part of the memory out of order until the answer is called: its calls fail as those of a backend that is down
   * do, also those of the deriver. The calls themselves are checked and masked before. Shutting down ends it.
   *
   * @param part a capability, such as `SNAPSHOT`, or `PING`, which health asks
   * @param options.hangs whether calls wait, for the end of the outage or for their signal, in the place of failing. Default
   * false
   * @throws InvalidArgumentError when the memory has no such part, or it is out of order already
   */
  outage(part: OutagePart, options: { readonly hangs?: boolean } = {}): () => void {
    requireOneOf('What MemoryTesting.outage was given', part, OUTAGE_PARTS);
    if (part !== 'PING' && !this.#memory.stack.capabilities.has(part)) {
      throw new InvalidArgumentError(`The memory under test has no ${part}, so that it cannot be out of order.`);
    }
    return this.#outages.begin(part, options.hangs === true);
  }

  #peer(who: MemoryCaller | undefined): PeerView {
    const { stack, settings } = this.#memory;
    const given = requireCaller('What MemoryTesting.remembered was given', who);
    if (given === undefined) {
      const { peer } = stack.agentMemory;
      if (peer !== undefined) return peer;
      throw new InvalidArgumentError(
        'MemoryTesting.remembered was not told about whom, and this memory is of whoever calls; pass a PeerView, or { principal: Principal.user(…) }.',
      );
    }
    const { principal, workspace } = given;
    const home =
      workspace ?? (settings.workspaceId === undefined ? undefined : Workspace.of({ id: settings.workspaceId }));
    if (home !== undefined) return PeerView.of(home, principal);
    throw new InvalidArgumentError(
      'MemoryTesting.remembered was not told in which workspace, and here each tenant has its own; pass { principal, workspace }.',
    );
  }
}
