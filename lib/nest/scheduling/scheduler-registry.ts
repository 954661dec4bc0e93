import type { ModulesContainer } from '@nestjs/core';

/** What is used of the `SchedulerRegistry` of `@nestjs/schedule`, which an application need not have. */
export interface SchedulerRegistry {
  addInterval(name: string, interval: NodeJS.Timeout): void;
  doesExist(type: 'interval', name: string): boolean;
  getInterval(name: string): unknown;
  deleteInterval(name: string): void;
}

/** The registry of the application's jobs, where it has `ScheduleModule.forRoot()`. */
export function schedulerRegistryIn(modules: ModulesContainer): SchedulerRegistry | undefined {
  for (const module of modules.values()) {
    if (module.name !== 'ScheduleModule') continue;
    // By its name: the package is the application's, and may not be there at all.
    for (const [token, { instance }] of module.providers) {
      if (typeof token === 'function' && token.name === 'SchedulerRegistry' && isRegistry(instance)) return instance;
    }
  }
  return undefined;
}

function isRegistry(instance: unknown): instance is SchedulerRegistry {
  const methods = instance as Partial<SchedulerRegistry> | null | undefined;
  return (['addInterval', 'doesExist', 'getInterval', 'deleteInterval'] as const).every(
    (method) => typeof methods?.[method] === 'function',
  );
}
