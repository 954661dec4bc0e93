import { ConfigModule } from '@nestjs/config';
import { InvalidConfigurationError, MemoryModule, type MemoryModuleOptions } from '@aimon/nestjs-memory';
import type { ModuleMetadata, Provider } from '@nestjs/common';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootModules } from '../../support/boot.js';

/** Settings by key, as in `{ 'queue.worker-count': '0' }`. */
export type Settings = Readonly<Record<string, unknown>>;

/** A source as an application uses it. */
export interface Source {
  readonly name: string;
  /** How a key is spelt in a message about it. */
  readonly spelled: (key: string) => string;
  /** How a misspelt key is offered. */
  readonly offered: (key: string) => string;
  /** The modules of an application that gives these settings in this source. */
  readonly modules: (
    settings: Settings,
    providers: Provider[],
    folder: string,
  ) => NonNullable<ModuleMetadata['imports']>;
}

const camel = (key: string): string => key.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const upper = (key: string): string => `AIMON_MEMORY_${key.replaceAll(/[-.]/g, '_').toUpperCase()}`;
const prefixed = (key: string): string => `aimon.memory.${key}`;

/** `{ 'queue.worker-count': 1 }` as `{ queue: { workerCount: 1 } }`, with names as `spell` has them. */
export function nested(settings: Settings, spell: (name: string) => string): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(settings)) {
    const names = key.split('.').map(spell);
    let at = tree;
    for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
    at[names[names.length - 1] as string] = value;
  }
  return tree;
}

const forRoot = (options: object, providers: Provider[]) =>
  MemoryModule.forRoot({ env: {}, ...(options as MemoryModuleOptions), providers });

const file = (extension: string, written: (settings: Settings) => string): Source => ({
  name: `a ${extension} file`,
  spelled: (key) => `${prefixed(key)} (memory${extension})`,
  offered: prefixed,
  modules: (settings, providers, folder) => {
    const settingsFile = join(folder, `memory${extension}`);
    writeFileSync(settingsFile, written(settings));
    return [forRoot({ settingsFile }, providers)];
  },
});

const tree = (settings: Settings): string =>
  JSON.stringify({ aimon: { memory: nested(settings, (name) => name) } }, null, 2);

export const SOURCES: readonly Source[] = [
  {
    name: 'options in code',
    spelled: camel,
    offered: camel,
    modules: (settings, providers) => [forRoot(nested(settings, camel), providers)],
  },
  {
    name: 'the environment',
    spelled: upper,
    offered: upper,
    modules: (settings, providers) => {
      const env = Object.fromEntries(Object.entries(settings).map(([key, value]) => [upper(key), String(value)]));
      return [MemoryModule.forRoot({ env, providers })];
    },
  },
  {
    name: 'ConfigService',
    spelled: (key) => `${prefixed(key)} (ConfigService)`,
    offered: prefixed,
    modules: (settings, providers) => {
      const load = [() => ({ aimon: { memory: nested(settings, (name) => name) } })];
      return [ConfigModule.forRoot({ ignoreEnvFile: true, load }), forRoot({}, providers)];
    },
  },
  file('.properties', (settings) =>
    Object.entries(settings)
      .map(([key, value]) => `aimon.memory.${key} = ${String(value)}\n`)
      .join(''),
  ),
  file('.yaml', (settings) =>
    Object.entries(settings)
      .map(([key, value]) => `aimon.memory.${key}: ${JSON.stringify(value)}\n`)
      .join(''),
  ),
  file('.json', tree),
];

/** The faults that an application of these modules is refused with; empty when it starts. */
export async function faultsOf(imports: NonNullable<ModuleMetadata['imports']>): Promise<readonly string[]> {
  try {
    await (await bootModules({ imports })).close();
    return [];
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error.faults;
    throw error;
  }
}
