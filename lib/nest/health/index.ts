// The public surface of `@aimon/nestjs-memory/health`, which needs @nestjs/terminus.

export { MemoryHealthIndicator, type MemoryHealthIndicatorParts } from './memory-health-indicator.js';
export { MemoryHealthModule } from './memory-health-module.js';
