import { AsyncLocalStorage } from 'node:async_hooks';

export type ExecutionKind = 'execution' | 'fork';

interface Frame {
  readonly owner: object;
  readonly kind: ExecutionKind;
  /** False once the work has ended: a task that it left behind is not inside it any more. */
  running: boolean;
  readonly outer: Frame | undefined;
}

const frames = new AsyncLocalStorage<Frame>();

/** Runs `work` so that {@link isInside} can tell that it, and all it awaits, is inside `owner`. */
export async function runInside<T>(owner: object, kind: ExecutionKind, work: () => T | Promise<T>): Promise<T> {
  const frame: Frame = { owner, kind, running: true, outer: frames.getStore() };
  try {
    return await frames.run(frame, async () => work());
  } finally {
    frame.running = false;
  }
}

/** Whether the caller runs inside work of `owner` that has not ended: waiting for it would be waiting for oneself. */
export function isInside(owner: object, kind?: ExecutionKind): boolean {
  for (let frame = frames.getStore(); frame !== undefined; frame = frame.outer) {
    if (frame.running && frame.owner === owner && (kind === undefined || frame.kind === kind)) return true;
  }
  return false;
}
