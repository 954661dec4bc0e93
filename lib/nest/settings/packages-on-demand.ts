import { createRequire } from 'node:module';

/*
 * What only the reading of settings needs is loaded when it is needed, and not by everybody who imports the library: these
 * packages took two fifths of the time of that import. Settings are read where nothing can be waited for, so `import()`
 * will not do.
 */
const require = createRequire(import.meta.url);

/** Checks the value of a setting. */
export const joi = onDemand('joi', () => require('joi') as typeof import('joi'));
/** Reads a file of settings in YAML or JSON. */
export const yaml = onDemand('yaml', () => require('yaml') as typeof import('yaml'));
/** Reads a file of settings in properties. */
export const propertiesParser = onDemand(
  'properties-file',
  () => require('properties-file/parser') as typeof import('properties-file/parser'),
);
/** Says when a time in a setting comes. */
export const croner = onDemand('croner', () => require('croner') as typeof import('croner'));
/** Finds what a misspelt setting was meant to be. */
export const levenshtein = onDemand(
  'fastest-levenshtein',
  () => require('fastest-levenshtein') as typeof import('fastest-levenshtein'),
);

function onDemand<Package>(name: string, load: () => Package): () => Package {
  let once: Package | undefined;
  return () => {
    try {
      return (once ??= load());
    } catch (error) {
      throw new Error(
        `${name} cannot be loaded, which settings are read with. It is installed with @aimon/nestjs-memory; where a bundler makes one file of an application, keep @aimon/nestjs-memory out of that file (external).`,
        { cause: error },
      );
    }
  };
}
