import { Scope } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

import { dependenciesOf, type Module, type ProviderWrapper } from './dependencies-of.js';
import { MEMORY_STACK, type AssembledMemory } from './memory-stack-provider.js';
import { MEMORY_CONTEXT_PROVIDER } from './memory-tokens.js';
import { ownToken, ownTokenFault } from './own-tokens.js';
import { namedPart } from './memory-name.js';
import { MEMORY_NAME, SUPPLIED_PARTS, SUPPLIED_TOKENS } from './supplied-parts.js';
import { tokenName } from './token-name.js';

/** The memories of an application that were made. */
export function madeMemories(modules: ModulesContainer): readonly AssembledMemory[] {
  return memoriesIn(modules).flatMap((module) => made(module) ?? []);
}

/**
 * What is wrong with the memory in the application around it: two of them, one that is made anew for every request, or
 * providers that take the place of its own.
 */
export function applicationFaults(modules: ModulesContainer): readonly string[] {
  const memories = memoriesIn(modules);
  return [
    ...duplicateFaults(memories),
    ...memories.flatMap(scopeFaults),
    ...partsOfNobody(modules, memories),
    ...[...new Set(memories.map(nameOf))].flatMap((name) =>
      overridden(
        modules,
        memories,
        memories.filter((memory) => nameOf(memory) === name),
        name,
      ),
    ),
  ];
}

const nameOf = (memory: Module): string | undefined =>
  (memory.providers.get(MEMORY_NAME)?.instance as string | null | undefined) ?? undefined;

function duplicateFaults(memories: readonly Module[]): readonly string[] {
  const times = new Map<string | undefined, number>();
  for (const memory of memories) times.set(nameOf(memory), (times.get(nameOf(memory)) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([name, count]) =>
      name === undefined
        ? `MemoryModule.forRoot or forRootAsync was called ${count} times in one application without a name, and which memory is injected would be an accident; call it once, in the root module, where it is global unless isGlobal is false, or give each further one a name: forRoot({ name: 'ops', … }).`
        : `The memory "${name}" was registered ${count} times in one application, and which one is injected would be an accident; register it once, or give each a name of its own.`,
    );
}

const memoriesIn = (modules: ModulesContainer): readonly Module[] =>
  [...modules.values()].filter((module) => module.providers.has(MEMORY_STACK));

/** Parts that are provided for a memory of a name that there is not: they would be ignored. */
function partsOfNobody(modules: ModulesContainer, memories: readonly Module[]): readonly string[] {
  const names = new Set(memories.map(nameOf));
  return [...modules.values()].flatMap((module) =>
    [...module.providers.keys()].flatMap((token) => {
      const { memory, part } = namedPart(token) ?? {};
      const isPart = SUPPLIED_TOKENS.some((supplied) => tokenName(supplied) === part);
      return memory === undefined || !isPart || names.has(memory)
        ? []
        : [
            `${part} of the memory "${memory}" is provided in ${module.name}, but no memory is registered by that name; register it with MemoryModule.forRoot({ name: '${memory}', … }), or remove the provider.`,
          ];
    }),
  );
}

// The wrapper of a provider that is request-scoped holds nothing.
const made = (memory: Module): AssembledMemory | undefined =>
  (memory.providers.get(MEMORY_STACK)?.instance as AssembledMemory | null | undefined) ?? undefined;

const PER_CALLER =
  'For a memory per caller set aimon.memory.peer-mode to caller, and name the principal when a session is opened.';

/**
 * A provider that depends on one of a request is of the request too: Nest then makes a memory at every resolution and
 * calls no hook of it (both measured). A transient part is one to the memory and another to everybody else.
 */
function scopeFaults(memory: Module): readonly string[] {
  const stack = memory.providers.get(MEMORY_STACK);
  if (stack !== undefined && !stack.isDependencyTreeStatic()) {
    const [scoped, ...through] = (pathToRequest(stack) ?? []).map(({ token }) => tokenName(token));
    return [
      `${scoped ?? 'A provider'} is request-scoped, and the memory depends on it${through.length === 0 ? '' : ` through ${through.join(' and ')}`}, so every request would make a memory of its own, which nothing would take down; make it a singleton. ${PER_CALLER}`,
    ];
  }
  return dependenciesOf(memory.providers.get(SUPPLIED_PARTS))
    .filter(({ isTransient }) => isTransient)
    .map(
      ({ token }) =>
        `${tokenName(token)} is transient, so the memory would work with one and whoever else injects it with another; make it a singleton. ${PER_CALLER}`,
    );
}

/** From the provider that is request-scoped back to what depends on it, without the library's own. */
function pathToRequest(
  wrapper: ProviderWrapper,
  seen = new Set<ProviderWrapper>(),
): readonly ProviderWrapper[] | undefined {
  seen.add(wrapper);
  const own = wrapper.token === MEMORY_STACK || wrapper.token === SUPPLIED_PARTS ? [] : [wrapper];
  if (wrapper.scope === Scope.REQUEST) return own;
  for (const dependency of dependenciesOf(wrapper)) {
    const path = seen.has(dependency) ? undefined : pathToRequest(dependency, seen);
    if (path !== undefined) return [...path, ...own];
  }
  return undefined;
}

/** A module's own provider wins over an imported or global one: there the application would have another memory. */
function overridden(
  modules: ModulesContainer,
  memories: readonly Module[],
  ofThisName: readonly Module[],
  name: string | undefined,
): readonly string[] {
  const hasSnapshot = ofThisName.some((memory) => made(memory)?.stack.capabilities.has('SNAPSHOT') === true);
  return [...modules.values()]
    .filter((module) => !memories.includes(module))
    .flatMap((module) =>
      [...module.providers.keys()]
        .flatMap((token) => ownToken(token, name) ?? [])
        .filter((token) => token !== MEMORY_CONTEXT_PROVIDER || hasSnapshot)
        .map((token) => ownTokenFault(token, module.name)),
    );
}
