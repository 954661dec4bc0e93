import { Controller, Get, Logger, type ModuleMetadata } from '@nestjs/common';
import { HealthCheck, HealthCheckService } from '@nestjs/terminus';
import { type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { type MemoryLogger, SILENT_LOGGER } from '@aimon/nestjs-memory';
import { MemoryHealthIndicator } from '@aimon/nestjs-memory/health';

export const ADAPTERS = ['Express', 'Fastify'] as const;
export type Adapter = (typeof ADAPTERS)[number];

/** The endpoint as an application writes it. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly memory: MemoryHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([() => this.memory.check()]);
  }
}

export interface HealthAnswer {
  readonly httpStatus: number;
  /** The whole body. */
  readonly text: string;
  /** What terminus makes of all indicators. */
  readonly overall: string;
  readonly details: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface HealthHost {
  get<T>(token: unknown): T;
  health(path?: string): Promise<HealthAnswer>;
  close(): Promise<void>;
}

/** The application, served on loopback. */
export async function serve(
  adapter: Adapter,
  metadata: ModuleMetadata,
  logger: MemoryLogger = SILENT_LOGGER,
): Promise<HealthHost> {
  Logger.overrideLogger(logger);
  const module = await Test.createTestingModule(metadata).setLogger(logger).compile();
  const http: AbstractHttpAdapter = adapter === 'Express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = module.createNestApplication(http, { logger });
  await app.listen(0, '127.0.0.1');
  const address = await app.getUrl();
  return {
    get: <T>(token: unknown) => app.get<T>(token as never),
    close: () => app.close(),
    health: async (path = 'health') => {
      const response = await fetch(`${address}/${path}`);
      const text = await response.text();
      const { status: overall, details } = JSON.parse(text) as { status: string; details: HealthAnswer['details'] };
      return { httpStatus: response.status, text, overall, details };
    },
  };
}
