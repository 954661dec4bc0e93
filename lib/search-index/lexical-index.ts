import { InvalidArgumentError } from '../domain/errors.js';
import { joinKey } from '../domain/joined-key.js';
import type { ObservationId } from '../domain/observation-id.js';
import type { Observation } from '../domain/observation.js';
import type { PeerView } from '../domain/peer-view.js';
import type { Workspace } from '../domain/workspace.js';
import type { IndexHit, ObservationIndex } from '../ports/observation-index.js';
import type { SearchOptions } from '../ports/observation-store.js';
import { MatchScratch } from './match-scratch.js';
import { SubjectIndex } from './subject-index.js';
import { forgetKnownWords } from './tokeniser.js';

/**
 * Finds observations by their words: BM25 and four signals from where and when a fact was said, for each subject apart,
 * in memory. A fact is found by what was said and by who said it.
 *
 * A hit shares at least one word with the query (or a part of one, see `tokenise`); function words alone make no hit
 * unless the query holds nothing else. Scores are in [0, 1] and comparable within a query, see `rank`. Every call does
 * its work at once, so none sees another half done. The cost of a search grows with the facts of the subject that hold
 * the query's words, the cost of a change with the words of the fact.
 */
export class LexicalIndex implements ObservationIndex {
  readonly scores = true;
  readonly narrowsBySession = true;
  readonly #scratch = new MatchScratch();
  readonly #subjects = new Map<string, SubjectIndex>();
  /** Where each observation is, by workspace and local id: a deletion knows no subject. */
  readonly #places = new Map<string, Map<string, SubjectIndex>>();

  /** Adds it, in the place of an earlier one of the same id, whatever that was about. The subject is held from here on. */
  async index(observation: Observation): Promise<void> {
    this.#add(this.#held(observation.subject), observation);
  }

  async delete(id: ObservationId): Promise<void> {
    const places = this.#places.get(id.workspaceId);
    places?.get(id.localId)?.delete(id.localId);
    places?.delete(id.localId);
    if (places?.size === 0) this.#places.delete(id.workspaceId);
  }

  /** Most relevant first; of the same score the newer first, then by id. Empty for a subject that is not held. */
  async search(subject: PeerView, query: string, options: SearchOptions): Promise<readonly IndexHit[]> {
    options.signal?.throwIfAborted();
    return this.#subjects.get(subject.key())?.search(query, options) ?? [];
  }

  async eraseSubject(subject: PeerView): Promise<void> {
    this.#drop(subject);
    forgetKnownWords();
  }

  async eraseWorkspace(workspace: Workspace): Promise<void> {
    const prefix = `${joinKey([workspace.id])}:`;
    for (const key of this.#subjects.keys()) if (key.startsWith(prefix)) this.#subjects.delete(key);
    this.#places.delete(workspace.id);
    forgetKnownWords();
  }

  holds(subject: PeerView): boolean {
    return this.#subjects.has(subject.key());
  }

  /**
   * Takes all of a subject's live observations, in place of whatever was there.
   *
   * @throws InvalidArgumentError when one of them is about another subject; the subject is not held then.
   */
  async fill(subject: PeerView, observations: Iterable<Observation>): Promise<void> {
    this.#drop(subject);
    const held = this.#held(subject);
    for (const observation of observations) {
      if (!observation.subject.equals(subject)) {
        this.#drop(subject);
        throw new InvalidArgumentError(
          `LexicalIndex.fill was given observation "${observation.id.toString()}" about "${observation.subject.key()}"; ` +
            `it takes those about "${subject.key()}" only.`,
        );
      }
      this.#add(held, observation);
    }
  }

  #held(subject: PeerView): SubjectIndex {
    const key = subject.key();
    let held = this.#subjects.get(key);
    if (held === undefined) this.#subjects.set(key, (held = new SubjectIndex(this.#scratch)));
    return held;
  }

  #add(held: SubjectIndex, observation: Observation): void {
    const { workspaceId, localId } = observation.id;
    let places = this.#places.get(workspaceId);
    if (places === undefined) this.#places.set(workspaceId, (places = new Map<string, SubjectIndex>()));
    const earlier = places.get(localId);
    if (earlier !== held) earlier?.delete(localId);
    held.add(observation);
    places.set(localId, held);
  }

  #drop(subject: PeerView): void {
    const held = this.#subjects.get(subject.key());
    if (held === undefined) return;
    this.#subjects.delete(subject.key());
    const places = this.#places.get(subject.workspace.id);
    for (const localId of held.localIds()) places?.delete(localId);
    if (places?.size === 0) this.#places.delete(subject.workspace.id);
  }
}
