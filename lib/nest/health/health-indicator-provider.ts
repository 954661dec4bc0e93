import type { FactoryProvider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { HealthIndicatorService } from '@nestjs/terminus';

import { getMemoryToken } from '../memory-name.js';
import { MemoryHealthIndicator } from './memory-health-indicator.js';
import { registeredHealth } from './registered-health.js';

/** Makes the indicator of the memory of this name, which is looked up when it is asked: by then every memory is made. */
export function healthIndicatorProvider(name: string | undefined): FactoryProvider<MemoryHealthIndicator> {
  return {
    provide: getMemoryToken(MemoryHealthIndicator, name),
    inject: [ModulesContainer, HealthIndicatorService],
    useFactory: (modules: ModulesContainer, indicators: HealthIndicatorService) =>
      new MemoryHealthIndicator({
        health: () => registeredHealth(modules, name),
        indicators,
        key: name === undefined ? 'memory' : `memory-${name}`,
      }),
  };
}
