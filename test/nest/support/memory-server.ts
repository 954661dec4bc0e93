import type { AddressInfo } from 'node:net';

import { Logger, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { SILENT_LOGGER } from '@aimon/nestjs-memory';

/** The two HTTP servers of Nest. */
export const HTTP_SERVERS = ['Express', 'Fastify'] as const;
export type HttpServer = (typeof HTTP_SERVERS)[number];

/** An application of these modules that listens on the loopback interface. */
export interface ListeningApplication {
  readonly app: INestApplication;
  readonly url: string;
}

/** Starts it; close `app` when done. */
export async function listen(server: HttpServer, metadata: ModuleMetadata): Promise<ListeningApplication> {
  Logger.overrideLogger(SILENT_LOGGER);
  const module = await Test.createTestingModule(metadata).setLogger(SILENT_LOGGER).compile();
  const options = { logger: SILENT_LOGGER, forceCloseConnections: true };
  const app = module.createNestApplication(server === 'Express' ? new ExpressAdapter() : new FastifyAdapter(), options);
  await app.init();
  if (server === 'Fastify') await (app.getHttpAdapter().getInstance() as { ready(): Promise<unknown> }).ready();
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  return { app, url: `http://127.0.0.1:${port}` };
}
