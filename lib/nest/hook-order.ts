import type { FactoryProvider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { madeMemories } from './application-faults.js';
import { dependenciesOf, type Module } from './dependencies-of.js';
import { MEMORY_STACK, type AssembledMemory } from './memory-stack-provider.js';
import { looksUpByItself, moduleOfMemory, providersBehind, suppliers } from './providers-behind.js';

/** More than any chain of imports is long; as many steps of it as there are modules are far below what global modules have. */
const BELOW_THE_APPLICATION = 2 ** 32;

/**
 * Sees to it that in every phase of a shutdown the memory comes after whoever may use it, and before what it is made of.
 *
 * Nest runs the hooks of a shutdown from the root module down, and those of global modules last. Since `MemoryModule` is
 * global, every module may use the memory, also one that stands further down than the module with its hooks, which would
 * then come too late; and what a global module is injected with may stand in a module that is not global, and come too
 * early (both measured). So the module of the memory goes below all others that are not global, and below that what the
 * registration imports, and whatever was injected into the parts that the application supplied. Where nothing of the
 * memory is the application's it goes below the global ones, too.
 *
 * Its factory is done before the first hook, which is when Nest looks at the order.
 */
export const hookOrderProvider: FactoryProvider<void> = {
  provide: Symbol('HOOK_ORDER'),
  inject: [MEMORY_STACK, ModulesContainer],
  useFactory: async (memory: AssembledMemory, modules: ModulesContainer): Promise<void> => {
    const own = moduleOfMemory(memory, modules);
    if (own === undefined) return;
    if (!memory.supplied) own.distance = Infinity;
    else {
      await untilMade(own);
      // All of them, since two may stand on one pool, or one on the other.
      placeBelowTheApplication(suppliedMemories(modules));
    }
  },
};

/** Of those that know each other Nest makes one before the other is known in full. */
async function untilMade(memory: Module): Promise<void> {
  for (let known = -1, behind = providersBehind(memory); behind.size > known; behind = providersBehind(memory)) {
    known = behind.size;
    // What cannot be made fails the start by itself.
    await Promise.allSettled([...behind].map((wrapper) => wrapper.settlementSignal?.asPromise() ?? Promise.resolve()));
  }
}

const suppliedMemories = (modules: ModulesContainer): readonly Module[] =>
  madeMemories(modules)
    .filter(({ supplied }) => supplied)
    .flatMap((memory) => moduleOfMemory(memory, modules) ?? []);

/** Puts these modules, and what is behind them, one below the other: each above what it imports and is injected with. */
function placeBelowTheApplication(memories: readonly Module[]): void {
  const behind = modulesBehind(memories);
  const placed = new Set<Module>();
  const fromBelow: Module[] = [];
  const place = (module: Module): void => {
    // Where modules go round in a circle, one of them is first.
    if (placed.has(module)) return;
    placed.add(module);
    for (const below of behind.get(module) ?? []) place(below);
    for (const below of importsBelow(module)) place(below);
    fromBelow.push(module);
  };
  memories.forEach(place);
  const movable = fromBelow.reverse().filter((module) => !module.isGlobal && module.distance !== Infinity);
  movable.forEach((module, at) => (module.distance = (at + 1) * BELOW_THE_APPLICATION + depth(module)));
}

/** From each module to those of which something was injected into a part of a memory that it holds. */
function modulesBehind(memories: readonly Module[]): ReadonlyMap<Module, ReadonlySet<Module>> {
  const edges = new Map<Module, Set<Module>>();
  const add = (from: Module | undefined, to: Iterable<Module | undefined>): void => {
    if (from === undefined) return;
    const known = edges.get(from) ?? new Set();
    edges.set(from, known);
    for (const module of to) if (module !== undefined && module !== from) known.add(module);
  };
  for (const memory of memories) {
    add(
      memory,
      suppliers(memory).map(({ host }) => host),
    );
    for (const wrapper of providersBehind(memory)) {
      add(
        wrapper.host,
        dependenciesOf(wrapper).map(({ host }) => host),
      );
      if (looksUpByItself(wrapper)) add(wrapper.host, [...(wrapper.host?.imports ?? [])]);
    }
  }
  return edges;
}

/** What a module imports and Nest has put below it; an import that closes a circle leads back up, to the application. */
function importsBelow(module: Module): readonly Module[] {
  return [...module.imports].filter((imported) => !imported.isGlobal && depth(imported) > depth(module));
}

/** How deep Nest has put a module, which stays readable when it has been placed here. */
const depth = (module: Module): number => (module.isGlobal ? Infinity : module.distance % BELOW_THE_APPLICATION);
