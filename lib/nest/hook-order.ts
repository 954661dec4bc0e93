import type { ModulesContainer } from '@nestjs/core';

import { MEMORY_STACK, type AssembledMemory } from './memory-stack-provider.js';

type Module = NonNullable<ReturnType<ModulesContainer['get']>>;

/** More than any chain of imports is long, and far below what Nest gives to global modules. */
const BELOW_THE_APPLICATION = 2 ** 32;

/**
 * Sees to it that in every phase of a shutdown the memory comes after whoever may use it, and before what it is made of.
 *
 * Nest runs the hooks of a shutdown from the root module down, and those of global modules last. Since `MemoryModule` is
 * global, every module may use the memory, also one that stands further down than the module with its hooks, which would
 * then come too late (measured). So that module, and what it imports, goes below all others that are not global. Where
 * nothing of the memory is the application's it goes below the global ones, too.
 *
 * To be called before the first hook, which is when Nest looks at the order.
 */
export function takePlaceInHookOrder(memory: AssembledMemory, modules: ModulesContainer): void {
  const own = [...modules.values()].find((module) => module.providers.get(MEMORY_STACK)?.instance === memory);
  if (own === undefined) return;
  if (!memory.supplied) own.distance = Infinity;
  else
    for (const module of withImports(own))
      if (module.distance < BELOW_THE_APPLICATION) module.distance += BELOW_THE_APPLICATION;
}

function withImports(module: Module, found = new Set<Module>()): ReadonlySet<Module> {
  found.add(module);
  for (const imported of module.imports) {
    if (!imported.isGlobal && !found.has(imported)) withImports(imported, found);
  }
  return found;
}
