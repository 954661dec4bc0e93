// The subpath `/config`: it needs @nestjs/config.
export { memoryConfig } from './memory-config.js';
export { loadMemorySettings, memorySettingsFrom } from '../settings/load-memory-settings.js';
