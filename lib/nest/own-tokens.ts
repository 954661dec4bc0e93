import type { InjectionToken, Provider } from '@nestjs/common';

import { MODULE_OPTIONS_TOKEN } from './memory-core-module-definition.js';
import { MemoryLifecycle } from './memory-lifecycle.js';
import { MEMORY_PARTS } from './memory-parts.js';
import { MEMORY_STACK } from './memory-stack-provider.js';
import {
  MEMORY_CONTEXT_PROVIDER,
  MEMORY_DIALECTIC_ENGINE,
  MEMORY_INGESTOR,
  MEMORY_OBSERVATION_RECORDER,
  MEMORY_SEARCHER,
  MEMORY_SNAPSHOT_READER,
  PEER_MEMORY,
} from './memory-tokens.js';
import { getMemoryToken, namedPart } from './memory-name.js';
import { MEMORY_NAME, SUPPLIED_PARTS } from './supplied-parts.js';
import { tokenName } from './token-name.js';

/** What the memory provides, and nobody else. */
const OWN_TOKENS: ReadonlySet<InjectionToken> = new Set<InjectionToken>([
  ...MEMORY_PARTS.map(({ provide }) => provide),
  ...[MEMORY_STACK, MEMORY_NAME, SUPPLIED_PARTS, MODULE_OPTIONS_TOKEN, MemoryLifecycle],
]);

/** What the memory `name` provides at `token`, as the unnamed memory's token; `undefined` where it provides nothing. */
export function ownToken(token: InjectionToken, name: string | undefined): InjectionToken | undefined {
  if (name === undefined) return OWN_TOKENS.has(token) ? token : undefined;
  if (namedPart(token)?.memory !== name) return undefined;
  return MEMORY_PARTS.find(({ provide }) => getMemoryToken(provide, name) === token)?.provide;
}

const TIERS: readonly InjectionToken[] = [
  MEMORY_SNAPSHOT_READER,
  MEMORY_SEARCHER,
  MEMORY_DIALECTIC_ENGINE,
  MEMORY_OBSERVATION_RECORDER,
  MEMORY_INGESTOR,
];

/** The providers that would take the place of what this memory, or the unnamed one, provides; each as a fault. */
export function ownTokenFaults(providers: readonly Provider[] = [], name?: string): readonly string[] {
  return providers
    .map((provider) => (typeof provider === 'function' ? provider : provider?.provide))
    .flatMap((token) => ownToken(token, undefined) ?? ownToken(token, name) ?? [])
    .map((token) => ownTokenFault(token, 'the providers of MemoryModule'));
}

/** Why `token` cannot be provided in `place`, and what can be. */
export function ownTokenFault(token: InjectionToken, place: string): string {
  const name = tokenName(token);
  const start = `${name} is provided in ${place}, but the memory itself provides it`;
  if (token === PEER_MEMORY)
    return `${start}, checked and masked, and what is given there would be neither; provide the backend as PEER_MEMORY_BACKEND, with aimon.memory.backend set to supplied. ${TEST}`;
  if (TIERS.includes(token))
    return `${start}, checked and masked, and what is given there would be neither; provide a PeerMemory with that tier as PEER_MEMORY_BACKEND, with aimon.memory.backend set to supplied. ${TEST}`;
  if (token === MEMORY_CONTEXT_PROVIDER)
    return `${start}, so one of the two would be dropped without a word; remove it, or provide your own under a token of your own. ${TEST}`;
  return `${start}; remove it, and inject what the memory provides. ${TEST}`;
}

const TEST = 'A test replaces it with overrideProvider.';
