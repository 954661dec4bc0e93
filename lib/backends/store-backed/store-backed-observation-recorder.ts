import { joinKey } from '../../domain/joined-key.js';
import { ObservationId } from '../../domain/observation-id.js';
import { baseConfidence, baseOf, confidenceOf } from '../../domain/observation-type.js';
import { Observation } from '../../domain/observation.js';
import { textDigest } from '../../domain/text-digest.js';
import type { PeerView } from '../../domain/peer-view.js';
import { Workspace } from '../../domain/workspace.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import {
  normaliseObservationDraft,
  type NormalisedObservationDraft,
  type ObservationDraft,
  type ObservationRecorder,
} from '../../spi/observe.js';
import { KeyedLock } from '../../stores/keyed-lock.js';
import { FactRegister } from './fact-register.js';
import type { MemoryLifetime } from './memory-lifetime.js';
import { wrappedStoreErrors } from './wrapped-store-errors.js';

/** How many idempotency keys are remembered; older ones are still known by the id that they gave a new observation. */
const MOST_KEYS = 10_000;

/**
 * OBSERVE over an observation store: the only writer of observations. Under a lock of its subject a draft that says what
 * is known already makes that observation stronger; anything else becomes a new one.
 */
export class StoreBackedObservationRecorder implements ObservationRecorder {
  readonly storesConfidence = true;
  readonly storesType = true;

  readonly #lock = new KeyedLock();
  readonly #facts: FactRegister;
  readonly #byKey = new Map<string, Observation>();

  constructor(
    private readonly store: ObservationStore,
    private readonly lifetime: MemoryLifetime,
    private readonly clock: () => Date = () => new Date(),
  ) {
    this.#facts = new FactRegister(store);
  }

  async observe(input: ObservationDraft): Promise<Observation> {
    this.lifetime.requireOpen();
    const draft = normaliseObservationDraft(input);
    return this.#lock.run(draft.subject.key(), () =>
      wrappedStoreErrors('OBSERVE', draft.signal, () => this.#record(draft)),
    );
  }

  async #record(draft: NormalisedObservationDraft): Promise<Observation> {
    // Waiting for the lock can take a while; past this line the write is done to its end.
    draft.signal?.throwIfAborted();
    const recorded = await this.#recordedEarlier(draft);
    if (recorded !== undefined) return recorded;
    const createdAt = this.clock();
    const known = await this.#known({ ...draft, createdAt });
    const saved = await this.store.save(known === undefined ? this.#fresh(draft, createdAt) : reinforced(known, draft));
    this.#facts.note(saved);
    this.#rememberKey(draft, saved);
    return saved;
  }

  /** Runs `work`, which erases, while nothing about the peer is being recorded. */
  exclusively<T>(peer: PeerView, work: () => Promise<T>): Promise<T> {
    return this.#lock.run(peer.key(), work);
  }

  /** Takes note of observations that were changed in the store by somebody else, in their place. */
  reread(workspace: Workspace, changed: readonly Observation[]): void {
    this.#facts.forgetWorkspace(workspace);
    const byId = new Map(changed.map((observation) => [observation.id.toString(), observation]));
    for (const [key, { id }] of this.#byKey) {
      const now = byId.get(id.toString());
      if (now !== undefined) this.#byKey.set(key, now);
    }
  }

  /** Forgets what is known of peers, or of a whole workspace, for an erasure. */
  forget(what: readonly PeerView[] | Workspace): void {
    const peers: readonly PeerView[] | undefined = what instanceof Workspace ? undefined : what;
    if (what instanceof Workspace) this.#facts.forgetWorkspace(what);
    else peers?.forEach((peer) => this.#facts.forget(peer));
    for (const [key, { subject, observer }] of this.#byKey) {
      const gone =
        what instanceof Workspace
          ? subject.workspace.equals(what)
          : peers?.some((peer) => peer.equals(subject) || peer.equals(observer)) === true;
      if (gone) this.#byKey.delete(key);
    }
  }

  async #recordedEarlier(draft: NormalisedObservationDraft): Promise<Observation | undefined> {
    const key = keyOf(draft);
    if (key === undefined) return undefined;
    const earlier = this.#byKey.get(key);
    const kept = await this.store.findById(earlier?.id ?? idFor(draft, key));
    // One that was retired meanwhile is not brought back by a message that comes a second time.
    return kept?.subject.equals(draft.subject) === true ? kept : earlier;
  }

  async #known(draft: NormalisedObservationDraft & { readonly createdAt: Date }): Promise<Observation | undefined> {
    const nominated = await this.#facts.find(draft.subject, draft);
    if (nominated === undefined) return undefined;
    // Somebody else changed the store when it is not there any more; then the register is read anew.
    const known =
      (await this.#stored(draft, nominated)) ??
      (await this.#stored(draft, await this.#facts.findAnew(draft.subject, draft)));
    // A record of a conflict is not the statement that it is about.
    return known !== undefined && (known.type === 'CONTRADICTION') === (draft.type === 'CONTRADICTION')
      ? known
      : undefined;
  }

  async #stored(
    { subject }: NormalisedObservationDraft,
    localId: string | undefined,
  ): Promise<Observation | undefined> {
    if (localId === undefined) return undefined;
    const found = await this.store.findById(ObservationId.of({ workspaceId: subject.workspace.id, localId }));
    return found?.subject.equals(subject) === true ? found : undefined;
  }

  #fresh(draft: NormalisedObservationDraft, createdAt: Date): Observation {
    const { subject, observer, content, type, sourceMessageIds, occurredAt, sessionId, metadata } = draft;
    const key = keyOf(draft);
    return Observation.of({
      id: key === undefined ? ObservationId.generate(subject.workspace.id) : idFor(draft, key),
      ...{ subject, observer, content, type, sourceMessageIds, occurredAt, sessionId, metadata },
      createdAt,
      confidence: confidenceOf({
        base: draft.confidence ?? baseConfidence(type),
        corroborations: 0,
        contradicted: false,
      }),
    });
  }

  #rememberKey(draft: NormalisedObservationDraft, saved: Observation): void {
    const key = keyOf(draft);
    if (key === undefined) return;
    this.#byKey.set(key, saved);
    if (this.#byKey.size > MOST_KEYS) this.#byKey.delete(this.#byKey.keys().next().value as string);
  }
}

/** The known fact, told once more; the first id, content, session and metadata stay. */
function reinforced(known: Observation, draft: NormalisedObservationDraft): Observation {
  const sources = new Set([...known.sourceMessageIds, ...draft.sourceMessageIds]);
  // The same messages handed in again are no second voice.
  const again = draft.sourceMessageIds.length > 0 && sources.size === known.sourceMessageIds.length;
  const corroborations = known.corroborations + (again ? 0 : 1);
  const stronger = baseConfidence(draft.type) > baseConfidence(known.type);
  const base = stronger ? Math.max(baseOf(known), draft.confidence ?? baseConfidence(draft.type)) : baseOf(known);
  return known.with({
    type: stronger ? draft.type : known.type,
    sourceMessageIds: [...sources],
    corroborations,
    confidence: confidenceOf({ base, corroborations, contradicted: known.contradicted }),
  });
}

function keyOf({ subject, observer, idempotencyKey }: NormalisedObservationDraft): string | undefined {
  return idempotencyKey === undefined ? undefined : joinKey([subject.key(), observer.key(), idempotencyKey]);
}

/** The id that the key always gives, so that a draft sent again after a restart is known by it. */
function idFor({ subject }: NormalisedObservationDraft, key: string): ObservationId {
  const localId = textDigest(key);
  return ObservationId.of({ workspaceId: subject.workspace.id, localId });
}
