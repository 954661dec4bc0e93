import type { InjectionToken, Type } from '@nestjs/common';

import { InvalidConfigurationError } from '../domain/errors.js';
import type { ASYNC_OPTIONS_TYPE, OPTIONS_TYPE } from './memory-core-module-definition.js';
import type { MemoryModuleOptions, MemoryModuleOptionsFactory } from './memory-module-options.js';
import { memoryNameFault } from './memory-name.js';
import { optionObjectFault } from './settings/option-object.js';
import { valueKind } from './settings/value-kind.js';

const EXAMPLE = "{ backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' }";
const SOURCES = ['useFactory', 'useClass', 'useExisting'] as const;
const BESIDE = ['inject', 'provideInjectionTokensFrom', 'imports', 'providers', 'isGlobal', 'name'] as const;

/** Checks what `MemoryModule.forRoot` was given, as far as its kind goes. @throws InvalidConfigurationError */
export function requireRegistration(options: typeof OPTIONS_TYPE): void {
  const fault = optionObjectFault(options);
  if (fault !== undefined) {
    throw new InvalidConfigurationError([
      `What MemoryModule.forRoot was given ${fault}; it takes a plain object of settings, such as ${EXAMPLE}, or nothing, to read the environment.`,
    ]);
  }
  const given = options as Readonly<Record<string, unknown>>;
  refuse([
    ...[...SOURCES, 'inject']
      .filter((name) => given[name] !== undefined)
      .map(
        (name) =>
          `${name} is given to MemoryModule.forRoot, which takes the options themselves; call MemoryModule.forRootAsync with it.`,
      ),
    ...extrasFaults('MemoryModule.forRoot', options, ['providers', 'imports']),
  ]);
}

/**
 * The options of `MemoryModule.forRootAsync`, with a factory in the place of a class that makes them.
 * @throws InvalidConfigurationError when they are of the wrong kind, name no maker of options or two, or hold what would
 * not be read
 */
export function requireAsyncRegistration(options: typeof ASYNC_OPTIONS_TYPE): typeof ASYNC_OPTIONS_TYPE {
  const fault = options === undefined ? undefined : optionObjectFault(options);
  if (fault !== undefined) {
    refuse([
      `What MemoryModule.forRootAsync was given ${fault}; it takes a plain object with useFactory, useClass or useExisting.`,
    ]);
  }
  const given = Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined));
  const sources = SOURCES.filter((name) => Object.hasOwn(given, name));
  if (sources.length === 0) {
    refuse([
      'MemoryModule.forRootAsync was given no useFactory, useClass or useExisting, so it has no options; give one of them, or use MemoryModule.forRoot(), which reads the environment.',
    ]);
  }
  refuse([
    ...sourceFaults(given, sources),
    ...unreadFaults(given),
    ...extrasFaults('MemoryModule.forRootAsync', given, ['providers', 'imports', 'inject']),
  ]);
  return madeByFactory(options);
}

/** What a factory of options answered. @throws InvalidConfigurationError when it is not options */
export function requireOptions(options: unknown): MemoryModuleOptions {
  const fault = optionObjectFault(options);
  if (fault !== undefined) {
    refuse([
      `What the factory of MemoryModule.forRootAsync answered ${fault}; it answers the options, a plain object such as ${EXAMPLE}.`,
    ]);
  }
  const given = options as MemoryModuleOptions & Readonly<Record<string, unknown>>;
  const { env } = given;
  refuse([
    ...[...SOURCES, ...BESIDE]
      .filter((name) => given[name] !== undefined)
      .map(
        (name) =>
          `${name} is among the options, where it would not be read, since it must be known before they are; give it to MemoryModule.forRootAsync beside the factory.`,
      ),
    ...(env === undefined || isEnvironment(env)
      ? []
      : [
          `env is ${valueKind(env)}; it takes an object of texts by name, such as process.env, or is left out, to read that.`,
        ]),
  ]);
  return given;
}

// The environment of a process is an object of the host's own kind.
const isEnvironment = (env: unknown): boolean => env === process.env || optionObjectFault(env) === undefined;

function sourceFaults(given: Readonly<Record<string, unknown>>, sources: readonly string[]): readonly string[] {
  const faults: string[] = [];
  if (sources.length > 1) {
    faults.push(
      `MemoryModule.forRootAsync was given ${sources.join(' and ')}, and only one would be read; leave one out.`,
    );
  }
  const { useFactory, useClass, useExisting } = given;
  if (useFactory !== undefined && typeof useFactory !== 'function')
    faults.push(`useFactory is ${valueKind(useFactory)}; it takes a function that answers the options.`);
  if (useClass !== undefined && typeof useClass !== 'function')
    faults.push(`useClass is ${valueKind(useClass)}; it takes a class with createMemoryOptions().`);
  if (useExisting !== undefined && !isToken(useExisting)) {
    faults.push(
      `useExisting is ${valueKind(useExisting)}; it takes the class or token of a provider with createMemoryOptions().`,
    );
  }
  if (given.inject !== undefined && useFactory === undefined) {
    faults.push(
      `inject is given beside ${sources[0]}, where it would not be read; let the class inject what it needs, or leave it out.`,
    );
  }
  return faults;
}

function unreadFaults(given: Readonly<Record<string, unknown>>): readonly string[] {
  const read: readonly string[] = [...SOURCES, ...BESIDE];
  return Object.keys(given)
    .filter((name) => !read.includes(name))
    .map(
      (name) =>
        `${name} is given to MemoryModule.forRootAsync beside the maker of the options, where it would not be read; let the maker answer it. Beside it stand only inject, imports, providers, isGlobal and name.`,
    );
}

function extrasFaults(method: string, options: object, lists: readonly string[]): readonly string[] {
  const given = options as Readonly<Record<string, unknown>>;
  const faults = lists
    .filter((name) => given[name] !== undefined && !Array.isArray(given[name]))
    .map((name) => `${name} is ${valueKind(given[name])}; ${method} takes an array there.`);
  if (given.isGlobal !== undefined && typeof given.isGlobal !== 'boolean')
    faults.push(`isGlobal is ${valueKind(given.isGlobal)}; ${method} takes true or false there.`);
  const nameFault = memoryNameFault(given.name);
  if (nameFault !== undefined) faults.push(`name ${nameFault}.`);
  return faults;
}

/** A class that makes the options is asked here, so that one without the method is refused in words. */
function madeByFactory(options: typeof ASYNC_OPTIONS_TYPE): typeof ASYNC_OPTIONS_TYPE {
  const { useFactory, useClass, useExisting, ...rest } = options;
  if (useFactory !== undefined) return options;
  const maker = (useClass ?? useExisting) as Type<MemoryModuleOptionsFactory>;
  return {
    ...rest,
    providers: useClass === undefined ? rest.providers : [...(rest.providers ?? []), useClass],
    inject: [maker],
    useFactory: (made: unknown) => {
      const { createMemoryOptions } = (made ?? {}) as Partial<MemoryModuleOptionsFactory>;
      if (typeof createMemoryOptions === 'function') return createMemoryOptions.call(made);
      throw new InvalidConfigurationError([
        `${useClass === undefined ? 'useExisting' : 'useClass'} leads to ${valueKind(made)}, which has no createMemoryOptions(); add the method, which answers the options.`,
      ]);
    },
  };
}

const isToken = (value: unknown): value is InjectionToken => ['function', 'string', 'symbol'].includes(typeof value);

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new InvalidConfigurationError(faults);
}
