/** The names of our tools, in the order in which they are offered. */
export const MEMORY_TOOL_NAMES = ['MemoryRecall', 'MemorySearch', 'MemoryChat', 'Observe'] as const;
export type MemoryToolName = (typeof MEMORY_TOOL_NAMES)[number];

/** Whether `name` is one of our tools'. */
export function isMemoryToolName(name: string | undefined): name is MemoryToolName {
  return (MEMORY_TOOL_NAMES as readonly (string | undefined)[]).includes(name);
}
