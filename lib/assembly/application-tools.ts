import { MemoryToolContextEnricher } from '../agent/tools/memory-tool-context-enricher.js';
import type { MemoryToolContext } from '../agent/tools/memory-tool-context.js';
import type { MemoryTool } from '../agent/tools/memory-tool.js';
import type { PeerView } from '../domain/peer-view.js';

/** The tools of a memory with one fixed peer: a context need only hold what differs from that peer, such as a session. */
export function applicationTools(tools: readonly MemoryTool[], peer: PeerView): readonly MemoryTool[] {
  const fixed: MemoryToolContext = new MemoryToolContextEnricher(peer).enrich();
  return Object.freeze(
    tools.map((tool) =>
      Object.freeze({
        ...tool,
        execute: (input: unknown, context?: MemoryToolContext, options?: Parameters<MemoryTool['execute']>[2]) =>
          tool.execute(input, { ...fixed, ...context }, options),
      }),
    ),
  );
}
