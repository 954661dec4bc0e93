import { levenshtein } from './packages-on-demand.js';

/** The one of `candidates` that `given` was probably meant to be, or `undefined` when none is near. */
export function nearest(given: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const { closest, distance } = levenshtein();
  const wanted = plain(given);
  const found = closest(wanted, candidates.map(plain));
  // A third of the letters; of a short word one, or "on" would be taken for "off".
  return distance(wanted, found) <= Math.max(1, Math.floor(wanted.length / 3))
    ? candidates.find((candidate) => plain(candidate) === found)
    : undefined;
}

/** Without the prefix, which all keys share, and what separates words. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^aimon[._]memory[._]/, '')
    .replaceAll(/[-._\s]/g, '');
