import { requireOneOf, shown } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';

/** @throws InvalidArgumentError when `expects` is no list, or names what is not accepted */
export function requireExpected<T extends string>(expects: readonly T[], accepted: readonly T[]): readonly T[] {
  if (!Array.isArray(expects)) {
    throw new InvalidArgumentError(
      `expects is ${shown(expects)}; it takes a list of what there is, of ${accepted.join(', ')}; [] where there is none of it.`,
    );
  }
  return (expects as readonly T[]).map((each) => requireOneOf('expects', each, accepted));
}

/**
 * `make`, whose answers are looked at: a test that is given nothing to test should not fail in its middle.
 *
 * @param option what the function is called in the options
 * @param part the field that its answers must have
 * @throws InvalidArgumentError when it is no function
 */
export function checkedMaker<Given extends unknown[], Made extends object>(
  option: string,
  part: keyof Made & string,
  make: (...given: Given) => Made | Promise<Made>,
): (...given: Given) => Promise<Made> {
  if (typeof make !== 'function') {
    throw new InvalidArgumentError(`${option} is ${shown(make)}; it takes a function that answers with { ${part} }.`);
  }
  return async (...given) => {
    const made: Made | undefined | null = await make(...given);
    const found: unknown = made?.[part];
    if (made != null && found !== null && (typeof found === 'object' || typeof found === 'function')) return made;
    throw new InvalidArgumentError(
      `${option}() answered with ${made == null ? shown(made) : `${part}: ${shown(found)}`}; it has to answer with { ${part} }.`,
    );
  };
}
