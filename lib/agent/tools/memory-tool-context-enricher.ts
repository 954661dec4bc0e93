import { requireIdentity, shown } from '../../domain/checks.js';
import { InvalidArgumentError } from '../../domain/errors.js';
import { PeerView } from '../../domain/peer-view.js';
import { MemoryToolContextKeys, type MemoryToolContext } from './memory-tool-context.js';

/** Fills in the memory keys of tool contexts for one observer. */
export class MemoryToolContextEnricher {
  readonly #observer: PeerView;
  readonly #subject: PeerView;

  /**
   * @param observer who observes and asks
   * @param subject whom it is about; default: the observer
   * @throws InvalidArgumentError when the two are of different workspaces
   */
  constructor(observer: PeerView, subject: PeerView = observer) {
    for (const peer of [observer, subject]) {
      if (peer instanceof PeerView) continue;
      throw new InvalidArgumentError(`MemoryToolContextEnricher was given ${shown(peer)}; it takes a PeerView.`);
    }
    observer.requireSameWorkspace(subject, 'MemoryToolContextEnricher.subject');
    this.#observer = observer;
    this.#subject = subject;
  }

  /**
   * `context` with the memory keys set; what it held under them is replaced, everything else stays.
   * @throws InvalidArgumentError when `sessionId` is not 1 to 256 characters
   */
  enrich<T extends object>(sessionId?: string, context?: T): T & MemoryToolContext {
    if (sessionId !== undefined) requireIdentity('MemoryToolContextEnricher.sessionId', sessionId);
    return Object.freeze({
      ...(context as T),
      [MemoryToolContextKeys.WORKSPACE]: this.#observer.workspace,
      [MemoryToolContextKeys.OBSERVER]: this.#observer,
      [MemoryToolContextKeys.SUBJECT]: this.#subject,
      [MemoryToolContextKeys.SESSION_ID]: sessionId,
    });
  }
}
