// The subpath `/class-validator`: it needs class-validator and class-transformer.
export { IsMemorySetting } from './is-memory-setting.js';
export * from './memory-configuration.js';
