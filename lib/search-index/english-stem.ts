import { stemmer } from 'stemmer';

// Longer runs of letters are not English words, and the stemmer's expressions are not linear in their length.
const LONGEST_WORD = 32;
const ENGLISH = /^[a-z]+$/;

/** The stem of a lower-case English word (Porter, 1980, "An algorithm for suffix stripping"); anything else as it is. */
export function englishStem(word: string): string {
  return word.length < 3 || word.length > LONGEST_WORD || !ENGLISH.test(word) ? word : stemmer(word);
}
