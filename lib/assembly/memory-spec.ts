import { requireOneOf, requireWholeNumber, shown } from '../domain/checks.js';
import { InvalidArgumentError, InvalidConfigurationError } from '../domain/errors.js';
import { PeerView } from '../domain/peer-view.js';
import { Principal } from '../domain/principal.js';
import { Workspace } from '../domain/workspace.js';
import { INGEST_MODES, type IngestMode } from '../agent/ingest/ingest-mode.js';
import type { DerivationQueue } from '../ports/derivation-queue.js';
import type { ObservationIndex } from '../ports/observation-index.js';
import { isSearchable, type ObservationStore } from '../ports/observation-store.js';
import type { RepresentationStore } from '../ports/representation-store.js';
import type { WorkspaceStore } from '../ports/workspace-store.js';
import { DefaultRedactionPolicy } from '../redaction/default-redaction-policy.js';
import type { RedactionPolicy } from '../redaction/redaction-policy.js';
import type { DialecticEngine } from '../spi/chat.js';
import type { PeerMemory } from '../spi/peer-memory.js';
import type { MaintenanceTimes } from './maintenance-cycle.js';
import { SNAPSHOT_MODES, type SnapshotMode } from '../spi/snapshot.js';

/** Whose memory it is: one peer's, observer and subject everywhere, or that of whoever calls. */
export type PeerMode =
  | {
      /** The memory of one peer. */
      readonly mode: 'fixed';
      /** The peer's. */
      readonly workspace: Workspace;
      /** Observer and subject everywhere. */
      readonly peer: PeerView;
    }
  | {
      /** The memory of whoever calls. */
      readonly mode: 'caller';
      /** The one workspace of all callers; `undefined`: every session names its own. */
      readonly workspace: Workspace | undefined;
    };

/** The parts of the default backend; each that is not there leaves its tiers out. */
export interface DefaultBackendParts {
  /** What the memory is called in errors, logs and degradations; default `default`. */
  readonly backendId?: string;
  /** Where workspaces are kept; default: in memory. */
  readonly workspaceStore?: WorkspaceStore;
  /** SNAPSHOT; with an observation store beside it also what is computed on read. */
  readonly representationStore?: RepresentationStore;
  /** SEARCH and OBSERVE. One that cannot search is given `observationIndex`, or an index of ours. */
  readonly observationStore?: ObservationStore;
  /**
   * Searches an observation store that cannot search by itself, and is refused beside any other. Default: a {@link
   * LexicalIndex}.
   */
  readonly observationIndex?: ObservationIndex;
  /**
   * CHAT: an engine, or a function that makes one around the memory, masked and checked, that it searches. Absent: questions
   * are not answered in words.
   */
  readonly dialecticEngine?: DialecticEngine | ((memory: PeerMemory) => DialecticEngine);
  /** INGEST: a queue, or a function that makes one around the memory, masked and checked, that its deriver records through. */
  readonly derivationQueue?: DerivationQueue | ((memory: PeerMemory) => DerivationQueue);
}

/** A {@link MemorySpec} that was checked: what `assembleMemory` works with. */
export interface BuiltMemorySpec {
  /** Whose memory it is. */
  readonly peerMode: PeerMode;
  /** The backend that the application made; absent: the default one is made of `parts`. */
  readonly peerMemory?: PeerMemory;
  /** The parts of the default backend; empty beside a `peerMemory`. */
  readonly parts: DefaultBackendParts;
  /** What a prompt starts with. */
  readonly injectionMode: SnapshotMode;
  /** The most tokens of memory in a prompt; 0: no limit. */
  readonly maxTokens: number;
  /** How long a prompt waits for memory, in milliseconds. */
  readonly contextTimeoutMs: number;
  /** What masks everything before it reaches the backend; `undefined`: nothing is masked. */
  readonly redactionPolicy: RedactionPolicy | undefined;
  /** When sessions hand conversations over. */
  readonly ingest: IngestMode;
  /** Whether executions without a session of their own are taken in under the invoking session's id. */
  readonly ingestForks: boolean;
  /** When a session that nobody uses is closed, in milliseconds. */
  readonly sessionIdleTimeoutMs: number;
  /** How long the teardown may take, in milliseconds. */
  readonly shutdownTimeoutMs: number;
  /** What is removed from the stores, and how often; absent: nothing, never. */
  readonly maintenance?: MaintenanceTimes;
}

type Choices = Omit<BuiltMemorySpec, 'peerMode'>;

/** What a memory is to be made of. Immutable; every method answers a changed copy, and {@link build} checks the whole. */
export class MemorySpec {
  readonly #choices: Choices;

  private constructor(
    /** Whose memory it is. */
    readonly peerMode: PeerMode,
    choices: Choices,
  ) {
    this.#choices = choices;
  }

  /** The memory of one peer, who is observer and subject everywhere. @throws InvalidArgumentError for a peer of another workspace */
  static forPeer(workspace: Workspace, peer: PeerView | Principal): MemorySpec {
    const view = peer instanceof PeerView ? peer : PeerView.of(workspace, peer);
    if (!view.workspace.equals(workspace)) {
      throw new InvalidArgumentError(
        `MemorySpec.forPeer was given a peer of workspace "${view.workspace.id}" for workspace "${workspace.id}"; it takes one of the same.`,
      );
    }
    return new MemorySpec({ mode: 'fixed', workspace, peer: view }, defaults());
  }

  /** The memory of whoever calls, in `workspace`; without one, in the workspace that each session names. */
  static perCaller(workspace?: Workspace): MemorySpec {
    return new MemorySpec({ mode: 'caller', workspace }, defaults());
  }

  /** A backend that the application made, and closes. Not together with parts. */
  peerMemory(backend: PeerMemory): MemorySpec {
    return this.#with({ peerMemory: backend });
  }

  /** Parts of the default backend; added to those given before. Not together with a backend. */
  parts(parts: DefaultBackendParts): MemorySpec {
    return this.#with({ parts: { ...this.#choices.parts, ...parts } });
  }

  /** The part of SNAPSHOT, in the place of one given before. Not together with a backend. */
  representationStore(representationStore: RepresentationStore): MemorySpec {
    return this.parts({ representationStore });
  }

  /** The part of SEARCH and OBSERVE, in the place of one given before. Not together with a backend. */
  observationStore(observationStore: ObservationStore): MemorySpec {
    return this.parts({ observationStore });
  }

  /**
   * What searches an observation store that cannot search by itself, in the place of one given before. Default: a
   * {@link LexicalIndex}.
   */
  observationIndex(observationIndex: ObservationIndex): MemorySpec {
    return this.parts({ observationIndex });
  }

  /** The part of CHAT, in the place of one given before. Not together with a backend. */
  dialecticEngine(dialecticEngine: DefaultBackendParts['dialecticEngine']): MemorySpec {
    return this.parts({ dialecticEngine });
  }

  /**
   * The part of INGEST, in the place of one given before: a queue, which the application stops, or a function that makes
   * one, which is stopped with the memory. Not together with a backend.
   */
  derivationQueue(derivationQueue: DefaultBackendParts['derivationQueue']): MemorySpec {
    return this.parts({ derivationQueue });
  }

  /**
   * What a prompt starts with; default `SUMMARY_ONLY`.
   * @throws InvalidArgumentError for anything but a {@link SnapshotMode}
   */
  injectionMode(injectionMode: SnapshotMode): MemorySpec {
    return this.#with({ injectionMode: requireOneOf('MemorySpec.injectionMode', injectionMode, SNAPSHOT_MODES) });
  }

  /**
   * The most tokens of memory in a prompt; default 0, no limit.
   * @throws InvalidArgumentError unless it is a whole number of at least 0
   */
  maxTokens(maxTokens: number): MemorySpec {
    return this.#with({ maxTokens: requireWholeNumber('MemorySpec.maxTokens', maxTokens, 0) });
  }

  /**
   * How long a prompt waits for memory, in milliseconds; default 300.
   * @throws InvalidArgumentError unless it is a whole number of at least 1
   */
  contextTimeoutMs(contextTimeoutMs: number): MemorySpec {
    return this.#with({ contextTimeoutMs: requireWholeNumber('MemorySpec.contextTimeoutMs', contextTimeoutMs, 1) });
  }

  /**
   * Masks everything before it reaches the backend; default {@link DefaultRedactionPolicy}.
   * @throws InvalidArgumentError when it is no policy
   */
  redactionPolicy(redactionPolicy: RedactionPolicy): MemorySpec {
    if (typeof (redactionPolicy as Partial<RedactionPolicy> | undefined)?.redact !== 'function') {
      throw new InvalidArgumentError(
        `MemorySpec.redactionPolicy is ${shown(redactionPolicy)}; it takes a RedactionPolicy. To mask nothing, say so with withoutRedaction().`,
      );
    }
    return this.#with({ redactionPolicy });
  }

  /** Masks nothing. Where something is written that is raised as a fault, `memory-redaction`. */
  withoutRedaction(): MemorySpec {
    return this.#with({ redactionPolicy: undefined });
  }

  /**
   * When sessions hand conversations over; default `off`.
   * @throws InvalidArgumentError for anything but an {@link IngestMode}
   */
  ingest(ingest: IngestMode): MemorySpec {
    return this.#with({ ingest: requireOneOf('MemorySpec.ingest', ingest, INGEST_MODES) });
  }

  /** Whether executions without a session of their own are taken in under the invoking session's id; default false. */
  ingestForks(ingestForks: boolean): MemorySpec {
    return this.#with({ ingestForks });
  }

  /**
   * When a session that nobody uses is closed, in milliseconds; default 30 minutes.
   * @throws InvalidArgumentError unless it is a whole number of at least 1
   */
  sessionIdleTimeoutMs(sessionIdleTimeoutMs: number): MemorySpec {
    return this.#with({
      sessionIdleTimeoutMs: requireWholeNumber('MemorySpec.sessionIdleTimeoutMs', sessionIdleTimeoutMs, 1),
    });
  }

  /**
   * How long the teardown may take, in milliseconds; default 10 seconds.
   * @throws InvalidArgumentError unless it is a whole number of at least 0
   */
  shutdownTimeoutMs(shutdownTimeoutMs: number): MemorySpec {
    return this.#with({ shutdownTimeoutMs: requireWholeNumber('MemorySpec.shutdownTimeoutMs', shutdownTimeoutMs, 0) });
  }

  /**
   * What is removed from the stores, and how often; default nothing, never. The stores list their workspaces.
   * @throws InvalidArgumentError unless each time is a whole number of at least 1
   */
  maintenance(maintenance: MaintenanceTimes): MemorySpec {
    for (const [name, ms] of Object.entries(maintenance)) requireWholeNumber(`MemorySpec.maintenance ${name}`, ms, 1);
    return this.#with({ maintenance: Object.freeze({ ...maintenance }) });
  }

  /**
   * Checks that the ingredients go together.
   * @throws InvalidConfigurationError with every fault: a backend and parts, or neither; a memory per caller without
   * SNAPSHOT; a store with only one of `softDelete` and `purgeSoftDeletedBefore`; maintenance of a store that does not
   * list its workspaces
   */
  build(): BuiltMemorySpec {
    const { peerMemory, parts } = this.#choices;
    const faults: string[] = [];
    const given = Object.entries(parts).filter(
      ([name, part]) => part !== undefined && name !== 'backendId' && name !== 'workspaceStore',
    );
    const makesTiers =
      parts.representationStore ?? parts.observationStore ?? parts.dialecticEngine ?? parts.derivationQueue;
    if (peerMemory !== undefined && given.length > 0) {
      faults.push(
        `A PeerMemory ("${peerMemory.backendId}") was given and so were parts of the default backend (${given.map(([name]) => name).join(', ')}); they would be ignored. Give one or the other.`,
      );
    }
    if (peerMemory === undefined && makesTiers === undefined) {
      faults.push(
        'Neither a PeerMemory nor a part of the default backend was given, so the memory would have no tier. Give a PeerMemory, or an observationStore and a representationStore.',
      );
    }
    if (
      this.peerMode.mode === 'caller' &&
      (peerMemory === undefined ? parts.representationStore : peerMemory.snapshotReader) == null &&
      faults.length === 0
    ) {
      faults.push(
        'A memory per caller needs SNAPSHOT, since prompts are all that it reaches without a session; give a representationStore, or a PeerMemory with a snapshotReader.',
      );
    }
    const { observationStore, observationIndex } = parts;
    if (observationIndex !== undefined && (observationStore === undefined || isSearchable(observationStore))) {
      faults.push(
        `An observationIndex was given ${observationStore === undefined ? 'without an observationStore to index' : 'beside an observationStore that searches by itself'}; it would not be read. Leave it out.`,
      );
    }
    if (
      observationStore !== undefined &&
      (observationStore.softDelete === undefined) !== (observationStore.purgeSoftDeletedBefore === undefined)
    ) {
      const [has, lacks] =
        observationStore.softDelete === undefined
          ? ['purgeSoftDeletedBefore', 'softDelete']
          : ['softDelete', 'purgeSoftDeletedBefore'];
      faults.push(
        `The observation store has ${has} but not ${lacks}; the two come together or not at all. Add ${lacks}, or leave ${has} out.`,
      );
    }
    if (this.#choices.maintenance !== undefined) faults.push(...unmaintainable(peerMemory, parts));
    if (faults.length > 0) throw new InvalidConfigurationError(faults);
    return Object.freeze({ ...this.#choices, peerMode: this.peerMode });
  }

  #with(change: Partial<Choices>): MemorySpec {
    return new MemorySpec(this.peerMode, Object.freeze({ ...this.#choices, ...change }));
  }
}

function unmaintainable(peerMemory: PeerMemory | undefined, parts: DefaultBackendParts): readonly string[] {
  if (peerMemory !== undefined) {
    return [
      `Maintenance was given beside a PeerMemory ("${peerMemory.backendId}"), which maintains itself, so it would not be done; leave it out.`,
    ];
  }
  return (['observationStore', 'representationStore'] as const)
    .filter((name) => parts[name] !== undefined && parts[name]?.findWorkspaces === undefined)
    .map(
      (name) =>
        `Maintenance was given, but the ${name} has no findWorkspaces, so nobody would know where to look; add it, or leave maintenance out.`,
    );
}

const defaults = (): Choices => ({
  redactionPolicy: new DefaultRedactionPolicy(),
  parts: Object.freeze({}),
  injectionMode: 'SUMMARY_ONLY',
  maxTokens: 0,
  contextTimeoutMs: 300,
  ingest: 'off',
  ingestForks: false,
  sessionIdleTimeoutMs: 30 * 60_000,
  shutdownTimeoutMs: 10_000,
});
