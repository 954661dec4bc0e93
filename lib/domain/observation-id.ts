import { nanoid } from 'nanoid';

import { requireIdentity, shown } from './checks.js';
import { InvalidArgumentError } from './errors.js';
import { joinKey, splitKey } from './joined-key.js';

const LOCAL_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of an observation, bound to its workspace so that it cannot be used in another. */
export class ObservationId {
  private constructor(
    /** The id of the workspace that the observation belongs to; 1 to 256 characters. */
    readonly workspaceId: string,
    /** What tells it from the others of its workspace: 1 to 64 of `A-Z a-z 0-9 _ -`. */
    readonly localId: string,
  ) {
    Object.freeze(this);
  }

  /**
   * The id of those parts.
   * @throws InvalidArgumentError when `workspaceId` is not 1 to 256 characters, or `localId` not 1 to 64 of
   * `A-Z a-z 0-9 _ -`.
   */
  static of(init: { readonly workspaceId: string; readonly localId: string }): ObservationId {
    requireIdentity('ObservationId.workspaceId', init.workspaceId);
    if (typeof init.localId !== 'string' || !LOCAL_ID.test(init.localId)) {
      throw new InvalidArgumentError(
        `ObservationId.localId is ${shown(init.localId)}; it takes 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.`,
      );
    }
    return new ObservationId(init.workspaceId, init.localId);
  }

  /**
   * A fresh, random id in that workspace.
   * @throws InvalidArgumentError when `workspaceId` is not 1 to 256 characters
   */
  static generate(workspaceId: string): ObservationId {
    return ObservationId.of({ workspaceId, localId: nanoid() });
  }

  /** Reads what {@link toString} wrote. @throws InvalidArgumentError when `text` is nothing that it writes. */
  static parse(text: string): ObservationId {
    const parts = typeof text === 'string' ? splitKey(text) : undefined;
    if (parts?.length !== 2) {
      throw new InvalidArgumentError(
        `ObservationId.parse was given ${shown(text)}; it takes what ObservationId.toString() writes.`,
      );
    }
    return ObservationId.of({ workspaceId: parts[0] as string, localId: parts[1] as string });
  }

  /** `workspace:localId`, escaped; injective, and read back by {@link parse}. */
  toString(): string {
    return joinKey([this.workspaceId, this.localId]);
  }

  /** Whether both name the same observation. */
  equals(other: ObservationId): boolean {
    return other.workspaceId === this.workspaceId && other.localId === this.localId;
  }
}
