import { requireDate, requireIdentity, requireText, requireTextMap } from './checks.js';

/** What {@link Workspace.of} takes; an `id` suffices. */
export interface WorkspaceInit {
  /** 1 to 256 UTF-16 units, no control characters, not only white space; taken as it is. */
  readonly id: string;
  /** How it is called; default: nothing else than its id. */
  readonly displayName?: string;
  /** When the workspace was made; default: now. */
  readonly createdAt?: Date;
  /** Anything else, as text; default: empty. `acl.owner` and `acl.members` are read by the default access policy. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A tenant: the root of isolation. Two workspaces with the same id are the same workspace. */
export class Workspace {
  /** Its identity; two of the same id are equal. */
  readonly id: string;
  /** How it is called; no part of its identity. */
  readonly displayName: string | undefined;
  /** Anything else, as text, such as `acl.owner`. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly #createdAt: number;

  private constructor(init: WorkspaceInit) {
    this.id = requireIdentity('Workspace.id', init.id);
    this.displayName =
      init.displayName === undefined ? undefined : requireText('Workspace.displayName', init.displayName);
    this.#createdAt = requireDate('Workspace.createdAt', init.createdAt ?? new Date()).getTime();
    this.metadata = requireTextMap('Workspace.metadata', init.metadata ?? {});
    Object.freeze(this);
  }

  /**
   * A workspace of those fields; an id is enough.
   * @throws InvalidArgumentError naming the field, what was given and what is accepted.
   */
  static of(init: WorkspaceInit): Workspace {
    return new Workspace(init);
  }

  /** As JSON has it: every field, the time in ISO 8601. */
  toJSON(): object {
    return { ...this, createdAt: this.createdAt.toISOString() };
  }

  /** When the workspace was made; a copy, so that changing it changes nothing here. */
  get createdAt(): Date {
    return new Date(this.#createdAt);
  }

  /** Whether both have the same id. */
  equals(other: Workspace): boolean {
    return other.id === this.id;
  }
}
