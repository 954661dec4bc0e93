import { Test } from '@nestjs/testing';
import { type INestApplicationContext, Logger, type ModuleMetadata } from '@nestjs/common';
import {
  Degradations,
  type MemoryLogger,
  MemoryModule,
  type MemoryModuleExtras,
  type MemoryModuleOptions,
  SILENT_LOGGER,
} from '@aimon/nestjs-memory';

/** A Nest application with the memory module, read from the options alone: nothing of this process's environment. */
export async function boot(
  options: MemoryModuleOptions & MemoryModuleExtras,
  rest: ModuleMetadata = {},
  logger?: MemoryLogger,
): Promise<INestApplicationContext> {
  const imports = [MemoryModule.forRoot({ env: {}, ...options }), ...(rest.imports ?? [])];
  return bootModules({ ...rest, imports }, logger);
}

/** A Nest application of these modules. What it, and every `Logger` of Nest, writes goes to `logger`; default nowhere. */
export async function bootModules(
  metadata: ModuleMetadata,
  logger: MemoryLogger = SILENT_LOGGER,
): Promise<INestApplicationContext> {
  // Before anything is registered, so that a start which is refused writes nowhere else either.
  Logger.overrideLogger(logger);
  const module = await Test.createTestingModule(metadata).setLogger(logger).compile();
  return module.createNestApplication({ logger }).init();
}

/** The message that booting fails with. */
export async function bootFailure(start: () => Promise<INestApplicationContext>): Promise<string> {
  try {
    await (await start()).close();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The application started, although it should have been refused.');
}

export function degradationKeys(app: INestApplicationContext): readonly string[] {
  return app
    .get(Degradations)
    .all()
    .map(({ key }) => key);
}
