import { Module } from '@nestjs/common';

import { ConfigurableModuleClass } from './memory-core-module-definition.js';
import { MemoryLifecycle } from './memory-lifecycle.js';
import { MEMORY_PARTS } from './memory-parts.js';
import { memoryStackProvider } from './memory-stack-provider.js';
import { suppliedPartsProvider } from './supplied-parts.js';

/** Holds every provider, those with hooks among them. Not global; `MemoryModule` hands its exports on. */
@Module({
  providers: [suppliedPartsProvider, memoryStackProvider, MemoryLifecycle, ...MEMORY_PARTS],
  exports: MEMORY_PARTS.map(({ provide }) => provide),
})
export class MemoryCoreModule extends ConfigurableModuleClass {}
