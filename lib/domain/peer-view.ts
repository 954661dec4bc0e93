import { InvalidArgumentError } from './errors.js';
import { joinKey } from './joined-key.js';
import { Principal } from './principal.js';
import { Workspace } from './workspace.js';

/**
 * A principal inside a workspace: whose memory this is, or who observes.
 *
 * Two views are the same peer when their keys are equal; display names and metadata play no part.
 */
export class PeerView {
  readonly #key: string;

  private constructor(
    /** The tenant; nothing of the peer is seen from another one. */
    readonly workspace: Workspace,
    /** Who it is inside the workspace. */
    readonly principal: Principal,
  ) {
    this.#key = joinKey([workspace.id, principal.type, principal.id]);
    Object.freeze(this);
  }

  /**
   * That principal inside that workspace.
   * @throws InvalidArgumentError when either is not what it should be.
   */
  static of(workspace: Workspace, principal: Principal): PeerView {
    if (!(workspace instanceof Workspace)) {
      throw new InvalidArgumentError('PeerView.workspace is not a Workspace; make one with Workspace.of({ id }).');
    }
    if (!(principal instanceof Principal)) {
      throw new InvalidArgumentError("PeerView.principal is not a Principal; make one with Principal.user('id').");
    }
    return new PeerView(workspace, principal);
  }

  /**
   * The peer's storage key, `workspace:TYPE:id`. Injective: different peers never share a key, whatever characters
   * their ids hold, so a key may be used to partition tenants.
   */
  key(): string {
    return this.#key;
  }

  /** Whether both are the same principal in the same workspace; display names do not count. */
  equals(other: PeerView): boolean {
    return other.#key === this.#key;
  }

  /**
   * Does nothing when `other` is a peer of the same workspace.
   *
   * @param field what `other` is called in the error, such as `MemorySearchQuery.observer`
   * @throws InvalidArgumentError when `other` belongs to another workspace.
   */
  requireSameWorkspace(other: PeerView, field: string): void {
    if (other.workspace.id !== this.workspace.id) {
      throw new InvalidArgumentError(
        `${field} is a peer of workspace "${other.workspace.id}", but the request is about workspace ` +
          `"${this.workspace.id}". A request stays within one workspace.`,
      );
    }
  }
}
