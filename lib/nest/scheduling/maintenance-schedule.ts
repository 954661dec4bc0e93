import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

import { InvalidConfigurationError } from '../../domain/errors.js';
import { MaintenanceCycleTimer } from '../../assembly/maintenance-cycle-timer.js';
import type { MaintenanceCycle } from '../../assembly/maintenance-cycle.js';
import { SYSTEM_CLOCK } from '../../domain/clock.js';
import { madeMemories } from '../application-faults.js';
import { MEMORY_STACK, type AssembledMemory } from '../memory-stack-provider.js';
import { schedulerRegistryIn, type SchedulerRegistry } from './scheduler-registry.js';

/**
 * Runs the memory's maintenance cycles while the application runs. Where the application has a registry of jobs they stand
 * there as one interval, `aimon-memory:maintenance` or `aimon-memory:<name>:maintenance`, which the application may delete
 * as any other; elsewhere they run by a timer of the memory. Neither keeps the process alive.
 */
@Injectable()
export class MaintenanceSchedule implements OnApplicationBootstrap {
  readonly #memory: AssembledMemory;
  readonly #modules: ModulesContainer;
  #started = false;

  constructor(@Inject(MEMORY_STACK) memory: AssembledMemory, @Inject(ModulesContainer) modules: ModulesContainer) {
    this.#memory = memory;
    this.#modules = modules;
  }

  /** @throws InvalidConfigurationError when the application has given the job's name to another one */
  async onApplicationBootstrap(): Promise<void> {
    const { name, stack } = this.#memory;
    const { maintenanceCycle: cycle, teardown } = stack;
    // Closed while the application was starting.
    if (cycle === undefined || cycle.stopped || this.#started) return;
    this.#started = true;
    // The registry goes by the system's time, and a memory under test by its clock.
    const registry = cycle.clock === SYSTEM_CLOCK ? schedulerRegistryIn(this.#modules) : undefined;
    const job = name === undefined ? 'aimon-memory:maintenance' : `aimon-memory:${name}:maintenance`;
    if (registry?.doesExist('interval', job) === true) {
      // Nest runs no shutdown hook after a failed start.
      await Promise.all(madeMemories(this.#modules).map((memory) => memory.stack.close()));
      throw new InvalidConfigurationError([
        `The application's registry of jobs has an interval named "${job}" already, which is what the maintenance of the memory is called; give the other one another name.`,
      ]);
    }
    const stop = registry === undefined ? byTimer(cycle) : inRegistry(registry, job, cycle);
    teardown.register('SESSIONS', 'maintenance schedule', stop);
  }
}

function byTimer(cycle: MaintenanceCycle): () => void {
  const timer = new MaintenanceCycleTimer(cycle);
  timer.start();
  return () => timer.stop();
}

function inRegistry(registry: SchedulerRegistry, job: string, cycle: MaintenanceCycle): () => void {
  const interval = setInterval(() => void cycle.tick(), cycle.intervalMs);
  interval.unref();
  registry.addInterval(job, interval);
  return () => {
    clearInterval(interval);
    // The registry is emptied by its own module when that is taken down first, and a name may have been given anew.
    if (registry.doesExist('interval', job) && registry.getInterval(job) === interval) registry.deleteInterval(job);
  };
}
