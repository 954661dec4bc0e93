import { Inject, type InjectionToken, type Type } from '@nestjs/common';
import { ModuleRef, type ModulesContainer } from '@nestjs/core';

import { readTree } from './settings/object-source.js';
import { resolveSettings } from './settings/resolved-placeholders.js';
import { KEY_PREFIX } from './settings/setting-names.js';
import { SettingCollector, type SettingSource } from './settings/setting-source.js';

type Module = NonNullable<ReturnType<ModulesContainer['get']>>;

interface ConfigServiceLike {
  get(path: string): unknown;
  /** All that was loaded. Not public, but the only way to see names with dots in them, and those that are misspelt. */
  readonly internalConfig?: unknown;
}

/**
 * What the application's `ConfigService` holds below `aimon.memory`; `undefined` where it has no `ConfigModule`. That
 * module is optional and is found in the container by its name: an import would need the package to be there, and a look-up
 * by `require` does not work under every test runner. Whether it is global makes no difference.
 */
export async function configServiceSettings(
  modules: ModulesContainer,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<SettingSource | undefined> {
  const services = await Promise.all([...modules.values()].filter(isConfigModule).map(loadedService));
  // All of them read the same configuration, which forFeature adds to.
  const service = services.find((one) => one !== undefined);
  if (service === undefined) return undefined;
  const collector = new SettingCollector('ConfigService', 'ConfigService');
  readTree(collector, treeOf(service));
  return resolveSettings(collector, environment);
}

function isConfigModule({ metatype, imports }: Module): boolean {
  return (
    metatype?.name === 'ConfigModule' && [...imports].some((imported) => imported.metatype?.name === 'ConfigHostModule')
  );
}

/** The service once everything that the module loads has been merged in; its own providers do that. */
async function loadedService(module: Module): Promise<ConfigServiceLike | undefined> {
  const token = [...module.providers.keys()].find(isConfigService);
  const moduleRef: unknown = module.providers.get(ModuleRef)?.instance;
  if (token === undefined || !(moduleRef instanceof ModuleRef)) return undefined;
  const loaders = [...module.providers.keys()].filter((one) => typeof one !== 'function');
  return (await moduleRef.create(waitingFor([token, ...loaders]))).first as ConfigServiceLike;
}

const isConfigService = (token: InjectionToken): boolean =>
  typeof token === 'function' && token.name === 'ConfigService';

/** A class that Nest makes only when all of these are there. */
function waitingFor(tokens: readonly InjectionToken[]): Type<{ readonly first: unknown }> {
  class Waiting {
    readonly first: unknown;

    constructor(...found: unknown[]) {
      [this.first] = found;
    }
  }
  for (const [at, token] of tokens.entries()) Inject(token)(Waiting, undefined, at);
  return Waiting;
}

function treeOf(service: ConfigServiceLike): object {
  const { internalConfig } = service;
  if (typeof internalConfig === 'object' && internalConfig !== null) return internalConfig;
  return { [KEY_PREFIX]: service.get(KEY_PREFIX) };
}
