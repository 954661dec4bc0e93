import { requireIdentity, requireOneOf, requireText } from './checks.js';

/** What kind of actor a principal is. `GROUP` is several people treated as one, such as a team or a chat room. */
export const PRINCIPAL_TYPES = ['USER', 'SYSTEM', 'SERVICE', 'GROUP'] as const;
/** What a principal is; one of {@link PRINCIPAL_TYPES}. Two of the same id and another type are two. */
export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

/** What {@link Principal.of} takes. */
export interface PrincipalInit {
  /** What it is: a `USER`, a `SYSTEM`, a `SERVICE` or a `GROUP`. */
  readonly type: PrincipalType;
  /** 1 to 256 UTF-16 units, no control characters, not only white space; taken as it is. */
  readonly id: string;
  /** For people to read; plays no part in identity. Default: nothing else than its id. */
  readonly displayName?: string;
}

/** Somebody or something that can be remembered or can observe: a person, a system, a service or a group. */
export class Principal {
  /** What it is; a part of its identity. */
  readonly type: PrincipalType;
  /** Taken as it is: no trimming, no normalisation. */
  readonly id: string;
  /** How it is called in a prompt; no part of its identity. */
  readonly displayName: string | undefined;

  private constructor(init: PrincipalInit) {
    this.type = requireOneOf('Principal.type', init.type, PRINCIPAL_TYPES);
    this.id = requireIdentity('Principal.id', init.id);
    this.displayName =
      init.displayName === undefined ? undefined : requireText('Principal.displayName', init.displayName);
    Object.freeze(this);
  }

  /**
   * A principal of any type.
   * @throws InvalidArgumentError naming the field, what was given and what is accepted.
   */
  static of(init: PrincipalInit): Principal {
    return new Principal(init);
  }

  /** A person. @throws InvalidArgumentError naming the field */
  static user(id: string, displayName?: string): Principal {
    return new Principal({ type: 'USER', id, displayName });
  }

  /** A system, such as a database. @throws InvalidArgumentError naming the field */
  static system(id: string, displayName?: string): Principal {
    return new Principal({ type: 'SYSTEM', id, displayName });
  }

  /** A program that acts, such as an agent. @throws InvalidArgumentError naming the field */
  static service(id: string, displayName?: string): Principal {
    return new Principal({ type: 'SERVICE', id, displayName });
  }

  /** Several people under one name. @throws InvalidArgumentError naming the field */
  static group(id: string, displayName?: string): Principal {
    return new Principal({ type: 'GROUP', id, displayName });
  }

  /** The name to show to a person: the display name, or the id where there is none. */
  get label(): string {
    return this.displayName ?? this.id;
  }
}
