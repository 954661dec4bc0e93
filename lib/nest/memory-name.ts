import type { InjectionToken } from '@nestjs/common';

import { InvalidArgumentError } from '../domain/errors.js';
import { valueKind } from './settings/value-kind.js';
import { TOKEN_PREFIX } from './token-prefix.js';

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** What a memory can be called, in words. */
export const MEMORY_NAME_RULE = '1 to 64 letters, digits, - and _, beginning with a letter';

/** Why `name` cannot be the name of a memory, to follow "name": `is text that …`. `undefined` when it can be, or is not given. */
export function memoryNameFault(name: unknown): string | undefined {
  if (name === undefined || (typeof name === 'string' && NAME.test(name))) return undefined;
  return `is ${typeof name === 'string' ? JSON.stringify(name.slice(0, 80)) : valueKind(name)}; it takes ${MEMORY_NAME_RULE}`;
}

/**
 * The token of a part of the memory that was registered with `forRoot({ name })`; without a name `token` itself, that of
 * the unnamed memory.
 *
 * @param token one of the exported tokens, or a class such as `AgentMemory`
 * @throws InvalidArgumentError when `token` is no token of this library, or `name` cannot be a memory's
 */
export function getMemoryToken(token: InjectionToken, name?: string): InjectionToken {
  const part = partName(token);
  if (part === undefined) {
    throw new InvalidArgumentError(
      `getMemoryToken was given ${valueKind(token)} as a token; it takes a token of this library, such as PEER_MEMORY, or a class, such as AgentMemory.`,
    );
  }
  const fault = memoryNameFault(name);
  if (fault !== undefined) throw new InvalidArgumentError(`The name that getMemoryToken was given ${fault}.`);
  return name === undefined ? token : Symbol.for(`${TOKEN_PREFIX}${name}:${part}`);
}

/** The name of a part by its own token; `undefined` for what is none, or is that of a named memory already. */
function partName(token: InjectionToken): string | undefined {
  if (typeof token === 'function') return valueKind(token).startsWith('the class') ? token.name : undefined;
  const name = tokenKey(token);
  return name?.includes(':') === true ? undefined : name;
}

function tokenKey(token: InjectionToken): string | undefined {
  const key = typeof token === 'symbol' ? Symbol.keyFor(token) : undefined;
  return key?.startsWith(TOKEN_PREFIX) === true ? key.slice(TOKEN_PREFIX.length) : undefined;
}

/** The memory and the part that a token of {@link getMemoryToken} leads to; `undefined` for any other token. */
export function namedPart(token: InjectionToken): { readonly memory: string; readonly part: string } | undefined {
  const [memory = '', part] = (tokenKey(token) ?? '').split(':');
  return part === undefined ? undefined : { memory, part };
}
