import { stemmer } from 'stemmer';

// Longer runs of letters are not English words, and the stemmer's expressions are not linear in their length.
const LONGEST_WORD = 32;
const ENGLISH = /^[a-z]+$/;

/**
 * The stem of a lower-case English word (Porter, 1980, "An algorithm for suffix stripping"); anything else as it is.
 * With one addition: Porter makes `deploi` of `deploy` and `deploy` of `deployment`. A final `i` becomes `y`, so that
 * these are one word, and `happy` and `happiness` still are.
 */
export function englishStem(word: string): string {
  if (word.length < 3 || word.length > LONGEST_WORD || !ENGLISH.test(word)) return word;
  return stemmer(word).replace(/i$/, 'y');
}
