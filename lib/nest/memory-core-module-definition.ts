import { ConfigurableModuleBuilder, type DynamicModule } from '@nestjs/common';

import type { MemoryModuleExtras, MemoryModuleOptions } from './memory-module-options.js';

/**
 * The registration of the module that holds every provider. It is not global, whatever the extras say: a backend that a
 * global module provides is then destroyed after it. The name is the module's to turn into providers.
 */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<MemoryModuleOptions>()
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMemoryOptions')
    .setExtras<MemoryModuleExtras>(
      { isGlobal: true, providers: [], imports: [], name: undefined },
      (definition: DynamicModule, { providers = [], imports = [] }) => ({
        ...definition,
        imports: [
          ...(definition.imports ?? []),
          ...imports.filter((one) => definition.imports?.includes(one) !== true),
        ],
        providers: [...(definition.providers ?? []), ...providers],
      }),
    )
    .build();
