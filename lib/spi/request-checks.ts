import { shown } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';
import { PeerView } from '../domain/peer-view.js';

/** A request is an object; a caller without types may hand in anything. @throws InvalidArgumentError */
export function requireRequest(request: string, input: unknown): void {
  if (input === null || typeof input !== 'object') {
    throw new InvalidArgumentError(`${request} is ${shown(input)}; it takes an object.`);
  }
}

/** Both peers of a request are there, and of one workspace. @throws InvalidArgumentError naming the request's field. */
export function requirePeers(
  request: string,
  peers: { readonly subject: PeerView; readonly observer: PeerView },
): void {
  for (const [field, peer] of Object.entries(peers)) {
    if (!(peer instanceof PeerView)) {
      throw new InvalidArgumentError(
        `${request}.${field} is ${shown(peer)}; it takes a PeerView, made with PeerView.of(workspace, principal).`,
      );
    }
  }
  peers.subject.requireSameWorkspace(peers.observer, `${request}.observer`);
}
