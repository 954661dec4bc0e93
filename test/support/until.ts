/** Lets the event loop turn until `condition` holds. A condition that never holds ends the test by its timeout. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve));
}
