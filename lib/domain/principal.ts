import { requireIdentity, requireOneOf, requireText } from './checks.js';

/** What kind of actor a principal is. `GROUP` is several people treated as one, such as a team or a chat room. */
export const PRINCIPAL_TYPES = ['USER', 'SYSTEM', 'SERVICE', 'GROUP'] as const;
export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

/** What {@link Principal.of} takes. */
export interface PrincipalInit {
  readonly type: PrincipalType;
  /** 1 to 256 UTF-16 units, no control characters, not only white space; taken as it is. */
  readonly id: string;
  /** For people to read; plays no part in identity. */
  readonly displayName?: string;
}

/** Somebody or something that can be remembered or can observe: a person, a system, a service or a group. */
export class Principal {
  readonly type: PrincipalType;
  readonly id: string;
  readonly displayName: string | undefined;

  private constructor(init: PrincipalInit) {
    this.type = requireOneOf('Principal.type', init.type, PRINCIPAL_TYPES);
    this.id = requireIdentity('Principal.id', init.id);
    this.displayName =
      init.displayName === undefined ? undefined : requireText('Principal.displayName', init.displayName);
    Object.freeze(this);
  }

  /** @throws InvalidArgumentError naming the field, what was given and what is accepted. */
  static of(init: PrincipalInit): Principal {
    return new Principal(init);
  }

  static user(id: string, displayName?: string): Principal {
    return new Principal({ type: 'USER', id, displayName });
  }

  static system(id: string, displayName?: string): Principal {
    return new Principal({ type: 'SYSTEM', id, displayName });
  }

  static service(id: string, displayName?: string): Principal {
    return new Principal({ type: 'SERVICE', id, displayName });
  }

  static group(id: string, displayName?: string): Principal {
    return new Principal({ type: 'GROUP', id, displayName });
  }

  /** The name to show to a person: the display name, or the id where there is none. */
  get label(): string {
    return this.displayName ?? this.id;
  }
}
