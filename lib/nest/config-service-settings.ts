import { Inject, type InjectionToken, type Type } from '@nestjs/common';
import { ModuleRef, type ModulesContainer } from '@nestjs/core';

import { readTree } from './settings/object-source.js';
import { KEY_PREFIX } from './settings/setting-names.js';
import { SettingCollector, type SettingSource } from './settings/setting-source.js';

type Module = NonNullable<ReturnType<ModulesContainer['get']>>;

/** A configuration as one factory of the application made it. */
interface LoadedConfiguration {
  /** What `registerAs` was given; absent where the factory answers a whole tree. */
  readonly namespace: string | undefined;
  readonly value: unknown;
  /** Makes it anew. */
  readonly again: () => unknown;
}

/**
 * What the application's `ConfigService` holds below `aimon.memory`, strongest first; nothing where it has no
 * `ConfigModule`. That module is optional and is found in the container by its name: an import would need the package to be
 * there, and a look-up by `require` does not work under every test runner. Whether it is global makes no difference.
 *
 * Each factory's configuration is a source of its own, the one that was loaded last the strongest: `ConfigService` itself
 * replaces whole trees, and settings would be lost without a word.
 */
export async function configServiceSettings(modules: ModulesContainer): Promise<readonly SettingSource[]> {
  const loaded = await Promise.all([...modules.values()].filter(isConfigModule).map(loadedBy));
  const configurations = loaded.flatMap((module) => module.configurations);
  const validated = loaded.map(({ service }) => validatedTree(service)).filter((tree) => tree !== undefined);
  const trees = await Promise.all(configurations.map(asLoaded(configurations)));
  const sources = trees.reverse().map(sourceOf);
  // Where a test has put an object of its own in the place of ConfigService nothing was loaded.
  const replaced = loaded.map(({ service }) => replacedTree(service)).filter((tree) => tree !== undefined);
  return [...sources, ...[...new Set([...replaced, ...validated])].map(sourceOf)];
}

function sourceOf(tree: object): SettingSource {
  const collector = new SettingCollector('ConfigService', 'ConfigService');
  readTree(collector, tree);
  return collector;
}

function isConfigModule({ metatype, imports }: Module): boolean {
  return (
    metatype?.name === 'ConfigModule' && [...imports].some((imported) => imported.metatype?.name === 'ConfigHostModule')
  );
}

/** What a module has loaded, once all of it is there. */
async function loadedBy(
  module: Module,
): Promise<{ readonly service: unknown; readonly configurations: readonly LoadedConfiguration[] }> {
  const service = [...module.providers.keys()].find(isConfigService);
  const moduleRef: unknown = module.providers.get(ModuleRef)?.instance;
  if (service === undefined || !(moduleRef instanceof ModuleRef)) return { service: undefined, configurations: [] };
  const tokens = [...module.providers.keys()].filter((token) => configurationName(token) !== undefined);
  const { found } = await moduleRef.create(waitingFor([service, ...tokens]));
  return {
    service: found[0],
    configurations: tokens.map((token, at) => ({
      namespace: namespaceOf(configurationName(token) ?? ''),
      value: found[at + 1],
      again: () => (module.providers.get(token)?.metatype as (() => unknown) | undefined)?.(),
    })),
  };
}

const isConfigService = (token: InjectionToken): boolean =>
  typeof token === 'function' && token.name === 'ConfigService';

/** Of a token such as `CONFIGURATION(aimon.memory)`, which is that of one factory. */
const configurationName = (token: InjectionToken): string | undefined =>
  typeof token === 'string' ? /^CONFIGURATION\((.*)\)$/s.exec(token)?.[1] : undefined;

/** A factory that was not given to `registerAs` has a random name. */
const namespaceOf = (name: string): string | undefined =>
  /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(name) ? undefined : name;

/** A class that Nest makes only when all of these are there. */
function waitingFor(tokens: readonly InjectionToken[]): Type<{ readonly found: readonly unknown[] }> {
  class Waiting {
    readonly found: readonly unknown[];

    constructor(...found: unknown[]) {
      this.found = found;
    }
  }
  for (const [at, token] of tokens.entries()) Inject(token)(Waiting, undefined, at);
  return Waiting;
}

/**
 * A configuration as its factory made it. `ConfigModule` puts what has a namespace into the very tree that another factory
 * answered, in the place of what stood there; such a tree is made once more.
 */
function asLoaded(all: readonly LoadedConfiguration[]): (one: LoadedConfiguration) => Promise<object> {
  const named = all.filter(({ namespace }) => namespace !== undefined).map(({ value }) => value);
  return async ({ namespace, value, again }) => {
    if (namespace !== undefined) return { [namespace]: value };
    if (!isObject(value)) return {};
    const { aimon } = value as { readonly aimon?: unknown };
    const held = isObject(aimon) ? (aimon as { readonly memory?: unknown }).memory : undefined;
    if (!isObject(held) || !named.includes(held)) return value;
    const made: unknown = await again();
    return isObject(made) && made !== value ? made : {};
  };
}

/** What the application's `validate` answered. The variables of the environment that are in it are read as such. */
function validatedTree(service: unknown): object | undefined {
  const { _PROCESS_ENV_VALIDATED: validated } = internalConfig(service) ?? {};
  if (!isObject(validated)) return undefined;
  const ours = Object.entries(validated).filter(([name]) => !/^AIMON_/i.test(name));
  return ours.some(([name]) => name.startsWith('aimon')) ? Object.fromEntries(ours) : undefined;
}

function replacedTree(service: unknown): object | undefined {
  if (!isObject(service) || internalConfig(service) !== undefined) return undefined;
  const { get } = service as { readonly get?: unknown };
  if (typeof get !== 'function') return undefined;
  try {
    const value: unknown = get.call(service, KEY_PREFIX);
    return value === undefined || value === null ? undefined : { [KEY_PREFIX]: value };
  } catch {
    // It knows only what the test needs, and that is not this.
    return undefined;
  }
}

/** All that ConfigService holds. Not public, but the only way to what `validate` answered. */
function internalConfig(service: unknown): Readonly<Record<string, unknown>> | undefined {
  const { internalConfig: held } = (service ?? {}) as { readonly internalConfig?: unknown };
  return isObject(held) ? (held as Readonly<Record<string, unknown>>) : undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
