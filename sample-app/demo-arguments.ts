/** How the demo was called. */
export interface DemoArguments {
  /** Print and end, instead of serving. */
  readonly once: boolean;
  readonly port: number;
}

/** A wrong argument or variable; the message is for whoever typed it. */
export class UsageError extends Error {}

const DEFAULT_PORT = 3000;
const ANY_FREE_PORT = 0;

/** @throws UsageError naming the argument, or `PORT`, and what is accepted */
export function demoArguments(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): DemoArguments {
  const unknown = given.find((argument) => argument !== '--once');
  if (unknown !== undefined) {
    throw new UsageError(
      `${unknown} is no argument of the demo; it takes --once, to print and end, or nothing, to serve afterwards.`,
    );
  }
  const once = given.includes('--once');
  const { PORT: port = '' } = environment;
  if (port === '') return { once, port: once ? ANY_FREE_PORT : DEFAULT_PORT };
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`PORT is ${JSON.stringify(port)}; it takes a number from 0 (any free port) to 65535.`);
  }
  return { once, port: Number(port) };
}
