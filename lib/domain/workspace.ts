import { requireDate, requireIdentity, requireText, requireTextMap } from './checks.js';

/** What {@link Workspace.of} takes; an `id` suffices. */
export interface WorkspaceInit {
  /** 1 to 256 UTF-16 units, no control characters, not only white space; taken as it is. */
  readonly id: string;
  readonly displayName?: string;
  /** Default: now. */
  readonly createdAt?: Date;
  /** Default: empty. `acl.owner` and `acl.members` are read by the default access policy. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A tenant: the root of isolation. Two workspaces with the same id are the same workspace. */
export class Workspace {
  readonly id: string;
  readonly displayName: string | undefined;
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

  /** @throws InvalidArgumentError naming the field, what was given and what is accepted. */
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

  equals(other: Workspace): boolean {
    return other.id === this.id;
  }
}
