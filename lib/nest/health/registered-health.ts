import type { ModulesContainer } from '@nestjs/core';

import { MemoryHealth } from '../../assembly/memory-health.js';
import { InvalidConfigurationError } from '../../domain/errors.js';
import { madeMemories } from '../application-faults.js';
import { getMemoryToken } from '../memory-name.js';
import { MEMORY_NAME } from '../supplied-parts.js';

/**
 * The health of the memory of this name, wherever it is registered: also where it is not global, since an endpoint for
 * operators tells of the whole application. `undefined` where there is none, or none yet.
 */
export function registeredHealth(modules: ModulesContainer, name: string | undefined): MemoryHealth | undefined {
  const token = getMemoryToken(MemoryHealth, name);
  for (const { module, of } of registrations(modules)) {
    if (of === name) return module.providers.get(token)?.instance as MemoryHealth | undefined;
  }
  return undefined;
}

/** @throws InvalidConfigurationError when no memory of this name is registered; what was made of the others is closed then */
export async function requireRegistered(modules: ModulesContainer, name: string | undefined): Promise<void> {
  const names = registrations(modules).map(({ of }) => of);
  if (names.includes(name)) return;
  // Nest runs no shutdown hook after a failed start.
  await Promise.all(madeMemories(modules).map(({ stack }) => stack.close()));
  throw new InvalidConfigurationError([fault(name, [...new Set(names)].sort())]);
}

type Module = NonNullable<ReturnType<ModulesContainer['get']>>;

function registrations(
  modules: ModulesContainer,
): readonly { readonly module: Module; readonly of: string | undefined }[] {
  return [...modules.values()].flatMap((module) => {
    const provider = module.providers.get(MEMORY_NAME);
    return provider === undefined ? [] : [{ module, of: (provider.instance ?? undefined) as string | undefined }];
  });
}

function fault(name: string | undefined, names: readonly (string | undefined)[]): string {
  const asked = name === undefined ? 'MemoryHealthModule' : `MemoryHealthModule.forMemory('${name}')`;
  if (names.length === 0) {
    const options = name === undefined ? '…' : `{ name: '${name}', … }`;
    return `${asked} is imported, but MemoryModule is registered nowhere in this application, so there is no memory whose health it could tell; import MemoryModule.forRoot(${options}), or leave ${asked} out.`;
  }
  const there = names.map((one) => (one === undefined ? 'the unnamed one' : `"${one}"`)).join(', ');
  const imports = names.map((one) =>
    one === undefined ? 'MemoryHealthModule' : `MemoryHealthModule.forMemory('${one}')`,
  );
  const what = name === undefined ? 'without a name' : `called "${name}"`;
  return `${asked} is imported, but no memory ${what} is registered; there is ${there}. Import ${imports.join(', ')} instead, or register the memory: MemoryModule.forRoot(${name === undefined ? '…' : `{ name: '${name}', … }`}).`;
}
