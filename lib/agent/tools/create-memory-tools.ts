import type { MemoryLogger } from '../../domain/memory-logger.js';
import type { PeerMemory } from '../../spi/peer-memory.js';
import { OnceLog } from '../../domain/once-log.js';
import { requireObject } from '../require-object.js';
import { memoryChatTool } from './memory-chat-tool.js';
import { memoryRecallTool } from './memory-recall-tool.js';
import { memorySearchTool } from './memory-search-tool.js';
import type { MemoryTool } from './memory-tool.js';
import { observeTool } from './observe-tool.js';

/**
 * The tools that `memory` can serve: `MemoryRecall` for SNAPSHOT, `MemorySearch` for SEARCH, `MemoryChat` for CHAT and
 * `Observe` for OBSERVE, in this order. A tool whose tier is not there is left out: offered all the same and answering
 * that it is not supported, it would be tried for ever.
 *
 * @param init.logger where failures of the backend are said, once per kind and tool; default: nowhere
 * @throws InvalidArgumentError when `memory` is no object
 */
export function createMemoryTools(
  memory: PeerMemory,
  init: { readonly logger?: MemoryLogger } = {},
): readonly MemoryTool[] {
  requireObject('createMemoryTools memory', memory, 'a PeerMemory');
  requireObject('createMemoryTools init', init);
  const { snapshotReader, searcher, dialecticEngine, observationRecorder } = memory;
  const log = new OnceLog(init.logger);
  // A memory that keeps no types would have every hit say that it was said.
  const showType = observationRecorder?.storesType !== false;
  return Object.freeze([
    ...(snapshotReader ? [memoryRecallTool(snapshotReader, { log })] : []),
    ...(searcher ? [memorySearchTool(searcher, { log, showType })] : []),
    ...(dialecticEngine ? [memoryChatTool(dialecticEngine, { log })] : []),
    ...(observationRecorder ? [observeTool(observationRecorder, { log })] : []),
  ]);
}
