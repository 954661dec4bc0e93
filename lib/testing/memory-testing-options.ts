import type { MemoryLogger } from '../domain/memory-logger.js';
import type { MemoryModuleExtras } from '../nest/memory-module-options.js';
import type { MemoryOptions } from '../nest/settings/memory-settings.js';
import type { TestClock } from './test-clock.js';

/**
 * The settings of a memory under test, each as an application gives it in code. Its own defaults: `workspaceId: 'test'`,
 * `peerId: 'tester'`, `deriver: 'extractive'` and `ingest: 'execution-end'`; with `peerMode: 'caller'` no peer, and with
 * `workspaceMode: 'caller'` neither a workspace nor a peer.
 */
export interface MemoryTestingOptions extends Omit<MemoryOptions, 'backend'>, MemoryModuleExtras {
  /** Default: one of its own, which stands at 2026-01-01T00:00:00Z. Several memories may share one. */
  readonly clock?: TestClock;
  /** Where the memory writes what it has to say. Default: nowhere. */
  readonly logger?: MemoryLogger;
}
