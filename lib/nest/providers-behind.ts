import { ModuleRef, type ModulesContainer } from '@nestjs/core';

import { dependenciesOf, type Module, type ProviderWrapper } from './dependencies-of.js';
import { MEMORY_STACK, type AssembledMemory } from './memory-stack-provider.js';
import { SUPPLIED_PARTS } from './supplied-parts.js';

/** The module that has a memory. */
export function moduleOfMemory(memory: AssembledMemory, modules: ModulesContainer): Module | undefined {
  return [...modules.values()].find((module) => module.providers.get(MEMORY_STACK)?.instance === memory);
}

/** The providers that supply the parts of the memory in a module: those that it takes, and not all that it could have. */
export function suppliers(memory: Module): readonly ProviderWrapper[] {
  const wrapper = memory.providers.get(SUPPLIED_PARTS);
  const taken = Object.values(wrapper?.instance ?? {}).filter((part) => part != null);
  return dependenciesOf(wrapper).filter(({ instance }) => taken.includes(instance));
}

/** The providers that supply the parts of the memory in a module, and all that was injected into them, and into that. */
export function providersBehind(memory: Module): ReadonlySet<ProviderWrapper> {
  const found = new Set(suppliers(memory));
  // A set that is walked takes in what is added meanwhile.
  for (const wrapper of found) for (const dependency of dependenciesOf(wrapper)) found.add(dependency);
  return found;
}

/** Whether a provider asks Nest itself for what it needs: nobody can see then what that is. */
export function looksUpByItself(wrapper: ProviderWrapper): boolean {
  return dependenciesOf(wrapper).some(({ token }) => token === ModuleRef);
}
