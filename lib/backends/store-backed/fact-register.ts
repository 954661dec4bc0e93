import type { Observation } from '../../domain/observation.js';
import { joinKey } from '../../domain/joined-key.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { Workspace } from '../../domain/workspace.js';
import { textDigest } from '../../domain/text-digest.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import { canonicalForm, type ComparedFact } from '../../search-index/canonical-form.js';

/** How many facts are remembered, over all subjects, before the subject used longest ago is dropped. */
const MOST_FACTS = 500_000;

const PAGE = 1000;
const LONGEST_PLAIN_FORM = 64;

/** What {@link FactRegister} compares: an observation or a draft of one. */
export type Fact = ComparedFact & Pick<Observation, 'observer'>;

/**
 * Which observation of a subject says what, so that a fact told again is found without reading everything. It is read
 * from the store on a subject's first write, and only nominates: whoever asks reads the observation from the store.
 */
export class FactRegister {
  // In the order of use: a Map keeps that of insertion.
  readonly #subjects = new Map<string, Map<string, string>>();
  #facts = 0;

  constructor(private readonly store: ObservationStore) {}

  /** The local id of the observation that was last known to say the same, recorded by the same observer. */
  async find(subject: PeerView, fact: Fact): Promise<string | undefined> {
    const form = formOf(fact);
    return form === undefined ? undefined : (await this.#factsOf(subject)).get(form);
  }

  /** As {@link find}, after reading the subject from the store once more. */
  findAnew(subject: PeerView, fact: Fact): Promise<string | undefined> {
    this.forget(subject);
    return this.find(subject, fact);
  }

  /** Takes in what was just saved, where its subject was read before. */
  note(observation: Observation): void {
    const form = formOf(observation);
    const facts = this.#subjects.get(observation.subject.key());
    if (form === undefined || facts === undefined || facts.has(form)) return;
    facts.set(form, observation.id.localId);
    this.#facts++;
  }

  forget(subject: PeerView): void {
    const key = subject.key();
    this.#facts -= this.#subjects.get(key)?.size ?? 0;
    this.#subjects.delete(key);
  }

  forgetWorkspace(workspace: Workspace): void {
    const prefix = `${joinKey([workspace.id])}:`;
    for (const [key, facts] of this.#subjects) {
      if (!key.startsWith(prefix)) continue;
      this.#subjects.delete(key);
      this.#facts -= facts.size;
    }
  }

  async #factsOf(subject: PeerView): Promise<Map<string, string>> {
    const key = subject.key();
    const known = this.#subjects.get(key);
    if (known !== undefined) {
      this.#subjects.delete(key);
      this.#subjects.set(key, known);
      return known;
    }
    const facts = await this.#read(subject);
    this.#subjects.set(key, facts);
    this.#facts += facts.size;
    for (const [coldest, cold] of this.#subjects) {
      if (this.#facts <= MOST_FACTS || coldest === key) break;
      this.#subjects.delete(coldest);
      this.#facts -= cold.size;
    }
    return facts;
  }

  async #read(subject: PeerView): Promise<Map<string, string>> {
    const facts = new Map<string, string>();
    let cursor: string | undefined;
    do {
      const page = await this.store.findBySubject(subject, { limit: PAGE, cursor });
      for (const observation of page.items) {
        const form = formOf(observation);
        // Pages come newest first, so the last to write is the first to have said it.
        if (form !== undefined) facts.set(form, observation.id.localId);
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
    return facts;
  }
}

function formOf(fact: Fact): string | undefined {
  const form = canonicalForm(fact);
  if (form === undefined) return undefined;
  // Another observer's view of the same subject is another memory: it is not this one's to strengthen.
  const text = `${fact.observer.key()} ${form}`;
  return text.length <= LONGEST_PLAIN_FORM ? text : textDigest(text);
}
