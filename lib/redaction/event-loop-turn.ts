/**
 * Gives the event loop away between two pieces of work, and gets it back when it is this one's turn: one piece in each
 * round of the loop, however many wait. `setImmediate` alone runs all that wait in one round, and a hundred texts that are
 * masked at once would hold the loop a hundred times as long as one.
 */
const waiting: (() => void)[] = [];

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serve);
  });
}

function serve(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serve);
}
