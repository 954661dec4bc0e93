const LATIN_END = /[.!?…]/u;
const CJK_END = /[。！？]/u;
const CLOSING = /["'”’)\]」』）]/u;
const SPACE = /\s/u;

/**
 * A text in sentences, each with the white space behind it: joined again they are the text. A full stop ends a sentence
 * before white space only, so that `10.2.3.4`, `OrderService.retry` and `1.5` stay whole; CJK stops need none, and a line
 * break always ends one. One pass over the text.
 */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const end = endOfSentence(text, at);
    if (end === at) {
      at++;
      continue;
    }
    at = skip(text, end, SPACE);
    sentences.push(text.slice(start, at));
    start = at;
  }
  if (start < text.length) sentences.push(text.slice(start));
  return sentences;
}

/** Where a sentence's end that begins at `at` is over; `at` itself when none begins there. Looks at no character twice. */
function endOfSentence(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === '\n') return at + 1;
  if (CJK_END.test(character)) return skip(text, skip(text, at, CJK_END), CLOSING);
  // Only the first of a run of stops is asked, or each of them would read the rest of the run.
  if (!LATIN_END.test(character) || (at > 0 && LATIN_END.test(text.charAt(at - 1)))) return at;
  const end = skip(text, skip(text, at, LATIN_END), CLOSING);
  return end < text.length && SPACE.test(text.charAt(end)) ? end : at;
}

function skip(text: string, from: number, kind: RegExp): number {
  let at = from;
  while (at < text.length && kind.test(text.charAt(at))) at++;
  return at;
}
