import { registerAs } from '@nestjs/config';

import type { MemoryOptions } from '../settings/memory-settings.js';
import { memorySettingsFrom } from '../settings/load-memory-settings.js';

/**
 * The variables `AIMON_MEMORY_…` of this process as the namespace `aimon.memory` of `ConfigService`, for an application that
 * reads all its configuration there: `ConfigModule.forRoot({ load: [memoryConfig] })`, then
 * `config.get('aimon.memory.backend')` or `@Inject(memoryConfig.KEY)`.
 *
 * @throws InvalidConfigurationError, while the application starts, for a variable that is unknown or not taken
 */
export const memoryConfig = registerAs('aimon.memory', (): MemoryOptions => memorySettingsFrom(process.env));
