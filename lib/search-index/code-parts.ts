// From what joins most loosely to what joins most tightly: an address and its port, a path and its file, a file and its
// ending, and last the pieces of a name (`OrderService`, `HTTPServer`, `E11000`).
const LOOSE_JOINERS = /[:/@\\]+/u;
const TIGHT_JOINERS = /[._-]+/u;
const PIECE = /\p{Lu}+\p{M}*(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lt}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}|\p{N}+/gu;
const PLURAL_ACRONYM = /^\p{Lu}{2,}s$/u;

/**
 * The parts of a code-like word, each once and in the case that it is written in: `10.2.3.4:8080` gives `10.2.3.4`,
 * `8080` and the numbers; `OrderService.retry` gives `OrderService`, `retry`, `Order` and `Service`. Empty for a word
 * that is one piece.
 */
export function codeParts(word: string): readonly string[] {
  const parts = new Set<string>();
  for (const segment of word.split(LOOSE_JOINERS)) {
    parts.add(segment);
    for (const name of segment.split(TIGHT_JOINERS)) {
      parts.add(name);
      if (!PLURAL_ACRONYM.test(name)) for (const [piece] of name.matchAll(PIECE)) parts.add(piece);
    }
  }
  parts.delete(word);
  parts.delete('');
  return [...parts];
}
