// For an application's tests; what is not exported here can change without notice.

export type { OutagePart } from './backend-outages.js';
export type { Duration } from './duration.js';
export { MemoryTestingModule } from './memory-testing-module.js';
export type { MemoryTestingOptions } from './memory-testing-options.js';
export { MemoryTesting, type SettledOptions } from './memory-testing.js';
export { TestClock } from './test-clock.js';
