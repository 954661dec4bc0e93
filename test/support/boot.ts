import { Test } from '@nestjs/testing';
import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import {
  Degradations,
  MemoryModule,
  type MemoryModuleExtras,
  type MemoryModuleOptions,
  SILENT_LOGGER,
} from '@aimon/nestjs-memory';

/** A Nest application with the memory module, read from the options alone: nothing of this process's environment. */
export async function boot(
  options: MemoryModuleOptions & MemoryModuleExtras,
  rest: ModuleMetadata = {},
): Promise<INestApplicationContext> {
  return bootModules({ ...rest, imports: [MemoryModule.forRoot({ env: {}, ...options }), ...(rest.imports ?? [])] });
}

/** A Nest application of these modules; its own log is silent. */
export async function bootModules(metadata: ModuleMetadata): Promise<INestApplicationContext> {
  const module = await Test.createTestingModule(metadata).setLogger(SILENT_LOGGER).compile();
  return module.createNestApplication({ logger: SILENT_LOGGER }).init();
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
