import type { ModuleMetadata, Provider } from '@nestjs/common';

import type { MemoryOptions } from './settings/memory-settings.js';

/** Options in code: the settings, and the environment to read the rest from. */
export interface MemoryModuleOptions extends MemoryOptions {
  /** Read instead of `process.env`; for tests. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What is decided when the module is registered, and not when its options are known. */
export interface MemoryModuleExtras {
  /** Whether its providers can be injected everywhere; default true. */
  readonly isGlobal?: boolean;
  /** Custom parts, such as `{ provide: PEER_MEMORY_BACKEND, useClass: … }`. */
  readonly providers?: Provider[];
  /**
   * Names a second memory beside the unnamed one, with settings of its own: only its options are read, neither the
   * environment nor `ConfigService`. Its parts are injected by `getMemoryToken` and `@InjectMemory`. 1 to 64 letters,
   * digits, - and _, beginning with a letter.
   */
  readonly name?: string;
  /** Modules that export custom parts. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

/** Makes the options, for `forRootAsync({ useClass | useExisting })`. */
export interface MemoryModuleOptionsFactory {
  /** The options; called once, at the start. */
  createMemoryOptions(): MemoryModuleOptions | Promise<MemoryModuleOptions>;
}
