import { normaliseMessage, type NormalisedMessage } from '../../domain/memory-message.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { DerivationTask } from '../../ports/derivation-queue.js';
import { MINA } from '../stores/store-facts.js';

export const said = (id: string, content = `Said ${id}.`): NormalisedMessage =>
  normaliseMessage({ role: 'user', content, id });
export const task = (
  sessionId: string,
  ids: readonly string[],
  { subject = MINA, observer = MINA }: { readonly subject?: PeerView; readonly observer?: PeerView } = {},
): DerivationTask => ({ subject, observer, sessionId, messages: ids.map((id) => said(id)) });
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Something that is waited for by one and done by another. */
export class Signal {
  readonly given: Promise<void>;
  give: () => void = () => undefined;

  constructor() {
    this.given = new Promise((resolve) => (this.give = resolve));
  }
}
