import type { ModulesContainer } from '@nestjs/core';

export type Module = NonNullable<ReturnType<ModulesContainer['get']>>;

/** A provider as Nest keeps it: its instance, its module, and the providers that were injected into it. */
export type ProviderWrapper = NonNullable<ReturnType<Module['providers']['get']>>;

/** The providers that were injected into one, by constructor, factory or property, as far as Nest has looked them up. */
export function dependenciesOf(wrapper: ProviderWrapper | undefined): readonly ProviderWrapper[] {
  const injected = [
    ...(wrapper?.getCtorMetadata() ?? []),
    ...(wrapper?.getPropertiesMetadata() ?? []).map((property) => property.wrapper),
  ] as readonly (ProviderWrapper | undefined)[];
  // An optional one that nobody provides leaves a hole.
  return injected.filter((one) => one !== undefined);
}
