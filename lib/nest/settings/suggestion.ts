import { closest, distance } from 'fastest-levenshtein';

/** The one of `candidates` that `given` was probably meant to be, or `undefined` when none is near. */
export function nearest(given: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-._\s]/g, '');
  const wanted = plain(given);
  const found = closest(wanted, candidates.map(plain));
  return distance(wanted, found) <= Math.max(2, Math.floor(wanted.length / 3))
    ? candidates.find((candidate) => plain(candidate) === found)
    : undefined;
}
