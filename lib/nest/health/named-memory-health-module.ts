import { Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';

import { healthIndicatorProvider } from './health-indicator-provider.js';
import { requireRegistered } from './registered-health.js';

const HEALTH_OF = Symbol('HEALTH_OF');

/** The module behind `MemoryHealthModule.forMemory`: one of its own, so that it needs no unnamed memory. */
@Module({})
export class NamedMemoryHealthModule implements OnModuleInit {
  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(HEALTH_OF) private readonly name: string,
  ) {}

  static of(name: string): DynamicModule {
    const indicator = healthIndicatorProvider(name);
    return {
      module: NamedMemoryHealthModule,
      imports: [TerminusModule],
      providers: [{ provide: HEALTH_OF, useValue: name }, indicator],
      exports: [TerminusModule, indicator.provide],
    };
  }

  onModuleInit(): Promise<void> {
    return requireRegistered(this.modules, this.name);
  }
}
