import { stemmer } from 'stemmer';

// Longer runs of letters are not English words, and the stemmer's expressions are not linear in their length.
const LONGEST_WORD = 32;
const ENGLISH = /^[a-z]+$/;

// Stemming is most of the cost of tokenising English; a few thousand words are most of what is said.
const CACHE_SIZE = 8192;
const stems = new Map<string, string>();

/** The stem of a lower-case English word (Porter, 1980, "An algorithm for suffix stripping"); anything else as it is. */
export function englishStem(word: string): string {
  if (word.length < 3 || word.length > LONGEST_WORD || !ENGLISH.test(word)) return word;
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = stemmer(word);
    if (stems.size >= CACHE_SIZE) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}
